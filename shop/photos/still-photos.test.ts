import { expect, test } from 'vitest';
import { describeOnFastestEngine } from '#test/database.ts';
import { buyFramesAsAnna, fetchFrames, uploadTo } from '#test/people.ts';
import { createFaceAnalysis, createPhotoAnalysis } from '#test/photo-analysis.ts';
import { openTestShop, type Browser } from '#test/shop.ts';

const fetchLivingChoices = async (browser: Browser) =>
  (await fetchFrames(browser))[0]!.uploads.map((it) => it.moves?.living);

describeOnFastestEngine((fresh) => {
  test('people stay still in the listed photos and may move in all others; other settings do not change', async () => {
    const testShop = await openTestShop(fresh);
    const { browser, frames } = await buyFramesAsAnna(testShop);
    const { deviceId } = frames[0]!;
    const setStillPhotos = (...ids: string[]) => browser.put(`/api/devices/${deviceId}/still-photos`, { ids });
    const [first, second] = [(await uploadTo(browser, deviceId)).json.id, (await uploadTo(browser, deviceId)).json.id];
    await browser.put(`/api/uploads/${first}`, { moves: { living: null, water: true, candle: { x: 0.1, y: 0.2 } } });
    expect((await fetchFrames(browser))[0]!.stillAnsweredAt).toBeNull();

    expect((await setStillPhotos(first)).status).toBe(200);
    const [frame] = await fetchFrames(browser);
    expect(frame).toMatchObject({
      stillAnsweredAt: expect.any(String),
      uploads: [{ moves: { living: false, water: true, candle: { x: 0.1, y: 0.2 } } }, { moves: null }],
    });
    await setStillPhotos(second);
    expect(await fetchLivingChoices(browser)).toEqual([null, false]);
    await setStillPhotos();
    expect(await fetchLivingChoices(browser)).toEqual([null, null]);
  });

  test('returns not-found for a photo of another frame, and frame-finalized for finalized photos', async () => {
    const testShop = await openTestShop(fresh);
    const { browser, frames } = await buyFramesAsAnna(testShop, { quantity: 2 });
    const [one, two] = frames.map((frame) => frame.deviceId) as [string, string];
    const { id } = (await uploadTo(browser, one)).json;
    const otherFrameResponse = await browser.put(`/api/devices/${two}/still-photos`, { ids: [id] });
    expect([otherFrameResponse.status, otherFrameResponse.json.code]).toEqual([404, 'not-found']);
    await browser.post('/api/uploads/finalize', { deviceId: one });
    const lateResponse = await browser.put(`/api/devices/${one}/still-photos`, { ids: [id] });
    expect([lateResponse.status, lateResponse.json.code]).toEqual([409, 'frame-finalized']);
    expect((await fetchFrames(browser)).map((frame) => frame.stillAnsweredAt)).toEqual([null, null]);
  });

  test.each([
    ['a face that can blink', createFaceAnalysis(0.5, 0.4, 0.3), true],
    [
      'a face that can neither turn nor blink',
      createFaceAnalysis(0.5, 0.4, 0.3, { mayTurn: false, mayBlink: false }),
      false,
    ],
  ])('reports whether %s can move', async (_name, found, canLive) => {
    const seeing = {
      version: async () => 'test',
      analyzePhoto: async () => createPhotoAnalysis({ faces: [found] }),
      describe: async () => '',
    };
    const testShop = await openTestShop(fresh, { seeing });
    const { browser, frames } = await buyFramesAsAnna(testShop);
    const { id } = (await uploadTo(browser, frames[0]!.deviceId)).json;
    expect((await browser.get(`/api/uploads/${id}/seen`)).json).toMatchObject({ canLive, showsPeople: false });
  });
});
