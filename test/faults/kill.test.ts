import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import sharp from 'sharp';
import { beforeAll, expect, onTestFinished, test, vi } from 'vitest';
import { findFfmpeg } from '#adapters/animation/ffmpeg.ts';
import { isFaststart, readVideoFacts } from '#adapters/animation/video-facts.ts';
import { listDescendants, isProcessAlive } from '#adapters/processes/process-table.ts';
import { build } from '../../scripts/build.ts';
import { buyFramesAsAnna, fetchFrames, uploadTo } from '../people.ts';
import { createResumableUpload, fetchUploadOffset, sendPiece, sendRemainder } from '../resumable-upload.ts';
import { paintGarden } from '../photos/garden.ts';
import { adminPassword, type Browser, type TestShop } from '../shop.ts';
import { RunningShop } from './running-shop.ts';

beforeAll(() => build(), 600_000);

const waitOptions = { timeout: 240_000, interval: 100 };

test(
  'after kill -9 during a render and a restart, the shop finishes the same video and has lost nothing',
  { timeout: 600_000 },
  async () => {
    const dataDir = mkdtempSync(join(tmpdir(), 'kinframe-killed-'));
    let shop = await RunningShop.start(dataDir);
    onTestFinished(async () => {
      await shop.end('SIGKILL');
      rmSync(dataDir, { recursive: true, force: true });
    });
    await shop.waitUntilReady();

    const secondShop = await RunningShop.start(dataDir);
    expect(await secondShop.waitForExit()).toBe(1);
    expect(secondShop.output).toContain(`${dataDir} is in use by another process`);
    expect(secondShop.output).not.toMatch(/\n\s+at /);

    const { browser: anna, frames } = await buyFramesAsAnna({ browser: () => shop.browser() } as unknown as TestShop, {
      extraPackages: 1,
      quantity: 2,
    });
    const { deviceId } = frames[0]!;
    for (const [width, height] of [
      [1600, 1200],
      [1200, 1600],
    ] as const) {
      const photo = await sharp(paintGarden(width, height).toBuffer('image/png'))
        .jpeg()
        .withExif({ IFD0: { Make: 'Kinframe' } })
        .toBuffer();
      const response = await uploadTo(anna, deviceId, photo);
      expect(response.status, response.text).toBe(200);
    }
    expect((await anna.post('/api/uploads/finalize', { deviceId })).status).toBe(200);
    const admin = shop.browser();
    expect((await admin.post('/api/admin/auth/password', { password: adminPassword })).status).toBe(200);
    const rendering = await vi.waitFor(async () => {
      const renderingVideo = (await readVideosOf(admin)).find((it) => it.state === 'rendering' && it.progress > 0);
      expect(renderingVideo).toBeDefined();
      return renderingVideo!;
    }, waitOptions);
    // Resumable uploads are in progress when the process is killed. `acceptedPhotoIds` lists the photos that the shop has
    // acknowledged.
    const secondFrameId = frames[1]!.deviceId;
    const acceptedPhotoIds: string[] = [];
    const unfinishedUploads = new Map<string, { photo: Buffer; arrived: number }>();
    const uploadsPromise = Promise.allSettled(
      Array.from({ length: 4 }, async (_, line) => {
        for (let i = 0; ; i++) {
          const photo = await createNoisyPhoto(320 + 8 * line + i);
          const uploadUrl = await createResumableUpload(anna, secondFrameId, photo.length);
          for (let start = 0; start < photo.length; start += pieceBytes) {
            const response = await sendPiece(anna, uploadUrl, start, photo.subarray(start, start + pieceBytes));
            if (response.status === 200) acceptedPhotoIds.push(response.json.id);
            else if (response.status === 204) unfinishedUploads.set(uploadUrl, { photo, arrived: start + pieceBytes });
            else return; // the upload is refused, because the frame is full
          }
          unfinishedUploads.delete(uploadUrl);
        }
      }),
    );
    await vi.waitFor(() => expect(acceptedPhotoIds.length).toBeGreaterThan(2), waitOptions);
    const children = listDescendants(shop.child.pid!);
    expect(children.length).toBeGreaterThan(0);
    await shop.end('SIGKILL');
    await uploadsPromise;
    await vi.waitFor(() => expect(children.filter(isProcessAlive)).toEqual([]), { timeout: 20_000 });

    shop = await (await RunningShop.start(dataDir)).waitUntilReady();
    const annaAfterRestart = reconnectBrowser(shop, anna);
    const owner = reconnectBrowser(shop, admin);
    const [first, other] = await fetchFrames(annaAfterRestart);
    expect(first).toMatchObject({ deviceId, usedPhotos: 2, uploadFinalized: true, uploads: [{}, {}] });
    expect(other!.uploads.map((it) => it.id)).toEqual(expect.arrayContaining(acceptedPhotoIds));
    for (const { url } of other!.uploads) expect((await annaAfterRestart.get(url)).status).toBe(200);
    for (const [address, { photo, arrived }] of unfinishedUploads) {
      expect(
        Number((await fetchUploadOffset(annaAfterRestart, address)).headers['upload-offset']),
      ).toBeGreaterThanOrEqual(arrived);
      expect((await sendRemainder(annaAfterRestart, address, photo, pieceBytes)).status).toBe(200);
    }
    const photoCount = (await fetchFrames(annaAfterRestart)).reduce((sum, it) => sum + it.usedPhotos, 0);
    expect((await owner.get('/api/admin/stats')).json).toMatchObject({
      totalOrders: 1,
      totalUsers: 1,
      totalUploads: photoCount,
    });
    const videos = await vi.waitFor(async () => {
      const allVideos = await readVideosOf(owner);
      expect(allVideos.map((it) => it.state)).toEqual(['rendered', 'rendered']);
      return allVideos;
    }, waitOptions);
    const finishedVideo = videos.find((it) => it.id === rendering.id)!;
    expect(finishedVideo).toMatchObject({ uploadId: rendering.uploadId, take: 1, progress: 1, failure: null });

    const { path: ffmpeg } = await findFfmpeg();
    for (const { videoUrl, clipUrl } of videos) {
      expect((await owner.get(clipUrl)).headers['content-type']).toBe('video/mp4');
      expect((await shop.browser().get(clipUrl)).status).toBe(404);
      const file = join(dataDir, 'downloaded.mp4');
      writeFileSync(file, (await owner.get(videoUrl)).bytes);
      expect(await readVideoFacts(ffmpeg, file)).toMatchObject({
        codec: 'h264',
        pixelFormat: 'yuv420p',
        width: 1280,
        height: 800,
      });
      expect(await isFaststart(file)).toBe(true);
    }
    // The working files of the killed process are deleted, and none of its child processes still run.
    await vi.waitFor(() => expect(readdirSync(join(dataDir, 'work'))).toEqual([]), { timeout: 20_000 });
    expect(listDescendants(shop.child.pid!)).toEqual([]);
    const listStoredFiles = (folder: string) => readdirSync(join(dataDir, 'files', folder)).length;
    // The kill may leave files that no row names yet. The sweep deletes them.
    for (const folder of ['originals', 'display', 'thumbnails'])
      expect(listStoredFiles(folder)).toBeGreaterThanOrEqual(photoCount);
    expect(listStoredFiles('videos')).toBeGreaterThanOrEqual(4); // each video has a preview clip
    expect(listStoredFiles('posters')).toBeGreaterThanOrEqual(2);

    expect(await shop.end('SIGTERM')).toBe(0);
  },
);

const pieceBytes = 8000;
const createNoisyPhoto = (width: number) =>
  sharp({ create: { width, height: 240, channels: 3, background: '#777', noise: { type: 'gaussian', sigma: 30 } } })
    .jpeg()
    .toBuffer();

interface Video {
  id: string;
  uploadId: string;
  state: string;
  progress: number;
  videoUrl: string;
  clipUrl: string;
}
async function readVideosOf(admin: Browser): Promise<Video[]> {
  const [order] = (await admin.get('/api/admin/production-orders')).json;
  return order.frames.flatMap((frame: { videos: Video[] }) => frame.videos);
}

/** A browser for the restarted shop, with the cookies of an earlier browser. */
function reconnectBrowser(shop: RunningShop, before: Browser): Browser {
  const browser = shop.browser();
  for (const [name, value] of before.cookies) browser.cookies.set(name, value);
  return browser;
}
