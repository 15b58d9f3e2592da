import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test, vi } from 'vitest';
import { describeOnEachEngine } from '#test/database.ts';
import { buyFramesAsAnna, buyAndVerify, fetchFrames, uploadTo } from '#test/people.ts';
import { adminPassword, openTestShop } from '#test/shop.ts';
import { startJobs } from './jobs/jobs.ts';

describeOnEachEngine((fresh) => {
  test('a customer pays by card, uploads a photo, and opens the approved video through an emailed link', async () => {
    const testShop = await openTestShop(fresh);
    await startJobs(testShop.shop);
    const { browser, frames, session } = await buyFramesAsAnna(testShop, { quantity: 2, extraPackages: 3 });
    expect(frames.map((frame) => frame.remainingPhotos)).toEqual([40, 30]);
    expect((await testShop.browser().get(`/api/order-summary?session=${session}`)).json.orders).toHaveLength(1);

    const [frame] = frames;
    const uploadResponse = await uploadTo(browser, frame!.deviceId);
    expect(uploadResponse.status, uploadResponse.text).toBe(200);
    expect((await browser.get(uploadResponse.json.url)).headers['content-type']).toBe('image/jpeg');
    expect((await browser.get(uploadResponse.json.thumbnailUrl)).headers['content-type']).toBe('image/webp');
    expect((await testShop.browser().get(uploadResponse.json.url)).status).toBe(404);
    const secondUploadResponse = await uploadTo(browser, frame!.deviceId);
    expect((await browser.delete(`/api/uploads/${secondUploadResponse.json.id}`)).status).toBe(200);

    const finalizedResponse = await browser.post('/api/uploads/finalize', { deviceId: frame!.deviceId });
    expect(finalizedResponse.status, finalizedResponse.text).toBe(200);
    expect((await uploadTo(browser, frame!.deviceId)).json.code).toBe('frame-finalized');

    const admin = testShop.browser();
    expect((await admin.get('/api/admin/production-orders')).status).toBe(401);
    await admin.post('/api/admin/auth/password', { password: adminPassword });
    const video = await vi.waitFor(
      async () => {
        const [order] = (await admin.get('/api/admin/production-orders')).json;
        const [first] = order.frames[0].videos;
        expect(first.state).toBe('rendered');
        return first;
      },
      { timeout: 20_000 },
    );
    // The customer cannot see the video before it is approved.
    expect((await browser.get(video.videoUrl)).status).toBe(404);
    expect((await admin.get(video.videoUrl)).text).toBe('a video');
    expect((await admin.post(`/api/admin/videos/${video.id}/approve`)).json.state).toBe('approved');

    const outbox = join(testShop.shop.config.dataDir, 'outbox');
    const readyMail = await vi.waitFor(
      async () => {
        const mails = await readMailsIn(outbox);
        expect(mails.map((mail) => mail.subject)).toHaveLength(5); // receipt, sale, confirmation, finalized, ready
        return mails.find((mail) => mail.text?.includes('/delivery/'))!;
      },
      { timeout: 20_000 },
    );
    expect(readyMail.to?.[0]?.address).toBe('anna@example.com');
    const token = /\/delivery\/([\w-]+)/.exec(readyMail.text!)![1]!;
    const visitor = testShop.browser();
    const deliveryResponse = await visitor.get(`/api/delivery/${token}`);
    expect(deliveryResponse.json.videos).toHaveLength(1);
    expect((await visitor.get(deliveryResponse.json.videos[0].videoUrl)).text).toBe('a video');
    const zipResponse = await visitor.get(deliveryResponse.json.downloadAllUrl);
    expect(zipResponse.bytes.length).toBe(deliveryResponse.json.downloadAllBytes);
    expect((await fetchFrames(browser))[0]!.uploads[0]!.isProcessed).toBe(true);

    const readProductionOrder = async () => (await admin.get('/api/admin/production-orders')).json[0];
    const { id, isShipped } = await readProductionOrder();
    expect(isShipped).toBe(false);
    expect((await admin.put(`/api/admin/orders/${id}`, { status: 'shipped' })).status).toBe(200);
    expect(await readProductionOrder()).toMatchObject({ isShipped: true });
  });

  test('makes no order for a declined card, and one order for the next card', async () => {
    const testShop = await openTestShop(fresh);
    const browser = testShop.browser();
    const { verified } = await buyAndVerify(browser, {}, '4000000000000002');
    expect(verified.status).toBe(402);
    expect(verified.json).toMatchObject({ success: false, code: 'payment-not-finished' });
    expect((await buyAndVerify(browser)).verified.json.success).toBe(true);
    const admin = testShop.browser();
    await admin.post('/api/admin/auth/password', { password: adminPassword });
    expect((await admin.get('/api/admin/stats')).json).toMatchObject({ totalOrders: 1, totalRevenue: 19_900 });
  });
});

async function readMailsIn(outbox: string) {
  const { default: PostalMime } = await import('postal-mime');
  const { readFile } = await import('node:fs/promises');
  return Promise.all(readdirSync(outbox).map(async (name) => PostalMime.parse(await readFile(join(outbox, name)))));
}
