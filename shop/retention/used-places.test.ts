import { sql } from 'drizzle-orm';
import { expect, test } from 'vitest';
import { describeOnFastestEngine } from '#test/database.ts';
import { deliverVideos } from '#test/delivered-order.ts';
import { quickImaging } from '#test/imaging.ts';
import { buyAddon } from '#test/paying.ts';
import { buyFramesAsAnna, fetchFrames, uploadTo } from '#test/people.ts';
import { readQueuedMails } from '#test/rows.ts';
import { openTestShop, type TestShop } from '#test/shop.ts';
import { findFrameById } from '../frames/frames.ts';
import { startNextFrameStep } from '../production/next-frame-step.ts';
import { approveVideo, redoVideo } from '../production/production.ts';

/**
 * Marks a video as rendered without rendering it, and starts the next step of its frame. Returns the id of the video.
 */
async function renderPhoto(it: TestShop, deviceId: string, place: number): Promise<string> {
  const { db, clock } = it.shop;
  const { rows } = await db.execute<{ id: string }>(sql`update videos set state = 'rendered', size_bytes = 6,
    rendered_at = ${clock.now().toISOString()}, video_key = 'videos/' || id || '.mp4', poster_key = 'posters/' || id || '.jpg'
    where frame_id = ${deviceId} and place = ${place} returning id`);
  await db.transaction(async (tx) => startNextFrameStep(tx, it.shop, (await findFrameById(tx, deviceId))!));
  return rows[0]!.id;
}

