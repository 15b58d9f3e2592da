import { readdirSync } from 'node:fs';
import { request } from 'node:http';
import type { AddressInfo } from 'node:net';
import { sql } from 'drizzle-orm';
import sharp from 'sharp';
import { expect, test } from 'vitest';
import { limits } from '#contract/limits.ts';
import { StorageFull, type Storage } from '#shop/ports/storage.ts';
import { describeOnFastestEngine, describeOnPostgres } from '#test/database.ts';
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
import {
  createResumableUpload,
  cancelUpload,
  fetchUploadOffset,
  listFileFolders,
  sendPiece,
  sendRemainder,
  sendPhotoInPieces,
  requestUploadCreation,
} from '#test/resumable-upload.ts';
import { countRows } from '#test/rows.ts';
import { baseUrl, openTestShop, type TestShop } from '#test/shop.ts';
import { describeOnEachStore } from '#test/stores.ts';
import { sweepArrivals } from './arrivals.ts';

const quickPhoto = Buffer.from('a photo of many bytes');

const onePhotoFolders = ['display', 'originals', 'thumbnails'];
const listWorkFiles = (it: TestShop) => readdirSync(it.shop.workFolder);

describeOnFastestEngine((fresh) => {
  describeOnEachStore((freshStore) => {
    test('stores a photo byte for byte when its pieces reach different processes, and deletes the pieces', async () => {
      const database = await fresh();
      const env = await freshStore();
      const openShop = () => openTestShop(async () => database, { env });
      const [one, two] = [await openShop(), await openShop()];
      const { browser, frames } = await buyFramesAsAnna(one);
      const secondBrowser = two.browser();
      for (const [name, value] of browser.cookies) secondBrowser.cookies.set(name, value);
      const photo = await sharp({
        create: { width: 700, height: 500, channels: 3, background: '#888', noise: { type: 'gaussian', sigma: 40 } },
      })
        .jpeg({ quality: 95 })
        .toBuffer();
      const address = await createResumableUpload(browser, frames[0]!.deviceId, photo.length, {
        name: '../../kites.jpg',
      });
      const pieceBytes = Math.ceil(photo.length / 4);
      for (let start = 0; start < 3 * pieceBytes; start += pieceBytes) {
        const sendingBrowser = start === pieceBytes ? secondBrowser : browser;
        const response = await sendPiece(sendingBrowser, address, start, photo.subarray(start, start + pieceBytes));
        expect([response.status, response.headers['upload-offset']]).toEqual([204, String(start + pieceBytes)]);
      }
      expect(await fetchFrames(secondBrowser)).toMatchObject([{ usedPhotos: 0, uploads: [] }]);
      expect(await listFileFolders(one)).toEqual(['pieces', 'pieces', 'pieces']);
      const lastResponse = await sendRemainder(secondBrowser, address, photo, pieceBytes);
      expect([lastResponse.status, lastResponse.json]).toMatchObject([
        200,
        { originalFileName: 'kites.jpg', fileSize: photo.length },
      ]);
      expect(await fetchFrames(browser)).toMatchObject([{ usedPhotos: 1, uploads: [{ id: lastResponse.json.id }] }]);
      expect(await listFileFolders(one)).toEqual(onePhotoFolders);
      const { rows } = await one.shop.db.execute<{ original_key: string }>(sql`select original_key from uploads`);
      const storedPixels = await one.shop.storage.withLocalFile(rows[0]!.original_key, (path) =>
        sharp(path).toBuffer(),
      );
      expect(storedPixels.equals(await sharp(photo).toBuffer())).toBe(true);
      // A client that missed the response can query how many bytes are stored.
      expect((await fetchUploadOffset(secondBrowser, address)).headers).toMatchObject({
        'upload-offset': String(photo.length),
      });
      expect([listWorkFiles(one), listWorkFiles(two)]).toEqual([[], []]);
    });
  });

  test('shows photos of one selection in the chosen order, at the position of the first to arrive', async () => {
    const testShop = await openTestShop(fresh, { imaging: quickImaging });
    const { browser, frames } = await buyFramesAsAnna(testShop);
    const { deviceId } = frames[0]!;
    const sendFile = async (name: string, among?: { selection: string; place: string; key?: string }) => {
      const address = await createResumableUpload(browser, deviceId, quickPhoto.length, { name, ...among });
      expect((await sendRemainder(browser, address, quickPhoto)).status).toBe(200);
      testShop.clock.advance(1000);
    };
    const fetchShownPhotos = async () =>
      (await browser.get('/api/uploads')).json.map((photo: { originalFileName: string }) => photo.originalFileName);
    const [one, other] = [crypto.randomUUID(), crypto.randomUUID()];
    const key = crypto.randomUUID();
    await sendFile('alone');
    await sendFile('a3', { selection: one, place: '2', key });
    await sendFile('b2', { selection: other, place: '1' }); // a selection in another tab
    await sendFile('a1', { selection: one, place: '0' });
    await sendFile('a3', { selection: one, place: '2', key }); // sent again, as after a lost response
    await sendFile('b1', { selection: other, place: '0' });
    await sendFile('late');
    await sendFile('a10', { selection: one, place: '9' });
    await sendFile('a2', { selection: one, place: '1' });
    expect(await fetchShownPhotos()).toEqual(['alone', 'a1', 'a2', 'a3', 'a10', 'b1', 'b2', 'late']);
    // Photos that the customer has moved keep their positions, even if more photos of their selection arrive.
    const { uploads } = (await fetchFrames(browser))[0]!;
    const ids = uploads.map((photo: { id: string }) => photo.id).toReversed();
    expect((await browser.put(`/api/devices/${deviceId}/photo-order`, { ids })).status).toBe(200);
    await sendFile('a12', { selection: one, place: '11' });
    await sendFile('a11', { selection: one, place: '10' });
    expect(await fetchShownPhotos()).toEqual(['late', 'b2', 'b1', 'a10', 'a3', 'a2', 'a1', 'alone', 'a11', 'a12']);
    for (const wrongValue of [{ selection: 'x', place: '0' }, { selection: one, place: '-1' }, { selection: one }])
      expect((await requestUploadCreation(browser, deviceId, 10, wrongValue)).json.code).toBe('invalid-request');
  });

  test('changes nothing for pieces that are out of order, overlapping, too long or too large', async () => {
    const testShop = await openTestShop(fresh, { imaging: quickImaging });
    const { browser, frames } = await buyFramesAsAnna(testShop);
    const address = await createResumableUpload(browser, frames[0]!.deviceId, 100);
    expect((await sendPiece(browser, address, 0, Buffer.alloc(40))).status).toBe(204);
    for (const [start, bytes, code] of [
      [0, 40, 'piece-out-of-order'],
      [20, 40, 'piece-out-of-order'],
      [60, 40, 'piece-out-of-order'],
      [40, 61, 'piece-too-long'],
      [40, limits.pieceBytes + 1, 'piece-too-large'],
      ['-1', 10, 'invalid-request'],
      ['', 10, 'invalid-request'],
      ['40.5', 10, 'invalid-request'],
    ] as const) {
      const response = await sendPiece(browser, address, start, Buffer.alloc(bytes));
      expect(response.json, `${bytes} bytes at ${start}`).toMatchObject({ success: false, code, error: /./ });
      expect((await fetchUploadOffset(browser, address)).headers['upload-offset']).toBe('40');
    }
    const bothResponses = await Promise.all([1, 2].map(() => sendPiece(browser, address, 40, Buffer.alloc(10))));
    expect(bothResponses.filter((answer) => answer.status === 204)).toHaveLength(1);
    expect(bothResponses.find((answer) => answer.status !== 204)!.json.code).toBe('piece-out-of-order');
    expect((await browser.call('PATCH', address, Buffer.alloc(50), { 'upload-offset': '50' })).status).toBe(400);
    expect((await sendPiece(browser, address, 50, Buffer.alloc(50))).status).toBe(200);
    expect(await listFileFolders(testShop)).toEqual(onePhotoFolders);
    expect(listWorkFiles(testShop)).toEqual([]);
  });

  test('refuses pieces that are so small that one photo would need thousands of files', async () => {
    const testShop = await openTestShop(fresh, { imaging: quickImaging });
    const { browser, frames } = await buyFramesAsAnna(testShop);
    const address = await createResumableUpload(browser, frames[0]!.deviceId, 1_000_000);
    expect((await sendPiece(browser, address, 0, Buffer.alloc(999))).json).toMatchObject({ code: 'invalid-request' });
    expect((await sendPiece(browser, address, 0, Buffer.alloc(1000))).status).toBe(204);
    expect(await listFileFolders(testShop)).toEqual(['pieces']);
  });

  test('refuses to create an upload with invalid headers, and refuses an invalid file after its last piece', async () => {
    const testShop = await openTestShop(fresh);
    const { browser, frames } = await buyFramesAsAnna(testShop);
    const { deviceId } = frames[0]!;
    for (const [frame, size, more, code] of [
      [undefined, 10, {}, 'frame-not-selected'],
      ['none', 10, {}, 'not-found'],
      [deviceId, limits.photoBytes + 1, {}, 'file-too-large'],
      [deviceId, '99999999999999999999', {}, 'invalid-request'],
      [deviceId, '9007199254740991', {}, 'file-too-large'],
      [deviceId, 0, {}, 'invalid-file-type'],
      [deviceId, '-5', {}, 'invalid-request'],
      [deviceId, 'many', {}, 'invalid-request'],
      [deviceId, 10, { key: 'guessed' }, 'invalid-request'],
      [deviceId, 10, { name: 'a\0b.jpg' }, 'invalid-request'],
    ] as const)
      expect((await requestUploadCreation(browser, frame, size, more)).json, `${size}`).toMatchObject({ code });
    expect((await browser.post('/api/arrivals')).json).toMatchObject({ code: 'invalid-request' });
    const uploadMetadata = { name: `../../etc/${'😀'.repeat(300)}\r\n.jpg` };
    const nonPhotoUpload = await createResumableUpload(browser, deviceId, 2000, uploadMetadata);
    expect((await sendRemainder(browser, nonPhotoUpload, Buffer.alloc(2000), 900)).json).toMatchObject({
      code: 'invalid-file-type',
    });
    expect((await fetchUploadOffset(browser, nonPhotoUpload)).status).toBe(404);
    expect([
      await listFileFolders(testShop),
      await countRows(testShop.shop.db, 'arrivals'),
      listWorkFiles(testShop),
    ]).toEqual([[], 0, []]);
  });

  test('only its sender can use or cancel an upload in pieces; the sweep deletes the upload after a day without pieces', async () => {
    const testShop = await openTestShop(fresh, { imaging: quickImaging });
    const { browser, frames } = await buyFramesAsAnna(testShop);
    const ben = testShop.browser();
    await buyAndVerify(ben, { customerDetails: { ...anna, email: 'ben@example.com' } });
    await ben.post('/api/complete-registration', { password: 'Kite-over-sea-4' });
    const { deviceId } = frames[0]!;
    expect((await requestUploadCreation(ben, deviceId, 100)).json).toMatchObject({ code: 'not-found' });
    const [first, second] = [
      await createResumableUpload(browser, deviceId, 100),
      await createResumableUpload(browser, deviceId, 100),
    ];
    for (const address of [first, second]) await sendPiece(browser, address, 0, Buffer.alloc(40));
    expect((await sendPiece(ben, first, 40, Buffer.alloc(60))).json).toMatchObject({ code: 'not-found' });
    for (const sendUploadRequest of [fetchUploadOffset, cancelUpload])
      expect((await sendUploadRequest(ben, first)).status).toBe(404);
    const bensUpload = await createResumableUpload(ben, (await fetchFrames(ben))[0]!.deviceId, 100);
    await cancelUpload(ben, `${bensUpload}?/${first.split('/').at(-1)}`);
    expect((await fetchUploadOffset(browser, first)).status).toBe(200);
    expect((await cancelUpload(browser, first)).status).toBe(204);
    expect((await fetchUploadOffset(browser, first)).status).toBe(404);
    expect(await listFileFolders(testShop)).toEqual(['pieces']);
    for (const start of [40, 50]) {
      // An upload that makes progress is not deleted, no matter how long ago it began.
      testShop.clock.advance(23 * 3_600_000);
      expect((await sendPiece(browser, second, start, Buffer.alloc(10))).status).toBe(204);
      await sweepArrivals(testShop.shop);
      expect((await fetchUploadOffset(browser, second)).headers['upload-offset']).toBe(String(start + 10));
    }
    testShop.clock.advance(25 * 3_600_000);
    await sweepArrivals(testShop.shop);
    expect((await fetchUploadOffset(browser, second)).status).toBe(404);
    expect([await listFileFolders(testShop), await countRows(testShop.shop.db, 'arrivals')]).toEqual([[], 0]);
  });

  test('returns 507 when the disk is full, keeps the stored pieces and uses no place', async () => {
    let isFull = false;
    const testShop = await openTestShop(fresh, { imaging: quickImaging });
    const { browser, frames } = await buyFramesAsAnna(testShop);
    const putFile = testShop.shop.storage.putFile.bind(testShop.shop.storage);
    Object.assign(testShop.shop.storage, {
      putFile: (async (...file) => {
        if (isFull) throw new StorageFull('no space left');
        return putFile(...file);
      }) satisfies Storage['putFile'],
    });
    const address = await createResumableUpload(browser, frames[0]!.deviceId, 100);
    await sendPiece(browser, address, 0, Buffer.alloc(40));
    isFull = true;
    for (const bytes of [10, 60]) {
      const response = await sendPiece(browser, address, 40, Buffer.alloc(bytes));
      expect([response.status, response.json.code]).toEqual([507, 'storage-full']);
    }
    expect(await listFileFolders(testShop)).toEqual(['pieces']);
    expect((await fetchFrames(browser))[0]).toMatchObject({ usedPhotos: 0 });
    isFull = false;
    expect((await sendPiece(browser, address, 40, Buffer.alloc(60))).status).toBe(200);
    expect(await listFileFolders(testShop)).toEqual(onePhotoFolders);
  });

  test('resumes an interrupted upload after its last complete piece', async () => {
    const testShop = await openTestShop(fresh, { imaging: quickImaging });
    const { browser, frames } = await buyFramesAsAnna(testShop);
    await testShop.app.listen({ port: 0, host: '127.0.0.1' });
    const { port } = testShop.app.server.address() as AddressInfo;
    const [pieceBytes, pieces] = [5000, 4];
    const photo = Buffer.alloc(pieceBytes * pieces, 7);
    for (let tenth = 1; tenth < 10; tenth++) {
      const address = await createResumableUpload(browser, frames[0]!.deviceId, photo.length);
      const cutPosition = (photo.length * tenth) / 10;
      let sent = 0;
      for (let start = 0; start < cutPosition; start += pieceBytes) {
        const bytes = photo.subarray(start, Math.min(start + pieceBytes, cutPosition));
        sent += bytes.length;
        if (bytes.length === pieceBytes) await sendPiece(browser, address, start, bytes);
        else await sendAndCut(port, address, Object.fromEntries(browser.cookies), start, pieceBytes, bytes);
      }
      const resumedAt = Number((await fetchUploadOffset(browser, address)).headers['upload-offset']);
      expect(resumedAt).toBe(Math.floor(cutPosition / pieceBytes) * pieceBytes);
      expect((await sendRemainder(browser, address, photo, pieceBytes)).status).toBe(200);
      expect(sent + photo.length - resumedAt).toBeLessThanOrEqual(photo.length + pieceBytes);
    }
    expect((await fetchFrames(browser))[0]).toMatchObject({ usedPhotos: 9 });
    expect((await listFileFolders(testShop)).filter((key) => key === 'pieces')).toEqual([]);
  });

  test('returns the photo when the last piece is sent again after a lost response', async () => {
    const testShop = await openTestShop(fresh, { imaging: quickImaging });
    const { browser, frames } = await buyFramesAsAnna(testShop);
    const { deviceId } = frames[0]!;
    const key = crypto.randomUUID();
    const address = await createResumableUpload(browser, deviceId, 100, { key });
    await sendPiece(browser, address, 0, Buffer.alloc(40));
    const { rows } = await testShop.shop.db.execute(sql`select * from arrivals`);
    const firstResponse = await sendPiece(browser, address, 40, Buffer.alloc(60));
    // Set the row to its state after a crash: the photo is stored, but the upload is not marked as complete. Then send
    // Send the last piece again, and send the same photo as a form.
    await testShop.shop.db.execute(
      sql`update arrivals set upload_id = null, arrived_bytes = ${rows[0]!['arrived_bytes']}`,
    );
    const repeatedResponse = await sendPiece(browser, address, 40, Buffer.alloc(60));
    const form = createPhotoForm(deviceId, quickPhoto);
    form.append('key', key);
    const plainResponse = await browser.post('/api/upload', form);
    expect([repeatedResponse.json.id, plainResponse.json.id]).toEqual([firstResponse.json.id, firstResponse.json.id]);
    expect((await fetchFrames(browser))[0]).toMatchObject({ usedPhotos: 1 });
  });
});

