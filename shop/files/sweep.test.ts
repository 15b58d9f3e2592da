import { mkdirSync, readdirSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { sql } from 'drizzle-orm';
import { expect, test } from 'vitest';
import { registerFileJobs } from '#server/jobs/files.ts';
import { namedFiles } from '#server/named-files.ts';
import { openWorkFolder, deleteOldWorkFiles } from '#server/work-folder.ts';
import type { Storage } from '#shop/ports/storage.ts';
import { describeOnFastestEngine } from '#test/database.ts';
import { buyFramesAsAnna, createPhotoForm, createSmallPhoto, uploadTo } from '#test/people.ts';
import { countRows, readQueuedMails } from '#test/rows.ts';
import { openTestShop, type TestShop } from '#test/shop.ts';
import { describeOnEachEngineAndStore } from '#test/stores.ts';
import { redoVideo } from '../production/production.ts';
import { renderVideo } from '../production/render.ts';
import { sweepFiles } from './sweep.ts';

const hourMs = 3_600_000;
const sweepShop = (it: TestShop, more: Partial<Parameters<typeof sweepFiles>[0]> = {}) =>
  sweepFiles({
    ...it.shop,
    clock: it.clock,
    fileSources: namedFiles,
    isLimited: true,
    notifyOwner: async () => {},
    ...more,
  });
async function listKeys(it: TestShop, prefix: string): Promise<string[]> {
  const keys: string[] = [];
  for await (const { key } of it.shop.storage.list(prefix)) keys.push(key);
  return keys.toSorted();
}
async function storeOrphans(it: TestShop, count: number) {
  const keys = Array.from({ length: count }, (_, i) => `display/orphan-${i}.jpg`);
  for (const key of keys) await it.shop.storage.put(key, Buffer.from(key), 'image/jpeg');
  return keys.toSorted();
}
/** Runs the server's sweep job once. */
async function runSweepJob(it: TestShop) {
  const handlers: ((data: never, attempt: { signal: AbortSignal; isLastTry: boolean }) => Promise<void>)[] = [];
  const jobs = {
    startWorkers: async (_: unknown, handler: never) => void handlers.push(handler),
    schedule: async () => {},
  };
  await registerFileJobs(jobs, { ...it.shop, clock: it.clock });
  for (const handler of handlers)
    await handler({} as never, { signal: new AbortController().signal, isLastTry: false });
}

describeOnFastestEngine((fresh) => {
  test('moves files that no row names to the trash after one hour, but never named files', async () => {
    const testShop = await openTestShop(fresh);
    const { browser, frames } = await buyFramesAsAnna(testShop);
    const { deviceId } = frames[0]!;
    const photo = (await uploadTo(browser, deviceId)).json;
    const qrPhotoForm = createPhotoForm(undefined, await createSmallPhoto());
    qrPhotoForm.append('qrPhoto', new Blob([new Uint8Array(await createSmallPhoto())]), 'qr.jpg');
    expect((await browser.put(`/api/devices/${deviceId}/connection`, qrPhotoForm)).status).toBe(200);
    await browser.post('/api/uploads/finalize', { deviceId });
    const { rows } = await testShop.shop.db.execute<{ id: string }>(sql`select id from videos`);
    await renderVideo(
      { ...testShop.shop, autoApproves: async () => false },
      { videoId: rows[0]!.id, take: 1 },
      { signal: new AbortController().signal, isLastTry: false },
    );

    const filesFolder = join(testShop.shop.config.dataDir, 'files');
    const folders = ['originals', 'display', 'thumbnails', 'videos', 'posters', 'connections'];
    const keptFiles = folders.flatMap((folder) =>
      readdirSync(join(filesFolder, folder)).map((name) => `${folder}/${name}`),
    );
    expect(keptFiles).toHaveLength(6);
    for (const folder of folders) {
      writeFileSync(join(filesFolder, folder, 'orphan.jpg'), 'x');
      writeFileSync(join(filesFolder, folder, 'young-orphan.jpg'), 'x');
    }
    const listStoredNames = () =>
      folders.flatMap((folder) => readdirSync(join(filesFolder, folder)).map((name) => `${folder}/${name}`));
    expect(await sweepShop(testShop)).toMatchObject({ files: 18, orphans: 0, trashed: 0 }); // no file is one hour old
    testShop.clock.advance(61 * 60_000);
    const startTime = testShop.clock.now();
    for (const folder of folders) utimesSync(join(filesFolder, folder, 'young-orphan.jpg'), startTime, startTime);
    expect(await sweepShop(testShop)).toMatchObject({ files: 18, orphans: 6, trashed: 6, isStopped: false });
    expect(listStoredNames().toSorted()).toEqual(
      [...keptFiles, ...folders.map((folder) => `${folder}/young-orphan.jpg`)].toSorted(),
    );
    expect((await browser.get(photo.url)).status).toBe(200);
  });

  test('moves the old files of a replaced QR photo and a redone video to the trash', async () => {
    const testShop = await openTestShop(fresh);
    const { browser, frames } = await buyFramesAsAnna(testShop);
    const { deviceId } = frames[0]!;
    for (let i = 0; i < 3; i++) {
      const form = new FormData();
      form.append('qrPhoto', new Blob([new Uint8Array(await createSmallPhoto())]), 'qr.jpg');
      await browser.put(`/api/devices/${deviceId}/connection`, form);
    }
    expect(await listKeys(testShop, 'connections/')).toHaveLength(1);
    expect(await listKeys(testShop, 'trash/connections/')).toHaveLength(2);
    const [frame] = (await browser.get('/api/frame-photo-limits')).json.frames;
    expect((await browser.get(frame.qrPhotoPath)).status).toBe(200);

    await uploadTo(browser, deviceId);
    await browser.post('/api/uploads/finalize', { deviceId });
    const { rows } = await testShop.shop.db.execute<{ id: string }>(sql`select id from videos`);
    const videoId = rows[0]!.id;
    const renderTakeOf = (take: number) =>
      renderVideo(
        { ...testShop.shop, autoApproves: async () => false },
        { videoId, take },
        { signal: new AbortController().signal, isLastTry: false },
      );
    await renderTakeOf(1);
    const firstKeys = [...(await listKeys(testShop, 'posters/')), ...(await listKeys(testShop, 'videos/'))];
    await redoVideo(testShop.shop, videoId, undefined);
    expect([...(await listKeys(testShop, 'posters/')), ...(await listKeys(testShop, 'videos/'))]).toEqual(firstKeys); // the files of the current versions are still stored
    await renderTakeOf(2);
    expect(await listKeys(testShop, 'trash/')).toEqual(expect.arrayContaining(firstKeys.map((key) => `trash/${key}`)));
    expect(await listKeys(testShop, 'videos/')).toHaveLength(1);
    testShop.clock.advance(2 * hourMs);
    expect(await sweepShop(testShop)).toMatchObject({ orphans: 0, restored: 0, erased: 0 });
    // The rows of `discarded_files` stay as long as the files are in the trash.
    expect(await countRows(testShop.shop.db, 'discarded_files')).toBe(4);
    testShop.clock.advance(8 * 24 * hourMs);
    expect(await sweepShop(testShop)).toMatchObject({ orphans: 0, erased: 4 });
    expect(await listKeys(testShop, 'trash/')).toEqual([]);
    expect(await countRows(testShop.shop.db, 'discarded_files')).toBe(0);
  });

  test('removes temporary files of a dead process if they are old or no other process uses the folder', async () => {
    const testShop = await openTestShop(fresh);
    const { dataDir } = testShop.shop.config;
    const folder = openWorkFolder(dataDir, { isOurs: false });
    mkdirSync(join(folder, 'form-old'));
    writeFileSync(join(folder, 'form-old', 'file-0'), 'x');
    utimesSync(join(folder, 'form-old'), 1, 1);
    mkdirSync(join(folder, 'form-young'));
    await deleteOldWorkFiles(folder);
    expect(readdirSync(folder)).toEqual(['form-young']);
    openWorkFolder(dataDir, { isOurs: false });
    expect(readdirSync(folder)).toEqual(['form-young']); // another process may use this young folder
    openWorkFolder(dataDir, { isOurs: true });
    expect(readdirSync(folder)).toEqual([]);
  });
});

describeOnEachEngineAndStore((fresh, freshStore) => {
  test('keeps files that no row names in the trash for seven days, and then deletes them', async () => {
    const testShop = await openTestShop(fresh, { env: await freshStore() });
    const orphans = await storeOrphans(testShop, 5);
    testShop.clock.advance(2 * hourMs);
    expect(await sweepShop(testShop)).toMatchObject({ files: 5, orphans: 5, trashed: 5, erased: 0 });
    expect(await listKeys(testShop, 'display/')).toEqual([]);
    expect(await listKeys(testShop, 'trash/')).toEqual(orphans.map((key) => `trash/${key}`));
    expect(await text(await testShop.shop.storage.read(`trash/${orphans[0]}`))).toBe(orphans[0]); // the file in the trash is still readable
    testShop.clock.advance(6.5 * 24 * hourMs);
    expect(await sweepShop(testShop)).toMatchObject({ files: 0, orphans: 0, erased: 0 });
    testShop.clock.advance(24 * hourMs);
    expect(await sweepShop(testShop)).toMatchObject({ erased: 5 });
    expect(await listKeys(testShop, '')).toEqual(['shop-id.txt']);
  });

  test('restores a file from the trash if a row names it, even after seven days', async () => {
    const testShop = await openTestShop(fresh, { env: await freshStore() });
    const { browser, frames } = await buyFramesAsAnna(testShop);
    await uploadTo(browser, frames[0]!.deviceId);
    const { rows } = await testShop.shop.db.execute(sql`select * from uploads`);
    await testShop.shop.db.execute(sql`delete from uploads`); // as in a database restored from an older backup
    testShop.clock.advance(2 * hourMs);
    expect(await sweepShop(testShop)).toMatchObject({ trashed: 3 });
    expect(await listKeys(testShop, 'trash/')).toHaveLength(3);
    await testShop.shop.db.execute(
      sql`insert into uploads select * from json_populate_recordset(null::uploads, ${JSON.stringify(rows)}::json)`,
    );
    testShop.clock.advance(8 * 24 * hourMs); // longer than files stay in the trash
    expect(await sweepShop(testShop)).toMatchObject({ restored: 3, erased: 0, orphans: 0 });
    expect(await listKeys(testShop, 'trash/')).toEqual([]);
    const [row] = rows;
    for (const key of [row!['original_key'], row!['display_key'], row!['thumbnail_key']])
      expect(await testShop.shop.storage.stat(String(key))).toBeDefined();
  });

  test('with too many orphans, the sweep changes nothing and emails the owner once until a sweep without a limit has run', async () => {
    const env = await freshStore();
    const testShop = await openTestShop(fresh, { env });
    const orphanKeys = await storeOrphans(testShop, 1);
    testShop.clock.advance(2 * hourMs);
    await runSweepJob(testShop);
    const orphans = await storeOrphans(testShop, 21);
    testShop.clock.advance(8 * 24 * hourMs);
    for (let i = 0; i < 3; i++) await runSweepJob(testShop);
    expect(await listKeys(testShop, 'display/')).toEqual(orphans);
    expect(await listKeys(testShop, 'trash/')).toEqual([`trash/${orphanKeys[0]}`]);
    const mails = await readQueuedMails(testShop.shop.db, 'sweep-stopped');
    expect(mails).toMatchObject([{ content: { kind: 'owner-sweep-stopped', files: 21, orphans: 21 } }]);

    await runSweepJob({
      ...testShop,
      shop: { ...testShop.shop, config: { ...testShop.shop.config, limitsSweep: false } },
    });
    expect(await listKeys(testShop, 'display/')).toEqual([]);
    expect(await listKeys(testShop, 'trash/')).toEqual(orphans.map((key) => `trash/${key}`));
    await storeOrphans(testShop, 22);
    testShop.clock.advance(2 * hourMs);
    await runSweepJob(testShop); // the sweep stops again and emails the owner a second time
    expect(await readQueuedMails(testShop.shop.db, 'sweep-stopped')).toHaveLength(2);
    expect(await listKeys(testShop, 'display/')).toHaveLength(22);
  });
});

describeOnFastestEngine((fresh) => {
  test('the limit of orphans per sweep is one percent of the files, but at least 20 and at most 1,000', async () => {
    const testShop = await openTestShop(fresh);
    for (const [files, orphans, isStopped] of [
      [1999, 20, false],
      [1999, 21, true],
      [5000, 50, false],
      [5000, 51, true],
      [150_000, 1000, false],
      [150_000, 1001, true],
    ] as const) {
      const storageListing: Storage = {
        ...testShop.shop.storage,
        move: async () => {},
        async *list(prefix) {
          if (prefix !== 'display/') return;
          for (let i = 0; i < files; i += 1) yield { key: `display/${i}.jpg`, modifiedAt: new Date(0), sizeBytes: 1 };
        },
      };
      // The orphans are listed last, so their number is only known after all files are listed.
      const source = {
        folders: ['display/'],
        selectNamed: async (_: unknown, keys: string[]) =>
          new Set(keys.filter((key) => Number(/\d+/.exec(key)![0]) < files - orphans)),
        listNamedFrom: async () => [],
        every: sql`select null as key`,
      };
      const sweepResult = await sweepShop(testShop, { storage: storageListing, fileSources: [source] });
      expect(sweepResult).toMatchObject({ files, orphans, trashed: isStopped ? 0 : orphans, isStopped });
    }
  });

  test('no two modules store files in the same folder', () => {
    const folders = namedFiles.flatMap((source) => source.folders);
    expect(new Set(folders).size).toBe(folders.length);
  });
});
