import { once } from 'node:events';
import { readdirSync } from 'node:fs';
import { connect, type AddressInfo } from 'node:net';
import { join } from 'node:path';
import { crc32, deflateSync } from 'node:zlib';
import { sql } from 'drizzle-orm';
import { expect, test, vi } from 'vitest';
import { StorageFull, StorageUnavailable } from '#shop/ports/storage.ts';
import { createDirectoryStorage } from '#adapters/storage/directory.ts';
import { describeOnFastestEngine, describeOnEachEngine, describeOnPostgres } from '#test/database.ts';
import { quickImaging } from '#test/imaging.ts';
import {
  buyFramesAsAnna,
  buyAndVerify,
  fetchFrames,
  createPhotoForm,
  createSmallPhoto,
  uploadTo,
} from '#test/people.ts';
import { countRows, readAllTables } from '#test/rows.ts';
import { baseUrl, openTestShop, type ShopResponse, type Browser, type TestShop } from '#test/shop.ts';
import { sanitizedFileName } from './add-photo.ts';

const listFolder = (it: TestShop, folder: string) => {
  try {
    return readdirSync(join(it.shop.config.dataDir, folder));
  } catch {
    return []; // the folder does not exist, because no file was stored in it
  }
};
const listStoredFiles = (it: TestShop) =>
  ['originals', 'display', 'thumbnails', 'connections', '.unfinished'].map(
    (name) => listFolder(it, `files/${name}`).length,
  );
const frameFullText =
  'This frame has reached its photo upload limit. Purchase additional photo packages to upload more photos.';
/** Uploads a photo with a key, as the upload page does. A photo that is sent again has the same key. */
const uploadWithKey = (browser: Browser, deviceId: string, key: string) => {
  const form = createPhotoForm(deviceId, Buffer.from('photo'));
  form.append('key', key);
  return browser.post('/api/upload', form);
};
const listStatuses = (answers: ShopResponse[]) => answers.map((answer) => answer.status).toSorted((a, b) => a - b);

