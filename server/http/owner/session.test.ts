import { expect, test } from 'vitest';
import { describeOnFastestEngine } from '#test/database.ts';
import { buyFramesAsAnna } from '#test/people.ts';
import { countRows, readAllTables } from '#test/rows.ts';
import { adminPassword, openTestShop, type Browser } from '#test/shop.ts';
import { createAddressFilter } from '../common/guards.ts';

const minuteMs = 60_000;
const adminKey = 'a-key-of-at-least-thirty-two-characters';
const signIn = (browser: Browser, password = adminPassword) => browser.post('/api/admin/auth/password', { password });
const isAdmin = async (browser: Browser, headers: Record<string, string> = {}) =>
  (await browser.get('/api/admin/stats', headers)).status === 200;

describeOnFastestEngine((fresh) => {
  test('a session ends after 30 idle minutes, after 12 hours, or when the owner signs out', async () => {
    const testShop = await openTestShop(fresh);
    const browser = testShop.browser();
    const wrongResponse = await signIn(browser, 'not-the-password');
    expect(wrongResponse.json).toMatchObject({
      success: false,
      code: 'wrong-admin-password',
      message: 'Invalid password',
    });
    expect((await browser.get('/api/admin/session')).json).toEqual({ isAuthenticated: false });
    expect((await signIn(browser)).json).toMatchObject({ success: true });
    expect((await browser.get('/api/admin/session')).json).toEqual({
      isAuthenticated: true,
      admin: { username: 'owner', role: 'owner', isStaff: false },
    });
    const firstSession = browser.cookies.get('admin-sid')!;
    await signIn(browser);
    const thiefsBrowser = testShop.browser();
    thiefsBrowser.cookies.set('admin-sid', firstSession);
    expect(await isAdmin(thiefsBrowser)).toBe(false); // the second sign-in has ended the first session

    testShop.clock.advance(29 * minuteMs);
    expect(await isAdmin(browser)).toBe(true);
    testShop.clock.advance(29 * minuteMs);
    expect(await isAdmin(browser)).toBe(true);
    testShop.clock.advance(31 * minuteMs);
    expect(await isAdmin(browser)).toBe(false);
    await signIn(browser);
    for (let i = 0; i < 28; i++) {
      testShop.clock.advance(25 * minuteMs);
      expect(await isAdmin(browser)).toBe(true);
    }
    testShop.clock.advance(21 * minuteMs); // the session is then 12 hours and a minute old
    expect(await isAdmin(browser)).toBe(false);
    await signIn(browser);
    thiefsBrowser.cookies.set('admin-sid', browser.cookies.get('admin-sid')!);
    await browser.post('/api/admin/logout');
    expect([await isAdmin(browser), await isAdmin(thiefsBrowser)]).toEqual([false, false]);
  });

  test('a customer’s session gives no access to the panel, and the owner’s session none to an account', async () => {
    const testShop = await openTestShop(fresh);
    const { browser } = await buyFramesAsAnna(testShop);
    expect(await isAdmin(browser)).toBe(false);
    const admin = testShop.browser();
    await signIn(admin);
    expect((await admin.get('/api/auth/user')).status).toBe(401);
    const browserWithWrongCookie = testShop.browser();
    browserWithWrongCookie.cookies.set('admin-sid', browser.cookies.get('sid')!);
    browserWithWrongCookie.cookies.set('sid', admin.cookies.get('admin-sid')!);
    expect(await isAdmin(browserWithWrongCookie)).toBe(false);
    expect((await browserWithWrongCookie.get('/api/auth/user')).status).toBe(401);
  });

  test('accepts the admin key in a header for one call, and in the query in exchange for a session', async () => {
    const testShop = await openTestShop(fresh, { env: { ADMIN_KEY: adminKey } });
    const browser = testShop.browser();
    expect(await isAdmin(browser, { 'x-admin-key': adminKey })).toBe(true);
    expect(browser.cookies.has('admin-sid')).toBe(false);
    expect(await isAdmin(browser)).toBe(false);
    for (const wrongValue of ['', adminKey.slice(1), `${adminKey}x`, adminKey.toUpperCase()]) {
      expect(await isAdmin(browser, { 'x-admin-key': wrongValue })).toBe(false);
      expect((await browser.get(`/api/admin/session?admin_key=${wrongValue}`)).json.isAuthenticated).toBe(false);
    }
    expect(
      (await browser.get(`/api/admin/session?admin_key=${adminKey}&admin_key=${adminKey}`)).json.isAuthenticated,
    ).toBe(false);
    expect((await browser.get(`/api/admin/session?admin_key=${adminKey}`)).json.isAuthenticated).toBe(true);
    expect(browser.cookies.get('admin-sid')).toMatch(/^[\w-]{43}$/);
    expect(await isAdmin(browser)).toBe(true);
    const defaultShop = await openTestShop(fresh);
    for (const wrongKey of ['', 'undefined', 'null'])
      expect(await isAdmin(defaultShop.browser(), { 'x-admin-key': wrongKey })).toBe(false);
  });

  test('records sign-ins by password, code, provider and key from an IP address that is not allowed', async () => {
    const testShop = await openTestShop(fresh, { env: { ADMIN_ALLOWED_IPS: '192.0.2.0/24', ADMIN_KEY: adminKey } });
    const outsideBrowser = testShop.browser({ address: '198.51.100.1' });
    const countAttempts = async () =>
      ((await readAllTables(testShop.shop.db))['audit_trail'] as { act: string; after: unknown }[])
        .filter((row) => row.act === 'admin-sign-in-failed')
        .map((row) => row.after);
    const expectedCode = 'address-not-allowed';
    await outsideBrowser.get('/api/admin/session');
    await outsideBrowser.get('/api/admin/stats');
    expect(await countAttempts()).toEqual([]); // no sign-in attempt yet
    await outsideBrowser.post('/api/admin/auth/password', { password: 'a guess' });
    await outsideBrowser.post('/api/admin/auth/code', { code: '123456' });
    await outsideBrowser.post('/api/admin/auth/replit');
    await outsideBrowser.get('/api/admin/stats', { 'x-admin-key': adminKey });
    await outsideBrowser.get(`/api/admin/session?admin_key=wrong`);
    const signInMethods = ['password', 'password-and-code', 'openid', 'key', 'key'];
    expect((await countAttempts()).map((it) => JSON.stringify(it)).toSorted()).toEqual(
      signInMethods.map((way) => JSON.stringify({ way, why: expectedCode })).toSorted(),
    );
    expect(JSON.stringify(await readAllTables(testShop.shop.db))).not.toContain('198.51.100.1');
  });

  test('the allow-list uses the socket’s IP address, and forwarding headers only of a trusted proxy', async () => {
    const allowedEnv = { ADMIN_ALLOWED_IPS: '192.0.2.0/24, 2001:db8::/32', ADMIN_KEY: adminKey };
    const directShop = await openTestShop(fresh, { env: allowedEnv });
    const signInFrom = (address: string, forwarded?: string, shop = directShop) =>
      isAdmin(shop.browser({ address }), {
        'x-admin-key': adminKey,
        ...(forwarded !== undefined && {
          'x-forwarded-for': forwarded,
          'x-real-ip': forwarded,
          forwarded: `for=${forwarded}`,
        }),
      });
    expect(await signInFrom('192.0.2.7')).toBe(true);
    expect(await signInFrom('::ffff:192.0.2.7')).toBe(true);
    expect(await signInFrom('2001:db8::1')).toBe(true);
    expect(await signInFrom('198.51.100.1')).toBe(false);
    expect(await signInFrom('::ffff:198.51.100.1')).toBe(false);
    expect(await signInFrom('2001:db9::1')).toBe(false);
    expect(await signInFrom('198.51.100.1', '192.0.2.7')).toBe(false);
    expect(await signInFrom('127.0.0.1', '192.0.2.7')).toBe(false);

    const outsideBrowser = directShop.browser({ address: '198.51.100.1' });
    for (const response of [
      await outsideBrowser.get('/api/admin/stats'),
      await signIn(outsideBrowser),
      await outsideBrowser.post('/api/admin/auth/replit'),
    ])
      expect([response.status, response.json.code]).toEqual([403, 'address-not-allowed']);
    expect((await outsideBrowser.get(`/api/admin/session?admin_key=${adminKey}`)).json.isAuthenticated).toBe(false);
    const insideBrowser = directShop.browser({ address: '192.0.2.7' });
    await signIn(insideBrowser);
    const browserElsewhere = directShop.browser({ address: '198.51.100.1' });
    browserElsewhere.cookies.set('admin-sid', insideBrowser.cookies.get('admin-sid')!);
    expect(await isAdmin(browserElsewhere)).toBe(false);

    const proxied = await openTestShop(fresh, { env: { ...allowedEnv, TRUST_PROXY: '127.0.0.1, 10.0.0.0/8' } });
    expect(await signInFrom('127.0.0.1', '192.0.2.7', proxied)).toBe(true);
    expect(await signInFrom('127.0.0.1', '192.0.2.7, 10.1.1.1', proxied)).toBe(true);
    // The visitor's address is 198.51.100.1.
    expect(await signInFrom('127.0.0.1', '192.0.2.7, 198.51.100.1', proxied)).toBe(false);
    expect(await signInFrom('127.0.0.1', '198.51.100.1', proxied)).toBe(false);
    expect(await signInFrom('127.0.0.1', 'nonsense', proxied)).toBe(false);
    expect(await signInFrom('198.51.100.1', '192.0.2.7', proxied)).toBe(false); // the header is ignored, because the request does not come from the proxy
  });

  test('records the admin’s sign-ins and changes, with the values before and after', async () => {
    const testShop = await openTestShop(fresh);
    await buyFramesAsAnna(testShop);
    const admin = testShop.browser();
    await signIn(admin, 'not-the-password');
    await signIn(admin);
    const [order] = (await admin.get('/api/admin/orders')).json;
    const editResponse = await admin.put(`/api/admin/orders/${order.id}`, { status: 'shipped', notes: 'Sent by post' });
    expect(editResponse.json).toMatchObject({
      orderStatus: 'shipped',
      notes: 'Sent by post',
      events: [{ kind: 'paid' }, { kind: 'shipped' }],
    });
    expect((await admin.put('/api/admin/orders/none', { status: 'shipped' })).status).toBe(404);
    const auditTrail = (await readAllTables(testShop.shop.db))['audit_trail'] as { act: string; at: string }[];
    expect(auditTrail.toSorted((a, b) => (a.at < b.at ? -1 : 1))).toMatchObject([
      { act: 'admin-sign-in-failed', after: { way: 'password' } },
      { act: 'admin-sign-in', after: { way: 'password' } },
      {
        act: 'edit-order',
        subject_id: order.id,
        before: { status: 'pending', notes: '' },
        after: { status: 'shipped', notes: 'Sent by post' },
        request_id: expect.stringMatching(/^[0-9a-f-]{36}$/),
      },
    ]);
  });

  test('checks at most 10 wrong owner passwords in 15 minutes, but a known browser has its own limit', async () => {
    const testShop = await openTestShop(fresh);
    const ownersBrowser = testShop.browser();
    await signIn(ownersBrowser);
    const guessPassword = async (index: number) => {
      const { status, json } = await signIn(testShop.browser({ address: `2001:db8:${index}::1` }), 'a guess');
      return [status, json.code];
    };
    for (let index = 0; index < 10; index++) expect(await guessPassword(index)).toEqual([401, 'wrong-admin-password']);
    expect(await guessPassword(10)).toEqual([429, 'admin-sign-in-slowed']);
    await ownersBrowser.post('/api/admin/logout');
    expect((await signIn(ownersBrowser)).status).toBe(200);
    const otherBrowser = testShop.browser();
    const slowedResponse = await signIn(otherBrowser);
    expect(slowedResponse.status).toBe(429);
    testShop.clock.advance(Number(slowedResponse.headers['retry-after']) * 1000);
    expect((await signIn(otherBrowser)).status).toBe(200);
  });

  test('exchanging the key for a session is recorded as a sign-in', async () => {
    const testShop = await openTestShop(fresh, { env: { ADMIN_KEY: adminKey } });
    await testShop.browser().get('/api/admin/session?admin_key=wrong');
    await testShop.browser().get('/api/admin/stats', { 'x-admin-key': 'wrong' });
    await testShop.browser().get('/api/admin/stats', { 'x-admin-key': adminKey }); // a key in the header starts no session
    await testShop.browser().get(`/api/admin/session?admin_key=${adminKey}`);
    const { audit_trail: trail } = await readAllTables(testShop.shop.db);
    const request_id = expect.stringMatching(/^[0-9a-f-]{36}$/);
    expect(trail).toMatchObject([
      { act: 'admin-sign-in-failed', after: { way: 'key' }, request_id },
      { act: 'admin-sign-in-failed', after: { way: 'key' }, request_id },
      { act: 'admin-sign-in', after: { way: 'key' }, request_id },
    ]);
  });

  test('the owner’s sign-in at a provider is off until it is set up', async () => {
    const testShop = await openTestShop(fresh);
    expect((await testShop.browser().post('/api/admin/auth/replit')).json).toMatchObject({
      code: 'owner-sign-in-off',
      message: 'Access denied. Only the Replit owner can access the admin panel.',
    });
    expect(await countRows(testShop.shop.db, 'sessions')).toBe(0);
  });
});

test('compares IPv4 only with IPv4 ranges and IPv6 only with IPv6 ranges, and an empty list allows everyone', () => {
  const matchesList = (list: string[], address: string) => createAddressFilter(list)(address);
  expect(matchesList([], 'anything')).toBe(true);
  expect(matchesList(['10.0.0.0/8'], '10.255.255.255')).toBe(true);
  expect(matchesList(['10.0.0.0/8'], '11.0.0.0')).toBe(false);
  expect(matchesList(['192.0.2.1'], '192.0.2.1')).toBe(true);
  expect(matchesList(['192.0.2.1'], '192.0.2.10')).toBe(false);
  expect(matchesList(['::1'], '127.0.0.1')).toBe(false);
  expect(matchesList(['::ffff:192.0.2.1'], '192.0.2.1')).toBe(true);
  expect(matchesList(['::/0'], '192.0.2.1')).toBe(false);
  expect(matchesList(['0.0.0.0/0'], 'not an address')).toBe(false);
  expect(matchesList(['2001:db8::1'], '2001:0db8:0:0:0:0:0:1')).toBe(true);
});
