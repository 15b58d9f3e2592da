import { sql } from 'drizzle-orm';
import { expect, test } from 'vitest';
import { createFakeAuthenticator } from '#test/authenticator.ts';
import { describeOnFastestEngine, waitUntilStatementWaits, describeOnPostgres } from '#test/database.ts';
import { buyFramesAsAnna } from '#test/people.ts';
import { countRows, readAllTables, readQueuedMails } from '#test/rows.ts';
import { adminPassword, openTestShop, type Browser, type TestShop } from '#test/shop.ts';

const minuteMs = 60_000;
const passwordBody = { password: adminPassword };
const ownPath = '/api/admin/passkeys';
const signInPath = '/api/admin/auth/passkey';
type FakeAuthenticator = ReturnType<typeof createFakeAuthenticator>;
type Challenge = { challenge: string };

const signIn = (browser: Browser) => browser.post('/api/admin/auth/password', passwordBody);
const fetchChallenge = async (browser: Browser): Promise<Challenge> =>
  (await browser.post(`${signInPath}/options`)).json;
const signInByPasskey = async (browser: Browser, device: FakeAuthenticator) =>
  browser.post(signInPath, { answer: device.sign(await fetchChallenge(browser)) });
const readPanelStatus = async (browser: Browser) => (await browser.get('/api/admin/stats')).status;
const toStatusAndCode = ({ status, json }: { status: number; json: { code: string } }) => [status, json.code];
const passkeyRefusal = [401, 'passkey-refused'];
const listPasskeys = async (browser: Browser) => (await browser.get('/api/admin/security')).json.passkeys;
async function addPasskeyTo(owner: Browser, device: FakeAuthenticator, name = 'Desk') {
  const { json } = await owner.post(`${ownPath}/options`);
  return owner.post(ownPath, { name, answer: device.make(json) });
}
async function openBrowserWithPasskey(it: TestShop) {
  const [owner, device] = [it.browser(), createFakeAuthenticator()];
  await signIn(owner);
  expect((await addPasskeyTo(owner, device)).status).toBe(200);
  return { owner, device };
}
const readActs = async ({ shop }: TestShop) =>
  ((await readAllTables(shop.db))['audit_trail'] as { act: string; after: unknown; at: string }[])
    .toSorted((a, b) => (a.at < b.at ? -1 : 1))
    .map(({ act, after }) => (after === null ? act : `${act} ${JSON.stringify(after)}`));