describeOnPostgres((fresh) => {
  test('accepts one of fifty simultaneous uploads for the last place', async () => {
    const testShop = await openTestShop(fresh, { imaging: quickImaging });
    const { browser, frames } = await buyFramesAsAnna(testShop);
    await testShop.shop.db.execute(sql`update frames set used_photos = 19`);
    const responses = await Promise.all(
      Array.from({ length: 50 }, () => uploadTo(browser, frames[0]!.deviceId, Buffer.from('photo'))),
    );
    const refusedResponses = responses.filter((answer) => answer.status !== 200);
    expect(refusedResponses).toHaveLength(49);
    for (const response of refusedResponses)
      expect(response.json).toMatchObject({
        success: false,
        code: 'photo-limit-reached',
        message: frameFullText,
        error: frameFullText,
      });
    expect(await fetchFrames(browser)).toMatchObject([{ usedPhotos: 20, remainingPhotos: 0, uploads: [{}] }]);
    expect(listStoredFiles(testShop)).toEqual([1, 1, 1, 0, 0]);
    expect(listFolder(testShop, 'work')).toEqual([]);
  });

  test('a photo that arrives during "I’m Done" is either finalized with the frame or refused', async () => {
    const testShop = await openTestShop(fresh, { imaging: quickImaging });
    const { browser, frames } = await buyFramesAsAnna(testShop, { quantity: 3 });
    for (const { deviceId } of frames) {
      await uploadTo(browser, deviceId, Buffer.from('photo'));
      const uploadPhoto = () => uploadTo(browser, deviceId, Buffer.from('photo'));
      const finalizeFrame = () => browser.post('/api/uploads/finalize', { deviceId });
      const responses = await Promise.all([
        uploadPhoto(),
        uploadPhoto(),
        finalizeFrame(),
        uploadPhoto(),
        finalizeFrame(),
        uploadPhoto(),
        uploadPhoto(),
      ]);
      expect(
        responses.every((answer) => answer.status === 200 || answer.json.code === 'frame-finalized'),
        responses.map((it) => it.text).join(),
      ).toBe(true);
      expect(listStatuses([responses[2], responses[4]])).toEqual([200, 409]);
      expect((await uploadPhoto()).json.code).toBe('frame-finalized');
    }
    const { rows } = await testShop.shop.db.execute(sql`
      select f.used_photos as used, (select count(*)::int from uploads where frame_id = f.id) as photos,
             (select count(*)::int from videos where frame_id = f.id) as videos from frames f`);
    expect(rows).toHaveLength(3);
    for (const row of rows) expect(row).toEqual({ used: row['used'], photos: row['used'], videos: row['used'] });
  });

  test('stores a photo once when it is sent eight times at once for the last place', async () => {
    const testShop = await openTestShop(fresh, { imaging: quickImaging });
    const { browser, frames } = await buyFramesAsAnna(testShop);
    await testShop.shop.db.execute(sql`update frames set used_photos = 19`);
    const key = crypto.randomUUID();
    const responses = await Promise.all(
      Array.from({ length: 8 }, () => uploadWithKey(browser, frames[0]!.deviceId, key)),
    );
    expect(listStatuses(responses)).toEqual(Array(8).fill(200));
    expect(new Set(responses.map((answer) => answer.json.id)).size).toBe(1);
    expect(await fetchFrames(browser)).toMatchObject([{ usedPhotos: 20, uploads: [{ id: responses[0]!.json.id }] }]);
    expect(listStoredFiles(testShop)).toEqual([1, 1, 1, 0, 0]);
    expect((await browser.get(responses[0]!.json.url)).text).toBe('a picture');
  });

  test('does not deadlock when deletions and "I’m Done" run at once, and frees the deleted places', async () => {
    const testShop = await openTestShop(fresh, { imaging: quickImaging });
    const { browser, frames } = await buyFramesAsAnna(testShop, { quantity: 4 });
    for (const { deviceId } of frames) {
      const photoResponses = await Promise.all(
        Array.from({ length: 6 }, () => uploadTo(browser, deviceId, Buffer.from('photo'))),
      );
      const ids = photoResponses.slice(0, 5).map((answer) => answer.json.id as string);
      const deletions = [...ids, ...ids].map((id) => browser.delete(`/api/uploads/${id}`));
      const [finalized, ...answers] = await Promise.all([
        browser.post('/api/uploads/finalize', { deviceId }),
        ...deletions,
      ]);
      expect(finalized.status, finalized.text).toBe(200);
      for (const response of answers)
        expect(['frame-finalized', 'not-found', undefined], response.text).toContain(response.json.code);
      const frame = (await fetchFrames(browser)).find((it) => it.deviceId === deviceId);
      expect(frame!.usedPhotos).toBe(frame!.uploads.length);
      expect(answers.filter((answer) => answer.status === 200)).toHaveLength(6 - frame!.usedPhotos);
    }
  });
});

describeOnEachEngine((fresh) => {
  test('returns photo-too-small for a picture that is too small for a video, and uses no place', async () => {
    let size = { width: 1, height: 1 };
    const imaging = {
      ...quickImaging,
      develop: async (...how: Parameters<typeof quickImaging.develop>) => ({
        ...(await quickImaging.develop(...how)),
        ...size,
      }),
    };
    const testShop = await openTestShop(fresh, { imaging });
    const { browser, frames } = await buyFramesAsAnna(testShop);
    const { deviceId } = frames[0]!;
    for (size of [size, { width: 4000, height: 39 }]) {
      const { status, json } = await uploadTo(browser, deviceId);
      expect([status, json.code]).toEqual([422, 'photo-too-small']);
      expect(json.message).toMatch(/^This picture is too small for a video: photo\.jpg\./);
    }
    expect(await fetchFrames(browser)).toMatchObject([{ usedPhotos: 0, remainingPhotos: 20, uploads: [] }]);
    expect(listStoredFiles(testShop)).toEqual([0, 0, 0, 0, 0]);
    size = { width: 40, height: 40 };
    expect((await uploadTo(browser, deviceId)).status).toBe(200);
  });

  test('refuses a photo when all places are used, and accepts one after another photo is deleted', async () => {
    const testShop = await openTestShop(fresh, { imaging: quickImaging });
    const { browser, frames } = await buyFramesAsAnna(testShop);
    const { deviceId } = frames[0]!;
    await testShop.shop.db.execute(sql`update frames set used_photos = 18`);
    const [first, second, third] = [
      await uploadTo(browser, deviceId),
      await uploadTo(browser, deviceId),
      await uploadTo(browser, deviceId),
    ];
    expect([first.status, second.status, third.status]).toEqual([200, 200, 409]);
    expect(third.json.message).toBe(frameFullText);
    expect((await browser.delete(`/api/uploads/${first.json.id}`)).status).toBe(200);
    expect((await browser.delete(`/api/uploads/${first.json.id}`)).status).toBe(404);
    expect(listStoredFiles(testShop)).toEqual([1, 1, 1, 0, 0]);
    expect((await fetchFrames(browser))[0]!.remainingPhotos).toBe(1);
    expect((await uploadTo(browser, deviceId)).status).toBe(200);
    expect((await browser.post('/api/uploads/finalize', { deviceId })).status).toBe(200);
    expect((await browser.delete(`/api/uploads/${second.json.id}`)).json.code).toBe('frame-finalized');
  });
});

