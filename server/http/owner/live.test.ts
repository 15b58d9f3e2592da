import { expect, onTestFinished, test, vi } from 'vitest';
import { startJobs } from '#server/jobs/jobs.ts';
import { anyEngine, eachEngine } from '#test/database.ts';
import { annaOwns, uploadTo } from '#test/people.ts';
import { adminPassword, openTestShop, type Browser, type TestShop } from '#test/shop.ts';

/** The open ear of a panel, at the shop's real door. */
async function listen(it: TestShop, browser: Browser) {
  const origin = await it.app.listen({ port: 0, host: '127.0.0.1' });
  const ending = new AbortController();
  onTestFinished(() => ending.abort());
  const cookie = [...browser.cookies].map(([name, value]) => `${name}=${value}`).join('; ');
  const answer = await fetch(`${origin}/api/admin/live`, { headers: { cookie }, signal: ending.signal });
  let heard = '';
  let isOver = false;
  const reading = (async () => {
    for await (const chunk of answer.body ?? []) heard += Buffer.from(chunk).toString();
  })().then(
    () => (isOver = true),
    () => (isOver = true),
  );
  return {
    answer,
    heard: () => [...heard.matchAll(/^event: (\w+)$/gm)].map(([, name]) => name),
    isOver: () => isOver,
    reading,
  };
}
const owner = async (it: TestShop) => {
  const browser = it.browser();
  await browser.post('/api/admin/auth/password', { password: adminPassword });
  return browser;
};

eachEngine((fresh) => {
  test('the panel hears of photos, of a finished frame and of each video as they come', async () => {
    const it = await openTestShop(fresh);
    await startJobs(it.shop);
    const { browser, frames } = await annaOwns(it);
    const live = await listen(it, await owner(it));
    expect(live.answer.headers.get('content-type')).toContain('text/event-stream');
    await uploadTo(browser, frames[0]!.deviceId);
    await vi.waitFor(() => expect(live.heard()).toContain('uploads'), { timeout: 10_000 });
    await browser.post('/api/uploads/finalize', { deviceId: frames[0]!.deviceId });
    await vi.waitFor(() => expect(live.heard()).toContain('production'), { timeout: 10_000 });
    await it.app.close();
    await vi.waitFor(() => expect(live.isOver()).toBe(true), { timeout: 10_000 });
  });
});

anyEngine((fresh) => {
  test('nobody else hears, and an open ear keeps no session alive', async () => {
    const it = await openTestShop(fresh);
    const { browser: anna } = await annaOwns(it);
    for (const browser of [it.browser(), anna])
      expect((await browser.get('/api/admin/live')).json).toMatchObject({ code: 'admin-needed' });
    const admin = await owner(it);
    it.clock.advance(29 * 60_000);
    const live = await listen(it, admin);
    expect(live.answer.status).toBe(200);
    it.clock.advance(2 * 60_000);
    expect((await admin.get('/api/admin/live')).status).toBe(401);
  });

  test('a browser that is signed out elsewhere hears of it, and nothing more', async () => {
    const it = await openTestShop(fresh);
    const [desk, phone] = [await owner(it), await owner(it)];
    const live = await listen(it, phone);
    await desk.post('/api/admin/sessions/end-others');
    await vi.waitFor(() => expect(live.isOver()).toBe(true), { timeout: 10_000 });
    expect(live.heard()).toContain('sessions');
  });

  test('what changed nothing is not told', async () => {
    const it = await openTestShop(fresh);
    const admin = await owner(it);
    const live = await listen(it, admin);
    expect((await admin.post('/api/admin/videos/none/approve')).status).toBe(404);
    await admin.get('/api/admin/orders');
    await it.browser().post('/api/support-tickets', {
      name: 'Anna',
      email: 'anna@example.com',
      subject: 'A question',
      message: 'How long does it take?',
    });
    await vi.waitFor(() => expect(live.heard().filter((name) => name !== 'sessions')).toEqual(['tickets']), {
      timeout: 10_000,
    });
  });
});
