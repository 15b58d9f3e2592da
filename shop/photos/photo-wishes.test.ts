import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { sql } from 'drizzle-orm';
import { describe, expect, test } from 'vitest';
import type { Imaging } from '#shop/ports/imaging.ts';
import { renderVideo } from '#shop/production/render.ts';
import type { AnimateRequest } from '#shop/ports/animator.ts';
import { describeOnFastestEngine, describeOnPostgres, waitUntilStatementWaits } from '#test/database.ts';
import { fakeAnimator, createHostedAnimator } from '#test/fake-animator.ts';
import { quickImaging } from '#test/imaging.ts';
import {
  anna,
  buyFramesAsAnna,
  buyAndVerify,
  fetchFrames,
  createPhotoForm,
  createSmallPhoto,
  uploadTo,
} from '#test/people.ts';
import { countRows, readQueuedMails } from '#test/rows.ts';
import { createFaceAnalysis, createPhotoAnalysis } from '#test/photo-analysis.ts';
import { adminPassword, openTestShop, type Browser, type TestShop } from '#test/shop.ts';
import { replacePhoto } from './add-photo.ts';
import { findPhotoById } from './photos.ts';

const defaultMotions = { living: null, water: false, candle: null };
async function signInBen(it: TestShop): Promise<Browser> {
  const browser = it.browser();
  await buyAndVerify(browser, { customerDetails: { ...anna, email: 'ben@example.com' } });
  await browser.post('/api/complete-registration', { password: 'Kite-over-sea-4' });
  return browser;
}
async function renderVideos(it: TestShop): Promise<void> {
  const { rows } = await it.shop.db.execute<{ id: string; take: number }>(
    sql`select id, take from videos where state = 'queued' order by place`,
  );
  for (const { id: videoId, take } of rows)
    await renderVideo(
      { ...it.shop, autoApproves: async () => true },
      { videoId, take },
      { signal: new AbortController().signal, isLastTry: true },
    );
}
const uploadReplacement = async (browser: Browser, id: string) => {
  const form = createPhotoForm(undefined, await createSmallPhoto(), 'better.jpg');
  return browser.post(`/api/uploads/${id}/replacement`, form);
};

