import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Transform } from 'node:stream';
import { expect, onTestFinished, test } from 'vitest';
import { createDirectoryStorage } from '#adapters/storage/directory.ts';
import { startS3Server } from '#adapters/storage/s3-server.ts';
import { createS3Storage } from '#adapters/storage/s3.ts';
import { refusals } from '#contract/refusals.ts';
import type { Storage } from '#shop/ports/storage.ts';
import { videos } from '#shop/production/production.sql.ts';
import { issueToken } from '#shop/tokens/tokens.ts';
import { describeOnFastestEngine, describeOnEachEngine, type FreshDatabase } from '#test/database.ts';
import { buyFramesAsAnna, fetchFrames, createSmallPhoto, uploadTo } from '#test/people.ts';
import { explainStatement, makeRecordable, recordStatements } from '#test/statements.ts';
import { adminPassword, openTestShop, type Browser } from '#test/shop.ts';

const videoBytes = randomBytes(300_000);

/** A shop in which Anna has private files: a photo, its thumbnail, a QR picture, an approved video and its poster. */
async function createFilesOfAnna(fresh: FreshDatabase, storage?: Storage) {
  const testShop = await openTestShop(makeRecordable(fresh), {
    env: { ADMIN_KEY: 'k'.repeat(40) },
    ...(storage && { storage }),
  });
  const { db } = testShop.shop;
  const { browser: anna, frames } = await buyFramesAsAnna(testShop);
  const frameId = frames[0]!.deviceId;
  await uploadTo(anna, frameId);
  const connectionForm = new FormData();
  connectionForm.append(
    'qrPhoto',
    new Blob([new Uint8Array(await createSmallPhoto())], { type: 'image/jpeg' }),
    'qr.jpg',
  );
  await anna.put(`/api/devices/${frameId}/connection`, connectionForm);
  const [frame] = (await fetchFrames(anna)) as unknown as [{ qrPhotoPath: string; uploads: [Record<string, string>] }];
  const [photo] = frame.uploads;
  await testShop.shop.storage.put('videos/kite.mp4', videoBytes, 'video/mp4');
  await testShop.shop.storage.put('posters/kite.jpg', await createSmallPhoto(), 'image/jpeg');
  await db.insert(videos).values({
    id: 'kite',
    uploadId: photo['id']!,
    frameId,
    place: 0,
    state: 'approved',
    style: 'drift',
    videoKey: 'videos/kite.mp4',
    posterKey: 'posters/kite.jpg',
    queuedAt: testShop.clock.now(),
  });

  const admin = testShop.browser();
  await admin.post('/api/admin/auth/password', { password: adminPassword });
  const deliveryLinkBrowser = testShop.browser();
  const deliveryToken = await issueToken(db, testShop.clock, {
    purpose: 'delivery',
    subjectId: frameId,
    seconds: 3600,
  });
  deliveryLinkBrowser.cookies.set(`delivery-${frameId}`, deliveryToken);
  deliveryLinkBrowser.cookies.set('delivery-of-another-frame', 'an older link');
  const imagePaths = [photo['url']!, photo['thumbnailUrl']!, frame.qrPhotoPath];
  const videoPaths = ['/videos/kite.mp4', '/videos/kite.jpg?take=1'];
  return { it: testShop, db, anna, admin, grandma: deliveryLinkBrowser, pictures: imagePaths, moving: videoPaths };
}