describeOnFastestEngine((fresh) => {
  test('the owner adds a passkey, renames it and signs in with it, and cannot sign in after removing it', async () => {
    const testShop = await openTestShop(fresh);
    const { owner, device } = await openBrowserWithPasskey(testShop);
    expect(await listPasskeys(owner)).toEqual([
      { id: device.id, name: 'Desk', isSynced: false, createdAt: expect.any(String), lastUsedAt: null },
    ]);
    expect((await owner.put(`${ownPath}/${device.id}`, { name: 'Kitchen' })).json.name).toBe('Kitchen');

    const phoneBrowser = testShop.browser();
    expect((await signInByPasskey(phoneBrowser, device)).json).toEqual({ success: true, message: 'Welcome back.' });
    expect(await readPanelStatus(phoneBrowser)).toBe(200);
    const { sessions, passkeys } = (await phoneBrowser.get('/api/admin/security')).json;
    expect(sessions.find((each: { isThis: boolean }) => each.isThis).by).toBe('passkey');
    expect(passkeys[0].lastUsedAt).toEqual(expect.any(String));

    expect((await owner.delete(`${ownPath}/${device.id}`)).status).toBe(200);
    expect(await listPasskeys(owner)).toEqual([]);
    expect(toStatusAndCode(await signInByPasskey(testShop.browser(), device))).toEqual(passkeyRefusal);
    expect(toStatusAndCode(await owner.delete(`${ownPath}/${device.id}`))).toEqual([404, 'not-found']);
    expect(await readActs(testShop)).toEqual([
      'admin-sign-in {"way":"password"}',
      'begin-passkey',
      'add-passkey {"name":"Desk"}',
      'name-passkey {"name":"Kitchen"}',
      'admin-sign-in {"way":"passkey"}',
      'remove-passkey',
      'admin-sign-in-failed {"way":"passkey"}',
    ]);
    expect(
      (await readQueuedMails(testShop.shop.db, 'owner-second-step:')).map(({ to, content }) => [
        to,
        content.what,
        content.name,
      ]),
    ).toEqual([
      ['support@kinframe.example', 'passkey-added', 'Desk'],
      ['support@kinframe.example', 'passkey-removed', 'Kitchen'],
    ]);
  });

  test('with the second factor on, a passkey alone replaces password and code', async () => {
    const testShop = await openTestShop(fresh);
    const { device } = await openBrowserWithPasskey(testShop);
    await testShop.shop.db.execute(sql`insert into second_factors (owner, secret, created_at, confirmed_at)
      values ('owner', 'AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA', now(), now())`);
    const phone = testShop.browser();
    expect((await signIn(phone)).json).toMatchObject({ success: false, codeNeeded: true });
    expect(await readPanelStatus(phone)).toBe(401);
    expect((await signInByPasskey(phone, device)).status).toBe(200);
    expect([await readPanelStatus(phone), phone.cookies.has('admin-code')]).toEqual([200, false]);
  });

  test('accepts a challenge once, within five minutes, from our own page and with user verification', async () => {
    const testShop = await openTestShop(fresh);
    const { device } = await openBrowserWithPasskey(testShop);
    const sentChallenge = await fetchChallenge(testShop.browser());
    const signedAnswer = device.sign(sentChallenge);
    expect((await testShop.browser().post(signInPath, { answer: signedAnswer })).status).toBe(200);
    expect(toStatusAndCode(await testShop.browser().post(signInPath, { answer: signedAnswer }))).toEqual(
      passkeyRefusal,
    );
    expect(toStatusAndCode(await testShop.browser().post(signInPath, { answer: device.sign(sentChallenge) }))).toEqual(
      passkeyRefusal,
    );

    const lateChallenge = await fetchChallenge(testShop.browser());
    await testShop.shop.db.execute(
      sql`update tokens set expires_at = now() where purpose = 'owner-passkey' and used_at is null`,
    );
    expect(toStatusAndCode(await testShop.browser().post(signInPath, { answer: device.sign(lateChallenge) }))).toEqual(
      passkeyRefusal,
    );
    // Challenges for customers, or for adding a passkey, are not accepted for the owner's sign-in.
    const { json: customers } = await testShop.browser().post('/api/auth/passkey/options');
    expect(toStatusAndCode(await testShop.browser().post(signInPath, { answer: device.sign(customers) }))).toEqual(
      passkeyRefusal,
    );

    device.forgetCount(); // a copied passkey sends an old signature count
    for (let i = 0; i < 2; i++)
      expect(toStatusAndCode(await signInByPasskey(testShop.browser(), device))).toEqual(passkeyRefusal);

    const owner = testShop.browser();
    await signIn(owner);
    for (const invalidAuthenticator of [
      createFakeAuthenticator({ origin: 'https://evil.example' }),
      createFakeAuthenticator({ isPersonKnown: false }),
    ])
      expect(toStatusAndCode(await addPasskeyTo(owner, invalidAuthenticator))).toEqual([400, 'passkey-not-added']);
    const { json: options } = await owner.post(`${ownPath}/options`);
    const validAuthenticator = createFakeAuthenticator();
    expect((await owner.post(ownPath, { name: 'Phone', answer: validAuthenticator.make(options) })).status).toBe(200);
    expect(
      toStatusAndCode(await owner.post(ownPath, { name: 'Again', answer: createFakeAuthenticator().make(options) })),
    ).toEqual([400, 'passkey-not-added']);
    expect(await countRows(testShop.shop.db, 'owner_passkeys')).toBe(2);
  });

  test('a customer’s passkey cannot sign in to the panel, and the owner’s passkey not to an account', async () => {
    const testShop = await openTestShop(fresh);
    const { device } = await openBrowserWithPasskey(testShop);
    const { browser: anna } = await buyFramesAsAnna(testShop);
    const annasAuthenticator = createFakeAuthenticator();
    const { json } = await anna.post('/api/account/passkeys/options');
    await anna.post('/api/account/passkeys', { name: 'Mine', answer: annasAuthenticator.make(json) });
    expect(toStatusAndCode(await signInByPasskey(testShop.browser(), annasAuthenticator))).toEqual(passkeyRefusal);
    const sentChallenge = (await testShop.browser().post('/api/auth/passkey/options')).json;
    expect(
      toStatusAndCode(await testShop.browser().post('/api/auth/passkey/login', { answer: device.sign(sentChallenge) })),
    ).toEqual(passkeyRefusal);
  });

  test('adding and removing a passkey needs a proof within ten minutes, and a passkey counts as a proof', async () => {
    const testShop = await openTestShop(fresh, { env: { ADMIN_KEY: 'a-key-of-at-least-thirty-two-characters' } });
    const { owner, device } = await openBrowserWithPasskey(testShop);
    testShop.clock.advance(10 * minuteMs);
    const stepUpNeeded = [403, 'step-up-needed'];
    expect(toStatusAndCode(await owner.post(`${ownPath}/options`))).toEqual(stepUpNeeded);
    expect(toStatusAndCode(await owner.delete(`${ownPath}/${device.id}`))).toEqual(stepUpNeeded);
    const headers = { 'x-admin-key': 'a-key-of-at-least-thirty-two-characters' };
    expect(toStatusAndCode(await testShop.browser().post(`${ownPath}/options`, undefined, headers))).toEqual(
      stepUpNeeded,
    );
    expect((await owner.get('/api/admin/step-up')).json).toEqual({ isProved: false, proofs: ['password', 'passkey'] });
    const unknownAuthenticator = createFakeAuthenticator();
    const proveIdentity = async (by: FakeAuthenticator) =>
      owner.post('/api/admin/step-up', { answer: by.sign(await fetchChallenge(owner)) });
    expect(toStatusAndCode(await proveIdentity(unknownAuthenticator))).toEqual([403, 'passkey-wrong']);
    expect(toStatusAndCode(await owner.post(`${ownPath}/options`))).toEqual(stepUpNeeded);
    expect((await proveIdentity(device)).status).toBe(200);
    expect((await owner.post(`${ownPath}/options`)).status).toBe(200);
    expect((await readActs(testShop)).slice(-3)).toEqual([
      'admin-proof-failed {"way":"passkey"}',
      'admin-proved {"by":"passkey"}',
      'begin-passkey',
    ]);
  });

  test('refuses passkeys from an IP address that is not allowed, and limits attempts', async () => {
    const testShop = await openTestShop(fresh, { env: { ADMIN_ALLOWED_IPS: '192.0.2.0/24', RATE_LIMITS: 'on' } });
    const outsideBrowser = testShop.browser({ address: '198.51.100.1' });
    for (const path of [`${signInPath}/options`, signInPath])
      expect(
        toStatusAndCode(
          await outsideBrowser.post(path, { answer: createFakeAuthenticator().sign({ challenge: 'none' }) }),
        ),
      ).toEqual([403, 'address-not-allowed']);
    const insideBrowser = testShop.browser({ address: '192.0.2.7' });
    for (let i = 0; i < 10; i++)
      expect(toStatusAndCode(await signInByPasskey(insideBrowser, createFakeAuthenticator()))).toEqual(passkeyRefusal);
    expect(toStatusAndCode(await insideBrowser.post(`${signInPath}/options`))).toEqual([429, 'too-many-requests']);
  });

  test('refuses the 21st passkey with too-many-passkeys', async () => {
    const testShop = await openTestShop(fresh);
    const { owner } = await openBrowserWithPasskey(testShop);
    await testShop.shop.db.execute(sql`insert into owner_passkeys
      select 'k' || n, 'x', 0, '[]', false, 'One', now(), null from generate_series(2, 19) n`);
    const [one, two] = [(await owner.post(`${ownPath}/options`)).json, (await owner.post(`${ownPath}/options`)).json];
    expect((await owner.post(ownPath, { name: 'Last', answer: createFakeAuthenticator().make(one) })).status).toBe(200);
    expect(
      toStatusAndCode(await owner.post(ownPath, { name: 'More', answer: createFakeAuthenticator().make(two) })),
    ).toEqual([409, 'too-many-passkeys']);
    expect(toStatusAndCode(await owner.post(`${ownPath}/options`))).toEqual([409, 'too-many-passkeys']);
  });
});

