import { once } from 'node:events';
import { readdirSync } from 'node:fs';
import { connect, createServer, type AddressInfo, type Socket } from 'node:net';
import { join } from 'node:path';
import { sql } from 'drizzle-orm';
import { expect, onTestFinished, test } from 'vitest';
import { openDatabase } from '#adapters/database/database.ts';
import { namedFiles } from '#server/named-files.ts';
import { sweepFiles } from '#shop/files/sweep.ts';
import { renderVideo } from '#shop/production/render.ts';
import { createDatabase, describeOnPostgres } from '../database.ts';
import { buyFramesAsAnna, fetchFrames, createPhotoForm, createSmallPhoto, uploadTo } from '../people.ts';
import { countRows } from '../rows.ts';
import { migrationsFolder } from '#server/project-folder.ts';
import { openTestShop, type TestShop } from '../shop.ts';

/**
 * A proxy to PostgreSQL that breaks once, at a commit or another chosen statement: either before the statement arrives,
 * or while its response is on the way back. The client cannot tell the two cases apart.
 */
class BreakingProxy {
  #breaks: { texts: string[]; lost: 'statement' | 'response' } | undefined;

  /**
   * Breaks the connection on which a client sends all of these texts in this order, at the last text. `lost` says what
   * the break loses: the statement or its response.
   */
  loseAt(lost: 'statement' | 'response', ...texts: string[]): void {
    this.#breaks = { texts, lost };
  }
  get hasBroken(): boolean {
    return this.#breaks === undefined;
  }

  async startProxyTo(target: number): Promise<number> {
    const server = createServer((near) => this.#connectSockets(near, connect(target, '127.0.0.1'))).listen(
      0,
      '127.0.0.1',
    );
    await once(server, 'listening');
    onTestFinished(() => void server.close());
    return (server.address() as AddressInfo).port;
  }

  #connectSockets(near: Socket, far: Socket): void {
    const cutConnection = () => [near, far].forEach((socket) => socket.destroy());
    for (const socket of [near, far]) socket.on('error', () => {}).once('close', cutConnection);
    let matched = 0;
    let isLosing = false;
    near.on('data', (bytes) => {
      if (this.#breaks && bytes.includes(this.#breaks.texts[matched]!)) matched += 1;
      if (this.#breaks?.texts.length === matched) {
        const { lost } = this.#breaks;
        this.#breaks = undefined;
        if (lost === 'statement') return cutConnection();
        isLosing = true;
      }
      far.write(bytes);
    });
    // ReadyForQuery ends a response, so the server has already executed the statement.
    far.on('data', (bytes) => (isLosing ? bytes.includes('Z\0\0\0\u0005') && cutConnection() : near.write(bytes)));
  }
}

async function openShopOnWire(): Promise<TestShop & { wire: BreakingProxy }> {
  const url = await createDatabase();
  const breakingProxy = new BreakingProxy();
  url.port = String(await breakingProxy.startProxyTo(Number(url.port)));
  const database = await openDatabase({ url: url.href, dataDir: '', migrationsFolder, pollSeconds: 1 });
  onTestFinished(() => database.close());
  return { ...(await openTestShop(async () => database)), wire: breakingProxy };
}
const listStoredFiles = (it: TestShop, folder: string): string[] => {
  try {
    return readdirSync(join(it.shop.config.dataDir, 'files', folder));
  } catch {
    return [];
  }
};
const photoFolders = ['originals', 'display', 'thumbnails'];
const sweep = (it: TestShop) =>
  sweepFiles({ ...it.shop, clock: it.clock, fileSources: namedFiles, isLimited: true, notifyOwner: async () => {} });