describeOnEachEngine((fresh) => {
  test('a request for a private file needs one query, which checks access and uses only indexes', async () => {
    const { it, db, anna, admin, grandma, pictures, moving } = await createFilesOfAnna(fresh);
    const invalidCookieBrowser = it.browser();
    invalidCookieBrowser.cookies.set('sid', 'a guess');
    invalidCookieBrowser.cookies.set('delivery-1', 'a guess');
    const bothBrowser = it.browser();
    for (const [name, value] of [...anna.cookies, ...admin.cookies]) bothBrowser.cookies.set(name, value);
    const adminKeyHeaders = { 'x-admin-key': 'k'.repeat(40) };
    const visitors: [
      who: string,
      browser: Browser,
      paths: string[],
      status: number,
      headers?: typeof adminKeyHeaders,
    ][] = [
      ['Anna', anna, [...pictures, ...moving], 200],
      ['the admin', admin, [...pictures, ...moving], 200],
      ['the admin, signed in as Anna too', bothBrowser, [...pictures, ...moving], 200],
      ['the key', it.browser(), [...pictures, ...moving], 200, adminKeyHeaders],
      ['who has the link', grandma, moving, 200],
      ['who has the link', grandma, pictures, 404],
      ['a guess', invalidCookieBrowser, [...pictures, ...moving], 404],
      ['nobody', it.browser(), [...pictures, ...moving], 404],
    ];
    for (const [who, browser, paths, status, headers] of visitors)
      for (const path of paths) {
        const requestFile = async () =>
          expect((await browser.get(path, headers)).status, `${who}: ${path}`).toBe(status);
        let statements = await recordStatements(db, requestFile);
        // The job queue's upkeep, every few seconds, may have run in the meantime. A second query of the request itself
        // would be there each time.
        for (let tryCount = 0; tryCount < 5 && statements.length > 1; tryCount++)
          statements = await recordStatements(db, requestFile);
        expect(statements, `${who}: ${path}`).toHaveLength(1);
        expect(await explainStatement(db, statements[0]!)).not.toContain('Seq Scan');
      }
  });
});

