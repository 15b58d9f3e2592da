import { readdirSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { limits } from '#contract/limits.ts';
import { UnusablePhoto, type Imaging } from '#shop/ports/imaging.ts';
import { createApp } from '#server/app.ts';
import { deleteOldData } from '#server/jobs/retention.ts';
import { describeOnEachEngine } from '#test/database.ts';
import { buyFramesAsAnna, fetchFrames, createPhotoForm, uploadTo } from '#test/people.ts';
import { countRows, readAllTables } from '#test/rows.ts';
import { Browser, openTestShop } from '#test/shop.ts';
import { slowPhotos } from './slow-photos.sql.ts';
import { decodeInTurn } from './slow-photos.ts';

/** Fake imaging that accepts any bytes as a photo. While `tired` is true, every photo takes too long. */
const createTiringImaging = (): Imaging & { tired: boolean; decoded: number } => ({
  tired: true,
  decoded: 0,
  sniff: async () => 'image/jpeg',
  readQr: async () => undefined,
  async develop(_path, folder, _sender, onTurn) {
    await onTurn?.();
    this.decoded += 1;
    if (this.tired) throw new UnusablePhoto('too-slow', 'killed');
    const photo = { displayPath: join(folder, 'display.jpg'), thumbnailPath: join(folder, 'thumbnail.webp') };
    for (const path of Object.values(photo)) await writeFile(path, 'a picture');
    return { mime: 'image/jpeg', width: 64, height: 48, perceptualHash: undefined, ...photo };
  },
});
const bytes = Buffer.from('photo');

describeOnEachEngine((fresh) => {
  test('after three slow photos, every process refuses the sender’s next photos, but no one else’s', async () => {
    const imaging = createTiringImaging();
    const testShop = await openTestShop(fresh, { imaging });
    const { browser, frames } = await buyFramesAsAnna(testShop);
    const { deviceId } = frames[0]!;
    const framesBefore = await fetchFrames(browser);
    for (let i = 0; i < limits.slowPhotos; i += 1) {
      const slowResponse = await browser.post('/api/upload', createPhotoForm(deviceId, bytes, 'mural.png'));
      expect([slowResponse.status, slowResponse.json.code]).toEqual([422, 'photo-too-slow']);
      expect(slowResponse.json.message).toBe(
        'This picture took too long to open: mural.png. Try making it smaller or saving it as a JPEG.',
      );
      testShop.clock.advance(60_000);
    }
    imaging.tired = false;
    const secondApp = await createApp(testShop.shop);
    const browserOfSecondShop = new Browser(secondApp, '192.0.2.7');
    for (const [name, value] of browser.cookies) browserOfSecondShop.cookies.set(name, value);
    const rows = await readAllTables(testShop.shop.db);
    for (const eachBrowser of [browser, browserOfSecondShop]) {
      const refusedResponse = await uploadTo(eachBrowser, deviceId, bytes);
      expect([refusedResponse.status, refusedResponse.json.code]).toEqual([429, 'photos-too-slow']);
      expect(refusedResponse.json.message).toBe(
        'Several of your pictures took too long to open. Please make them smaller or save them as JPEGs, and try again in 7 minutes.',
      );
      const seconds = Number(refusedResponse.headers['retry-after']);
      expect(seconds).toBeGreaterThan(6 * 60);
      expect(seconds).toBeLessThanOrEqual(7 * 60);
    }
    const qrPhotoForm = new FormData();
    qrPhotoForm.append('qrPhoto', new Blob([bytes]), 'qr.jpg');
    expect((await browser.put(`/api/devices/${deviceId}/connection`, qrPhotoForm)).json.code).toBe('photos-too-slow');
    expect(imaging.decoded).toBe(limits.slowPhotos);
    expect(await readAllTables(testShop.shop.db)).toEqual(rows);
    expect(await fetchFrames(browser)).toEqual(framesBefore);
    expect(readdirSync(join(testShop.shop.config.dataDir, 'work'))).toEqual([]);

    await decodeInTurn(testShop.shop, 'another customer', 'a path', testShop.shop.workFolder);
    expect(imaging.decoded).toBe(limits.slowPhotos + 1);
    testShop.clock.advance(7 * 60_000);
    expect((await uploadTo(browser, deviceId, bytes)).status).toBe(200);
    await secondApp.close();
  });

  test('deletes records of slow photos that are too old to count', async () => {
    const testShop = await openTestShop(fresh, { imaging: createTiringImaging() });
    const { db } = testShop.shop;
    const decodeOne = () => decodeInTurn(testShop.shop, 'anna', 'a path', testShop.shop.workFolder).catch(() => {});
    await decodeOne();
    testShop.clock.advance(limits.slowPhotosSeconds * 1000);
    await decodeOne();
    await deleteOldData(testShop.shop);
    expect(await countRows(db, 'slow_photos')).toBe(1);
    expect((await db.select().from(slowPhotos))[0]!.sender).toBe('anna');
  });
});
