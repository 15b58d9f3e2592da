import { expect, test } from 'vitest';
import { describeOnFastestEngine } from '#test/database.ts';
import { waitAndReadEmails } from '#test/sent-emails.ts';
import { readQueuedMails } from '#test/rows.ts';
import { adminPassword, type Browser, openTestShop, type TestShop } from '#test/shop.ts';

const ben = { firstName: 'Ben', lastName: 'Ode', email: 'ben@example.com', password: 'Kite-over-sea-4' };
const signIn = (browser: Browser) =>
  browser.post('/api/auth/login', { email: ben.email, password: ben.password }, { 'user-agent': chrome });
const chrome = 'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 Chrome/140.0.0.0 Safari/537.36';
const isSignedIn = async (browser: Browser) => (await browser.get('/api/auth/user')).status === 200;
const readTokenOfUrl = (url: string) => new URL(url).searchParams.get('token')!;
const endSignInWith = (it: TestShop, token: string) => it.browser().post('/api/auth/end-sign-in', { token });

describeOnFastestEngine((fresh) => {
  test('emails the customer about a sign-in in a new browser, but not in the first or a known browser', async () => {
    const testShop = await openTestShop(fresh);
    const readNewSignInMails = () => readQueuedMails(testShop.shop.db, 'new-sign-in:');
    const homeBrowser = testShop.browser();
    await homeBrowser.post('/api/auth/register', ben);
    await homeBrowser.post('/api/auth/logout');
    await signIn(homeBrowser);
    expect(await readNewSignInMails()).toEqual([]);
    const otherBrowser = testShop.browser();
    await signIn(otherBrowser);
    await signIn(otherBrowser);
    expect(await readNewSignInMails()).toMatchObject([
      { to: ben.email, content: { kind: 'new-sign-in', firstName: 'Ben', device: 'Chrome on Windows' } },
    ]);
  });

  test('the emailed link ends all sessions of the new browser once, and the customer is emailed about the next sign-in of the browser', async () => {
    const testShop = await openTestShop(fresh);
    const home = testShop.browser();
    await home.post('/api/auth/register', ben);
    const unknownBrowser = testShop.browser();
    await signIn(unknownBrowser);
    const firstBrowser = testShop.browser();
    firstBrowser.cookies.set('sid', unknownBrowser.cookies.get('sid')!);
    unknownBrowser.cookies.delete('sid'); // without this cookie, the next sign-in does not end the current session
    await signIn(unknownBrowser);
    const [message] = await waitAndReadEmails(testShop, 'new-sign-in:');
    const url = message!.content.endUrl as string;
    expect(url).toMatch(/^http:\/\/localhost:3999\/auth\/end-sign-in\?token=/);
    // The email alone ends no session.
    expect([await isSignedIn(firstBrowser), await isSignedIn(unknownBrowser)]).toEqual([true, true]);
    expect((await endSignInWith(testShop, readTokenOfUrl(url))).json).toEqual({
      account: 'customer',
      message: 'That browser is signed out.',
    });
    expect([await isSignedIn(firstBrowser), await isSignedIn(unknownBrowser), await isSignedIn(home)]).toEqual([
      false,
      false,
      true,
    ]);
    expect((await endSignInWith(testShop, readTokenOfUrl(url))).json.code).toBe('end-sign-in-link-invalid');
    await signIn(unknownBrowser);
    expect(await readQueuedMails(testShop.shop.db, 'new-sign-in:')).toHaveLength(2);
  });

  test('emails the owner about a sign-in with password or key in a new browser, and the emailed link ends the session', async () => {
    const adminKey = 'a-key-of-at-least-thirty-two-characters';
    const testShop = await openTestShop(fresh, { env: { ADMIN_KEY: adminKey } });
    const passwordBody = { password: adminPassword };
    const ownersBrowser = testShop.browser();
    await ownersBrowser.post('/api/admin/auth/password', passwordBody);
    await ownersBrowser.post('/api/admin/auth/password', passwordBody);
    expect(await readQueuedMails(testShop.shop.db, 'owner-new-sign-in:')).toEqual([]);
    const stranger = testShop.browser();
    await stranger.post('/api/admin/auth/password', passwordBody);
    const browserWithKey = testShop.browser();
    await browserWithKey.get(`/api/admin/session?admin_key=${adminKey}`);
    const emails = await waitAndReadEmails(testShop, 'owner-new-sign-in:');
    expect(emails.map(({ to }) => to)).toEqual(['support@kinframe.example', 'support@kinframe.example']);
    for (const { content } of emails)
      expect((await endSignInWith(testShop, readTokenOfUrl(content.endUrl as string))).json.account).toBe('owner');
    const hasPanelAccess = async (browser: Browser) => (await browser.get('/api/admin/stats')).status === 200;
    expect([
      await hasPanelAccess(stranger),
      await hasPanelAccess(browserWithKey),
      await hasPanelAccess(ownersBrowser),
    ]).toEqual([false, false, true]);
  });
});