describeOnFastestEngine((fresh) => {
  test('a browser revalidates a cached private file at each use, and loads it again only if it changed', async () => {
    const storage = countReads(createDirectoryStorage(openFolderStorage()));
    const { it, anna, pictures, moving } = await createFilesOfAnna(fresh, storage);
    for (const path of [...pictures, ...moving]) {
      const { headers } = await anna.get(path);
      expect(headers['cache-control']).toBe('private, no-cache');
      const etag = String(headers['etag']);
      const lastModified = String(headers['last-modified']);
      const secondBefore = new Date(Date.parse(lastModified) - 1000).toUTCString();
      storage.reads.splice(0);
      for (const conditionalHeaders of [
        { 'if-none-match': etag },
        { 'if-none-match': `"another", W/${etag}` },
        { 'if-none-match': '*' },
        { 'if-modified-since': lastModified },
        { 'if-none-match': etag, 'if-modified-since': secondBefore },
        { 'if-none-match': etag, range: 'bytes=0-9' },
      ]) {
        const response = await anna.get(path, conditionalHeaders);
        expect([response.status, response.bytes.length], JSON.stringify(conditionalHeaders)).toEqual([304, 0]);
        expect(response.headers).toMatchObject({
          etag,
          'last-modified': lastModified,
          'cache-control': 'private, no-cache',
        });
        expect((await it.browser().get(path, conditionalHeaders)).status, 'for a stranger').toBe(404);
      }
      expect(storage.reads).toEqual([]);
      for (const changedHeaders of [
        { 'if-none-match': '"another"' },
        { 'if-none-match': '"another"', 'if-modified-since': lastModified },
        { 'if-modified-since': secondBefore },
        { 'if-modified-since': 'yesterday' },
      ])
        expect((await anna.get(path, changedHeaders)).status, JSON.stringify(changedHeaders)).toBe(200);
      storage.reads.splice(0);
      const headResponse = await anna.call('HEAD', path);
      expect([headResponse.status, headResponse.bytes.length]).toEqual([200, 0]);
      expect(headResponse.headers).toMatchObject({ etag, 'content-length': headers['content-length'] });
      expect(storage.reads).toEqual([]);
    }
  });

  test('answers not-found without headers of the file if it disappears between lookup and read', async () => {
    const realStorage = createDirectoryStorage(openFolderStorage());
    const moveToTrash = async (key: string) => {
      if (await realStorage.stat(key)) await realStorage.move(key, `trash/${key}`);
    };
    let isGoing = false;
    const storage: Storage = {
      ...realStorage,
      read: async (key, range) => (isGoing && (await moveToTrash(key)), realStorage.read(key, range)),
      withLocalFile: async (key, use) => (isGoing && (await moveToTrash(key)), realStorage.withLocalFile(key, use)),
    };
    const { anna, pictures, moving } = await createFilesOfAnna(fresh, storage);
    const { id } = (await fetchFrames(anna))[0]!.uploads[0]!;
    isGoing = true;
    for (const path of [...pictures, ...moving]) {
      const { status, json, headers } = await anna.get(path, { range: 'bytes=0-9' });
      expect([status, json], path).toMatchObject([404, { code: 'not-found', message: refusals['not-found'].words }]);
      for (const name of ['etag', 'last-modified', 'content-range', 'content-disposition', 'accept-ranges'])
        expect(headers, path).not.toHaveProperty(name);
    }
    expect((await anna.get(`/api/uploads/${id}/seen`)).json).toMatchObject({ code: 'not-found' });
  });

  test.each(['directory', 's3'] as const)(
    'sends exactly the requested range, and reads only this range from the store (%s)',
    async (kind) => {
      const storage = countReads(
        kind === 's3' ? await openBucketStorage() : createDirectoryStorage(openFolderStorage()),
      );
      const { anna } = await createFilesOfAnna(fresh, storage);
      const size = videoBytes.length;
      const wholeResponse = await anna.get('/videos/kite.mp4');
      expect(wholeResponse.headers).toMatchObject({ 'accept-ranges': 'bytes', 'content-length': String(size) });
      const { etag, 'last-modified': modified } = wholeResponse.headers as Record<string, string>;
      const requestFile = async (headers: Record<string, string>, method = 'GET') => {
        storage.reads.splice(0);
        return anna.call(method, '/videos/kite.mp4', undefined, headers);
      };
      for (const [headers, start, end] of [
        [{ range: 'bytes=0-0' }, 0, 0],
        [{ range: 'bytes=1000-1999' }, 1000, 1999],
        [{ range: 'bytes=299990-' }, 299_990, size - 1],
        [{ range: 'bytes=299990-400000' }, 299_990, size - 1],
        [{ range: 'bytes=-500' }, size - 500, size - 1],
        [{ range: 'bytes=0-99,50-199' }, 0, 199], // overlapping ranges are one range
        [{ range: 'bytes=5-9', 'if-range': etag! }, 5, 9],
        [{ range: 'bytes=5-9', 'if-range': modified! }, 5, 9],
      ] as const) {
        const response = await requestFile(headers);
        expect(response.status, headers.range).toBe(206);
        expect(response.headers).toMatchObject({
          'content-range': `bytes ${start}-${end}/${size}`,
          'content-length': String(end - start + 1),
        });
        expect(response.bytes.equals(videoBytes.subarray(start, end + 1))).toBe(true);
        expect(storage.reads, headers.range).toEqual([end - start + 1]);
      }
      const headResponse = await requestFile({ range: 'bytes=0-9' }, 'HEAD');
      expect([headResponse.status, headResponse.headers['content-length'], headResponse.bytes.length]).toEqual([
        206,
        '10',
        0,
      ]);
      expect(storage.reads).toEqual([]);
      for (const headers of [
        { range: 'bytes=0-9,1000-1009' }, // several separate ranges: sends the whole file
        { range: 'bytes=5-2' },
        { range: 'bytes=nonsense' },
        { range: 'lines=0-9' },
        { range: 'lines=400000-' },
        { range: 'bytes=0-9', 'if-range': '"another"' },
        { range: 'bytes=0-9', 'if-range': `W/${etag}` },
        { range: 'bytes=0-9', 'if-range': new Date(0).toUTCString() },
      ]) {
        const response = await requestFile(headers);
        expect([response.status, response.bytes.equals(videoBytes)], JSON.stringify(headers)).toEqual([200, true]);
      }
      for (const range of ['bytes=300000-', 'bytes=400000-500000', 'bytes=-0']) {
        const response = await requestFile({ range });
        expect([response.status, response.headers['content-range'], response.text], range).toEqual([
          416,
          `bytes */${size}`,
          '',
        ]);
        expect(storage.reads).toEqual([]);
      }
    },
  );
});

function openFolderStorage(): string {
  const path = mkdtempSync(join(tmpdir(), 'kinframe-files-'));
  onTestFinished(() => rmSync(path, { recursive: true, force: true }));
  return path;
}

async function openBucketStorage(): Promise<Storage> {
  const server = await startS3Server();
  onTestFinished(() => server.stop());
  return createS3Storage(server.settings, openFolderStorage());
}

/** Wraps a store and records how many bytes each read takes from it. */
function countReads(storage: Storage): Storage & { reads: number[] } {
  const readOffsets: number[] = [];
  return {
    ...storage,
    reads: readOffsets,
    async read(key, range) {
      const readIndex = readOffsets.push(0) - 1;
      const byteCounter = new Transform({
        transform(chunk: Buffer, _encoding, done) {
          readOffsets[readIndex]! += chunk.length;
          done(null, chunk);
        },
      });
      return (await storage.read(key, range)).pipe(byteCounter);
    },
  };
}