describeOnPostgres((fresh) => {
  test('shows the photos of a selection in the chosen order when they arrive at the same time', async () => {
    const testShop = await openTestShop(fresh, { imaging: quickImaging });
    const { browser, frames } = await buyFramesAsAnna(testShop);
    const { deviceId } = frames[0]!;
    const [one, other] = [crypto.randomUUID(), crypto.randomUUID()];
    const sendAtPlace = async (selection: string, place: number) => {
      const name = `${selection === one ? 'a' : 'b'}${place}`;
      const address = await createResumableUpload(browser, deviceId, quickPhoto.length, {
        name,
        selection,
        place: String(place),
      });
      expect((await sendRemainder(browser, address, quickPhoto)).status).toBe(200);
    };
    await Promise.all(Array.from({ length: 16 }, (_, at) => sendAtPlace(at % 2 === 0 ? one : other, 15 - at)));
    const photoNames: string[] = (await browser.get('/api/uploads')).json.map(
      (photo: { originalFileName: string }) => photo.originalFileName,
    );
    const namesOfA = photoNames.filter((name) => name.startsWith('a'));
    const namesOfB = photoNames.filter((name) => name.startsWith('b'));
    const sortByPosition = (all: string[]) => all.toSorted((x, y) => Number(x.slice(1)) - Number(y.slice(1)));
    expect([
      [...sortByPosition(namesOfA), ...sortByPosition(namesOfB)],
      [...sortByPosition(namesOfB), ...sortByPosition(namesOfA)],
    ]).toContainEqual(photoNames);
    const { rows } = await testShop.shop.db.execute(
      sql`select count(distinct selection_at)::int as moments from uploads group by selection`,
    );
    expect(rows).toEqual([{ moments: 1 }, { moments: 1 }]);
  });

  test('accepts one of fifty simultaneous uploads, in pieces and whole, for the last place', async () => {
    const testShop = await openTestShop(fresh, { imaging: quickImaging });
    const { browser, frames } = await buyFramesAsAnna(testShop);
    const { deviceId } = frames[0]!;
    await testShop.shop.db.execute(sql`update frames set used_photos = 19`);
    const responses = await Promise.all(
      Array.from({ length: 50 }, async (_, i) => {
        return i % 2 === 0
          ? uploadTo(browser, deviceId, quickPhoto)
          : sendPhotoInPieces(browser, quickPhoto, { deviceId });
      }),
    );
    const refusedResponses = responses.filter((answer) => answer.status !== 200);
    expect(new Set(refusedResponses.map((answer) => answer.json.code))).toEqual(new Set(['photo-limit-reached']));
    expect(refusedResponses).toHaveLength(49);
    expect(await fetchFrames(browser)).toMatchObject([{ usedPhotos: 20, remainingPhotos: 0, uploads: [{}] }]);
    expect((await listFileFolders(testShop)).filter((key) => key !== 'pieces')).toEqual(onePhotoFolders);
    testShop.clock.advance(25 * 3_600_000);
    await sweepArrivals(testShop.shop);
    expect(await listFileFolders(testShop)).toEqual(onePhotoFolders);
    expect(listWorkFiles(testShop)).toEqual([]);
  });

  test('a photo that arrives in pieces during "I’m Done" is either finalized with the frame or refused', async () => {
    const testShop = await openTestShop(fresh, { imaging: quickImaging });
    const { browser, frames } = await buyFramesAsAnna(testShop, { quantity: 3 });
    for (const { deviceId } of frames) {
      await uploadTo(browser, deviceId, await createSmallPhoto());
      const addresses = await Promise.all(
        Array.from({ length: 6 }, async () => createResumableUpload(browser, deviceId, quickPhoto.length)),
      );
      const [finalized, ...answers] = await Promise.all([
        browser.post('/api/uploads/finalize', { deviceId }),
        ...addresses.map((address) => sendRemainder(browser, address, quickPhoto, 10)),
      ]);
      expect(finalized.status).toBe(200);
      for (const response of answers)
        expect([undefined, 'frame-finalized'], response.text).toContain(
          response.status === 200 ? undefined : response.json.code,
        );
      expect((await requestUploadCreation(browser, deviceId, 10)).json.code).toBe('frame-finalized');
    }
    const { rows } = await testShop.shop.db.execute(sql`
      select f.used_photos as used, (select count(*)::int from uploads where frame_id = f.id) as photos,
             (select count(*)::int from videos where frame_id = f.id) as videos from frames f`);
    for (const row of rows) expect(row).toEqual({ used: row['used'], photos: row['used'], videos: row['used'] });
  });
});

/** Begins to send a piece and closes the connection before the end of the piece. */
async function sendAndCut(
  port: number,
  address: string,
  cookies: Record<string, string>,
  start: number,
  contentLength: number,
  bytes: Buffer,
): Promise<void> {
  const patchRequest = request({
    port,
    host: '127.0.0.1',
    method: 'PATCH',
    path: address,
    headers: {
      origin: baseUrl,
      cookie: Object.entries(cookies)
        .map(([name, value]) => `${name}=${value}`)
        .join('; '),
      'tus-resumable': '1.0.0',
      'content-type': 'application/offset+octet-stream',
      'content-length': contentLength,
      'upload-offset': start,
    },
  });
  const endedPromise = new Promise((resolve) => patchRequest.once('close', resolve).once('error', () => {}));
  await new Promise((resolve) => patchRequest.write(bytes, resolve));
  patchRequest.destroy();
  await endedPromise;
}
