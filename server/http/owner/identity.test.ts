import { expect, onTestFinished, test } from 'vitest';
import { sql } from 'drizzle-orm';
import { describeOnFastestEngine, type FreshDatabase } from '#test/database.ts';
import { clientSecret, openProvider, ownersSubject, signInAt, type TestProvider } from '#test/openid-provider.ts';
import { countRows, readAllTables } from '#test/rows.ts';
import { baseUrl, openTestShop, type Browser, type TestShop } from '#test/shop.ts';

const redirectUri = `${baseUrl}/api/admin/auth/replit/callback`;
const beginSignIn = (browser: Browser) => browser.post('/api/admin/auth/replit');
const returnFromProvider = (browser: Browser, address: string) =>
  browser.get(address.slice(baseUrl.length), { 'sec-fetch-site': 'cross-site', origin: '' });
const isSignedIn = async (browser: Browser) => (await browser.get('/api/admin/stats')).status === 200;
const readSignInFailures = async ({ shop }: TestShop) => {
  const { audit_trail: trail } = await readAllTables(shop.db);
  return (trail as { act: string; after: { why?: string }; at: string }[])
    .toSorted((a, b) => (a.at < b.at ? -1 : 1))
    .filter(({ act }) => act === 'admin-sign-in-failed')
    .map(({ after }) => after.why);
};
const deniedPath = '/admin-login?refused=owner-sign-in-off';
const providerAwayPath = '/admin-login?refused=owner-sign-in-away';

async function openShopWithProvider(
  fresh: FreshDatabase,
  options?: { isPublicClient?: boolean; env?: Record<string, string> },
) {
  const provider = await openProvider(redirectUri, options);
  onTestFinished(() => provider.close());
  const testShop = await openTestShop(fresh, { env: { ...provider.settings, ...options?.env } });
  /** Signs in at the provider. Returns the address to which the provider redirects the browser, without opening it. */
  const signInAtProvider = async (browser: Browser, subject = ownersSubject) =>
    signInAt((await beginSignIn(browser)).json.redirect, subject, redirectUri);
  return { it: testShop, provider, signInAtProvider };
}
const readLocation = ({ headers }: Awaited<ReturnType<typeof returnFromProvider>>) => headers['location'];

