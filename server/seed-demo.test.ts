import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { samplePassword } from '#db/sample/people.ts';
import { describeOnFastestEngine } from '#test/database.ts';
import { findFreePort } from '#test/free-port.ts';
import { adminPassword, openTestShop } from '#test/shop.ts';
import { startJobs } from './jobs/jobs.ts';
import { projectFolder } from './project-folder.ts';
import { seedDemo } from './seed-demo.ts';

describeOnFastestEngine((fresh) => {
  test('fills the demo with orders in every status, and does not move the sample photos', async () => {
    const countSamplePhotos = () => readdirSync(join(projectFolder, 'db/sample/photos')).length;
    const photoCountBefore = countSamplePhotos();
    const port = await findFreePort();
    const testShop = await openTestShop(fresh, { env: { PORT: String(port) } });
    await startJobs(testShop.shop);
    await testShop.app.listen({ port, host: '127.0.0.1' });
    await seedDemo(testShop.shop);
    await seedDemo(testShop.shop); // a second start changes nothing

    expect(countSamplePhotos()).toBe(photoCountBefore);
    const admin = testShop.browser();
    await admin.post('/api/admin/auth/password', { password: adminPassword });
    const orders = (await admin.get('/api/admin/orders')).json as { orderStatus: string }[];
    expect(orders).toHaveLength(8);
    expect(new Set(orders.map((order) => order.orderStatus))).toEqual(
      new Set(['pending', 'processing', 'completed', 'shipped']),
    );
    const ordersWithReturns = (await admin.get('/api/admin/orders?filter=returns')).json;
    expect(ordersWithReturns).toMatchObject([{ orderStatus: 'shipped', customerEmail: 'grace@example.com' }]);
    const clara = testShop.browser();
    expect((await clara.post('/api/auth/login', { email: 'clara@example.com', password: samplePassword })).status).toBe(
      200,
    );
    const readReviewsOf = async (product: string) => (await clara.get(`/api/products/${product}/reviews`)).json;
    expect(await readReviewsOf('kinframe')).toMatchObject({
      count: 2,
      mean: 5,
      reviews: [{ name: 'Clara M.', answer: expect.stringMatching(/^Thank you, Clara/) }, { name: 'Grace H.' }],
    });
    expect(await readReviewsOf('byof')).toMatchObject({ count: 1, mean: 4 });
    const [frame] = (await clara.get('/api/frame-photo-limits')).json.frames;
    expect(frame.uploads.map((upload: { isProcessed: boolean }) => upload.isProcessed)).toEqual([true, true, true]);
  });
});