describeOnEachEngine((fresh) => {
  test('stores a photo once when it is sent again after a lost response', async () => {
    const testShop = await openTestShop(fresh, { imaging: quickImaging });
    const { browser, frames } = await buyFramesAsAnna(testShop, { quantity: 2 });
    const [{ deviceId }, other] = frames as [(typeof frames)[0], (typeof frames)[0]];
    const key = crypto.randomUUID();
    const firstResponse = await uploadWithKey(browser, deviceId, key);
    expect(firstResponse.status, firstResponse.text).toBe(200);
    expect((await uploadWithKey(browser, deviceId, key)).json).toEqual(firstResponse.json);
    // The same file is another photo if it is sent to another frame, or with another key.
    expect((await uploadWithKey(browser, other.deviceId, key)).json.id).not.toBe(firstResponse.json.id);
    const secondResponse = await uploadWithKey(browser, deviceId, crypto.randomUUID());
    expect(await fetchFrames(browser)).toMatchObject([{ usedPhotos: 2 }, { usedPhotos: 1 }]);
    // A deleted photo may be uploaded again with a new key.
    await browser.delete(`/api/uploads/${secondResponse.json.id}`);
    expect((await uploadWithKey(browser, deviceId, crypto.randomUUID())).status).toBe(200);
    expect(listStoredFiles(testShop)).toEqual([3, 3, 3, 0, 0]);
    // A repeated upload returns the stored photo even after the frame is finalized.
    expect((await browser.post('/api/uploads/finalize', { deviceId })).status).toBe(200);
    expect((await uploadWithKey(browser, deviceId, key)).json.id).toBe(firstResponse.json.id);
    expect((await uploadWithKey(browser, deviceId, crypto.randomUUID())).json.code).toBe('frame-finalized');
    expect((await uploadWithKey(browser, deviceId, 'not a key')).json.code).toBe('invalid-request');
  });
});

