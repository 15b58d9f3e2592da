import sharp from 'sharp';
import { expect, test } from 'vitest';
import { makePreview } from '#shop/production/previews.ts';
import type { AnimateRequest } from '#shop/ports/animator.ts';
import type { Imaging } from '#shop/ports/imaging.ts';
import { describeOnFastestEngine, describeOnPostgres } from '#test/database.ts';
import { listCustomerFileKeys } from '#test/delivered-order.ts';
import { fakeAnimator } from '#test/fake-animator.ts';
import { quickImaging } from '#test/imaging.ts';
import { buyFramesAsAnna, fetchFrames, uploadTo } from '#test/people.ts';
import { countRows } from '#test/rows.ts';
import { createPhotoAnalysis } from '#test/photo-analysis.ts';
import { openTestShop, type TestShop } from '#test/shop.ts';
import { trashKeyFor, trashFolder } from '../files/files.ts';
import { cropPhoto } from './crop-photo.ts';
import { listCopiesOfPhoto, findPhotoById } from './photos.ts';

/** A picture of 400 x 200 pixels whose left half is red and whose right half is blue. */
async function createRedAndBluePicture(): Promise<Buffer> {
  const createHalfPicture = (background: string) =>
    sharp({ create: { width: 200, height: 200, channels: 3, background } })
      .png()
      .toBuffer();
  return sharp({ create: { width: 400, height: 200, channels: 3, background: 'white' } })
    .composite([
      { input: await createHalfPicture('#e00000'), left: 0, top: 0 },
      { input: await createHalfPicture('#0000e0'), left: 200, top: 0 },
    ])
    .jpeg({ quality: 100 })
    .toBuffer();
}
const listCopyKeys = async (it: TestShop) => {
  const foundKeys: string[] = [];
  for await (const { key } of it.shop.storage.list('')) foundKeys.push(key);
  return foundKeys.filter((key) => /^(display|thumbnails|wholes)\//.test(key)).toSorted();
};
const rightHalf = { left: 0.5, top: 0, width: 0.5, height: 1 };
/** The right half of the picture, after a quarter turn: it is then at the bottom. */
const bottomHalf = { left: 0, top: 0.5, width: 1, height: 0.5 };

describeOnFastestEngine((fresh) => {
  test('turns and crops every copy, keeps the original, and can undo the crop', async () => {
    const testShop = await openTestShop(fresh);
    const { browser, frames } = await buyFramesAsAnna(testShop);
    const picture = await createRedAndBluePicture();
    const { id, fileName } = (await uploadTo(browser, frames[0]!.deviceId, picture)).json;
    const photoBefore = (await findPhotoById(testShop.shop.db, id))!;
    await browser.put(`/api/uploads/${id}`, { focus: { x: 0.75, y: 0.2 } });

    const croppedResponse = await browser.put(`/api/uploads/${id}/crop`, {
      quarterTurns: 1,
      area: bottomHalf,
      fileName,
    });
    expect(croppedResponse.json).toMatchObject({
      width: 200,
      height: 200,
      crop: { quarterTurns: 1, area: bottomHalf },
      whole: { width: 400, height: 200 },
      focus: { x: 0.8, y: 0.5 },
    });
    for (const url of [croppedResponse.json.url, croppedResponse.json.thumbnailUrl]) {
      const bytes = await fetchPicture(url);
      expect(await sharp(bytes).metadata(), url).toMatchObject({ width: 200, height: 200 });
      const { channels } = await sharp(bytes).stats();
      expect([channels[0]!.mean < 30, channels[2]!.mean > 200], url).toEqual([true, true]);
    }
    expect(await sharp(await fetchPicture(croppedResponse.json.whole.url)).metadata()).toMatchObject({
      width: 400,
      height: 200,
    });
    expect((await browser.get(`/uploads/${photoBefore.fileName}`)).status).toBe(404);
    const row = (await findPhotoById(testShop.shop.db, id))!;
    expect(row).toMatchObject({
      originalKey: photoBefore.originalKey,
      sha256: photoBefore.sha256,
      width: 400,
      height: 200,
    });
    expect(await testShop.shop.storage.withLocalFile(row.originalKey, (path) => sharp(path).metadata())).toMatchObject({
      width: 400,
      height: 200,
    });

    const uncropForm = { quarterTurns: 0, area: null, fileName: croppedResponse.json.fileName };
    const restoreResponse = await browser.put(`/api/uploads/${id}/crop`, uncropForm);
    expect(restoreResponse.json).toMatchObject({ width: 400, height: 200, crop: { quarterTurns: 0, area: null } });
    expect(restoreResponse.json.whole.url).toBe(restoreResponse.json.url);
    expect(restoreResponse.json.focus).toEqual({ x: 0.75, y: 0.2 });
    const storedPhoto = (await findPhotoById(testShop.shop.db, id))!;
    expect(await listCopyKeys(testShop)).toEqual([storedPhoto.displayKey, storedPhoto.thumbnailKey].toSorted());

    async function fetchPicture(url: string): Promise<Buffer> {
      const response = await browser.get(url);
      expect(response.status, url).toBe(200);
      return response.bytes;
    }
  });

  test('keeps the earlier copies in the trash, for a backup from before the crop, until the photo is erased', async () => {
    const testShop = await openTestShop(fresh, { imaging: quickImaging });
    const { browser, frames } = await buyFramesAsAnna(testShop);
    const { deviceId } = frames[0]!;
    const earlierKeys: string[][] = [];
    const ids: string[] = [];
    while (ids.length < 2) {
      const { id } = (await uploadTo(browser, deviceId)).json;
      const copies: string[] = [];
      for (const quarterTurns of [1, 2]) {
        const photoBefore = (await findPhotoById(testShop.shop.db, id))!;
        copies.push(...listCopiesOfPhoto(photoBefore));
        const turnForm = { quarterTurns, area: null, fileName: photoBefore.fileName };
        expect((await browser.put(`/api/uploads/${id}/crop`, turnForm)).status).toBe(200);
      }
      ids.push(id);
      earlierKeys.push(copies.map(trashKeyFor).toSorted());
    }
    const listTrash = async () =>
      (await listCustomerFileKeys(testShop)).filter((key) => key.startsWith(trashFolder)).toSorted();
    expect(earlierKeys.map((copies) => copies.length)).toEqual([5, 5]);
    expect(await listTrash()).toEqual(earlierKeys.flat().toSorted());

    expect((await browser.delete(`/api/uploads/${ids[0]}`)).status).toBe(200);
    expect(await listTrash()).toEqual(earlierKeys[1]);
    expect((await browser.post('/api/account/erase')).json).toMatchObject({ photos: 1, doneAt: expect.any(String) });
    expect(await listCustomerFileKeys(testShop)).toEqual([]);
    expect(await countRows(testShop.shop.db, 'discarded_files')).toBe(0);
  });

  test('makes the preview and the analysis from the cropped picture', async () => {
    const sizes: string[] = [];
    const recordPictureSize = async (path: string) => {
      const { width, height } = await sharp(path).metadata();
      sizes.push(`${width} x ${height}`);
    };
    const animator = {
      ...fakeAnimator,
      start: async (request: AnimateRequest) => (
        await recordPictureSize(request.sourcePath),
        fakeAnimator.start(request)
      ),
    };
    const seeing = {
      version: async () => 'test',
      analyzePhoto: async (path: string) => (await recordPictureSize(path), createPhotoAnalysis({})),
      describe: async () => '',
    };
    const testShop = await openTestShop(fresh, { animator, standIn: animator, seeing });
    const { browser, frames } = await buyFramesAsAnna(testShop);
    const uploadedPhoto = (await uploadTo(browser, frames[0]!.deviceId, await createRedAndBluePicture())).json;
    const { orderId } = (await findPhotoById(testShop.shop.db, uploadedPhoto.id))!;
    const makeCroppedPreview = () =>
      makePreview(
        { ...testShop.shop, hasPreviews: async () => true },
        { orderId },
        { signal: new AbortController().signal, isLastTry: true },
      );
    await makeCroppedPreview();
    expect(sizes).toEqual(['400 x 200', '400 x 200']);
    await browser.put(`/api/uploads/${uploadedPhoto.id}/crop`, {
      quarterTurns: 0,
      area: rightHalf,
      fileName: uploadedPhoto.fileName,
    });
    expect((await fetchFrames(browser))[0]!.uploads[0]!.preview).toBeNull();
    await makeCroppedPreview();
    expect(sizes.slice(2)).toEqual(['200 x 200', '200 x 200']);
    expect((await fetchFrames(browser))[0]!.uploads[0]!.preview).not.toBeNull();
  });

  test('refuses a crop of an outdated picture, of a tiny part and of a finalized photo', async () => {
    const testShop = await openTestShop(fresh, { imaging: createImagingOfSize({ width: 200, height: 100 }) });
    const { browser, frames } = await buyFramesAsAnna(testShop);
    const { deviceId } = frames[0]!;
    const { id, fileName } = (await uploadTo(browser, deviceId)).json;
    const sendCrop = (body: object) => browser.put(`/api/uploads/${id}/crop`, body);
    expect(
      (await sendCrop({ quarterTurns: 0, area: { ...rightHalf, width: 0.3, height: 0.3 }, fileName })).json.code,
    ).toBe('crop-too-small');
    const turnResponse = await sendCrop({ quarterTurns: 1, area: null, fileName });
    expect(turnResponse.status).toBe(200);
    // A repeated request changes nothing, and a window with the earlier picture is refused.
    expect((await sendCrop({ quarterTurns: 1, area: null, fileName })).json.fileName).toBe(turnResponse.json.fileName);
    expect((await sendCrop({ quarterTurns: 2, area: null, fileName })).json).toMatchObject({ code: 'photo-changed' });
    const focusForm = { focus: { x: 0.1, y: 0.1 }, fileName };
    expect((await browser.put(`/api/uploads/${id}`, focusForm)).json).toMatchObject({ code: 'photo-changed' });
    expect((await fetchFrames(browser))[0]!.uploads[0]).toMatchObject({ focus: null, crop: { quarterTurns: 1 } });
    expect(await listCopyKeys(testShop)).toHaveLength(3);

    await browser.post('/api/uploads/finalize', { deviceId });
    const lateForm = { quarterTurns: 0, area: null, fileName: turnResponse.json.fileName };
    expect((await sendCrop(lateForm)).json).toMatchObject({ code: 'frame-finalized' });
  });

  test('stores nothing if the photo is finalized or deleted while its copies are made', async () => {
    let actDuringCrop = async (): Promise<unknown> => undefined;
    const imaging: Imaging = {
      ...quickImaging,
      develop: async (...photo) => {
        await actDuringCrop();
        return quickImaging.develop(...photo);
      },
    };
    const testShop = await openTestShop(fresh, { imaging });
    const { browser, frames } = await buyFramesAsAnna(testShop);
    const { deviceId } = frames[0]!;
    const photos = [(await uploadTo(browser, deviceId)).json, (await uploadTo(browser, deviceId)).json];
    const turnPhoto = ({ id, fileName }: { id: string; fileName: string }) =>
      browser.put(`/api/uploads/${id}/crop`, { quarterTurns: 1, area: null, fileName });
    actDuringCrop = () => browser.delete(`/api/uploads/${photos[0]!.id}`);
    expect((await turnPhoto(photos[0])).json.code).toBe('not-found');
    actDuringCrop = () => browser.post('/api/uploads/finalize', { deviceId });
    expect((await turnPhoto(photos[1])).json.code).toBe('frame-finalized');
    const { displayKey, thumbnailKey } = (await findPhotoById(testShop.shop.db, photos[1]!.id))!;
    expect(await listCopyKeys(testShop)).toEqual([displayKey, thumbnailKey].toSorted());
  });
});

describeOnPostgres((fresh) => {
  test('accepts one of several simultaneous crops of a photo, and deletes the files of the others', async () => {
    const testShop = await openTestShop(fresh, { imaging: quickImaging });
    const { browser, frames } = await buyFramesAsAnna(testShop);
    const { id } = (await uploadTo(browser, frames[0]!.deviceId)).json;
    const upload = (await findPhotoById(testShop.shop.db, id))!;
    const responses = await Promise.allSettled(
      [1, 2, 3].map((quarterTurns) =>
        cropPhoto(
          testShop.shop,
          upload,
          { quarterTurns, area: null, fileName: upload.fileName },
          'anna',
          async () => false,
        ),
      ),
    );
    expect(responses.filter((answer) => answer.status === 'fulfilled')).toHaveLength(1);
    for (const settledResult of responses)
      if (settledResult.status === 'rejected') expect(settledResult.reason).toMatchObject({ code: 'photo-changed' });
    const { displayKey, thumbnailKey, wholeKey } = (await findPhotoById(testShop.shop.db, id))!;
    expect(await listCopyKeys(testShop)).toEqual([displayKey, thumbnailKey, wholeKey!].toSorted());
  });
});

const createImagingOfSize = (size: { width: number; height: number }): Imaging => ({
  ...quickImaging,
  develop: async (...how) => ({ ...(await quickImaging.develop(...how)), ...size }),
});