describeOnFastestEngine((fresh) => {
  test('a frame whose photos are erased before delivery gets all its places back, and the customer is emailed again when it is finalized again', async () => {
    const testShop = await openTestShop(fresh);
    const { browser, frames } = await buyFramesAsAnna(testShop);
    const { deviceId } = frames[0]!;
    await uploadTo(browser, deviceId);
    expect((await browser.put(`/api/devices/${deviceId}/still-photos`, { ids: [] })).status).toBe(200);
    expect((await browser.post('/api/uploads/finalize', { deviceId, keepPlaces: true })).status).toBe(200);
    expect((await browser.post('/api/account/erase')).status).toBe(200);
    expect(await fetchFrames(browser)).toMatchObject([
      { usedPhotos: 0, remainingPhotos: 20, uploadFinalized: false, videosReadyAt: null, stillAnsweredAt: null },
    ]);
    testShop.clock.advance(60_000);
    await uploadTo(browser, deviceId);
    expect((await browser.post('/api/uploads/finalize', { deviceId })).status).toBe(200);
    expect(await readQueuedMails(testShop.shop.db, 'finalized:')).toHaveLength(2);
  });

  test('places of delivered videos stay used after any number of erasures', async () => {
    const testShop = await openTestShop(fresh, { imaging: quickImaging });
    const { browser, frames } = await buyFramesAsAnna(testShop, { quantity: 2 });
    const [kept, closed] = frames.map((frame) => frame.deviceId) as [string, string];
    const eraseAgain = async () => {
      for (const id of [kept, closed]) await uploadTo(browser, id);
      expect((await browser.post('/api/account/erase')).status).toBe(200);
    };
    for (const id of [kept, kept, closed]) expect((await uploadTo(browser, id)).status).toBe(200);
    await deliverVideos(testShop, browser, kept, true);
    await deliverVideos(testShop, browser, closed);
    await eraseAgain();
    expect(await fetchFrames(browser)).toMatchObject([
      { usedPhotos: 2, remainingPhotos: 18, uploadFinalized: false },
      { usedPhotos: 1, uploadFinalized: true, isErased: true },
    ]);
    expect((await browser.get('/api/account')).json.frames).toMatchObject([
      { photos: 0, isErased: false, keptUntil: null }, // the frame is still open for photos
      { photos: 0, isErased: true, keptUntil: expect.any(String) },
    ]);
    await uploadTo(browser, kept);
    expect((await browser.get('/api/account')).json.frames[0]).toMatchObject({ photos: 1, isErased: false });
    await buyAddon(browser, closed);
    for (let time = 0; time < 2; time++) {
      await eraseAgain();
      expect(await fetchFrames(browser)).toMatchObject([
        { usedPhotos: 2, remainingPhotos: 18, uploadFinalized: false, isErased: false },
        { usedPhotos: 1, remainingPhotos: 10, uploadFinalized: false, isErased: false },
      ]);
    }
    // The remaining places can still be filled and delivered.
    await uploadTo(browser, kept);
    await deliverVideos(testShop, browser, kept);
    expect((await browser.post('/api/account/erase')).status).toBe(200);
    expect(await fetchFrames(browser)).toMatchObject([{ usedPhotos: 3, uploadFinalized: true, isErased: true }, {}]);
  });

  test('the place of a delivered video stays used if the video is being made again at the erasure', async () => {
    const testShop = await openTestShop(fresh, { imaging: quickImaging });
    const { browser, frames } = await buyFramesAsAnna(testShop);
    const { deviceId } = frames[0]!;
    for (let i = 0; i < 2; i++) await uploadTo(browser, deviceId);
    await deliverVideos(testShop, browser, deviceId, true);
    const { rows } = await testShop.shop.db.execute<{ id: string }>(sql`select id from videos`);
    for (const { id } of rows) await redoVideo(testShop.shop, id);
    await uploadTo(browser, deviceId);
    expect((await browser.post('/api/uploads/finalize', { deviceId, keepPlaces: true })).status).toBe(200);
    expect((await browser.post('/api/account/erase')).json.photos).toBe(3);
    expect(await fetchFrames(browser)).toMatchObject([{ usedPhotos: 2, remainingPhotos: 18, uploadFinalized: false }]);
  });

  test.each(['off', 'after'])(
    'with PROOF=%s, an erasure keeps the places of approved videos used and frees the others',
    async (PROOF) => {
      const testShop = await openTestShop(fresh, { imaging: quickImaging, env: { PROOF } });
      const { browser, frames } = await buyFramesAsAnna(testShop, { quantity: 2 });
      const [some, all] = frames.map((frame) => frame.deviceId) as [string, string];
      for (const id of [some, some, some, all]) await uploadTo(browser, id);
      for (const deviceId of [some, all])
        expect((await browser.post('/api/uploads/finalize', { deviceId })).status).toBe(200);
      await renderPhoto(testShop, some, 1);
      await approveVideo(testShop.shop, await renderPhoto(testShop, some, 0));
      await approveVideo(testShop.shop, await renderPhoto(testShop, all, 0));
      expect((await fetchFrames(browser))[0]!.uploads.filter((photo) => photo.isProcessed)).toHaveLength(1);
      expect((await browser.post('/api/account/erase')).json.photos).toBe(4);
      expect(await fetchFrames(browser)).toMatchObject([
        { usedPhotos: 1, remainingPhotos: 19, uploadFinalized: false, isErased: false, isInProof: false },
        { usedPhotos: 1, uploadFinalized: true, isErased: true, isInProof: false },
      ]);
    },
  );

  test('with PROOF=before, the place of a rendered video stays used once its customer has a proof link', async () => {
    const testShop = await openTestShop(fresh, { imaging: quickImaging, env: { PROOF: 'before' } });
    const { browser, frames } = await buyFramesAsAnna(testShop);
    const { deviceId } = frames[0]!;
    const finalizeTwo = async () => {
      for (let i = 0; i < 2; i++) await uploadTo(browser, deviceId);
      expect((await browser.post('/api/uploads/finalize', { deviceId, keepPlaces: true })).status).toBe(200);
    };
    const eraseFrame = async () => {
      expect((await browser.post('/api/account/erase')).status).toBe(200);
      return (await fetchFrames(browser))[0]!;
    };
    await finalizeTwo();
    await renderPhoto(testShop, deviceId, 0); // the other video is not ready, so there is no proof yet
    expect(await eraseFrame()).toMatchObject({ usedPhotos: 0, remainingPhotos: 20 });

    await finalizeTwo();
    const renderedPhotos = [await renderPhoto(testShop, deviceId, 0), await renderPhoto(testShop, deviceId, 1)];
    const { path } = (await browser.post(`/api/devices/${deviceId}/proof-link`)).json;
    expect((await browser.get(`/api${path}`)).json.videos).toMatchObject(
      renderedPhotos.map((id) => ({ shown: { id } })),
    );
    await redoVideo(testShop.shop, renderedPhotos[0]!);
    await finalizeTwo();
    expect(await eraseFrame()).toMatchObject({ usedPhotos: 2, remainingPhotos: 18 });
    expect((await browser.get(`/api${path}`)).json.code).toBe('proof-link-invalid');
    await finalizeTwo();
    expect(await eraseFrame()).toMatchObject({ usedPhotos: 2, remainingPhotos: 18 });
  });
});