describeOnFastestEngine((fresh) => {
  test('asks about water only until the customer has answered, and never in photos of people', async () => {
    let found = createPhotoAnalysis({ water: { part: 0.3 } });
    const seeing = { version: async () => 'test', analyzePhoto: async () => found, describe: async () => '' };
    const testShop = await openTestShop(fresh, { seeing });
    const { browser, frames } = await buyFramesAsAnna(testShop);
    const fetchWaterQuestions = async () => (await fetchFrames(browser))[0]!.uploads.map((photo) => photo.mayShowWater);
    const uploadAndAnalyze = async () => {
      const { id } = (await uploadTo(browser, frames[0]!.deviceId)).json;
      await browser.get(`/api/uploads/${id}/seen`);
      return id as string;
    };
    const lakePhotoId = await uploadAndAnalyze();
    expect(await fetchWaterQuestions()).toEqual([true]);
    found = createPhotoAnalysis({ water: { part: 0.3 }, faces: [createFaceAnalysis(0.5, 0.4, 0.3)] });
    await uploadAndAnalyze();
    found = createPhotoAnalysis({ water: { part: 0.02 } });
    await uploadAndAnalyze();
    found = createPhotoAnalysis();
    await uploadAndAnalyze();
    expect(await fetchWaterQuestions()).toEqual([true, false, false, false]);
    const allowedMotions = { living: null, water: false, candle: null };
    expect((await browser.put(`/api/uploads/${lakePhotoId}`, { moves: allowedMotions })).json.mayShowWater).toBe(false);
    expect(await fetchWaterQuestions()).toEqual([false, false, false, false]);
  });

  describe('the question about the paper border of a print', () => {
    const printArea = { left: 0.06, top: 0.05, width: 0.88, height: 0.9 };
    const openShopThatFindsBorders = async () => {
      const seeing = {
        version: async () => 'test',
        analyzePhoto: async () => createPhotoAnalysis({ printArea }),
        describe: async () => '',
      };
      const { browser, frames } = await buyFramesAsAnna(await openTestShop(fresh, { seeing }));
      const { id, fileName } = (await uploadTo(browser, frames[0]!.deviceId)).json as Record<string, string>;
      const analyze = () => browser.get(`/api/uploads/${id}/seen`);
      await analyze();
      const fetchArea = async () => (await fetchFrames(browser))[0]!.uploads[0]!.printArea;
      return { browser, path: `/api/uploads/${id}`, fileName, analyze, fetchArea };
    };

    test('is not asked again after the customer keeps the border', async () => {
      const { browser, path, fetchArea } = await openShopThatFindsBorders();
      expect(await fetchArea()).toEqual(printArea);
      expect((await browser.put(path, { keepsBorder: true })).json.printArea).toBeNull();
      expect(await fetchArea()).toBeNull();
    });
    test('is not asked again after the border is trimmed, nor after the trim is undone', async () => {
      const { browser, path, fileName, analyze, fetchArea } = await openShopThatFindsBorders();
      const trimResponse = await browser.put(`${path}/crop`, { quarterTurns: 0, area: printArea, fileName });
      expect(trimResponse.json).toMatchObject({ crop: { area: printArea }, printArea: null });
      await analyze();
      expect(await fetchArea()).toBeNull();
      await browser.put(`${path}/crop`, { quarterTurns: 0, area: null, fileName: trimResponse.json.fileName });
      await analyze();
      expect(await fetchArea()).toBeNull();
    });
    test('is asked again about the turned photo after the customer only turns it', async () => {
      const { browser, path, fileName, analyze, fetchArea } = await openShopThatFindsBorders();
      await browser.put(`${path}/crop`, { quarterTurns: 1, area: null, fileName });
      await analyze();
      expect(await fetchArea()).toEqual(printArea);
    });
  });

  test('uses the customer’s order, titles, repairs, focus points and motion choices for the videos', async () => {
    const animateRequests: AnimateRequest[] = [];
    const animator = {
      ...fakeAnimator,
      start: (it: AnimateRequest) => (animateRequests.push(it), fakeAnimator.start(it)),
    };
    const seeing = {
      version: async () => 'test',
      analyzePhoto: async () =>
        createPhotoAnalysis({ faces: [createFaceAnalysis(0.5, 0.4, 0.3)], water: { part: 0.3 } }),
      describe: async () => '',
    };
    const testShop = await openTestShop(fresh, { animator, standIn: animator, seeing });
    const { browser, frames } = await buyFramesAsAnna(testShop);
    const { deviceId } = frames[0]!;
    const ids: string[] = [];
    for (let i = 0; i < 4; i++) ids.push((await uploadTo(browser, deviceId)).json.id);
    const [first, second, third, fourth] = ids as [string, string, string, string];
    expect((await browser.get(`/api/uploads/${first}/seen`)).json).toMatchObject({ faces: [{}], hasWater: true });
    const updateResponse = await browser.put(`/api/uploads/${first}`, {
      caption: ' The kite ',
      focus: { x: 0.2, y: 0.9 },
    });
    expect(updateResponse.json).toMatchObject({ caption: 'The kite', focus: { x: 0.2, y: 0.9 }, moves: null });
    expect(
      (await browser.put(`/api/uploads/${first}`, { moves: { ...defaultMotions, water: true } })).json,
    ).toMatchObject({
      caption: 'The kite',
      focus: { x: 0.2, y: 0.9 },
      moves: { water: true },
    });
    await browser.put(`/api/uploads/${second}`, { moves: { ...defaultMotions, candle: { x: 0.7, y: 0.3 } } });
    await browser.put(`/api/uploads/${third}`, { moves: { ...defaultMotions, living: true }, isRepaired: true });
    await browser.put(`/api/uploads/${second}`, { caption: 'Supper by candlelight 🕯️', isTitled: true });
    const photoOrder = [third, first, fourth, second];
    expect((await browser.put(`/api/devices/${deviceId}/photo-order`, { ids: photoOrder })).status).toBe(200);
    expect((await fetchFrames(browser))[0]!.uploads.map((photo) => photo.id)).toEqual(photoOrder);
    const laterPhotoId = (await uploadTo(browser, deviceId)).json.id;
    expect((await fetchFrames(browser))[0]!.uploads.map((photo) => photo.id)).toEqual([...photoOrder, laterPhotoId]);

    expect((await browser.post('/api/uploads/finalize', { deviceId })).status).toBe(200);
    for (const refusedCall of [
      await browser.put(`/api/uploads/${first}`, { caption: 'Late' }),
      await browser.put(`/api/devices/${deviceId}/photo-order`, { ids }),
    ])
      expect(refusedCall.json).toMatchObject({ code: 'frame-finalized' });
    await renderVideos(testShop);
    expect(animateRequests.map(({ style, focus }) => [style, focus])).toMatchObject([
      ['alive', undefined],
      ['water', { x: 0.2, y: 0.9 }],
      ['alive', undefined],
      ['candlelight', { x: 0.7, y: 0.3 }],
      [expect.anything(), undefined],
    ]);
    expect(animateRequests.map(({ isRepaired }) => isRepaired)).toEqual([true, ...Array(4).fill(undefined)]);
    expect(animateRequests.map(({ title }) => title)).toEqual([
      undefined,
      undefined,
      undefined,
      'Supper by candlelight',
      undefined,
    ]);
    const { path } = (await browser.post(`/api/devices/${deviceId}/delivery-link`)).json;
    const { rows } = await testShop.shop.db.execute<{ id: string; upload_id: string }>(
      sql`select id, upload_id from videos`,
    );
    const findVideoId = (photo: string) => rows.find((row) => row.upload_id === photo)!.id;
    const { videos } = (await browser.get(`/api${path as string}`)).json as { videos: { id: string }[] };
    expect(videos.map((video) => video.id)).toEqual([...photoOrder, laterPhotoId].map(findVideoId));
  });

  test('refuses invalid photo settings, and returns not-found for another customer’s photo', async () => {
    const testShop = await openTestShop(fresh);
    const { browser, frames } = await buyFramesAsAnna(testShop);
    const { id } = (await uploadTo(browser, frames[0]!.deviceId)).json;
    for (const body of [
      { focus: { x: 1.2, y: 0 } },
      { focus: { x: 0.5 } },
      { focus: { x: null, y: 0 } },
      { caption: 'a'.repeat(81) },
      { moves: { living: 'yes', water: false, candle: null } },
      { moves: { ...defaultMotions, candle: { x: -1, y: 2 } } },
    ]) {
      const response = await browser.put(`/api/uploads/${id}`, body);
      expect([response.status, response.json.code], JSON.stringify(body)).toEqual([400, 'invalid-request']);
    }
    const bensBrowser = await signInBen(testShop);
    for (const response of [
      await bensBrowser.put(`/api/uploads/${id}`, { caption: 'Mine' }),
      await bensBrowser.get(`/api/uploads/${id}/seen`),
      await bensBrowser.put(`/api/devices/${frames[0]!.deviceId}/photo-order`, { ids: [id] }),
      await uploadReplacement(bensBrowser, id),
    ])
      expect(response.json).toMatchObject({ code: 'not-found' });
    // Without a detector, the shop does not know what the photo shows.
    expect((await browser.get(`/api/uploads/${id}/seen`)).json).toBeNull();
    const othersFrameId = (await fetchFrames(bensBrowser))[0]!.deviceId;
    expect((await bensBrowser.put(`/api/devices/${othersFrameId}/photo-order`, { ids: [id] })).json.code).toBe(
      'not-found',
    );
    expect((await testShop.shop.db.execute(sql`select position, caption from uploads`)).rows).toEqual([
      { position: null, caption: null },
    ]);
  });

  test('shows a title on a video if the customer or owner requests it and the caption can be written', async () => {
    const fetchWaterQuestions: AnimateRequest[] = [];
    const animator = {
      ...fakeAnimator,
      start: (it: AnimateRequest) => (fetchWaterQuestions.push(it), fakeAnimator.start(it)),
    };
    const testShop = await openTestShop(fresh, { animator, standIn: animator });
    const { browser, frames } = await buyFramesAsAnna(testShop);
    const { deviceId } = frames[0]!;
    const { id } = (await uploadTo(browser, deviceId)).json;
    const updatePhoto = async (body: object) => (await browser.put(`/api/uploads/${id}`, body)).json;
    const expectedRefusal = { code: 'nothing-to-write', message: expect.stringContaining('Latin letters') };
    expect(await updatePhoto({ isTitled: true })).toMatchObject(expectedRefusal);
    expect(await updatePhoto({ isTitled: true, caption: 'Дедушка' })).toMatchObject(expectedRefusal);
    expect((await browser.put(`/api/uploads/${id}`, { isTitled: 'yes' })).json.code).toBe('invalid-request');
    expect((await fetchFrames(browser))[0]!.uploads).toMatchObject([{ caption: null, isTitled: false }]);
    expect(await updatePhoto({ isTitled: true, caption: 'Grandpa' })).toMatchObject({
      caption: 'Grandpa',
      isTitled: true,
    });
    expect(await updatePhoto({ moves: null })).toMatchObject({ isTitled: true });
    // A caption that cannot be written also switches the title off. A later caption does not switch it on again.
    expect(await updatePhoto({ caption: '' })).toMatchObject({ caption: null, isTitled: false });
    expect(await updatePhoto({ caption: 'Grandpa' })).toMatchObject({ isTitled: false });
    await browser.post('/api/uploads/finalize', { deviceId });
    await renderVideos(testShop);

    const owner = testShop.browser();
    await owner.post('/api/admin/auth/password', { password: adminPassword });
    const { rows } = (await owner.get('/api/admin/lists/production-orders')).json;
    const video = rows[0].frames[0].videos[0];
    expect(video).toMatchObject({ isTitled: false });
    const redoVideo = (body: object) => owner.post(`/api/admin/videos/${video.id}/redo`, body);
    expect((await redoVideo({ isTitled: true })).json).toMatchObject({ isTitled: true, take: 2 });
    await renderVideos(testShop);
    // After the caption is removed, the next video cannot have a title.
    await testShop.shop.db.execute(sql`update uploads set caption = null`);
    expect((await redoVideo({ isTitled: true })).json).toMatchObject(expectedRefusal);
    expect((await redoVideo({})).json).toMatchObject({ isTitled: null, take: 3 });
    await renderVideos(testShop);
    expect(fetchWaterQuestions.map(({ title }) => title)).toEqual([undefined, 'Grandpa', undefined]);
  });

  test('renders a titled video on this machine, not with the hosted animator', async () => {
    const hosted = createHostedAnimator();
    const testShop = await openTestShop(fresh, { animator: hosted, standIn: fakeAnimator });
    const { browser, frames } = await buyFramesAsAnna(testShop);
    const { id } = (await uploadTo(browser, frames[0]!.deviceId)).json;
    await browser.put(`/api/uploads/${id}`, { caption: 'Grandpa', isTitled: true });
    await browser.post('/api/uploads/finalize', { deviceId: frames[0]!.deviceId });
    await renderVideos(testShop);
    expect(hosted.orders).toEqual([]);
    expect((await testShop.shop.db.execute(sql`select state, stand_in from videos`)).rows).toEqual([
      { state: 'approved', stand_in: 'Its title should be shown in it.' },
    ]);
  });

  test('free places stay open after finalizing with keepPlaces, and the finalized photos are locked', async () => {
    const testShop = await openTestShop(fresh);
    const { browser, frames } = await buyFramesAsAnna(testShop);
    const { deviceId } = frames[0]!;
    const firstPhotoId = (await uploadTo(browser, deviceId)).json.id;
    expect((await browser.post('/api/uploads/finalize', { deviceId, keepPlaces: true })).status).toBe(200);
    expect((await fetchFrames(browser))[0]).toMatchObject({
      uploadFinalized: false,
      remainingPhotos: 19,
      usedPhotos: 1,
    });
    expect((await browser.get('/api/order-summary')).json.orders).toMatchObject([{ isFinalized: true }]);
    expect((await browser.delete(`/api/uploads/${firstPhotoId}`)).json.code).toBe('frame-finalized');
    const repeatedResponse = await browser.post('/api/uploads/finalize', { deviceId, keepPlaces: true });
    expect(repeatedResponse.json.code).toBe('no-photos-yet');
    await uploadTo(browser, deviceId);
    expect((await browser.post('/api/uploads/finalize', { deviceId })).status).toBe(200);
    expect((await fetchFrames(browser))[0]).toMatchObject({ uploadFinalized: true, usedPhotos: 2 });
    expect(await countRows(testShop.shop.db, 'videos')).toBe(2);
  });

  test('when a frame is finalized without a new photo, closes the free places that were kept open', async () => {
    const testShop = await openTestShop(fresh);
    const { browser, frames } = await buyFramesAsAnna(testShop);
    const { deviceId } = frames[0]!;
    const finalizeFrame = (keepPlaces = false) => browser.post('/api/uploads/finalize', { deviceId, keepPlaces });
    expect((await finalizeFrame()).json.code).toBe('no-photos-yet');
    await uploadTo(browser, deviceId);
    await finalizeFrame(true);
    await renderVideos(testShop);
    const deliveredFrame = (await fetchFrames(browser))[0]!;
    expect(deliveredFrame).toMatchObject({ uploadFinalized: false, remainingPhotos: 19 });
    expect((await finalizeFrame(true)).json.code).toBe('no-photos-yet');
    expect((await finalizeFrame()).json).toEqual({ success: true, message: 'This frame is closed for new photos.' });
    expect((await fetchFrames(browser))[0]).toEqual({ ...deliveredFrame, uploadFinalized: true });
    expect((await uploadTo(browser, deviceId)).json.code).toBe('frame-finalized');
    expect((await finalizeFrame()).json.code).toBe('frame-finalized');
    expect(await countRows(testShop.shop.db, 'videos')).toBe(1);
    expect(await readQueuedMails(testShop.shop.db, 'finalized:')).toHaveLength(1);
  });

  test('locked photos keep their positions, before the photos that can still be reordered', async () => {
    const testShop = await openTestShop(fresh);
    const { browser, frames } = await buyFramesAsAnna(testShop);
    const { deviceId } = frames[0]!;
    const uploadPhoto = async () => (await uploadTo(browser, deviceId)).json.id as string;
    const orderPhotos = (...ids: string[]) => browser.put(`/api/devices/${deviceId}/photo-order`, { ids });
    const readShownPhotos = async () => (await fetchFrames(browser))[0]!.uploads.map((photo) => photo.id);
    const [first, second] = [await uploadPhoto(), await uploadPhoto()];
    await orderPhotos(second, first);
    await browser.post('/api/uploads/finalize', { deviceId, keepPlaces: true });
    const [third, fourth] = [await uploadPhoto(), await uploadPhoto()];
    for (const movedIds of [
      [first, second, third, fourth],
      [third, second],
    ])
      expect((await orderPhotos(...movedIds)).json).toMatchObject({
        code: 'frame-finalized',
        message: expect.stringContaining('locked'),
      });
    expect(await readShownPhotos()).toEqual([second, first, third, fourth]);
    expect((await orderPhotos(fourth, third)).status).toBe(200);
    expect(await readShownPhotos()).toEqual([second, first, fourth, third]);
  });

  test('spends a reupload credit to replace a photo whose video is delivered', async () => {
    const testShop = await openTestShop(fresh);
    const { browser, frames } = await buyFramesAsAnna(testShop);
    const { deviceId } = frames[0]!;
    const { id, url } = (await uploadTo(browser, deviceId)).json;
    const secondPhotoId = (await uploadTo(browser, deviceId)).json.id;
    await testShop.shop.db.execute(sql`update customers set reupload_credits = 1`);
    expect((await uploadReplacement(browser, id)).json.code).toBe('video-not-ready'); // an unlocked photo can be deleted
    await browser.post('/api/uploads/finalize', { deviceId });
    expect((await uploadReplacement(browser, id)).json.code).toBe('video-not-ready'); // the photo's video does not exist yet
    await renderVideos(testShop);
    const replaceResponse = await uploadReplacement(browser, id);
    expect([replaceResponse.status, replaceResponse.json]).toMatchObject([
      200,
      { originalFileName: 'better.jpg', isLocked: true, isProcessed: false },
    ]);
    const limitsAfter = (await browser.get('/api/frame-photo-limits')).json;
    expect(limitsAfter).toMatchObject({ reuploadCredits: 0, frames: [{ usedPhotos: 2 }] });
    expect(limitsAfter.frames[0].uploads.map((photo: { id: string }) => photo.id)).toEqual([
      replaceResponse.json.id,
      secondPhotoId,
    ]);
    expect((await browser.get(url)).status).toBe(404);
    expect((await uploadReplacement(browser, secondPhotoId)).json.code).toBe('no-credits-left');
    expect(await readQueuedMails(testShop.shop.db, 'video-again:')).toEqual([]);
    await renderVideos(testShop);
    expect((await fetchFrames(browser))[0]!.uploads.map((photo) => photo.isProcessed)).toEqual([true, true]);
    expect(await readQueuedMails(testShop.shop.db, 'video-again:')).toHaveLength(1);
    let stored = 0;
    for await (const { key } of testShop.shop.storage.list(''))
      if (/^(originals|display|thumbnails)\//.test(key)) stored++;
    expect(stored).toBe(6);
  });
});

describeOnPostgres((fresh) => {
  /** Returns a photo with a delivered video, its customer with one credit, and a function that writes its caption. */
  async function openCaptionedPhoto(imaging?: Imaging) {
    const testShop = await openTestShop(fresh, imaging && { imaging });
    const { browser, frames } = await buyFramesAsAnna(testShop);
    const { deviceId } = frames[0]!;
    const { id } = (await uploadTo(browser, deviceId)).json;
    await browser.post('/api/uploads/finalize', { deviceId });
    await renderVideos(testShop);
    await testShop.shop.db.execute(sql`update customers set reupload_credits = 1`);
    const { path } = (await browser.post(`/api/devices/${deviceId}/delivery-link`)).json;
    const [video] = (await browser.get(`/api${path}`)).json.videos;
    const writeCaption = (caption: string) => browser.put(`/api${path}/videos/${video.id}`, { caption });
    return { it: testShop, browser, id, write: writeCaption };
  }

  test('keeps a caption that is written while the replacement photo is decoded', async () => {
    let actDuringAnalysis = async (): Promise<unknown> => undefined;
    const imaging: Imaging = {
      ...quickImaging,
      develop: async (...photo) => {
        await actDuringAnalysis();
        return quickImaging.develop(...photo);
      },
    };
    const { browser, id, write } = await openCaptionedPhoto(imaging);
    actDuringAnalysis = () => write('The kite');
    expect((await uploadReplacement(browser, id)).json).toMatchObject({ caption: 'The kite' });
  });

  test('keeps a caption that is written while the replacement photo is stored', async () => {
    const { it, write, id } = await openCaptionedPhoto();
    const { db } = it.shop;
    const file = join(it.shop.workFolder, 'better.jpg');
    await writeFile(file, await createSmallPhoto());
    let writePromise: ReturnType<typeof write>;
    const photoBefore = (await findPhotoById(db, id))!;
    const receivedFile = { path: file, name: 'better.jpg', sizeBytes: 1000 };
    const photo = await replacePhoto(it.shop, photoBefore, receivedFile, 'anna', async (tx, { id: other }) => {
      await tx.execute(sql`update videos set upload_id = ${other} where upload_id = ${id}`);
      writePromise = write('The kite');
      await waitUntilStatementWaits(db, '^update "uploads"');
    });
    expect((await writePromise!).json).toMatchObject({ caption: 'The kite' });
    expect(await findPhotoById(db, photo.id)).toMatchObject({ caption: 'The kite' });
  });

  test('replaces only one photo when two simultaneous requests spend the last credit', async () => {
    const testShop = await openTestShop(fresh);
    const { browser, frames } = await buyFramesAsAnna(testShop);
    const { deviceId } = frames[0]!;
    const ids = [(await uploadTo(browser, deviceId)).json.id, (await uploadTo(browser, deviceId)).json.id];
    await browser.post('/api/uploads/finalize', { deviceId });
    await renderVideos(testShop);
    await testShop.shop.db.execute(sql`update customers set reupload_credits = 1`);
    const responses = await Promise.all(ids.map((id) => uploadReplacement(browser, id)));
    expect(responses.filter((answer) => answer.status === 200)).toHaveLength(1);
    expect(responses.find((answer) => answer.status !== 200)!.json.code).toBe('no-credits-left');
    expect((await fetchFrames(browser))[0]).toMatchObject({ usedPhotos: 2, uploads: [{}, {}] });
  });
});
