import { sql } from 'drizzle-orm';
import { expect, test } from 'vitest';
import { namedFiles } from '#server/named-files.ts';
import { describeOnFastestEngine, describeOnEachEngine } from '#test/database.ts';
import { listCustomerFileKeys } from '#test/delivered-order.ts';
import { brokenAnimator, fakeAnimator } from '#test/fake-animator.ts';
import { buyFramesAsAnna, fetchFrames, uploadTo } from '#test/people.ts';
import { readAllTables } from '#test/rows.ts';
import { emptyPhotoAnalyzer, createFaceAnalysis, createPhotoAnalysis } from '#test/photo-analysis.ts';
import { openTestShop, type TestShop } from '#test/shop.ts';
import type { AnimateRequest, Animator } from '../ports/animator.ts';
import type { PhotoAnalyzerPort } from '../ports/photo-analyzer.ts';
import { sweepFiles } from '../files/sweep.ts';
import { makePreview } from './previews.ts';
import { renderVideo } from './render.ts';

const attempt = { signal: new AbortController().signal, isLastTry: false };
const analyzerOfFace: PhotoAnalyzerPort = {
  ...emptyPhotoAnalyzer,
  version: async () => 'test',
  analyzePhoto: async () =>
    createPhotoAnalysis({
      version: 'test',
      faces: [createFaceAnalysis(0.5, 0.4, 0.3, { mayBlink: true })],
      people: 0.3,
    }),
};

/** A fake animator that records its requests. */
function createRecordingAnimator(): Animator & { requests: AnimateRequest[] } {
  const requests: AnimateRequest[] = [];
  return {
    ...fakeAnimator,
    requests,
    start: async (request) => {
      requests.push(request);
      return fakeAnimator.start(request);
    },
  };
}

async function openFrame(it: TestShop) {
  const { browser, frames } = await buyFramesAsAnna(it);
  const { deviceId, orderId } = frames[0]!;
  const uploadPhoto = async () => (await uploadTo(browser, deviceId)).json.id as string;
  const readPhotos = async () => (await fetchFrames(browser))[0]!.uploads;
  const runPreviewJobs = (count = 1) =>
    Array.from({ length: count }).reduce<Promise<void>>(
      (before) => before.then(() => makePreview(it.shop, { orderId }, attempt)),
      Promise.resolve(),
    );
  return { browser, deviceId, orderId, upload: uploadPhoto, photos: readPhotos, work: runPreviewJobs };
}
const readWaitingJobs = async (it: TestShop) =>
  (
    await it.shop.db.execute<{ data: object }>(
      sql`select data from jobs.job where name = 'make-preview' and state < 'active'`,
    )
  ).rows.map((row) => row.data);

