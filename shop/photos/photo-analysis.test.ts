import { eq } from 'drizzle-orm';
import { expect, test } from 'vitest';
import type { PhotoAnalyzerPort } from '../ports/photo-analyzer.ts';
import { describeOnFastestEngine } from '#test/database.ts';
import { buyFramesAsAnna, fetchFrames, uploadTo } from '#test/people.ts';
import { createFaceAnalysis, createPhotoAnalysis, emptyPhotoAnalyzer } from '#test/photo-analysis.ts';
import { openTestShop } from '#test/shop.ts';
import { uploads } from './photos.sql.ts';
import { readOrAnalyzePhoto } from './photo-analysis.ts';

/** A fake detector with this version. It counts how often it is called. */
function createFakeAnalyzer(version: string) {
  const seeing = {
    ...emptyPhotoAnalyzer,
    looks: 0,
    version: async () => version,
    analyzePhoto: async () => {
      seeing.looks += 1;
      return createPhotoAnalysis({ version, people: 0.3 });
    },
  } satisfies PhotoAnalyzerPort & { looks: number };
  return seeing;
}

describeOnFastestEngine((fresh) => {
  test('analyzes a photo once, and again only after the detector has changed', async () => {
    const testShop = await openTestShop(fresh);
    const { browser, frames } = await buyFramesAsAnna(testShop);
    await uploadTo(browser, frames[0]!.deviceId);
    const { db } = testShop.shop;
    const readStoredPhoto = async () => (await db.select().from(uploads))[0]!;
    const [old, newer] = [createFakeAnalyzer('old'), createFakeAnalyzer('newer')];

    expect(await readOrAnalyzePhoto({ db, seeing: emptyPhotoAnalyzer }, await readStoredPhoto(), '')).toBeUndefined();
    expect(await readOrAnalyzePhoto({ db, seeing: old }, await readStoredPhoto(), '')).toMatchObject({
      version: 'old',
      people: 0.3,
    });
    await readOrAnalyzePhoto({ db, seeing: old }, await readStoredPhoto(), '');
    expect(old.looks).toBe(1);
    expect((await readStoredPhoto()).seen).toEqual(createPhotoAnalysis({ version: 'old', people: 0.3 }));

    await readOrAnalyzePhoto({ db, seeing: newer }, await readStoredPhoto(), '');
    expect(newer.looks).toBe(1);
    expect((await readStoredPhoto()).seen?.version).toBe('newer');
    // Without a detector, the stored result of another installation is used.
    expect(await readOrAnalyzePhoto({ db, seeing: emptyPhotoAnalyzer }, await readStoredPhoto(), '')).toMatchObject({
      version: 'newer',
    });
    await db
      .update(uploads)
      .set({ seen: null })
      .where(eq(uploads.id, (await readStoredPhoto()).id));
    expect(
      await readOrAnalyzePhoto(
        { db, seeing: { ...newer, analyzePhoto: async () => undefined } },
        await readStoredPhoto(),
        '',
      ),
    ).toBeUndefined();
  });

  test('the customer’s photos show whether they have faces, and null before their analysis', async () => {
    const { analyzePhoto, ...rest } = createFakeAnalyzer('test');
    const faces = [createFaceAnalysis(0.5, 0.4)];
    const seeing = { ...rest, analyzePhoto: async () => ({ ...(await analyzePhoto()), faces }) };
    const testShop = await openTestShop(fresh, { seeing });
    const { browser, frames } = await buyFramesAsAnna(testShop);
    const { id } = (await uploadTo(browser, frames[0]!.deviceId)).json;
    const fetchShowsFaces = async () => (await fetchFrames(browser))[0]!.uploads[0]!.showsFaces;
    expect(await fetchShowsFaces()).toBeNull();
    await browser.get(`/api/uploads/${id}/seen`);
    expect(await fetchShowsFaces()).toBe(true);
    await testShop.shop.db.update(uploads).set({ seen: createPhotoAnalysis({ version: 'test' }) });
    expect(await fetchShowsFaces()).toBe(false);
  });

  test('returns not-found for a photo that is deleted while it is analyzed', async () => {
    const seeing = createFakeAnalyzer('test');
    const testShop = await openTestShop(fresh, { seeing });
    const { browser, frames } = await buyFramesAsAnna(testShop);
    const { id } = (await uploadTo(browser, frames[0]!.deviceId)).json;
    seeing.analyzePhoto = async () => {
      await browser.delete(`/api/uploads/${id}`);
      throw new Error('no such file');
    };
    expect((await browser.get(`/api/uploads/${id}/seen`)).json).toMatchObject({ code: 'not-found' });
    const readStoredPhoto = (await uploadTo(browser, frames[0]!.deviceId)).json.id;
    seeing.analyzePhoto = () => Promise.reject(new Error('cannot look'));
    expect((await browser.get(`/api/uploads/${readStoredPhoto}/seen`)).status).toBe(500);
  });
});
