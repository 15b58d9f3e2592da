import { sql } from 'drizzle-orm';
import sharp from 'sharp';
import { expect, test } from 'vitest';
import { describeOnFastestEngine } from '#test/database.ts';
import { fakeAnimator, createHostedAnimator } from '#test/fake-animator.ts';
import { buyFramesAsAnna, fetchFrames, createPhotoForm, uploadTo } from '#test/people.ts';
import { readAllTables } from '#test/rows.ts';
import { adminPassword, openTestShop, type Browser, type TestShop } from '#test/shop.ts';
import type { AnimateRequest, Animator } from '../ports/animator.ts';
import { makePreview } from '../production/previews.ts';
import { redoVideo } from '../production/production.ts';
import { renderVideo } from '../production/render.ts';

const attempt = { signal: new AbortController().signal, isLastTry: false };

const createPictureOfSize = (width: number, height: number, background: string) =>
  sharp({ create: { width, height, channels: 3, background } })
    .jpeg()
    .toBuffer();

/** A fake animator that records its requests. */
function createRecordingAnimator(more: Partial<Animator> = {}) {
  const requests: AnimateRequest[] = [];
  const start = async (request: AnimateRequest) => {
    requests.push(request);
    return fakeAnimator.start(request);
  };
  return { animator: { ...fakeAnimator, ...more, start }, requests };
}

type Row = Record<string, unknown> & { id: string; place: number };

async function openFrame(it: TestShop, cart?: Parameters<typeof buyFramesAsAnna>[1]) {
  const { browser, frames } = await buyFramesAsAnna(it, cart);
  const { deviceId, orderId } = frames[0]!;
  const addPhoto = async (width: number, height: number, color: string) =>
    (await uploadTo(browser, deviceId, await createPictureOfSize(width, height, color))).json.id as string;
  const readFrame = async () => (await fetchFrames(browser))[0]!;
  const setPair = (ids: string[], isPair = true) =>
    browser.put(`/api/devices/${deviceId}/photo-pair`, { leftId: ids[0], rightId: ids[1], isPair });
  const readVideos = async () =>
    ((await readAllTables(it.shop.db))['videos'] as Row[]).toSorted((a, b) => a.place - b.place);
  const renderVideos = async (take = 1, scope: Partial<Parameters<typeof renderVideo>[0]> = {}) => {
    for (const { id } of await readVideos())
      await renderVideo({ ...it.shop, autoApproves: async () => true, ...scope }, { videoId: id, take }, attempt);
  };
  return {
    browser,
    deviceId,
    orderId,
    add: addPhoto,
    frame: readFrame,
    pair: setPair,
    videos: readVideos,
    render: renderVideos,
  };
}
const finalizeFrame = (browser: Browser, deviceId: string) => browser.post('/api/uploads/finalize', { deviceId });

