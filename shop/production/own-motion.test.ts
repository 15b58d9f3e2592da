import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { describeOnFastestEngine } from '#test/database.ts';
import { listCustomerFileKeys } from '#test/delivered-order.ts';
import { fakeAnimator, createHostedAnimator } from '#test/fake-animator.ts';
import { buyFramesAsAnna, fetchFrames, uploadTo } from '#test/people.ts';
import { createAnimation } from '#test/photos/motion-photos.ts';
import { readAllTables } from '#test/rows.ts';
import { adminPassword, openTestShop, type TestShop } from '#test/shop.ts';
import type { AnimateRequest, Animator } from '../ports/animator.ts';
import { findMotionNotMade } from './delivery.ts';
import { makePreview } from './previews.ts';
import { findVideoById } from './production.ts';
import { renderVideo } from './render.ts';

const attempt = { signal: new AbortController().signal, isLastTry: false };

/** A fake animator that records its requests, with the bytes of the files they name. */
function createRecordingAnimator(more: Partial<Animator> = {}) {
  const requests: (AnimateRequest & { original?: Buffer })[] = [];
  const animator: Animator = {
    ...fakeAnimator,
    ...more,
    start: async (request) => {
      const { ownMotion } = request;
      requests.push({ ...request, ...(ownMotion && { original: readFileSync(ownMotion.path) }) });
      return fakeAnimator.start(request);
    },
  };
  return { animator, requests };
}

async function openFrame(it: TestShop) {
  const { file } = await createAnimation('webp', { width: 240, pictures: 10 });
  const { browser, frames } = await buyFramesAsAnna(it);
  const { deviceId, orderId } = frames[0]!;
  const { id, fileName } = (await uploadTo(browser, deviceId, file)).json;
  const readPhoto = async () => (await fetchFrames(browser))[0]!.uploads[0]!;
  const makePhotoPreview = () => makePreview(it.shop, { orderId }, attempt);
  return { file, browser, deviceId, orderId, id, fileName, photo: readPhoto, preview: makePhotoPreview };
}
type Row = Record<string, unknown> & { id: string };
const readVideoRows = async (it: TestShop) => (await readAllTables(it.shop.db))['videos'] as Row[];