describeOnPostgres((fresh) => {
  test('accepts the same signed challenge only once when many browsers send it at the same time', async () => {
    const testShop = await openTestShop(fresh);
    const { device } = await openBrowserWithPasskey(testShop);
    const answer = device.sign(await fetchChallenge(testShop.browser()));
    const responses = await Promise.all(
      Array.from({ length: 12 }, () => testShop.browser().post(signInPath, { answer })),
    );
    expect(responses.filter(({ status }) => status === 200)).toHaveLength(1);
  });

  test('records a failed proof if the passkey is removed while its signature is being accepted', async () => {
    const testShop = await openTestShop(fresh);
    const { owner, device } = await openBrowserWithPasskey(testShop);
    const answer = device.sign(await fetchChallenge(owner));
    const { proving } = await testShop.shop.db.transaction(async (tx) => {
      await tx.execute(sql`delete from owner_passkeys`);
      const stepUpResponse = owner.post('/api/admin/step-up', { answer });
      await waitUntilStatementWaits(testShop.shop.db, 'update "owner_passkeys"');
      return { proving: stepUpResponse };
    });
    expect(toStatusAndCode(await proving)).toEqual([403, 'passkey-wrong']);
    expect((await readActs(testShop)).at(-1)).toBe('admin-proof-failed {"way":"passkey"}');
  });
});