describeOnFastestEngine((fresh) => {
  test('suggests upright photos in the customer’s order, two at a time, and none that were declined', async () => {
    const testShop = await openTestShop(fresh);
    const { add, frame, pair } = await openFrame(testShop);
    const [first, , second, third, fourth] = [
      await add(600, 800, '#123456'),
      await add(800, 600, '#223456'),
      await add(600, 900, '#323456'),
      await add(450, 800, '#423456'),
      await add(600, 800, '#523456'),
    ] as [string, string, string, string, string];
    expect((await frame()).suggestedPair).toEqual([first, second]);
    expect((await pair([first, second])).status).toBe(200);
    expect((await frame()).suggestedPair).toEqual([third, fourth]);
    expect((await pair([third, fourth], false)).status).toBe(200);
    expect((await frame()).suggestedPair).toBeNull();
    expect((await frame()).uploads.map((photo) => photo.shownWithId)).toEqual([null, null, first, null, null]);
    // A declined photo can still be paired by the customer. Its earlier pair ends.
    expect((await pair([fourth, second])).status).toBe(200);
    expect((await frame()).uploads.map((photo) => photo.shownWithId)).toEqual([null, null, fourth, null, null]);
  });

  test('refuses photos that are not upright, the same photo twice, photos of another frame, and finalized photos', async () => {
    const testShop = await openTestShop(fresh);
    const { browser, deviceId, add, frame, pair } = await openFrame(testShop, { quantity: 2 });
    const [upright, wide] = [await add(600, 800, '#123456'), await add(800, 600, '#223456')];
    expect((await pair([upright, wide])).json.code).toBe('not-a-pair');
    expect((await pair([upright, upright])).status).toBe(400);
    expect((await pair([upright, 'none'])).json.code).toBe('not-found');
    const [, otherFrame] = await fetchFrames(browser);
    const photoInOtherFrame = (
      await uploadTo(browser, otherFrame!.deviceId, await createPictureOfSize(600, 800, '#323456'))
    ).json.id;
    expect((await pair([upright, photoInOtherFrame])).json.code).toBe('not-found');
    expect((await frame()).uploads.every((photo) => photo.shownWithId === null)).toBe(true);
    await finalizeFrame(browser, deviceId);
    expect((await pair([upright, wide])).json.code).toBe('frame-finalized');
  });

  test('a pair becomes one video, with both photos in the request, and both photos are locked', async () => {
    const { animator, requests } = createRecordingAnimator();
    const testShop = await openTestShop(fresh, { animator });
    const { browser, deviceId, orderId, add, frame, pair, videos, render } = await openFrame(testShop);
    const [left, right, wide] = [
      await add(600, 800, '#123456'),
      await add(600, 900, '#323456'),
      await add(800, 600, '#223456'),
    ];
    await pair([left, right]);
    await browser.put(`/api/uploads/${right}`, { style: 'breathe', caption: 'At the lake' });
    await makePreview(testShop.shop, { orderId }, attempt);
    await makePreview(testShop.shop, { orderId }, attempt);
    await makePreview(testShop.shop, { orderId }, attempt);
    expect(requests).toHaveLength(2);
    expect(requests[0]).toMatchObject({ second: { style: 'breathe' } });
    expect((await frame()).uploads.map((photo) => photo.preview !== null)).toEqual([true, false, true]);

    await finalizeFrame(browser, deviceId);
    expect(await videos()).toMatchObject([
      { upload_id: left, second_upload_id: right, place: 0 },
      { upload_id: wide, second_upload_id: null, place: 1 },
    ]);
    expect((await frame()).uploads.map((photo) => photo.isLocked)).toEqual([true, true, true]);
    expect((await browser.delete(`/api/uploads/${right}`)).json.code).toBe('frame-finalized');
    await render();
    const [paired] = requests.slice(2);
    expect(paired).toMatchObject({
      seconds: 8,
      second: {
        style: 'breathe',
        sizes: [
          { width: 600, height: 800 },
          { width: 600, height: 900 },
        ],
      },
    });
    expect(paired!.second!.sourcePath).not.toBe(paired!.sourcePath);
    const finalizedPhotos = (await frame()).uploads;
    expect(finalizedPhotos.map((photo) => photo.isProcessed)).toEqual([true, true, true]);
    expect(finalizedPhotos[0]!.video!.url).toBe(finalizedPhotos[1]!.video!.url);

    // A motion that is chosen for a new take is for both photos.
    const [video] = await videos();
    await redoVideo(testShop.shop, video!.id, { style: 'drift' });
    await render(2);
    expect(requests.at(-1)).toMatchObject({ style: 'drift', second: { style: 'drift' } });
    const admin = testShop.browser();
    await admin.post('/api/admin/auth/password', { password: adminPassword });
    const list = JSON.stringify((await admin.get('/api/admin/production-orders')).json);
    expect(list).toContain('photo.jpg and photo.jpg');
  });

  test('this machine makes the video of a pair even if a hosted animator makes the others', async () => {
    const testShop = await openTestShop(fresh);
    const { browser, deviceId, add, pair, videos, render } = await openFrame(testShop);
    await pair([await add(600, 800, '#123456'), await add(600, 900, '#323456')]);
    await finalizeFrame(browser, deviceId);
    const { animator: standIn, requests } = createRecordingAnimator();
    const animator = createHostedAnimator();
    await render(1, { animator, standIn });
    expect(animator.orders).toEqual([]);
    expect(requests).toHaveLength(1);
    expect(await videos()).toMatchObject([{ stand_in: 'It shows two photos side by side.' }]);
  });

  test('deleting one photo of a pair, or cropping it to another shape, leaves the other with its own video', async () => {
    const testShop = await openTestShop(fresh);
    const { browser, deviceId, add, frame, pair, videos } = await openFrame(testShop);
    const [left, right, other, last] = [
      await add(600, 800, '#123456'),
      await add(600, 900, '#323456'),
      await add(600, 900, '#423456'),
      await add(600, 900, '#523456'),
    ] as [string, string, string, string];
    await pair([left, right]);
    await pair([other, last]);
    await browser.delete(`/api/uploads/${left}`);
    const { fileName } = (await frame()).uploads.find((photo) => photo.id === last)!;
    const crop = { quarterTurns: 1, area: null, fileName };
    expect((await browser.put(`/api/uploads/${last}/crop`, crop)).status).toBe(200);
    expect((await frame()).uploads.map((photo) => photo.shownWithId)).toEqual([null, null, null]);
    await finalizeFrame(browser, deviceId);
    expect(await videos()).toMatchObject([right, other, last].map((id) => ({ upload_id: id, second_upload_id: null })));
  });

  test.each(['left', 'right'] as const)('replacing the %s photo of a delivered pair keeps the pair', async (side) => {
    const { animator, requests } = createRecordingAnimator();
    const testShop = await openTestShop(fresh, { animator });
    const { browser, deviceId, add, frame, pair, videos, render } = await openFrame(testShop);
    const ids = [await add(600, 800, '#123456'), await add(600, 900, '#323456')];
    await pair(ids);
    await finalizeFrame(browser, deviceId);
    await render();
    await testShop.shop.db.execute(sql`update customers set reupload_credits = 1`);
    const replacedIndex = side === 'left' ? 0 : 1;
    const form = createPhotoForm(undefined, await createPictureOfSize(600, 800, '#abcdef'));
    const replaceResponse = await browser.post(`/api/uploads/${ids[replacedIndex]}/replacement`, form);
    expect(replaceResponse.status).toBe(200);
    const idsAfter = ids.with(replacedIndex, replaceResponse.json.id);
    expect(await videos()).toMatchObject([{ upload_id: idsAfter[0], second_upload_id: idsAfter[1], take: 2 }]);
    expect((await frame()).uploads.map((photo) => [photo.id, photo.shownWithId])).toEqual([
      [idsAfter[0], null],
      [idsAfter[1], idsAfter[0]],
    ]);
    await render(2);
    expect(requests.at(-1)!.second).toBeDefined();
  });
});
