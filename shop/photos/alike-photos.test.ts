import { expect, test } from 'vitest';
import { describeOnFastestEngine } from '#test/database.ts';
import { quickImaging } from '#test/imaging.ts';
import { buyFramesAsAnna, fetchFrames, uploadTo } from '#test/people.ts';
import { openTestShop, type Browser } from '#test/shop.ts';
import { groupAlikePhotos } from './alike-photos.ts';

const bytes = Buffer.from('photo');
/** Imaging whose photos get these hashes, one after the other. The last hash is used for all further photos. */
function createImagingWith(...hashes: (string | undefined)[]) {
  return {
    ...quickImaging,
    develop: async (...args: Parameters<typeof quickImaging.develop>) => ({
      ...(await quickImaging.develop(...args)),
      perceptualHash: hashes.length > 1 ? hashes.shift() : hashes[0],
    }),
  };
}
const treeHash = '00000000000000ff';
const similarTreeHash = '00000000000003ff'; // the hash differs in 2 bits from the hash of the tree
const houseHash = 'ffffffffffffff00';
const fetchAlikePhotos = async (browser: Browser) => (await fetchFrames(browser)).map((frame) => frame.alike);

test('photos look alike if their hashes differ in at most 10 bits', () => {
  const listGroups = (...hashes: (string | null)[]) =>
    groupAlikePhotos(hashes.map((perceptualHash, at) => ({ id: String(at), perceptualHash, keptAlike: null })));
  expect(listGroups('0000000000000000', '80000000000001ff')).toEqual([['0', '1']]);
  expect(listGroups('0000000000000000', '80000000000003ff')).toEqual([]);
  expect(listGroups(treeHash, null, houseHash, similarTreeHash, null)).toEqual([['0', '3']]);
  expect(listGroups(...Array.from({ length: 20 }, () => treeHash))).toHaveLength(1);
});

describeOnFastestEngine((fresh) => {
  test('the customer is asked once about photos that look alike, on every device', async () => {
    const testShop = await openTestShop(fresh, {
      imaging: createImagingWith(treeHash, houseHash, similarTreeHash, treeHash),
    });
    const { browser, frames } = await buyFramesAsAnna(testShop);
    const { deviceId } = frames[0]!;
    const addPhoto = async () => (await uploadTo(browser, deviceId, bytes)).json.id as string;
    const keepPhotos = (...ids: string[]) => browser.put(`/api/devices/${deviceId}/kept-photos`, { ids });
    const [first, other, again] = [await addPhoto(), await addPhoto(), await addPhoto()];
    expect(await fetchAlikePhotos(browser)).toEqual([[[first, again]]]);

    expect((await keepPhotos(first, again)).status).toBe(200);
    expect(await fetchAlikePhotos(browser)).toEqual([[]]);

    // A further copy is compared with both. Keeping one pair includes the photos that were kept earlier.
    const thirdPhotoId = await addPhoto();
    expect(await fetchAlikePhotos(browser)).toEqual([[[first, again, thirdPhotoId]]]);
    await keepPhotos(first, thirdPhotoId, 'deleted-meanwhile');
    expect(await fetchAlikePhotos(browser)).toEqual([[]]);

    const fourthPhoto = await addPhoto();
    await browser.delete(`/api/uploads/${fourthPhoto}`);
    expect(await fetchAlikePhotos(browser)).toEqual([[]]);
    expect((await keepPhotos(other, fourthPhoto)).status).toBe(200);
    expect((await keepPhotos(fourthPhoto)).json.code).toBe('not-found');
  });

  test('compares only photos of one frame, and asks nothing after the frame is finalized', async () => {
    const testShop = await openTestShop(fresh, { imaging: createImagingWith(treeHash) });
    const { browser, frames } = await buyFramesAsAnna(testShop, { quantity: 2 });
    const [one, two] = frames.map((frame) => frame.deviceId) as [string, string];
    const firstPhotoId = (await uploadTo(browser, one, bytes)).json.id;
    const otherFramesPhotoId = (await uploadTo(browser, two, bytes)).json.id;
    expect(await fetchAlikePhotos(browser)).toEqual([[], []]);
    const secondPhotoId = (await uploadTo(browser, one, bytes)).json.id;
    expect(await fetchAlikePhotos(browser)).toEqual([[[firstPhotoId, secondPhotoId]], []]);
    await browser.put(`/api/devices/${two}/kept-photos`, { ids: [firstPhotoId, secondPhotoId, otherFramesPhotoId] });
    expect(await fetchAlikePhotos(browser)).toEqual([[[firstPhotoId, secondPhotoId]], []]); // photos of another frame are ignored

    expect((await browser.post('/api/uploads/finalize', { deviceId: one })).status).toBe(200);
    expect(await fetchAlikePhotos(browser)).toEqual([[], []]);
    const lateResponse = await browser.put(`/api/devices/${one}/kept-photos`, { ids: [firstPhotoId, secondPhotoId] });
    expect([lateResponse.status, lateResponse.json.code]).toEqual([409, 'frame-finalized']);
  });

  test('compares the cropped part of a photo', async () => {
    const testShop = await openTestShop(fresh, { imaging: createImagingWith(treeHash, treeHash, houseHash) });
    const { browser, frames } = await buyFramesAsAnna(testShop);
    const { deviceId } = frames[0]!;
    await uploadTo(browser, deviceId, bytes);
    const { id, fileName } = (await uploadTo(browser, deviceId, bytes)).json;
    expect((await fetchAlikePhotos(browser))[0]).toHaveLength(1);
    const turnedResponse = await browser.put(`/api/uploads/${id}/crop`, { quarterTurns: 1, area: null, fileName });
    expect(turnedResponse.status, turnedResponse.text).toBe(200);
    expect(await fetchAlikePhotos(browser)).toEqual([[]]);
  });
});