describeOnPostgres(() => {
  test('if only a commit’s response is lost, the photo keeps its files and a retry returns the photo', async () => {
    const testShop = await openShopOnWire();
    const { browser, frames } = await buyFramesAsAnna(testShop);
    const form = createPhotoForm(frames[0]!.deviceId, await createSmallPhoto());
    form.append('key', crypto.randomUUID());
    testShop.wire.loseAt('response', 'insert into "uploads"', 'commit');
    const lostResponse = await browser.post('/api/upload', form);
    expect([lostResponse.status, lostResponse.json.code]).toEqual([503, 'unavailable']);
    expect(testShop.wire.hasBroken).toBe(true);
    expect(await countRows(testShop.shop.db, 'uploads')).toBe(1);

    const retryResponse = await browser.post('/api/upload', form);
    expect(retryResponse.status, retryResponse.text).toBe(200);
    expect(await fetchFrames(browser)).toMatchObject([{ usedPhotos: 1, uploads: [{ id: retryResponse.json.id }] }]);
    for (const folder of photoFolders) expect(listStoredFiles(testShop, folder)).toHaveLength(1);
    expect((await browser.get(retryResponse.json.url)).status).toBe(200);
    expect((await browser.get(retryResponse.json.thumbnailUrl)).status).toBe(200);
    testShop.clock.advance(2 * 3_600_000);
    expect(await sweep(testShop)).toMatchObject({ files: 3, orphans: 0 });
  });

  test('if a photo’s commit never arrives, the sweep removes its files, and the retry stores the photo', async () => {
    const testShop = await openShopOnWire();
    const { browser, frames } = await buyFramesAsAnna(testShop);
    const form = createPhotoForm(frames[0]!.deviceId, await createSmallPhoto());
    form.append('key', crypto.randomUUID());
    testShop.wire.loseAt('statement', 'insert into "uploads"', 'commit');
    expect((await browser.post('/api/upload', form)).status).toBe(503);
    expect(testShop.wire.hasBroken).toBe(true);
    expect(await countRows(testShop.shop.db, 'uploads')).toBe(0);
    for (const folder of photoFolders) expect(listStoredFiles(testShop, folder)).toHaveLength(1);

    const retryResponse = await browser.post('/api/upload', form);
    expect(retryResponse.status, retryResponse.text).toBe(200);
    expect(await fetchFrames(browser)).toMatchObject([{ usedPhotos: 1, uploads: [{ id: retryResponse.json.id }] }]);
    testShop.clock.advance(2 * 3_600_000);
    expect(await sweep(testShop)).toMatchObject({ files: 6, orphans: 3, trashed: 3 });
    expect((await browser.get(retryResponse.json.url)).status).toBe(200);
  });

  test.each(['response', 'statement'] as const)(
    'a row never names a missing QR picture if a commit loses its %s',
    async (lost) => {
      const testShop = await openShopOnWire();
      const { browser, frames } = await buyFramesAsAnna(testShop);
      const form = new FormData();
      form.append('qrPhoto', new Blob([new Uint8Array(await createSmallPhoto())]), 'qr.jpg');
      const saveConnection = () => browser.put(`/api/devices/${frames[0]!.deviceId}/connection`, form);
      testShop.wire.loseAt(lost, '"qr_photo_key" = $', 'commit');
      expect((await saveConnection()).status).toBe(503);
      expect(testShop.wire.hasBroken).toBe(true);
      const readQrPhotoPath = async () => (await browser.get('/api/frame-photo-limits')).json.frames[0].qrPhotoPath;
      expect(listStoredFiles(testShop, 'connections')).toHaveLength(1);
      const namedPath: string | null = await readQrPhotoPath();
      expect(namedPath !== null).toBe(lost === 'response');
      if (namedPath !== null) expect((await browser.get(namedPath)).status).toBe(200);
      expect((await saveConnection()).status).toBe(200);
      expect((await browser.get(await readQrPhotoPath())).status).toBe(200);
      testShop.clock.advance(2 * 3_600_000);
      await sweep(testShop);
      expect(listStoredFiles(testShop, 'connections')).toHaveLength(1);
      expect((await browser.get(await readQrPhotoPath())).status).toBe(200);
    },
  );

  test.each(['response', 'statement'] as const)(
    'a row never names a missing video if an update loses its %s',
    async (lost) => {
      const testShop = await openShopOnWire();
      const { browser, frames } = await buyFramesAsAnna(testShop);
      const { deviceId } = frames[0]!;
      await uploadTo(browser, deviceId);
      await browser.post('/api/uploads/finalize', { deviceId });
      const { rows } = await testShop.shop.db.execute<{ id: string }>(sql`select id from videos`);
      const render = () =>
        renderVideo(
          { ...testShop.shop, autoApproves: async () => false },
          { videoId: rows[0]!.id, take: 1 },
          { signal: new AbortController().signal, isLastTry: false },
        );
      testShop.wire.loseAt(lost, '"video_key" = $');
      await expect(render()).rejects.toThrow();
      expect(testShop.wire.hasBroken).toBe(true);
      for (const folder of ['videos', 'posters']) expect(listStoredFiles(testShop, folder)).toHaveLength(1);
      await render(); // the job queue retries the render
      testShop.clock.advance(2 * 3_600_000);
      await sweep(testShop);
      const { rows: storedVideos } = await testShop.shop.db.execute(
        sql`select state, video_key, poster_key from videos`,
      );
      expect(storedVideos[0]).toMatchObject({ state: 'rendered' });
      expect(listStoredFiles(testShop, 'videos').map((name) => `videos/${name}`)).toEqual([
        storedVideos[0]!['video_key'],
      ]);
      expect(listStoredFiles(testShop, 'posters').map((name) => `posters/${name}`)).toEqual([
        storedVideos[0]!['poster_key'],
      ]);
    },
  );
});
