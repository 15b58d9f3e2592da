import { expect, test } from 'vitest';
import { createApp } from '#server/app.ts';
import { describeOnFastestEngine } from '#test/database.ts';
import { buyFramesAsAnna } from '#test/people.ts';
import { readAllTables } from '#test/rows.ts';
import { adminPassword, Browser, openTestShop, type TestShop } from '#test/shop.ts';

const minuteMs = 60_000;
const chromeUserAgent =
  'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Safari/537.36';
const safariUserAgent =
  'Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.0 Mobile/15E148 Safari/604.1';
const signIn = (browser: Browser, userAgent = chromeUserAgent) =>
  browser.post('/api/admin/auth/password', { password: adminPassword }, { 'user-agent': userAgent });
const readPanelStatus = async (browser: Browser) => (await browser.get('/api/admin/stats')).status;
const readSessions = async (browser: Browser) =>
  (await browser.get('/api/admin/security')).json.sessions as { id: string; isThis: boolean; device: string | null }[];
const readActs = async ({ shop }: TestShop) => {
  const { audit_trail: trail } = await readAllTables(shop.db);
  return (trail as { act: string; at: string }[]).toSorted((a, b) => (a.at < b.at ? -1 : 1));
};

describeOnFastestEngine((fresh) => {
  test('lists each signed-in browser with its name, time and kind of sign-in, and marks the current one', async () => {
    const testShop = await openTestShop(fresh, { env: { ADMIN_KEY: 'a-key-of-at-least-thirty-two-characters' } });
    const [desk, phone, old] = [testShop.browser(), testShop.browser(), testShop.browser()];
    await signIn(old);
    testShop.clock.advance(20 * minuteMs);
    const beganAt = testShop.clock.now().toISOString();
    await signIn(phone, safariUserAgent);
    testShop.clock.advance(11 * minuteMs); // the oldest session has expired
    await desk.get('/api/admin/session?admin_key=a-key-of-at-least-thirty-two-characters', { 'user-agent': '' });
    const sessions = await readSessions(desk);
    expect(sessions).toEqual([
      expect.objectContaining({ device: null, by: 'key', isThis: true }),
      expect.objectContaining({ device: 'Safari on iPhone', by: 'password', isThis: false }),
    ]);
    expect((sessions[1] as unknown as { createdAt: string }).createdAt >= beganAt).toBe(true);
    expect((await readSessions(phone)).map((it) => it.isThis)).toEqual([true, false]);
    const responseWithAdminKey = await testShop
      .browser()
      .get('/api/admin/security', { 'x-admin-key': 'a-key-of-at-least-thirty-two-characters' });
    expect(responseWithAdminKey.json.sessions.map((each: { isThis: boolean }) => each.isThis)).toEqual([false, false]);
  });

  test('signs one browser out, immediately in every process, and records the sign-out', async () => {
    const testShop = await openTestShop(fresh);
    const { browser: anna } = await buyFramesAsAnna(testShop);
    const secondApp = await createApp(testShop.shop);
    const [desk, phone, tablet] = [testShop.browser(), new Browser(secondApp, '127.0.0.1'), testShop.browser()];
    for (const browser of [desk, phone, tablet]) await signIn(browser);
    const findCurrentId = async (browser: Browser) => (await readSessions(browser)).find((each) => each.isThis)!.id;
    const phonesId = await findCurrentId(phone);

    expect((await desk.delete(`/api/admin/sessions/${phonesId}`)).json.message).toBe('That browser is signed out.');
    expect([await readPanelStatus(desk), await readPanelStatus(phone), await readPanelStatus(tablet)]).toEqual([
      200, 401, 200,
    ]);
    expect((await desk.delete(`/api/admin/sessions/${phonesId}`)).json.code).toBe('not-found');
    // The owner cannot end a customer's session.
    const [annas] = (await anna.get('/api/account')).json.sessions;
    expect((await desk.delete(`/api/admin/sessions/${annas.id}`)).status).toBe(404);
    expect((await anna.get('/api/account')).status).toBe(200);

    await signIn(phone);
    expect((await desk.post('/api/admin/sessions/end-others')).json.message).toBe('Every other browser is signed out.');
    expect([await readPanelStatus(desk), await readPanelStatus(phone), await readPanelStatus(tablet)]).toEqual([
      200, 401, 401,
    ]);
    expect((await anna.get('/api/account')).status).toBe(200);
    expect((await desk.post('/api/admin/sessions/end-others')).json.message).toBe('No other browser was signed in.');
    expect(await readActs(testShop)).toMatchObject([
      ...Array.from({ length: 3 }, () => ({ act: 'admin-sign-in', after: { way: 'password' } })),
      { act: 'end-admin-session', subject_id: phonesId },
      { act: 'admin-sign-in' },
      { act: 'end-other-admin-sessions', after: { ended: 2 } },
      { act: 'end-other-admin-sessions', after: { ended: 0 } },
    ]);

    const ownResponse = await desk.delete(`/api/admin/sessions/${await findCurrentId(desk)}`);
    expect([ownResponse.status, desk.cookies.has('admin-sid'), await readPanelStatus(desk)]).toEqual([200, false, 401]);
    await secondApp.close();
  });
});
