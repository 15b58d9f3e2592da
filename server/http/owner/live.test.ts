import { expect, onTestFinished, test, vi } from 'vitest';
import { toShopDay } from '#contract/calendar.ts';
import { canUse } from '#contract/owner/areas.ts';
import { liveAreas, liveTopics } from '#contract/owner/live.ts';
import { startJobs } from '#server/jobs/jobs.ts';
import { describeOnFastestEngine, describeOnEachEngine } from '#test/database.ts';
import { buyFramesAsAnna, createPhotoForm, createSmallPhoto, uploadTo } from '#test/people.ts';
import { sendPhotoInPieces } from '#test/resumable-upload.ts';
import { signInAsStaff } from '#test/staff.ts';
import { adminPassword, openTestShop, type ShopResponse, type Browser, type TestShop } from '#test/shop.ts';

/** Opens the event stream of a panel over a real connection. */
async function listenToEvents(it: TestShop, browser: Browser) {
  const origin = await it.app.listen({ port: 0, host: '127.0.0.1' });
  const endController = new AbortController();
  onTestFinished(() => endController.abort());
  const cookie = [...browser.cookies].map(([name, value]) => `${name}=${value}`).join('; ');
  const response = await fetch(`${origin}/api/admin/live`, { headers: { cookie }, signal: endController.signal });
  let received = '';
  let isStreamOver = false;
  const readPromise = (async () => {
    for await (const chunk of response.body ?? []) received += Buffer.from(chunk).toString();
  })().then(
    () => (isStreamOver = true),
    () => (isStreamOver = true),
  );
  return {
    answer: response,
    received: () => [...received.matchAll(/^event: (\w+)$/gm)].map(([, name]) => name),
    isOver: () => isStreamOver,
    reading: readPromise,
  };
}
const signInOwner = async (it: TestShop) => {
  const browser = it.browser();
  await browser.post('/api/admin/auth/password', { password: adminPassword });
  return browser;
};

describeOnEachEngine((fresh) => {
  test('notifies the panel of new photos and finalized frames, and ends the stream when the shop closes', async () => {
    const testShop = await openTestShop(fresh);
    await startJobs(testShop.shop);
    const { browser, frames } = await buyFramesAsAnna(testShop);
    const liveEvents = await listenToEvents(testShop, await signInOwner(testShop));
    expect(liveEvents.answer.headers.get('content-type')).toContain('text/event-stream');
    await uploadTo(browser, frames[0]!.deviceId);
    await vi.waitFor(() => expect(liveEvents.received()).toContain('uploads'), { timeout: 10_000 });
    await browser.post('/api/uploads/finalize', { deviceId: frames[0]!.deviceId });
    await vi.waitFor(() => expect(liveEvents.received()).toContain('production'), { timeout: 10_000 });
    await testShop.app.close();
    await vi.waitFor(() => expect(liveEvents.isOver()).toBe(true), { timeout: 10_000 });
  });
});

