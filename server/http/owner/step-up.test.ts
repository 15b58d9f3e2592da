import { sql } from 'drizzle-orm';
import { expect, test } from 'vitest';
import { listServerPaths } from '#test/addresses.ts';
import { validBodies } from '#test/bodies.ts';
import { apiOperationList } from '#test/calls.ts';
import { describeOnFastestEngine, type FreshDatabase } from '#test/database.ts';
import { generateTotpCode } from '#test/one-time-code.ts';
import { buyFramesAsAnna } from '#test/people.ts';
import { countRows, readAllTables } from '#test/rows.ts';
import { adminPassword, openTestShop, type Browser, type TestShop } from '#test/shop.ts';

const minuteMs = 60_000;
const adminKey = 'a-key-of-at-least-thirty-two-characters';
const passwordBody = { password: adminPassword };
const stepUpNeeded = [403, 'step-up-needed'];
const signIn = (browser: Browser) => browser.post('/api/admin/auth/password', passwordBody);
const proveIdentity = (browser: Browser, proof: object) => browser.post('/api/admin/step-up', proof);
const toStatusAndCode = ({ status, json }: { status: number; json: { code: string } }) => [status, json.code];

/** All calls that need a recent proof of identity, and whether the admin key replaces the proof. */
const proofRulesByRoute: Record<string, { key: boolean }> = {
  'POST /api/admin/orders/:id/refunds': { key: true },
  'POST /api/admin/orders/:id/cancellation': { key: true },
  'POST /api/admin/payment-problems/:id/close': { key: true },
  'PUT /api/admin/content/site.json': { key: true },
  'POST /api/admin/second-factor/confirm': { key: false },
  'POST /api/admin/passkeys/options': { key: false },
  'POST /api/admin/passkeys': { key: false },
  'PUT /api/admin/passkeys/:id': { key: false },
  'DELETE /api/admin/passkeys/:id': { key: false },
  'POST /api/admin/staff': { key: false },
  'PUT /api/admin/staff/:id': { key: false },
  'POST /api/admin/staff/:id/invitation': { key: false },
  'POST /api/admin/gift-cards/:id/resend': { key: true },
  'POST /api/admin/gift-cards/:id/void': { key: true },
  'GET /api/admin/lists/orders.csv': { key: true },
  'GET /api/admin/lists/orders.xlsx': { key: true },
  'GET /api/admin/lists/customers.csv': { key: true },
  'GET /api/admin/lists/customers.xlsx': { key: true },
  'GET /api/admin/lists/users.csv': { key: true },
  'GET /api/admin/lists/users.xlsx': { key: true },
  'GET /api/admin/lists/support-tickets.csv': { key: true },
  'GET /api/admin/lists/support-tickets.xlsx': { key: true },
  'GET /api/admin/shipping-addresses.csv': { key: true },
  'GET /api/analytics/days.csv': { key: true },
  'GET /api/analytics/days.xlsx': { key: true },
  'GET /api/analytics/month-file.csv': { key: true },
  'GET /api/analytics/month-file.xlsx': { key: true },
  'GET /api/analytics/sales-tax.csv': { key: true },
  'GET /api/analytics/sales-tax.xlsx': { key: true },
  'GET /api/admin/orders/:id/download': { key: true },
};
/** These calls contain the proof in their body. */
const routesWithProofInBody = [
  'POST /api/admin/second-factor',
  'POST /api/admin/second-factor/recovery-codes',
  'POST /api/admin/second-factor/off',
];
/** Matches calls that may need a proof: refunds, exports, backups, keys, and sign-in settings. */
const sensitiveRoutePattern =
  /refund|cancellation|payment-problems\/|\.(csv|xlsx|zip|tar)\b|download|export|backup|month-file|gift-cards\/:id|key|second-factor|recovery|staff/;
const harmlessRoutes = [
  // Signing in gives the proof of identity, so it cannot require one.
  'POST /api/admin/auth/passkey/options',
  'POST /api/admin/auth/passkey',
  'POST /api/admin/auth/staff/password',
  'POST /api/admin/auth/staff/code',
  // The page of an invitation. Its token is the proof.
  'GET /api/staff-invitation',
  'POST /api/staff-invitation/passkey-options',
  'POST /api/staff-invitation/second-factor',
  'POST /api/staff-invitation/accept',
  // Shows names. Removing someone is urgent.
  'GET /api/admin/staff',
  'DELETE /api/admin/staff/:id',
  // Only shows what could be refunded.
  'GET /api/admin/orders/:id/refunds',
  // Only shows what canceling would do.
  'GET /api/admin/orders/:id/cancellation',
  // Belongs to the sandbox, where no money is involved.
  'POST /api/sandbox/payments/:id/refund',
];

