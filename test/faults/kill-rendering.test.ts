import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type pg from 'pg';
import { beforeAll, expect, onTestFinished, test, vi } from 'vitest';
import { findFfmpeg } from '#adapters/animation/ffmpeg.ts';
import { readVideoFacts } from '#adapters/animation/video-facts.ts';
import { createS3Storage } from '#adapters/storage/s3.ts';
import { startS3Server } from '#adapters/storage/s3-server.ts';
import { startJobs } from '#server/jobs/jobs.ts';
import type { Animator } from '#shop/ports/animator.ts';
import { build } from '../../scripts/build.ts';
import { createDatabase, describeOnPostgres, openPool } from '../database.ts';
import { openDatabase } from '#adapters/database/database.ts';
import { fakeAnimator } from '../fake-animator.ts';
import { buyFramesAsAnna, createSmallPhoto, uploadTo } from '../people.ts';
import { migrationsFolder } from '#server/project-folder.ts';
import { openTestShop, type TestShop } from '../shop.ts';
import { RunningShop } from './running-shop.ts';

function createFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'kinframe-line-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}
async function startBucket() {
  const s3Server = await startS3Server();
  onTestFinished(() => s3Server.stop());
  const storage = createS3Storage(s3Server.settings, createFolder());
  const listKeys = async (prefix: string) => {
    const keys: string[] = [];
    for await (const { key } of storage.list(prefix)) keys.push(key);
    return keys.toSorted();
  };
  return { settings: s3Server.settings, storage, keysIn: listKeys };
}
interface Row {
  state: string;
  take: number;
  video_key: string;
  poster_key: string;
  clip_key: string | null;
}
const readVideoRows = async (database: pg.Pool) =>
  (await database.query<Row>('select state, take, video_key, poster_key, clip_key from videos')).rows;

describeOnPostgres(() => {
  beforeAll(() => build(), 600_000);

  test('after ten kill -9 of workers during renders, every video exists once', { timeout: 600_000 }, async () => {
    const { settings, storage, keysIn: listKeys } = await startBucket();
    const url = (await createDatabase()).href;
    const env = {
      DATABASE_URL: url,
      S3_BUCKET: settings.bucket,
      S3_ENDPOINT: settings.endpoint,
      S3_REGION: settings.region,
      S3_ACCESS_KEY_ID: settings.accessKeyId,
      S3_SECRET_ACCESS_KEY: settings.secretAccessKey,
      RATE_LIMITS: 'off',
    };
    const startProcess = async (role: string) => {
      const shop = await RunningShop.start(createFolder(), { ...env, ROLE: role });
      onTestFinished(() => void shop.end('SIGKILL'));
      return shop;
    };
    const web = await (await startProcess('web')).waitUntilReady();
    const { browser: anna, frames } = await buyFramesAsAnna({ browser: () => web.browser() } as unknown as TestShop);
    const { deviceId } = frames[0]!;
    const photoCount = 6;
    for (let at = 0; at < photoCount; at++) expect((await uploadTo(anna, deviceId)).status).toBe(200);
    expect((await anna.post('/api/uploads/finalize', { deviceId })).status).toBe(200);

    const database = openPool(url);
    const workers = await Promise.all([startProcess('worker'), startProcess('worker')]);
    const expectRendering = async () => {
      const { rows } = await database.query(`select 1 from videos where state = 'rendering' and progress > 0`);
      expect(rows.length).toBeGreaterThan(0);
    };
    for (let kill = 0; kill < 10; kill++) {
      await vi.waitFor(expectRendering, { timeout: 120_000, interval: 50 });
      const workerIndex = kill % workers.length;
      await workers[workerIndex]!.end('SIGKILL');
      workers[workerIndex] = await startProcess('worker');
    }
    const videos = await vi.waitFor(
      async () => {
        const rows = await readVideoRows(database);
        expect(rows.map((it) => it.state)).toEqual(Array(photoCount).fill('rendered'));
        return rows;
      },
      { timeout: 240_000, interval: 250 },
    );
    expect(new Set(videos.map((it) => it.video_key)).size).toBe(photoCount);
    expect(videos.every((it) => it.take === 1)).toBe(true);
    const { path: ffmpeg } = await findFfmpeg();
    for (const { video_key: key } of videos) {
      const videoFacts = await storage.withLocalFile(key, (path) => readVideoFacts(ffmpeg, path));
      expect(videoFacts).toMatchObject({ codec: 'h264', width: 1280, height: 800 });
    }
    // Other files may exist too: a killed worker can leave files that no row names. The sweep deletes them later.
    const namedFiles = videos.flatMap((it) => [it.video_key, it.poster_key, it.clip_key]).filter((key) => key !== null);
    expect([...(await listKeys('videos/')), ...(await listKeys('posters/'))]).toEqual(
      expect.arrayContaining(namedFiles),
    );
  });

  test('two workers on one database and one bucket make each of forty videos once', { timeout: 240_000 }, async () => {
    const { settings, keysIn: listKeys } = await startBucket();
    const url = (await createDatabase()).href;
    const renderedVideos: string[] = [];
    const animator: Animator = {
      ...fakeAnimator,
      start: (request) => (renderedVideos.push(request.id), fakeAnimator.start(request)),
    };
    const createFreshDatabase = async () => {
      const database = await openDatabase({
        url,
        dataDir: '',
        migrationsFolder,
        onError: console.error,
        pollSeconds: 1,
      });
      onTestFinished(() => database.close());
      return database;
    };
    const openShop = () =>
      openTestShop(createFreshDatabase, { animator, storage: createS3Storage(settings, createFolder()) });
    const [one, two] = [await openShop(), await openShop()];
    const { browser, frames } = await buyFramesAsAnna(one, { quantity: 2 });
    const photo = await createSmallPhoto();
    for (const { deviceId } of frames) {
      await Promise.all(Array.from({ length: 20 }, () => uploadTo(browser, deviceId, photo)));
      expect((await browser.post('/api/uploads/finalize', { deviceId })).status).toBe(200);
    }
    await Promise.all([startJobs(one.shop), startJobs(two.shop)]);
    const database = openPool(url);
    const videos = await vi.waitFor(
      async () => {
        const rows = await readVideoRows(database);
        expect(rows.filter((it) => it.state === 'rendered')).toHaveLength(40);
        return rows;
      },
      { timeout: 120_000, interval: 250 },
    );
    expect(renderedVideos).toHaveLength(40);
    expect(await listKeys('videos/')).toEqual(videos.map((it) => it.video_key).toSorted());
    expect(await listKeys('posters/')).toEqual(videos.map((it) => it.poster_key).toSorted());
  });
});
