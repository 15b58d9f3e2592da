import { sql } from 'drizzle-orm';
import { expect, test } from 'vitest';
import { namedFiles } from '#server/named-files.ts';
import { describeOnEachEngine } from '#test/database.ts';
import { deliverVideos, listCustomerFileKeys } from '#test/delivered-order.ts';
import { buyFramesAsAnna, uploadTo } from '#test/people.ts';
import { readAllTables, readQueuedMails } from '#test/rows.ts';
import { adminPassword, openTestShop, type TestShop } from '#test/shop.ts';
import { sweepFiles } from '../files/sweep.ts';
import { renderVideo } from './render.ts';

type Row = { id: string; state: string; take: number; video_key: string | null };
const readVideoRows = async (it: TestShop) => (await readAllTables(it.shop.db))['videos'] as Row[];
const attempt = { signal: new AbortController().signal, isLastTry: false };

/** Anna's frame with two delivered videos, her delivery page, and the owner's browser. */
async function deliverFrame(it: TestShop) {
  const { browser: anna, frames } = await buyFramesAsAnna(it);
  const { deviceId } = frames[0]!;
  for (let i = 0; i < 2; i++) await uploadTo(anna, deviceId);
  await deliverVideos(it, anna, deviceId);
  const { path } = (await anna.post(`/api/devices/${deviceId}/delivery-link`)).json;
  const owner = it.browser();
  await owner.post('/api/admin/auth/password', { password: adminPassword });
  const readDeliveryPage = async () => (await anna.get(`/api/delivery/${(path as string).split('/').at(-1)}`)).json;
  const [video] = (await readDeliveryPage()).videos as { id: string; videoUrl: string; take: number }[];
  const { id } = video!;
  const renderTake = async (autoApprove = false) => {
    const { take } = (await readVideoRows(it)).find((row) => row.id === id)!;
    await renderVideo({ ...it.shop, autoApproves: async () => autoApprove }, { videoId: id, take }, attempt);
  };
  const postAsAdmin = (act: string, body?: object) => owner.post(`/api/admin/videos/${id}/${act}`, body);
  return { anna, owner, page: readDeliveryPage, video: video!, render: renderTake, admin: postAsAdmin };
}

describeOnEachEngine((fresh) => {
  test('the customer can watch the approved take until the owner approves the new take', async () => {
    const testShop = await openTestShop(fresh);
    const { anna, owner, page, video, render, admin } = await deliverFrame(testShop);
    const mailCount = (await readQueuedMails(testShop.shop.db)).length;
    expect((await admin('redo', { style: 'depth' })).json).toMatchObject({
      state: 'queued',
      take: 2,
      live: { take: 1 },
    });
    const expectWatchable = async () => {
      expect((await page()).videos[0]).toMatchObject({ id: video.id, take: 1, videoUrl: video.videoUrl });
      expect((await anna.get(video.videoUrl)).text).toBe('a film');
    };
    await expectWatchable();
    await render();
    await expectWatchable();
    const [reviewed] = (await owner.get('/api/admin/production-orders')).json[0].frames[0].videos;
    expect(reviewed).toMatchObject({ id: video.id, state: 'rendered', take: 2, live: { videoUrl: video.videoUrl } });
    expect((await owner.get(reviewed.videoUrl)).text).toBe('a video');
    expect((await owner.get(reviewed.live.videoUrl)).text).toBe('a film');
    // The customer cannot reach the take that is not approved.
    expect((await anna.get(reviewed.videoUrl)).text).toBe('a film');
    expect((await admin('approve', { take: 2 })).json).toMatchObject({ state: 'approved', live: null });
    expect((await page()).videos[0]).toMatchObject({ id: video.id, take: 2 });
    expect((await anna.get((await page()).videos[0].videoUrl)).text).toBe('a video');
    expect((await readQueuedMails(testShop.shop.db)).length).toBe(mailCount);
  });

  test('the owner can discard a new take in every state and keep the approved one; a late job is ignored', async () => {
    const testShop = await openTestShop(fresh);
    const { anna, page, video, render, admin } = await deliverFrame(testShop);
    let take = 1;
    for (const stage of ['queued', 'rendered', 'failed']) {
      expect((await admin('redo', {})).status).toBe(200);
      if (stage === 'rendered') await render();
      if (stage === 'failed')
        await testShop.shop.db.execute(sql`update videos set state = 'failed' where id = ${video.id}`);
      const abandonedTake = (take += 1);
      expect((await admin('keep-live')).json, stage).toMatchObject({
        state: 'approved',
        live: null,
        take: (take += 1),
      });
      await renderVideo(
        { ...testShop.shop, autoApproves: async () => true },
        { videoId: video.id, take: abandonedTake },
        attempt,
      );
      const shownVideo = (await page()).videos[0];
      expect(shownVideo, stage).toMatchObject({ id: video.id, take });
      expect((await anna.get(shownVideo.videoUrl)).text, stage).toBe('a film');
    }
    const repeatedResponse = await admin('keep-live');
    expect([repeatedResponse.status, repeatedResponse.json.code]).toEqual([409, 'no-earlier-video']);
  });

  test('the files of a live take are deleted after another take is approved, and not before', async () => {
    const testShop = await openTestShop(fresh);
    const { video, render, admin } = await deliverFrame(testShop);
    const videoKey = `videos/${video.id}.mp4`;
    const sweepAfterAMonth = async () => {
      for (let i = 0; i < 2; i++) {
        testShop.clock.advance(31 * 86_400_000);
        await sweepFiles({ ...testShop.shop, fileSources: namedFiles, isLimited: false, notifyOwner: async () => {} });
      }
      return listCustomerFileKeys(testShop);
    };
    await admin('redo', {});
    await render();
    await admin('redo', {});
    expect(await sweepAfterAMonth()).toContain(videoKey);
    await render(true);
    const remainingKeys = await sweepAfterAMonth();
    expect(remainingKeys.filter((key) => key.includes(video.id))).toEqual([]);
    const { video_key: shownVideo } = (await readVideoRows(testShop)).find((row) => row.id === video.id)!;
    expect(remainingKeys).toContain(shownVideo);
  });
});