describeOnFastestEngine((fresh) => {
  test('refuses files that are not usable photos with the specified message, and stores nothing', async () => {
    const testShop = await openTestShop(fresh);
    const { browser, frames } = await buyFramesAsAnna(testShop);
    const { deviceId } = frames[0]!;
    const photo = await createSmallPhoto();
    const tablesBefore = await readAllTables(testShop.shop.db);
    const createTypeMessage = (name: string) =>
      `These files are not supported: ${name}. Please use JPEG, PNG, HEIC, WebP, or GIF images.`;
    const tooLargeMessage = 'These files exceed the 10MB limit: kite.jpg. Try compressing or resizing them.';
    const refusals: [string, Buffer, number, string, string][] = [
      [
        'kite.jpg',
        Buffer.from('only words, called a picture'),
        415,
        'invalid-file-type',
        createTypeMessage('kite.jpg'),
      ],
      [
        'kite.svg',
        Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>'),
        415,
        'invalid-file-type',
        createTypeMessage('kite.svg'),
      ],
      [
        'page.jpg',
        Buffer.from('<!doctype html><script>alert(1)</script>'),
        415,
        'invalid-file-type',
        createTypeMessage('page.jpg'),
      ],
      ['empty.jpg', Buffer.alloc(0), 415, 'invalid-file-type', createTypeMessage('empty.jpg')],
      ['../../../etc/passwd', Buffer.from('root'), 415, 'invalid-file-type', createTypeMessage('passwd')],
      ['\u202egpj.exe', Buffer.from('MZ'), 415, 'invalid-file-type', createTypeMessage('gpj.exe')],
      ['cut.jpg', photo.subarray(0, Math.floor(photo.length * 0.6)), 422, 'photo-damaged', 'cut.jpg'],
      [
        'bomb.png',
        createPngBomb(30_000),
        422,
        'photo-too-many-pixels',
        'This picture has more than 60 megapixels: bomb.png.',
      ],
      ['kite.jpg', Buffer.concat([photo, Buffer.alloc(11 * 1024 * 1024)]), 413, 'file-too-large', tooLargeMessage],
      [
        'kite.jpg',
        Buffer.concat([photo, Buffer.alloc(10 * 1024 * 1024 + 1 - photo.length)]),
        413,
        'file-too-large',
        tooLargeMessage,
      ],
    ];
    for (const [name, bytes, status, code, expectedText] of refusals) {
      const response = await browser.post('/api/upload', createPhotoForm(deviceId, bytes, name));
      expect([response.status, response.json.code], `${name}: ${response.text}`).toEqual([status, code]);
      expect(response.json.message).toContain(expectedText);
    }
    expect(await readAllTables(testShop.shop.db)).toEqual(tablesBefore);
    expect(listStoredFiles(testShop)).toEqual([0, 0, 0, 0, 0]);
    expect(listFolder(testShop, 'work')).toEqual([]);
    const wholePhoto = Buffer.concat([photo, Buffer.alloc(10 * 1024 * 1024 - photo.length)]);
    // The content type that the browser sends is ignored.
    const acceptedResponse = await browser.post(
      '/api/upload',
      createPhotoForm(deviceId, wholePhoto, 'ten.jpg', 'application/pdf'),
    );
    expect(acceptedResponse.json, acceptedResponse.text).toMatchObject({
      originalFileName: 'ten.jpg',
      mimeType: 'image/jpeg',
      fileSize: wholePhoto.length,
    });
  });

  test('refuses an invalid form with a message, and stores nothing', async () => {
    const testShop = await openTestShop(fresh, { imaging: quickImaging });
    const { browser, frames } = await buyFramesAsAnna(testShop);
    const { deviceId } = frames[0]!;
    const createFormBody = (text: string, boundary = 'x') =>
      browser.post('/api/upload', text.replaceAll('\n', '\r\n'), {
        'content-type': `multipart/form-data; boundary=${boundary}`,
      });
    const createFormField = (name: string, value: string) =>
      `--x\nContent-Disposition: form-data; name="${name}"\n\n${value}\n`;
    const createFormFile = (extra: string) => `--x\nContent-Disposition: form-data; name="image"${extra}\n\nphoto\n`;
    const id = createFormField('deviceId', deviceId);
    const refusedCalls: [() => Promise<ShopResponse>, number, string][] = [
      [() => browser.post('/api/upload', { deviceId }), 400, 'no-file'],
      [
        () => browser.post('/api/upload', '', { 'content-type': 'multipart/form-data; boundary=x' }),
        400,
        'frame-not-selected',
      ],
      [() => browser.post('/api/upload', 'x', { 'content-type': 'multipart/form-data' }), 400, 'invalid-request'],
      [() => createFormBody('this is no form at all'), 400, 'invalid-request'],
      [() => createFormBody(`${id}${createFormFile('; filename="a.jpg"').slice(0, -20)}`), 400, 'invalid-request'],
      [() => createFormBody(`${id}--x--\n`), 400, 'no-file'],
      [() => createFormBody(`${createFormFile('; filename="a.jpg"')}--x--\n`), 400, 'frame-not-selected'],
      [
        () =>
          createFormBody(`${createFormField('deviceId', 'not-mine')}${createFormFile('; filename="a.jpg"')}--x--\n`),
        404,
        'not-found',
      ],
      [
        () => createFormBody(`${createFormField('deviceId', 'a\0b')}${createFormFile('; filename="a.jpg"')}--x--\n`),
        400,
        'invalid-request',
      ],
      [() => createFormBody(`${id}${createFormField('__proto__', 'x')}--x--\n`), 400, 'invalid-request'],
      [
        () => createFormBody(`${id}${createFormField('image', 'a text where the photo belongs')}--x--\n`),
        400,
        'no-file',
      ],
      [
        () =>
          createFormBody(
            `${id}${'--x\nContent-Disposition: form-data; name="f"; filename="f"\n\nf\n'.repeat(31)}--x--\n`,
          ),
        413,
        'body-too-large',
      ],
      [() => createFormBody(`${createFormField('f', 'f').repeat(1100)}--x--\n`), 413, 'body-too-large'],
    ];
    for (const [send, status, code] of refusedCalls) {
      const response = await send();
      expect([response.status, response.json.code], response.text).toEqual([status, code]);
      expect(response.json.message).toMatch(/^[A-Z].{10,}/);
    }
    expect(await countRows(testShop.shop.db, 'uploads')).toBe(0);
    expect(listStoredFiles(testShop)).toEqual([0, 0, 0, 0, 0]);
    // The parts of the form may be in any sequence, and the file name is optional.
    const names = await Promise.all(
      [
        `${createFormFile('; filename="a.jpg"')}${id}`,
        `${id}${createFormFile('\nContent-Type: application/octet-stream')}`,
        `${id}${createFormFile('; filename=""')}`,
      ].map(async (parts) => (await createFormBody(`${parts}--x--\n`)).json.originalFileName as string),
    );
    expect(names).toEqual(['a.jpg', 'photo', 'photo']);
    expect(listFolder(testShop, 'work')).toEqual([]);
  });

  test('deletes all files of an upload when the browser disconnects', async () => {
    const testShop = await openTestShop(fresh, { imaging: quickImaging });
    const { browser, frames } = await buyFramesAsAnna(testShop);
    await testShop.app.listen({ port: 0, host: '127.0.0.1' });
    const { port } = testShop.app.server.address() as AddressInfo;
    const socket = connect(port, '127.0.0.1');
    await once(socket, 'connect');
    const head = `--x\r\nContent-Disposition: form-data; name="deviceId"\r\n\r\n${frames[0]!.deviceId}\r\n--x\r\nContent-Disposition: form-data; name="image"; filename="a.jpg"\r\n\r\n`;
    socket.write(
      `POST /api/upload HTTP/1.1\r\nHost: localhost\r\nOrigin: ${baseUrl}\r\nCookie: sid=${browser.cookies.get('sid')}\r\n` +
        `Content-Type: multipart/form-data; boundary=x\r\nContent-Length: 5000000\r\n\r\n${head}${'p'.repeat(500_000)}`,
    );
    await vi.waitFor(() => expect(listFolder(testShop, 'work')).toHaveLength(1), { timeout: 30_000 });
    socket.destroy();
    await vi.waitFor(() => expect(listFolder(testShop, 'work')).toEqual([]), { timeout: 10_000 });
    expect(await fetchFrames(browser)).toMatchObject([{ usedPhotos: 0, uploads: [] }]);
    expect(listStoredFiles(testShop)).toEqual([0, 0, 0, 0, 0]);
  });

  test('returns an error when the storage is full or fails, uses no place and keeps earlier photos', async () => {
    let fails: Error | undefined;
    const testShop = await openTestShop(fresh, {
      imaging: quickImaging,
      storage: new Proxy(createDirectoryStorage('/nowhere'), {
        get: (_, name) =>
          name === 'putFile' && fails
            ? () => Promise.reject(fails!)
            : Reflect.get(createDirectoryStorage(join(findOpenFile()!, 'files')), name),
      }),
    });
    function findOpenFile(): string | undefined {
      return testShop?.shop.config.dataDir;
    }
    const { browser, frames } = await buyFramesAsAnna(testShop);
    const { deviceId } = frames[0]!;
    const remainingPhoto = (await uploadTo(browser, deviceId)).json;
    for (const [error, status, code] of [
      [new StorageFull('no room'), 507, 'storage-full'],
      [Object.assign(new Error('the quota is used up'), { code: 'EDQUOT' }), 507, 'storage-full'],
      [new StorageUnavailable('the bucket fails'), 503, 'unavailable'],
      [Object.assign(new Error('connect ECONNREFUSED'), { code: 'ECONNREFUSED' }), 503, 'unavailable'],
      [Object.assign(new Error('secret path /srv/data'), { code: 'EIO' }), 500, 'unexpected'],
    ] as const) {
      fails = error;
      const response = await uploadTo(browser, deviceId);
      expect([response.status, response.json.code]).toEqual([status, code]);
      expect(response.text).not.toContain('/srv');
      expect(response.json.message).toContain('Nothing is lost');
    }
    fails = undefined;
    expect(await fetchFrames(browser)).toMatchObject([{ usedPhotos: 1, uploads: [{ id: remainingPhoto.id }] }]);
    expect((await browser.get(remainingPhoto.url)).status).toBe(200);
    expect(listFolder(testShop, 'work')).toEqual([]);
  });

  test('returns the same 404 for another customer’s frame, photo or video as for a missing one', async () => {
    const testShop = await openTestShop(fresh, { imaging: quickImaging });
    const { browser: anna, frames, session } = await buyFramesAsAnna(testShop);
    const { deviceId } = frames[0]!;
    const photo = (await uploadTo(anna, deviceId)).json;
    const form = new FormData();
    form.append('qrPhoto', new Blob([new Uint8Array(await createSmallPhoto())]), 'qr.png');
    expect((await anna.put(`/api/devices/${deviceId}/connection`, form)).status).toBe(200);
    const { qrPhotoPath } = (await anna.get('/api/frame-photo-limits')).json.frames[0];
    await anna.post('/api/uploads/finalize', { deviceId });
    await testShop.shop.db.execute(
      sql`update videos set state = 'approved', video_key = 'videos/a.mp4', poster_key = 'posters/a.jpg'`,
    );
    const { rows } = await testShop.shop.db.execute<{ id: string }>(sql`select id from videos`);
    const videoUrl = `/videos/${rows[0]!.id}.mp4`;
    expect((await anna.get(qrPhotoPath)).status).toBe(200);

    const ben = testShop.browser();
    await buyAndVerify(ben, {
      customerDetails: {
        firstName: 'Ben',
        lastName: 'Ode',
        email: 'ben@example.com',
        address: { line1: '1', city: 'P', state: 'OR', postalCode: '97201', country: 'US' },
      },
    });
    expect((await ben.post('/api/complete-registration', { password: 'Kite-over-sea-4' })).status).toBe(200);
    const token = testShop.browser();
    token.cookies.set('sid', session);
    const expectSameAnswer = (a: ShopResponse, b: ShopResponse) => {
      const removeRequestId = (answer: ShopResponse) => answer.text.replace(/"requestId":"[^"]*"/, '');
      expect([a.status, removeRequestId(a), Object.keys(a.headers).toSorted()]).toEqual([
        404,
        removeRequestId(b),
        Object.keys(b.headers).toSorted(),
      ]);
    };
    const missingId = crypto.randomUUID();
    for (const otherBrowser of [ben, testShop.browser(), token]) {
      expectSameAnswer(await otherBrowser.get(photo.url), await otherBrowser.get(`/uploads/${missingId}.jpg`));
      expectSameAnswer(
        await otherBrowser.get(photo.thumbnailUrl),
        await otherBrowser.get(`/uploads/${missingId}-thumbnail.webp`),
      );
      expectSameAnswer(await otherBrowser.get(qrPhotoPath), await otherBrowser.get(`/uploads/qr-${missingId}.jpg`));
      expectSameAnswer(await otherBrowser.get(videoUrl), await otherBrowser.get(`/videos/${missingId}.mp4`));
      expectSameAnswer(
        await otherBrowser.get(`/videos/all/${deviceId}`),
        await otherBrowser.get(`/videos/all/${missingId}`),
      );
    }
    const qrCodeForm = () => {
      const otherForm = new FormData();
      otherForm.append('invitationCode', 'mine');
      return otherForm;
    };
    expectSameAnswer(await ben.delete(`/api/uploads/${photo.id}`), await ben.delete(`/api/uploads/${missingId}`));
    expectSameAnswer(
      await ben.post('/api/uploads/finalize', { deviceId }),
      await ben.post('/api/uploads/finalize', { deviceId: missingId }),
    );
    expectSameAnswer(
      await ben.put(`/api/devices/${deviceId}/connection`, qrCodeForm()),
      await ben.put(`/api/devices/${missingId}/connection`, qrCodeForm()),
    );
    expectSameAnswer(await uploadTo(ben, deviceId), await uploadTo(ben, missingId));
    expect((await ben.get('/api/uploads')).json).toEqual([]);
  });

  test('serves a photo with security headers, as a whole or in the requested ranges', async () => {
    const testShop = await openTestShop(fresh);
    const { browser, frames } = await buyFramesAsAnna(testShop);
    const { url } = (await uploadTo(browser, frames[0]!.deviceId)).json;
    const wholeResponse = await browser.get(url);
    const size = wholeResponse.bytes.length;
    expect(wholeResponse.headers).toMatchObject({
      'content-type': 'image/jpeg',
      'content-length': String(size),
      'x-content-type-options': 'nosniff',
      'content-security-policy': "default-src 'none'; frame-ancestors 'none'; sandbox",
      'cross-origin-resource-policy': 'same-origin',
      'cache-control': 'private, no-cache',
      'accept-ranges': 'bytes',
    });
    const ranges: [string, number, number, number][] = [
      ['bytes=0-0', 206, 0, 1],
      ['bytes=10-19', 206, 10, 20],
      ['bytes=100-', 206, 100, size],
      ['bytes=-20', 206, size - 20, size],
      [`bytes=0-${size * 10}`, 206, 0, size],
      [`bytes=-${size * 10}`, 206, 0, size],
      ['bytes=5-2', 200, 0, size],
      ['bytes=-', 200, 0, size],
      ['bytes=0-1,5-6', 200, 0, size],
      ['lines=1-2', 200, 0, size],
      ['bytes=a-b', 200, 0, size],
    ];
    for (const [range, status, start, end] of ranges) {
      const partResponse = await browser.get(url, { range });
      expect([partResponse.status, partResponse.bytes.equals(wholeResponse.bytes.subarray(start, end))], range).toEqual(
        [status, true],
      );
      expect(partResponse.headers['content-range'], range).toBe(
        status === 206 ? `bytes ${start}-${end - 1}/${size}` : undefined,
      );
    }
    for (const range of [`bytes=${size}-`, `bytes=${'9'.repeat(30)}-`, 'bytes=-0']) {
      const responseBeyondEnd = await browser.get(url, { range });
      expect([responseBeyondEnd.status, responseBeyondEnd.headers['content-range'], responseBeyondEnd.text]).toEqual([
        416,
        `bytes */${size}`,
        '',
      ]);
    }
    const headResponse = await browser.call('HEAD', url);
    expect([headResponse.status, headResponse.headers['content-length'], headResponse.text]).toEqual([
      200,
      String(size),
      '',
    ]);
    const headOfPartResponse = await browser.call('HEAD', url, undefined, { range: 'bytes=0-9' });
    expect([headOfPartResponse.status, headOfPartResponse.headers['content-length'], headOfPartResponse.text]).toEqual([
      206,
      '10',
      '',
    ]);
  });

  test('saves a frame’s invitation code, QR photo or both, and refuses invalid ones with a message', async () => {
    const testShop = await openTestShop(fresh);
    const { browser, frames } = await buyFramesAsAnna(testShop);
    const { deviceId } = frames[0]!;
    const saveConnection = (parts: Record<string, string | Buffer>) => {
      const form = new FormData();
      for (const [name, part] of Object.entries(parts))
        if (typeof part === 'string') form.append(name, part);
        else form.append(name, new Blob([new Uint8Array(part)]), 'qr.png');
      return browser.put(`/api/devices/${deviceId}/connection`, form);
    };
    const photo = await createSmallPhoto();
    const largePhoto = Buffer.concat([photo, Buffer.alloc(10 * 1024 * 1024)]);
    const gif = Buffer.from('R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7', 'base64');
    for (const [parts, status, code, expectedText] of [
      [{}, 400, 'connection-empty', /./],
      [{ invitationCode: '   ' }, 400, 'connection-empty', /./],
      [{ qrPhoto: Buffer.from('words') }, 415, 'qr-type', /^Please upload a JPEG or PNG image\.$/],
      [{ qrPhoto: gif }, 415, 'qr-type', /^Please upload a JPEG or PNG image\.$/],
      [
        { qrPhoto: photo.subarray(0, Math.floor(photo.length * 0.6)) },
        415,
        'qr-type',
        /^Please upload a JPEG or PNG image\.$/,
      ],
      [{ qrPhoto: largePhoto }, 413, 'qr-too-large', /^Please upload an image smaller than 10MB\.$/],
      [{ invitationCode: 'a\0b' }, 400, 'invalid-request', /./],
      [{ invitationCode: 'A'.repeat(201) }, 400, 'connection-too-long', /at most 200 characters/],
    ] as const) {
      const response = await saveConnection(parts);
      expect([response.json.code, response.json.message]).toEqual([code, expect.stringMatching(expectedText)]);
      expect(Math.floor(response.status / 100), `${status}`).toBe(4);
    }
    expect(listStoredFiles(testShop)).toEqual([0, 0, 0, 0, 0]);
    expect((await browser.put(`/api/devices/${deviceId}/connection`, { invitationCode: 'A' })).json.code).toBe(
      'connection-empty',
    );
    expect((await saveConnection({ invitationCode: ' ABC-123 ' })).status).toBe(200);
    expect((await saveConnection({ qrPhoto: photo })).json.message).toContain('within 24 hours');
    const [frame] = (await browser.get('/api/frame-photo-limits')).json.frames;
    // A save changes only the fields that were sent.
    expect(frame).toMatchObject({
      invitationCode: 'ABC-123',
      connectionStatus: 'pending',
      qrPhotoPath: expect.stringMatching(/./),
    });
    expect((await saveConnection({ invitationCode: 'ABC-456' })).status).toBe(200);
    expect((await browser.get('/api/frame-photo-limits')).json.frames[0]).toMatchObject({
      invitationCode: 'ABC-456',
      qrPhotoPath: frame.qrPhotoPath,
    });
    expect((await saveConnection({ invitationCode: 'DEF-456', qrPhoto: photo })).status).toBe(200);
    const [both] = (await browser.get('/api/frame-photo-limits')).json.frames;
    expect(both).toMatchObject({ invitationCode: 'DEF-456' });
    expect((await browser.get(both.qrPhotoPath)).headers['content-type']).toBe('image/jpeg');
    expect(listFolder(testShop, 'work')).toEqual([]);
  });
});