describeOnEachEngine((fresh) => {
  test('each photo gets a short, small preview, which only its customer and the owner can see', async () => {
    const animator = createRecordingAnimator();
    const testShop = await openTestShop(fresh, { animator });
    const { browser, orderId, upload, photos, work } = await openFrame(testShop);
    await upload();
    await upload();
    expect(await readWaitingJobs(testShop)).toEqual([{ orderId }]);
    expect((await photos()).map((photo) => photo.preview)).toEqual([null, null]);
    await work(3);
    const [first, second] = await photos();
    expect([first!.preview, second!.preview]).toMatchObject([
      { style: 'drift', url: expect.stringMatching(/^\/uploads\/preview-.*\.mp4$/) },
      { url: expect.not.stringMatching(first!.preview!.url!) },
    ]);
    expect(animator.requests).toMatchObject([
      { seconds: 3, screen: { width: 640, height: 400 }, camera: 'approach' },
      { seconds: 3, screen: { width: 640, height: 400 }, camera: 'drift' },
    ]);
    expect([
      (await browser.get(first!.preview!.url!)).text,
      (await testShop.browser().get(first!.preview!.url!)).status,
    ]).toEqual(['a video', 404]);
  });

  test('a changed photo setting replaces the preview and deletes its earlier file', async () => {
    const testShop = await openTestShop(fresh);
    const { browser, upload, photos, work } = await openFrame(testShop);
    const id = await upload();
    await work();
    const [{ preview: before }] = (await photos()) as [Awaited<ReturnType<typeof photos>>[number]];
    const updatedPhoto = (await browser.put(`/api/uploads/${id}`, { style: 'vintage' })).json;
    expect(updatedPhoto).toMatchObject({ style: 'vintage', preview: null });
    await work();
    const [photo] = await photos();
    expect(photo!.preview!.url).not.toBe(before!.url);
    expect((await browser.get(before!.url!)).status).toBe(404);
    await sweepFiles({ ...testShop.shop, fileSources: namedFiles, isLimited: false, notifyOwner: async () => {} });
    expect((await listCustomerFileKeys(testShop)).filter((key) => key.startsWith('previews/'))).toHaveLength(1);
    // When a photo is deleted, its preview is deleted too.
    const otherPhotoId = await upload();
    await work();
    await browser.delete(`/api/uploads/${otherPhotoId}`);
    expect((await listCustomerFileKeys(testShop)).filter((key) => key.includes('previews/'))).toEqual([
      expect.stringMatching(/^previews\//),
    ]);
    // A caption that is not written on the video does not change the preview.
    expect((await browser.put(`/api/uploads/${id}`, { caption: 'By the lake' })).json.preview).toEqual(photo!.preview);
  });
});

describeOnFastestEngine((fresh) => {
  test('a video has the motion and camera movement of its preview, which is then deleted', async () => {
    const animator = createRecordingAnimator();
    const testShop = await openTestShop(fresh, { animator, seeing: analyzerOfFace });
    const { browser, deviceId, upload, work } = await openFrame(testShop);
    const ids = [await upload(), await upload()];
    await browser.put(`/api/uploads/${ids[1]}`, { style: 'parallax' });
    await work(2);
    // The video keeps the camera movement of its preview, even if the photo's place changes later.
    await browser.put(`/api/devices/${deviceId}/photo-order`, { ids: ids.toReversed() });
    await browser.post('/api/uploads/finalize', { deviceId });
    const previewedMotions = animator.requests.splice(0).map(({ style, camera }) => ({ style, camera }));
    expect(previewedMotions).toEqual([
      { style: 'alive', camera: 'approach' },
      { style: 'parallax', camera: 'drift' },
    ]);
    const videos = (await readAllTables(testShop.shop.db))['videos'] as { id: string; place: number }[];
    expect(videos.toSorted((a, b) => a.place - b.place)).toMatchObject([
      { style: 'parallax', is_chosen: true },
      { is_chosen: false },
    ]);
    for (const { id } of videos)
      await renderVideo({ ...testShop.shop, autoApproves: async () => false }, { videoId: id, take: 1 }, attempt);
    const previewRequests = animator.requests.map(({ style, camera, seconds }) => ({ style, camera, seconds }));
    expect(previewRequests).toEqual(expect.arrayContaining(previewedMotions.map((of) => ({ ...of, seconds: 8 }))));
    expect((await readAllTables(testShop.shop.db))['previews']).toEqual([]);
    testShop.clock.advance(31 * 86_400_000);
    await sweepFiles({ ...testShop.shop, fileSources: namedFiles, isLimited: false, notifyOwner: async () => {} });
    expect((await listCustomerFileKeys(testShop)).filter((key) => key.startsWith('previews/'))).toEqual([]);
  });

  test('makes no preview while videos are queued, and makes it after they are rendered', async () => {
    const testShop = await openTestShop(fresh);
    const { browser, deviceId, orderId, upload, photos, work } = await openFrame(testShop);
    const photoToPreview = await upload();
    await browser.post('/api/uploads/finalize', { deviceId, keepPlaces: true });
    await upload();
    await testShop.shop.db.execute(sql`delete from jobs.job where name = 'make-preview'`);
    await work();
    expect((await photos())[1]!.preview).toBeNull();
    expect(await readWaitingJobs(testShop)).toEqual([{ orderId }]);
    const [video] = (await readAllTables(testShop.shop.db))['videos'] as { id: string; upload_id: string }[];
    expect(video!.upload_id).toBe(photoToPreview);
    await renderVideo({ ...testShop.shop, autoApproves: async () => true }, { videoId: video!.id, take: 1 }, attempt);
    await work();
    expect((await photos()).map((photo) => photo.preview !== null)).toEqual([false, true]);
  });

  test('stores a preview without a file if the animator fails, and continues with the next photo', async () => {
    const testShop = await openTestShop(fresh, { animator: brokenAnimator });
    const { upload, photos, work } = await openFrame(testShop);
    await upload();
    await upload();
    await work(2);
    expect((await photos()).map((photo) => photo.preview)).toMatchObject([{ url: null }, { url: null }]);
  });

  test('stores no preview if the photo is deleted while the preview is being made', async () => {
    const startedPromise = Promise.withResolvers<void>();
    const deletedPromise = Promise.withResolvers<void>();
    const animator: Animator = {
      ...fakeAnimator,
      start: async (request) => {
        startedPromise.resolve();
        await deletedPromise.promise;
        return fakeAnimator.start(request);
      },
    };
    const testShop = await openTestShop(fresh, { animator });
    const { browser, upload, work } = await openFrame(testShop);
    const id = await upload();
    const workPromise = work();
    await startedPromise.promise;
    expect((await browser.delete(`/api/uploads/${id}`)).status).toBe(200);
    deletedPromise.resolve();
    await workPromise;
    expect((await readAllTables(testShop.shop.db))['previews']).toEqual([]);
    expect((await listCustomerFileKeys(testShop)).filter((key) => key.startsWith('previews/'))).toEqual([]);
  });

  test('the customer’s last choice between “alive” and “keep still” has priority', async () => {
    const testShop = await openTestShop(fresh, { seeing: analyzerOfFace });
    const { browser, deviceId, upload } = await openFrame(testShop);
    const id = await upload();
    const stillPeopleMotions = { living: false, water: false, candle: null };
    const updatePhoto = async (body: object) => (await browser.put(`/api/uploads/${id}`, body)).json;
    await updatePhoto({ style: 'alive' });
    expect(await updatePhoto({ moves: stillPeopleMotions })).toMatchObject({ style: null, moves: { living: false } });
    expect(await updatePhoto({ style: 'alive' })).toMatchObject({ style: 'alive', moves: { living: null } });
    await browser.put(`/api/devices/${deviceId}/still-photos`, { ids: [id] });
    expect((await fetchFrames(browser))[0]!.uploads[0]).toMatchObject({ style: null, moves: { living: false } });
  });

  test('makes no previews if the settings turn them off', async () => {
    const testShop = await openTestShop(fresh, { env: { PREVIEWS: 'off' } });
    const { browser, upload } = await openFrame(testShop);
    await upload();
    expect(await readWaitingJobs(testShop)).toEqual([]);
    expect((await browser.get('/api/frame-photo-limits')).json.hasPreviews).toBe(false);
  });

  test('offers four motions for a photo, its default motion first', async () => {
    const testShop = await openTestShop(fresh, { seeing: analyzerOfFace });
    const { browser, upload } = await openFrame(testShop);
    const id = await upload();
    const { motions } = (await browser.get(`/api/uploads/${id}/seen`)).json;
    expect(motions[0]).toBe('alive');
    expect(motions).toHaveLength(4);
    const refusedResponse = await browser.put(`/api/uploads/${id}`, { style: 'explode' });
    expect(refusedResponse.status).toBe(400);
  });
});
