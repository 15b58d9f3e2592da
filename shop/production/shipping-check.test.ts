import { sql } from 'drizzle-orm';
import { expect, test } from 'vitest';
import { describeOnFastestEngine } from '#test/database.ts';
import { buyFramesAsAnna, uploadTo } from '#test/people.ts';
import { readAllTables } from '#test/rows.ts';
import { adminPassword, openTestShop } from '#test/shop.ts';
import { renderVideo } from './render.ts';

describeOnFastestEngine((fresh) => {
  test('shows the owner unfinished photos and videos of an order before the package is sent', async () => {
    const testShop = await openTestShop(fresh);
    const { browser: anna, frames } = await buyFramesAsAnna(testShop);
    const { deviceId } = frames[0]!;
    const owner = testShop.browser();
    await owner.post('/api/admin/auth/password', { password: adminPassword });
    const [order] = (await owner.get('/api/admin/orders')).json;
    const path = `/api/admin/orders/${order.id}/shipping-check`;
    const readCheck = async () => (await owner.get(path)).json;

    await uploadTo(anna, deviceId);
    const frameCheck = { name: 'Kinframe 1', photos: 1, mostPhotos: 20, isFinalized: false, videos: 0, openVideos: 0 };
    expect(await readCheck()).toEqual({ isEmailProven: false, frames: [frameCheck] });

    await anna.post('/api/uploads/finalize', { deviceId });
    const finalizedFrameCheck = { ...frameCheck, isFinalized: true, videos: 1, openVideos: 1 };
    expect((await readCheck()).frames).toEqual([finalizedFrameCheck]);

    const [video] = (await readAllTables(testShop.shop.db))['videos'] as { id: string; take: number }[];
    const attempt = { signal: new AbortController().signal, isLastTry: false };
    await renderVideo(
      { ...testShop.shop, autoApproves: async () => false },
      { videoId: video!.id, take: video!.take },
      attempt,
    );
    expect((await readCheck()).frames).toEqual([finalizedFrameCheck]);
    expect((await owner.post(`/api/admin/videos/${video!.id}/approve`)).status).toBe(200);
    expect((await readCheck()).frames).toEqual([{ ...finalizedFrameCheck, openVideos: 0 }]);

    await testShop.shop.db.execute(sql`update customers set email_proven_at = now()`);
    expect((await readCheck()).isEmailProven).toBe(true);
    expect((await owner.get('/api/admin/orders/none/shipping-check')).json.code).toBe('not-found');
    expect((await anna.get(path)).status).toBe(401);
  });
});