describeOnFastestEngine((fresh) => {
  test('a photo with motion in its file shows that motion, and no other part of the file is stored', async () => {
    const { animator, requests } = createRecordingAnimator();
    const testShop = await openTestShop(fresh, { animator });
    const { file, browser, deviceId, photo, preview } = await openFrame(testShop);
    expect(await photo()).toMatchObject({ hasOwnMotion: true, style: null });
    await preview();
    expect(requests).toMatchObject([
      { style: 'own-motion', otherwise: 'depth', ownMotion: { motion: { kind: 'animation' } } },
    ]);
    expect(requests[0]!.original!.equals(file)).toBe(true);
    const folders = new Set((await listCustomerFileKeys(testShop)).map((key) => key.split('/')[0]));
    expect(folders).toEqual(new Set(['display', 'originals', 'previews', 'thumbnails']));
    await browser.post('/api/uploads/finalize', { deviceId });
    const [video] = await readVideoRows(testShop);
    expect(video).toMatchObject({ style: 'own-motion' });
    await renderVideo({ ...testShop.shop, autoApproves: async () => false }, { videoId: video!.id, take: 1 }, attempt);
    expect(requests[1]).toMatchObject({ style: 'own-motion', seconds: 8 });
  });

  test('the customer can choose another motion or keep people still, and choose the photo’s own motion again', async () => {
    const { animator, requests } = createRecordingAnimator();
    const testShop = await openTestShop(fresh, { animator });
    const { browser, id, deviceId, photo, preview } = await openFrame(testShop);
    const changePhoto = (change: object) => browser.put(`/api/uploads/${id}`, change);
    const stillPeopleChange = { moves: { living: false, water: false, candle: null } };
    await changePhoto({ style: 'breathe' });
    await preview();
    await changePhoto({ style: 'own-motion' });
    await preview();
    await changePhoto(stillPeopleChange);
    // Keeping people still replaces the choice.
    expect(await photo()).toMatchObject({ style: null, moves: { living: false } });
    await preview();
    expect(requests.map((it) => [it.style, it.ownMotion !== undefined])).toEqual([
      ['breathe', false],
      ['own-motion', true],
      ['depth', false],
    ]);
    await changePhoto({ style: 'own-motion' });
    expect(await photo()).toMatchObject({ style: 'own-motion', moves: { living: null } });
    await browser.put(`/api/devices/${deviceId}/still-photos`, { ids: [id] });
    expect(await photo()).toMatchObject({ style: null, moves: { living: false } });
  });

  test('a cropped photo keeps its motion, and the animator gets the crop', async () => {
    const { animator, requests } = createRecordingAnimator();
    const testShop = await openTestShop(fresh, { animator });
    const { browser, id, fileName, preview } = await openFrame(testShop);
    const crop = { quarterTurns: 1, area: { left: 0.1, top: 0.1, width: 0.8, height: 0.8 } };
    expect((await browser.put(`/api/uploads/${id}/crop`, { ...crop, fileName })).status).toBe(200);
    await preview();
    expect(requests[0]!.ownMotion).toMatchObject({ crop });
  });

  test('this machine shows the motion even if a hosted animator makes the videos', async () => {
    const testShop = await openTestShop(fresh);
    const { browser, deviceId } = await openFrame(testShop);
    await browser.post('/api/uploads/finalize', { deviceId });
    const { animator: standIn, requests } = createRecordingAnimator();
    const animator = createHostedAnimator();
    const [video] = await readVideoRows(testShop);
    await renderVideo(
      { ...testShop.shop, animator, standIn, autoApproves: async () => false },
      { videoId: video!.id, take: 1 },
      attempt,
    );
    expect(animator.orders).toEqual([]);
    expect(requests).toMatchObject([{ style: 'own-motion', ownMotion: { motion: { kind: 'animation' } } }]);
    expect(await readVideoRows(testShop)).toMatchObject([
      { state: 'rendered', stand_in: 'The photo’s own motion is shown.' },
    ]);
  });

  test('if the motion cannot be used, the video’s text tells the customer, and the owner can choose it again', async () => {
    const testShop = await openTestShop(fresh);
    const { browser, deviceId } = await openFrame(testShop);
    await browser.post('/api/uploads/finalize', { deviceId });
    const failingAnimator: Animator = {
      ...fakeAnimator,
      getJobStatus: async (...args) => {
        const job = await fakeAnimator.getJobStatus(...args);
        if (job.state !== 'done') return job;
        const replacedMotion = { style: 'own-motion' as const, why: 'its film is damaged' };
        return {
          ...job,
          video: { ...job.video, provenance: { by: 'local', style: 'depth', insteadOf: replacedMotion } },
        };
      },
    };
    const [video] = await readVideoRows(testShop);
    await renderVideo(
      { ...testShop.shop, animator: failingAnimator, autoApproves: async () => true },
      { videoId: video!.id, take: 1 },
      attempt,
    );
    const [made] = await readVideoRows(testShop);
    expect(made).toMatchObject({ provenance: { style: 'depth', insteadOf: { style: 'own-motion' } } });
    const storedVideo = (await findVideoById(testShop.shop.db, video!.id))!;
    expect(findMotionNotMade(storedVideo, { moves: null })).toBe('own-motion');
    const admin = testShop.browser();
    await admin.post('/api/admin/auth/password', { password: adminPassword });
    const [order] = (await admin.get('/api/admin/production-orders')).json;
    expect(order.frames[0].videos).toMatchObject([{ style: 'own-motion', hasOwnMotion: true }]);
  });

  test('a photo that is deleted while its motion is shown leaves no preview', async () => {
    const testShop = await openTestShop(fresh);
    const { browser, id, orderId } = await openFrame(testShop);
    const deletingAnimator: Animator = {
      ...fakeAnimator,
      start: async (request) => {
        await browser.delete(`/api/uploads/${id}`);
        return fakeAnimator.start(request);
      },
    };
    await makePreview({ ...testShop.shop, standIn: deletingAnimator }, { orderId }, attempt);
    expect(await listCustomerFileKeys(testShop)).toEqual([]);
  });
});