describeOnFastestEngine((fresh) => {
  test.each([{ isPublicClient: false }, { isPublicClient: true }])(
    'the owner signs in with their account at the provider, and it is recorded (public client: $isPublicClient)',
    async (options) => {
      const { it, signInAtProvider } = await openShopWithProvider(fresh, options);
      const browser = it.browser();
      const startedResponse = await beginSignIn(browser);
      const redirectUrl = new URL(startedResponse.json.redirect);
      expect(Object.fromEntries(redirectUrl.searchParams)).toMatchObject({
        response_type: 'code',
        redirect_uri: redirectUri,
        code_challenge_method: 'S256',
        state: expect.stringMatching(/^[\w-]{43}$/),
        nonce: expect.stringMatching(/^[\w-]{43}$/),
      });
      expect(String(startedResponse.headers['set-cookie'])).toMatch(
        /^owner-sign-in=[\w-]{43}; Max-Age=600; Path=\/; HttpOnly; SameSite=Lax$/,
      );
      const response = await returnFromProvider(browser, await signInAtProvider(browser));
      expect([response.status, readLocation(response)]).toEqual([303, '/admin']);
      expect(response.headers['referrer-policy']).toBe('no-referrer');
      expect(browser.cookies.has('owner-sign-in')).toBe(false);
      expect(String(response.headers['set-cookie'])).toContain('SameSite=Strict');
      expect(await isSignedIn(browser)).toBe(true);
      expect((await browser.get('/api/admin/security')).json.sessions).toMatchObject([{ by: 'openid', isThis: true }]);
      const { audit_trail: trail } = await readAllTables(it.shop.db);
      expect(trail).toMatchObject([{ act: 'admin-sign-in', after: { way: 'openid' } }]);
    },
  );

  test('refuses all other accounts of the provider, whatever their email address is', async () => {
    const { it, signInAtProvider } = await openShopWithProvider(fresh);
    for (const subject of ['somebody', 'somebody-verified', ownersSubject.toUpperCase(), `${ownersSubject}-verified`]) {
      const browser = it.browser();
      const response = await returnFromProvider(browser, await signInAtProvider(browser, subject));
      expect([response.status, readLocation(response)], subject).toEqual([303, deniedPath]);
      expect(await isSignedIn(browser), subject).toBe(false);
    }
    expect(await readSignInFailures(it)).toEqual(Array(4).fill('another-subject'));
    expect(await countRows(it.shop.db, 'sessions')).toBe(0);
  });

  test('accepts a provider’s response once, for ten minutes, in the browser that began the sign-in', async () => {
    const { it, signInAtProvider } = await openShopWithProvider(fresh);
    const browser = it.browser();
    const callbackUrl = await signInAtProvider(browser);
    const thiefsBrowser = it.browser();
    expect(readLocation(await returnFromProvider(thiefsBrowser, callbackUrl))).toBe(deniedPath); // this browser has no sign-in cookie
    await beginSignIn(thiefsBrowser);
    expect(readLocation(await returnFromProvider(thiefsBrowser, callbackUrl))).toBe(deniedPath); // this browser has the cookie of another sign-in
    const cookie = browser.cookies.get('owner-sign-in')!;
    expect(readLocation(await returnFromProvider(browser, callbackUrl))).toBe('/admin');
    const repeatedBrowser = it.browser();
    repeatedBrowser.cookies.set('owner-sign-in', cookie);
    // The provider's response was already used.
    expect(readLocation(await returnFromProvider(repeatedBrowser, callbackUrl))).toBe(deniedPath);
    expect([await isSignedIn(thiefsBrowser), await isSignedIn(repeatedBrowser)]).toEqual([false, false]);

    const lateBrowser = it.browser();
    const expiredCallbackUrl = await signInAtProvider(lateBrowser);
    await it.shop.db.execute(sql`update tokens set expires_at = now() where purpose = 'owner-sign-in'`);
    expect(readLocation(await returnFromProvider(lateBrowser, expiredCallbackUrl))).toBe(deniedPath);
    expect(await isSignedIn(lateBrowser)).toBe(false);
    expect(await readSignInFailures(it)).toEqual(['not-asked', expect.any(String), 'not-asked', 'not-asked']);
  });

  test('refuses a callback address with forged parameters', async () => {
    const { it, signInAtProvider } = await openShopWithProvider(fresh);
    const expectForgedCallbackRefused = async (change: (answer: URLSearchParams) => void) => {
      const browser = it.browser();
      const address = new URL(await signInAtProvider(browser));
      change(address.searchParams);
      const response = await returnFromProvider(browser, address.href);
      expect([readLocation(response), await isSignedIn(browser)], address.search).toEqual([deniedPath, false]);
    };
    await expectForgedCallbackRefused((answer) => answer.set('state', 'x'.repeat(43)));
    await expectForgedCallbackRefused((answer) => answer.delete('state'));
    await expectForgedCallbackRefused((answer) => answer.append('state', answer.get('state')!));
    await expectForgedCallbackRefused((answer) => answer.set('code', 'x'.repeat(43)));
    await expectForgedCallbackRefused((answer) => answer.delete('code'));
    await expectForgedCallbackRefused((answer) => answer.set('iss', 'https://evil.example'));
    await expectForgedCallbackRefused((answer) => answer.set('error', 'access_denied'));
    await expectForgedCallbackRefused((answer) => answer.set('response', 'x.y.z'));
    const tablesText = JSON.stringify(await readAllTables(it.shop.db));
    expect(tablesText).not.toContain('evil.example');
    expect(await readSignInFailures(it)).toHaveLength(8);
  });

  test('refuses an ID token with a wrong signature, issuer, audience or nonce, and one that is too old', async () => {
    const { it, provider, signInAtProvider } = await openShopWithProvider(fresh);
    const now = Math.floor(Date.now() / 1000);
    const forgedAnswers: [string, Parameters<TestProvider['tamper']>[0]][] = [
      ['signed by another key', ({ claims, signedBy }) => signedBy('another', claims)],
      ['not signed at all', ({ claims, signedBy }) => signedBy('none', claims)],
      ['for another question', ({ claims, signedBy }) => signedBy('own', { ...claims, nonce: 'x'.repeat(43) })],
      ['for another shop', ({ claims, signedBy }) => signedBy('own', { ...claims, aud: 'another-shop' })],
      ['of another issuer', ({ claims, signedBy }) => signedBy('own', { ...claims, iss: 'https://evil.example' })],
      ['too old', ({ claims, signedBy }) => signedBy('own', { ...claims, iat: now - 7200, exp: now - 3600 })],
      ['no token', () => 'nonsense'],
    ];
    for (const [what, tamper] of forgedAnswers) {
      const browser = it.browser();
      const callbackUrl = await signInAtProvider(browser);
      provider.tamper(tamper);
      expect(readLocation(await returnFromProvider(browser, callbackUrl)), what).toBe(deniedPath);
      provider.tamper(undefined);
      expect(await isSignedIn(browser), what).toBe(false);
    }
    // A valid token that the test signs is accepted, so only the mistakes above cause the refusals.
    const browser = it.browser();
    const callbackUrl = await signInAtProvider(browser, 'other-subject');
    provider.tamper(({ claims, signedBy }) => signedBy('own', { ...claims, sub: ownersSubject }));
    expect(readLocation(await returnFromProvider(browser, callbackUrl))).toBe('/admin');
  });

  test('refuses sign-ins with a reason while the provider is down, and accepts them when the provider works again', async () => {
    const { it, provider, signInAtProvider } = await openShopWithProvider(fresh);
    const browser = it.browser();
    provider.failWith(503);
    const refusedResponse = await beginSignIn(browser);
    expect([refusedResponse.status, refusedResponse.json.message]).toEqual([
      503,
      'Failed to authenticate. Please try again.',
    ]);
    provider.failWith(undefined);
    const callbackUrl = await signInAtProvider(browser);
    provider.failWith(503);
    expect(readLocation(await returnFromProvider(browser, callbackUrl))).toBe(providerAwayPath);
    provider.failWith(undefined);
    const secondCallbackUrl = await signInAtProvider(browser);
    expect(readLocation(await returnFromProvider(browser, secondCallbackUrl))).toBe('/admin');
    await provider.close();
    const { it: second } = await openShopWithClosedProvider(fresh);
    expect((await beginSignIn(second.browser())).json.code).toBe('owner-sign-in-away');
    expect(await readSignInFailures(it)).toHaveLength(2);
  });

  test('refuses to start or finish a sign-in from an IP address that is not allowed', async () => {
    const { it, signInAtProvider } = await openShopWithProvider(fresh, { env: { ADMIN_ALLOWED_IPS: '192.0.2.0/24' } });
    const insideBrowser = it.browser({ address: '192.0.2.7' });
    const callbackUrl = await signInAtProvider(insideBrowser);
    const outsideBrowser = it.browser({ address: '198.51.100.1' });
    for (const [name, value] of insideBrowser.cookies) outsideBrowser.cookies.set(name, value);
    for (const response of [await beginSignIn(outsideBrowser), await returnFromProvider(outsideBrowser, callbackUrl)])
      expect([response.status, response.json.code]).toEqual([403, 'address-not-allowed']);
    expect(readLocation(await returnFromProvider(insideBrowser, callbackUrl))).toBe('/admin');
  });

  test('stores neither the provider’s responses nor the client secret', async () => {
    const { it, signInAtProvider } = await openShopWithProvider(fresh);
    const browser = it.browser();
    const callbackUrl = new URL(await signInAtProvider(browser));
    await returnFromProvider(browser, callbackUrl.href);
    const storedRows = JSON.stringify(await readAllTables(it.shop.db));
    for (const secret of [clientSecret, callbackUrl.searchParams.get('code')!, callbackUrl.searchParams.get('state')!])
      expect(storedRows).not.toContain(secret);
  });
});

/** A shop whose provider is down from the start, before the first sign-in. */
async function openShopWithClosedProvider(fresh: FreshDatabase) {
  const provider = await openProvider(redirectUri);
  const testShop = await openTestShop(fresh, { env: provider.settings });
  await provider.close();
  return { it: testShop };
}