/** A shop, and the owner's browser ten minutes after the sign-in, when the proof has expired. */
async function openShopWithStaleOwner(fresh: FreshDatabase, env: Record<string, string> = {}) {
  const testShop = await openTestShop(fresh, { env: { ADMIN_KEY: adminKey, ...env } });
  const owner = testShop.browser();
  await signIn(owner);
  testShop.clock.advance(10 * minuteMs);
  return { it: testShop, owner };
}
const callRoute = (browser: Browser, route: string, headers: Record<string, string> = {}) => {
  const [method, path] = route.split(' ') as [string, string];
  return browser.call(method, path.replace(/:\w+/g, 'none'), (validBodies as Record<string, object>)[route], headers);
};
const readActs = async ({ shop }: TestShop) =>
  ((await readAllTables(shop.db))['audit_trail'] as { act: string; after: unknown; at: string }[])
    .toSorted((a, b) => (a.at < b.at ? -1 : 1))
    .map(({ act, after }) => `${act} ${JSON.stringify(after)}`);

describeOnFastestEngine((fresh) => {
  test('exactly the listed calls, such as refunds, exports and sign-in settings, need a recent proof', async () => {
    const { it, owner } = await openShopWithStaleOwner(fresh);
    const contractRoutes = apiOperationList.filter(({ who }) => who === 'admin').map(({ route }) => route);
    const outsideContract = listServerPaths(it)
      .filter(
        (path) => /^\/api\/(admin|analytics)\//.test(path) && !apiOperationList.some((call) => call.path === path),
      )
      .map((path) => `GET ${path}`);
    const refusedCalls: string[] = [];
    for (const route of [...contractRoutes, ...outsideContract].filter((each) => !each.endsWith('/live'))) {
      if (route.includes('end-others')) continue;
      const response = await callRoute(owner, route);
      if (response.json?.code === 'step-up-needed') refusedCalls.push(route);
    }
    expect(refusedCalls.toSorted()).toEqual(Object.keys(proofRulesByRoute).toSorted());
    expect(apiOperationList.filter(({ stepUp }) => stepUp === 'in-body').map(({ route }) => route)).toEqual(
      routesWithProofInBody,
    );
    const knownCalls = new Set([...Object.keys(proofRulesByRoute), ...routesWithProofInBody, ...harmlessRoutes]);
    const routesOfKinds = [...apiOperationList.map(({ route }) => route), ...outsideContract]
      .filter((route) => /\/api\/(admin|analytics|sandbox)\//.test(route))
      .filter((route) => sensitiveRoutePattern.test(route));
    expect(routesOfKinds.filter((route) => !knownCalls.has(route))).toEqual([]);
  });

  test('a sign-in or a new proof is valid for ten minutes, only in the browser that gave it', async () => {
    const testShop = await openTestShop(fresh);
    const [owner, other] = [testShop.browser(), testShop.browser()];
    await signIn(owner);
    await signIn(other);
    const readExportStatus = async (browser: Browser) => (await browser.get('/api/admin/lists/orders.csv')).status;
    const isProved = async (browser: Browser) => (await browser.get('/api/admin/step-up')).json.isProved;
    testShop.clock.advance(9 * minuteMs);
    expect([await readExportStatus(owner), await isProved(owner)]).toEqual([200, true]);
    testShop.clock.advance(45_000); // reports the proof as expired 30 seconds early, so that a download does not fail
    expect([await readExportStatus(owner), await isProved(owner)]).toEqual([200, false]);
    testShop.clock.advance(15_000);
    expect([await readExportStatus(owner), await isProved(owner)]).toEqual([403, false]);
    expect((await proveIdentity(owner, passwordBody)).status).toBe(200);
    expect([await readExportStatus(owner), await isProved(owner), await readExportStatus(other)]).toEqual([
      200,
      true,
      403,
    ]);
    testShop.clock.advance(10 * minuteMs - 1000);
    expect(await readExportStatus(owner)).toBe(200);
    testShop.clock.advance(1000);
    expect(await readExportStatus(owner)).toBe(403);
  });

  test('a refused call changes nothing, and succeeds unchanged once the proof is given', async () => {
    const { it, owner } = await openShopWithStaleOwner(fresh);
    await buyFramesAsAnna(it);
    const [{ id }] = (await owner.get('/api/admin/orders')).json;
    const refund = { amountCents: 500, reason: 'A scratch', withdrawPhotos: false, key: crypto.randomUUID() };
    const path = `/api/admin/orders/${id}/refunds`;
    expect(toStatusAndCode(await owner.post(path, refund))).toEqual(stepUpNeeded);
    expect(await countRows(it.shop.db, 'refunds')).toBe(0);
    await proveIdentity(owner, passwordBody);
    expect((await owner.post(path, refund)).status).toBe(200);
    expect(await countRows(it.shop.db, 'refunds')).toBe(1);
  });

  test('a wrong step-up password shares the limit of the sign-in, is audited, and gives no access', async () => {
    const { it, owner } = await openShopWithStaleOwner(fresh);
    for (let i = 0; i < 6; i++)
      expect(toStatusAndCode(await proveIdentity(owner, { password: 'not-the-password' }))).toEqual([
        403,
        'password-wrong',
      ]);
    expect(toStatusAndCode(await proveIdentity(owner, { code: '123456' }))).toEqual([409, 'second-factor-off']);
    for (const insufficientProof of [{}, { ...passwordBody, code: '123456' }, { password: 7 }])
      expect(toStatusAndCode(await proveIdentity(owner, insufficientProof))).toEqual([400, 'invalid-request']);
    expect(toStatusAndCode(await callRoute(owner, 'GET /api/admin/lists/orders.csv'))).toEqual(stepUpNeeded);
    await proveIdentity(owner, passwordBody);
    expect(await readActs(it)).toEqual([
      'admin-sign-in {"way":"password"}',
      ...Array<string>(6).fill('admin-proof-failed {"way":"password"}'),
      'admin-proved {"by":"password"}',
    ]);
    for (let i = 0; i < 4; i++) await owner.post('/api/admin/auth/password', { password: 'not-the-password' });
    expect(toStatusAndCode(await proveIdentity(owner, passwordBody))).toEqual([429, 'admin-sign-in-slowed']);
  });

  test('with the second factor on, a code of the app counts as a proof, but only once', async () => {
    const testShop = await openTestShop(fresh);
    const owner = testShop.browser();
    await signIn(owner);
    const { secret } = (await owner.post('/api/admin/second-factor', passwordBody)).json;
    await owner.post('/api/admin/second-factor/confirm', { code: generateTotpCode(secret, testShop.clock.now()) });
    testShop.clock.advance(10 * minuteMs);
    expect((await owner.get('/api/admin/step-up')).json).toEqual({ isProved: false, proofs: ['password', 'code'] });
    const code = generateTotpCode(secret, testShop.clock.now());
    expect((await proveIdentity(owner, { code })).status).toBe(200);
    expect((await callRoute(owner, 'GET /api/admin/lists/orders.csv')).status).toBe(200);
    testShop.clock.advance(10 * minuteMs);
    expect(toStatusAndCode(await proveIdentity(owner, { code }))).toEqual([403, 'code-wrong']);
    expect(toStatusAndCode(await callRoute(owner, 'GET /api/admin/lists/orders.csv'))).toEqual(stepUpNeeded);
  });

  test('a script with the admin key needs no proof of identity, but cannot change the sign-in settings', async () => {
    const { it } = await openShopWithStaleOwner(fresh);
    for (const [route, { key: isEnough }] of Object.entries(proofRulesByRoute)) {
      const { json } = await callRoute(it.browser(), route, { 'x-admin-key': adminKey });
      if (isEnough) expect(json?.code, route).not.toBe('step-up-needed');
      else expect(json.code, route).toBe('step-up-needed');
    }
    const browserWithKey = it.browser();
    expect(
      toStatusAndCode(await browserWithKey.post('/api/admin/step-up', passwordBody, { 'x-admin-key': adminKey })),
    ).toEqual([401, 'admin-needed']);
    expect((await browserWithKey.get(`/api/admin/lists/orders.csv?admin_key=${adminKey}`)).status).toBe(200);
    // A session that was started with a key in an address belongs to a browser, so it needs a proof.
    expect(toStatusAndCode(await callRoute(browserWithKey, 'GET /api/admin/lists/orders.csv'))).toEqual(stepUpNeeded);
    await proveIdentity(browserWithKey, passwordBody);
    expect((await callRoute(browserWithKey, 'GET /api/admin/lists/orders.csv')).status).toBe(200);
  });

  test('refuses ended sessions and visitors with admin-needed instead of asking for a proof', async () => {
    const { it, owner } = await openShopWithStaleOwner(fresh);
    expect(toStatusAndCode(await callRoute(it.browser(), 'GET /api/admin/lists/orders.csv'))).toEqual([
      401,
      'admin-needed',
    ]);
    it.clock.advance(31 * minuteMs);
    expect(toStatusAndCode(await callRoute(owner, 'GET /api/admin/lists/orders.csv'))).toEqual([401, 'admin-needed']);
    expect(toStatusAndCode(await proveIdentity(owner, passwordBody))).toEqual([401, 'admin-needed']);
    const restrictedShop = await openTestShop(fresh, { env: { ADMIN_ALLOWED_IPS: '192.0.2.0/24' } });
    const outsideBrowser = restrictedShop.browser({ address: '198.51.100.1' });
    expect(toStatusAndCode(await proveIdentity(outsideBrowser, passwordBody))).toEqual([403, 'address-not-allowed']);
  });

  test('in a session that an older release started, the sign-in counts as the proof', async () => {
    const { it, owner } = await openShopWithStaleOwner(fresh);
    await it.shop.db.execute(sql`update sessions set way = null, created_at = now()`);
    it.clock.advance(-10 * minuteMs);
    expect((await callRoute(owner, 'GET /api/admin/lists/orders.csv')).status).toBe(200);
  });
});