describeOnFastestEngine((fresh) => {
  test('notifies the panel once of a photo in pieces, and of photos from an upload link and a collect link', async () => {
    const testShop = await openTestShop(fresh);
    const { browser, frames } = await buyFramesAsAnna(testShop, { quantity: 2 });
    const deviceId = frames[0]!.deviceId;
    const admin = await signInOwner(testShop);
    const liveEvents = await listenToEvents(testShop, admin);
    const countEventsOf = (topic: string) => liveEvents.received().filter((it) => it === topic).length;
    const countUploadEvents = () => countEventsOf('uploads');
    /** Waits for the notifications of earlier calls: events arrive in sequence. */
    const waitForOneEvent = async () => {
      const countBefore = countEventsOf('reviews');
      testShop.shop.live.publish('reviews');
      await vi.waitFor(() => expect(countEventsOf('reviews')).toBeGreaterThan(countBefore), { timeout: 10_000 });
    };
    const expectOneUploadEvent = async (change: () => Promise<ShopResponse>) => {
      await waitForOneEvent();
      const countBefore = countUploadEvents();
      const response = await change();
      expect(response.status, response.text).toBe(200);
      await vi.waitFor(() => expect(countUploadEvents()).toBeGreaterThan(countBefore), { timeout: 10_000 });
      await waitForOneEvent();
      expect(countUploadEvents()).toBe(countBefore + 1);
    };
    await expectOneUploadEvent(async () => sendPhotoInPieces(browser, await createSmallPhoto(), { deviceId }));

    const { id } = (await browser.get('/api/auth/user')).json;
    const createResponse = await admin.post(`/api/admin/customers/${id}/generate-upload-link`);
    const guest = testShop.browser();
    await guest.get(`/api/upload-token/validate/${new URL(createResponse.json.uploadUrl).searchParams.get('token')}`);
    const form = new FormData();
    form.append('photos[]', new Blob([new Uint8Array(await createSmallPhoto())], { type: 'image/jpeg' }), 'kite.jpg');
    await expectOneUploadEvent(() => guest.post('/api/customer-upload', form));
    await expectOneUploadEvent(() => guest.post('/api/customer-upload/finalize')); // finalizes the frame with photos

    const collectLinkFields = { name: 'A feast', lastDay: toShopDay(testShop.clock.now()) };
    const { url } = (await browser.post(`/api/devices/${frames[1]!.deviceId}/collect-link`, collectLinkFields)).json;
    const address = `/api${new URL(url).pathname}`;
    const contributorBrowser = testShop.browser();
    await contributorBrowser.post(`${address}/contributors`, { firstName: 'Lina' });
    const photo = createPhotoForm(undefined, await createSmallPhoto());
    await expectOneUploadEvent(() => contributorBrowser.post(`${address}/photos`, photo));
  });

  test('refuses everyone except the owner, and an open stream does not extend the owner’s session', async () => {
    const testShop = await openTestShop(fresh);
    const { browser: anna } = await buyFramesAsAnna(testShop);
    for (const browser of [testShop.browser(), anna])
      expect((await browser.get('/api/admin/live')).json).toMatchObject({ code: 'admin-needed' });
    const admin = await signInOwner(testShop);
    testShop.clock.advance(29 * 60_000);
    const liveEvents = await listenToEvents(testShop, admin);
    expect(liveEvents.answer.status).toBe(200);
    testShop.clock.advance(2 * 60_000);
    expect((await admin.get('/api/admin/live')).status).toBe(401);
  });

  test('notifies a browser that is signed out from another browser, and ends its stream', async () => {
    const testShop = await openTestShop(fresh);
    const [desk, phone] = [await signInOwner(testShop), await signInOwner(testShop)];
    const liveEvents = await listenToEvents(testShop, phone);
    await desk.post('/api/admin/sessions/end-others');
    await vi.waitFor(() => expect(liveEvents.isOver()).toBe(true), { timeout: 10_000 });
    expect(liveEvents.received()).toContain('sessions');
  });

  test.each(['content', 'support'] as const)(
    'notifies staff with the role %s only of topics of their role',
    async (role) => {
      const testShop = await openTestShop(fresh);
      const { browser } = await signInAsStaff(testShop, role);
      const liveEvents = await listenToEvents(testShop, browser);
      testShop.shop.live.publish('orders', 'production', 'uploads', 'tickets', 'reviews', 'sales', 'sessions');
      await vi.waitFor(() => expect(liveEvents.received()).toContain('sessions'), { timeout: 10_000 });
      const expected = liveTopics.filter((topic) => canUse(role, liveAreas[topic]));
      expect(expected).not.toContain('production');
      expect(new Set(liveEvents.received())).toEqual(new Set(expected));
    },
  );

  test('ends the stream of a removed person with an event, and refuses a new stream with a message', async () => {
    const testShop = await openTestShop(fresh);
    const { id, browser } = await signInAsStaff(testShop, 'support');
    const liveEvents = await listenToEvents(testShop, browser);
    expect((await (await signInOwner(testShop)).delete(`/api/admin/staff/${id}`)).status).toBe(200);
    await vi.waitFor(() => expect(liveEvents.isOver()).toBe(true), { timeout: 10_000 });
    expect(liveEvents.received().at(-1)).toBe('ended');
    const repeatedResponse = await browser.get('/api/admin/live');
    expect([repeatedResponse.status, repeatedResponse.json.code]).toEqual([401, 'staff-removed']);
  });

  test('does not notify the panel about calls that change nothing', async () => {
    const testShop = await openTestShop(fresh);
    const admin = await signInOwner(testShop);
    const liveEvents = await listenToEvents(testShop, admin);
    expect((await admin.post('/api/admin/videos/none/approve')).status).toBe(404);
    await admin.get('/api/admin/orders');
    await testShop.browser().post('/api/support-tickets', {
      name: 'Anna',
      email: 'anna@example.com',
      subject: 'A question',
      message: 'How long does it take?',
    });
    await vi.waitFor(() => expect(liveEvents.received().filter((name) => name !== 'sessions')).toEqual(['tickets']), {
      timeout: 10_000,
    });
  });
});