test('shows only the last part of a file path, without control characters, and never an empty name', () => {
  expect(
    ['C:\\photos\\kite.jpg', '../../x', '\u202egpj.exe', 'a\r\nb\0c', '', '/', ' \u2066 ', '👩‍👩‍👧‍👦.png'].map(
      sanitizedFileName,
    ),
  ).toEqual(['kite.jpg', 'x', 'gpj.exe', 'abc', 'photo', 'photo', 'photo', '👩‍👩‍👧‍👦.png']);
  expect(sanitizedFileName('x'.repeat(1000))).toHaveLength(255);
  expect(sanitizedFileName(`${'x'.repeat(254)}👩`).isWellFormed()).toBe(true);
});

/** Makes a PNG with `side` by `side` pixels that decompresses from a hundred kilobytes to a hundred megabytes. */
function createPngBomb(side: number): Buffer {
  const createChunk = (type: string, data: Buffer) => {
    const body = Buffer.concat([Buffer.from(type), data]);
    const [length, sum] = [Buffer.alloc(4), Buffer.alloc(4)];
    length.writeUInt32BE(data.length);
    sum.writeUInt32BE(crc32(body));
    return Buffer.concat([length, body, sum]);
  };
  const header = Buffer.alloc(13);
  header.writeUInt32BE(side, 0);
  header.writeUInt32BE(side, 4);
  header[8] = 1; // one bit per pixel, gray
  const rows = deflateSync(Buffer.alloc(side * (1 + Math.ceil(side / 8))), { level: 9 });
  const signature = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);
  return Buffer.concat([
    signature,
    createChunk('IHDR', header),
    createChunk('IDAT', rows),
    createChunk('IEND', Buffer.alloc(0)),
  ]);
}
