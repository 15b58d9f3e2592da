import { execFileSync } from 'node:child_process';
import {
  copyFileSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  truncateSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { setTimeout as wait } from 'node:timers/promises';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createWriteStream } from 'node:fs';
import { sql } from 'drizzle-orm';
import { pack } from 'tar-stream';
import { afterAll, describe, expect, inject, onTestFinished, test, vi } from 'vitest';
import type { Database } from '#adapters/database/database.ts';
import {
  readAllRowsExceptBackups,
  readRowsAndFiles,
  waitForExit,
  createSettingsToKillAt,
  addManyFiles,
  spawnCommand,
} from '#test/backups.ts';
import {
  createMigratedDataFolder,
  createDatabase,
  describeOnPostgres,
  waitUntilStatementWaits,
} from '#test/database.ts';
import { startTamperingProxy } from '#test/faults/tampering-proxy.ts';
import { findFreePort } from '#test/free-port.ts';
import { adminPassword, openTestShop, type TestShop } from '#test/shop.ts';
import { canMountSmallDisk, mountSmallDisk } from '#test/small-disk.ts';
import { createFreshBucket } from '#test/stores.ts';
import { samplePassword } from '#db/sample/people.ts';
import { buyFramesAsAnna, annasPassword, buyAndVerify, fetchFrames, createSmallPhoto, uploadTo } from '#test/people.ts';
import { listMigrationTimes, copyMigrationsUntil } from '#adapters/database/migrations.ts';
import { createDirectoryStorage } from '#adapters/storage/directory.ts';
import { backups } from '#shop/backups/backups.sql.ts';
import { readLastBackup } from '#shop/backups/backups.ts';
import { reportStoredFiles } from '#shop/files/report.ts';
import { readConfig } from '../config.ts';
import { createLog } from '../log.ts';
import { namedFiles } from '../named-files.ts';
import { readArchive, createArchiveWriter } from './archive.ts';
import type { Manifest } from './snapshot.ts';
import { BackupRefused } from './backup-refused.ts';
import { registerBackupJobs, makeTodaysBackupIfDue } from '../jobs/backups.ts';
import { startJobs } from '../jobs/jobs.ts';
import { createObservedJobRegistrar } from '../jobs/observed-jobs.ts';
import { createDatabaseFromConfig, createStorageFromConfig } from '../adapters.ts';
import { migrationsFolder } from '../project-folder.ts';
import { secretsFilePath } from '../secrets.ts';
import { seedDemo } from '../seed-demo.ts';
import { makeBackup } from './make-backup.ts';
import { restoreBackup } from './restore-backup.ts';
import { openSnapshotSocket } from './snapshot-socket.ts';

/** Each test opens several databases and processes. */
vi.setConfig({ testTimeout: 300_000 });

type Settings = Record<string, string>;

function createFolder(): string {
  const path = mkdtempSync(join(tmpdir(), 'kinframe-backup-'));
  onTestFinished(() => rmSync(path, { recursive: true, force: true }));
  return path;
}

/** Settings for each combination of database engine and file store. */
const settingsFactories: Record<string, () => Promise<Settings>> = {
  'embedded, files in a folder': async () => ({ DATA_DIR: createMigratedDataFolder(createFolder()) }),
  'embedded, files in a bucket': async () => ({
    DATA_DIR: createMigratedDataFolder(createFolder()),
    ...(await createFreshBucket()),
  }),
  ...(inject('postgresUrl') && {
    'PostgreSQL, files in a folder': async () => ({
      DATA_DIR: createFolder(),
      DATABASE_URL: await createEmptyPostgres(),
    }),
    'PostgreSQL, files in a bucket': async () => ({
      DATA_DIR: createFolder(),
      DATABASE_URL: await createEmptyPostgres(),
      ...(await createFreshBucket()),
    }),
  }),
};
const createEmptyPostgres = async () => (await createDatabase({ isEmpty: true })).href;

/** Opens a shop with these settings. `close` or the end of the test closes it. */
async function openShopWith(settings: Settings): Promise<TestShop & { close: () => Promise<void> }> {
  let database: Database | undefined;
  const port = await findFreePort();
  const testShop = await openTestShop(
    async () => (database = await createDatabaseFromConfig(readConfig(settings), { onError: () => {} })),
    { env: { PORT: String(port), ...settings } },
  ).catch(async (error: unknown) => {
    await database?.close();
    throw error;
  });
  let isOpen = true;
  const close = async () => {
    if (!isOpen) return;
    isOpen = false;
    await testShop.app.close();
    await database!.close();
  };
  onTestFinished(close);
  return { ...testShop, close };
}

/** A shop with people, orders, photos, videos, mails and jobs. */
async function fillShop(settings: Settings) {
  const testShop = await openShopWith(settings);
  await startJobs(testShop.shop);
  await testShop.app.listen({ port: testShop.shop.config.port, host: '127.0.0.1' });
  await seedDemo(testShop.shop);
  await testShop.shop.database.jobs.stopWorkers();
  return testShop;
}

test('keeps all data when a shop moves from embedded to PostgreSQL and a bucket, and back, by backups', async () => {
  const settingsNames = Object.keys(settingsFactories);
  const settingsSequence = [settingsNames[0]!, settingsNames.at(-1)!, settingsNames[0]!];
  let settings = await settingsFactories[settingsSequence[0]!]!();
  await (await fillShop(settings)).close();
  const shopBefore = await readRowsAndFiles(settings);
  expect(Object.keys(shopBefore.files).length).toBeGreaterThan(20);
  for (const settingsName of settingsSequence.slice(1)) {
    const file = join(createFolder(), 'shop.backup');
    const backup = await makeBackup(readConfig(settings), file);
    expect(backup).toMatchObject({ older: 0, missing: { count: 0 } });
    settings = await settingsFactories[settingsName]!();
    expect(await restoreBackup(readConfig(settings), [file])).toMatchObject({ missing: [], jobsLeftOut: 0 });
    expect(await readRowsAndFiles(settings)).toEqual(shopBefore);
  }
  const restoredDatabase = await createDatabaseFromConfig(readConfig(settings), { withJobs: false });
  expect(await restoredDatabase.db.$count(backups)).toBe(2); // the two backups that it was restored from
  await restoredDatabase.close();
  const { browser } = await openShopWith(settings);
  const clara = browser();
  const signedIn = await clara.post('/api/auth/login', { email: 'clara@example.com', password: samplePassword });
  expect(signedIn.status).toBe(200);
  // A new order gets the next free order number: the restored counter is correct.
  expect((await buyAndVerify(clara)).verified.json).toMatchObject({ success: true });
});

/** Each engine and each store, but not each pair: a backup reads the rows first, and then the files that they name. */
const engineAndStore = inject('postgresUrl')
  ? ['embedded, files in a folder', 'PostgreSQL, files in a bucket']
  : Object.keys(settingsFactories);

describe.each(engineAndStore)('%s', (name) => {
  test('a backup made while the shop takes orders and photos contains every file that its rows name', async () => {
    const settings = await settingsFactories[name]!();
    const testShop = await openShopWith(settings);
    if (testShop.shop.database.engine === 'embedded') onTestFinished(await openSnapshotSocket(testShop.shop));
    const { browser: anna, frames } = await buyFramesAsAnna(testShop, { quantity: 2 });
    const stopController = new AbortController();
    let photoCount = 0;
    const photoUploads = frames.map(async ({ deviceId }) => {
      for (let i = 0; i < 20 && !stopController.signal.aborted; i++) {
        const response = await uploadTo(anna, deviceId, await createSmallPhoto());
        expect(response.status, response.text).toBe(200);
        photoCount += 1;
        // Delete every fourth photo right after its upload, so that files disappear during the backup.
        if (i % 4 === 3) await anna.delete(`/api/uploads/${response.json.id}`);
        await buyAndVerify(testShop.browser());
      }
    });
    await vi.waitFor(() => expect(photoCount).toBeGreaterThan(2), { timeout: 60_000 });
    const file = join(createFolder(), 'shop.backup');
    const backup = await makeBackup(readConfig(settings), file);
    stopController.abort();
    await Promise.all(photoUploads);
    const rowsAfterUploads = await readAllRowsExceptBackups(testShop.shop.db);
    await testShop.close();

    const targetSettings = await settingsFactories['embedded, files in a folder']!();
    const { missing } = await restoreBackup(readConfig(targetSettings), [file]);
    expect(missing).toHaveLength(backup.missing.count);
    const restoredShop = await openShopWith(targetSettings);
    const { looked, missing: absent } = await reportStoredFiles({ ...restoredShop.shop, fileSources: namedFiles });
    expect(looked).toBeGreaterThanOrEqual(6);
    expect(absent.filter((key) => !missing.includes(key))).toEqual([]);
    const rows = await readAllRowsExceptBackups(restoredShop.shop.db);
    expect(rows['orders']!.length).toBeGreaterThan(0);
    expect(rowsAfterUploads['orders']).toEqual(expect.arrayContaining(rows['orders']!));
    // The counters in the backup match its rows: both are from the same moment.
    const { rows: counts } = await restoredShop.shop.db.execute(sql`
      select (select sum(order_count)::int from people) as people, (select sum(orders)::int from tallies) as shop`);
    expect(counts).toEqual([{ people: rows['orders']!.length, shop: rows['orders']!.length }]);
  });
});

/** A small shop. It is created once, and each test uses a copy of its folder. */
let smallPhotoPromise: Promise<string> | undefined;
const smallFolder = mkdtempSync(join(tmpdir(), 'kinframe-backup-'));
afterAll(() => rmSync(smallFolder, { recursive: true, force: true }));

async function openSmallShop(): Promise<Settings> {
  const path = createFolder();
  cpSync(await (smallPhotoPromise ??= fillSmallShop(smallFolder)), path, { recursive: true });
  return { DATA_DIR: path };
}
async function fillSmallShop(path: string): Promise<string> {
  const testShop = await openShopWith({ DATA_DIR: createMigratedDataFolder(path) });
  const { browser, frames } = await buyFramesAsAnna(testShop);
  for (let i = 0; i < 3; i++) await uploadTo(browser, frames[0]!.deviceId, await createSmallPhoto());
  await testShop.close();
  return path;
}

/** The backup of a small shop, and the settings of that shop. */
async function makeSmallBackup(passphrase?: string, place?: Settings) {
  const settings = place ?? (await openSmallShop());
  const file = join(createFolder(), 'shop.backup');
  const { manifest } = await makeBackup(readConfig({ ...settings, ...createPassphraseSettings(passphrase) }), file);
  return { settings, file, manifest };
}
const createPassphraseSettings = (passphrase?: string): Settings =>
  passphrase ? { BACKUP_PASSPHRASE: passphrase } : {};

/** Copies a backup with changed or added entries and correct hashes, as a newer release could write it. */
async function rewriteArchive(
  file: string,
  change: (name: string, content: Buffer) => Buffer | undefined,
  more: string[] = [],
): Promise<string> {
  const otherBackup = join(createFolder(), 'other.backup');
  const archive = createArchiveWriter(`${otherBackup}.sums`);
  const writtenArchive = pipeline(archive.stream, createWriteStream(otherBackup));
  const add = (name: string, content: Buffer) => archive.add(name, content.length, Readable.from([content]));
  for await (const { name, bytes: yieldBytesThenBreak } of readArchive(file, undefined)) {
    const content = change(name, await buffer(yieldBytesThenBreak));
    if (content) await add(name, content);
  }
  for (const name of more) await add(name, Buffer.from('[]'));
  await archive.finish();
  await writtenArchive;
  return otherBackup;
}
const changeManifest = (change: (manifest: Manifest) => object) => (name: string, content: Buffer) =>
  name === 'backup.json' ? Buffer.from(JSON.stringify(change(JSON.parse(content.toString()) as Manifest))) : content;

function flipByte(file: string, at: (content: Buffer) => number): string {
  const flippedBackup = join(createFolder(), 'flipped.backup');
  const content = readFileSync(file);
  const damagedIndex = at(content);
  content[damagedIndex] = content[damagedIndex]! ^ 1;
  writeFileSync(flippedBackup, content);
  return flippedBackup;
}
function cutFile(file: string, part: number): string {
  const cutBackup = join(createFolder(), 'cut.backup');
  copyFileSync(file, cutBackup);
  truncateSync(cutBackup, Math.floor(readFileSync(file).length * part));
  return cutBackup;
}

test('refuses a damaged or unsuitable backup file with the reason, and changes nothing', async () => {
  const { file, manifest } = await makeSmallBackup();
  const { file: sealed } = await makeSmallBackup('a horse, a staple and a frame');
  const targetFolder = createFolder();
  const expectRefusal = async (path: string, words: RegExp, settings: Settings = {}) => {
    const restoreError = await restoreBackup(readConfig({ DATA_DIR: targetFolder, ...settings }), [path]).catch(
      (it: unknown) => it,
    );
    expect(restoreError).toBeInstanceOf(BackupRefused);
    expect((restoreError as Error).message).toMatch(words);
    expect(readdirSync(targetFolder)).toEqual([]);
  };
  await expectRefusal(join(targetFolder, 'none'), /^There is no file .*none\.$/);
  await expectRefusal(targetFolder, /is not a file/);
  await expectRefusal(import.meta.filename, /is no backup of a shop/);
  const emptyFile = join(createFolder(), 'empty');
  writeFileSync(emptyFile, '');
  await expectRefusal(emptyFile, /is no backup of a shop/);

  for (const fractionToKeep of [0.01, 0.3, 0.6, 0.95])
    await expectRefusal(cutFile(file, fractionToKeep), /is (damaged or )?cut off (after \w+|at its)/);
  const findIndexInEntry = (name: string) => (content: Buffer) => content.indexOf(name) + 512 + 20;
  await expectRefusal(
    flipByte(file, findIndexInEntry('database/orders.jsonl')),
    /was changed since it was made: database\/orders\.jsonl/,
  );
  await expectRefusal(
    flipByte(file, findIndexInEntry('files/originals/')),
    /was changed since it was made: files\/originals\//,
  );
  await expectRefusal(
    flipByte(file, findIndexInEntry('SHA256SUMS.sha256')),
    /the hash of the whole backup does not match/,
  );
  await expectRefusal(
    flipByte(file, (content) => content.indexOf('files/originals/', content.indexOf('\0SHA256SUMS\0')) + 8),
    /./,
  );

  const passphrase = { BACKUP_PASSPHRASE: 'a horse, a staple and a frame' };
  await expectRefusal(sealed, /is encrypted: set BACKUP_PASSPHRASE/);
  await expectRefusal(sealed, /does not open this backup/, { BACKUP_PASSPHRASE: 'another horse altogether' });
  for (const part of [0.3, 0.95]) await expectRefusal(cutFile(sealed, part), /damaged or cut off/, passphrase);
  await expectRefusal(
    flipByte(sealed, ({ length }) => Math.floor(length / 2)),
    /damaged or cut off/,
    passphrase,
  );

  await expectRefusal(
    await rewriteArchive(
      file,
      changeManifest((it) => ({ ...it, version: 2 })),
    ),
    /made by a newer release/,
  );
  await expectRefusal(
    await rewriteArchive(file, (_, content) => content, ['database/strangers.jsonl']),
    /holds database\/strangers\.jsonl, which no backup holds/,
  );
  const backupWithAppendedBytes = join(createFolder(), 'appended.backup');
  copyFileSync(file, backupWithAppendedBytes);
  execFileSync('tar', ['-rf', backupWithAppendedBytes, '-C', import.meta.dirname, 'backup-refused.ts']);
  await expectRefusal(backupWithAppendedBytes, /holds backup-refused\.ts, which no backup holds/);
  const backupWithLeadingBytes = join(createFolder(), 'leading.backup');
  const tar = pack();
  tar.entry({ name: 'backup.json' }, JSON.stringify(manifest));
  tar.entry({ name: 'files/originals/one.jpg', type: 'symlink', linkname: '/etc/passwd' });
  tar.finalize();
  await pipeline(tar, createWriteStream(backupWithLeadingBytes));
  await expectRefusal(backupWithLeadingBytes, /holds files\/originals\/one\.jpg, which no backup holds/);
  const tomorrow = Date.now() + 86_400_000;
  const changeToNewerRelease = changeManifest((it) => ({ ...it, database: { ...it.database, migratedTo: tomorrow } }));
  await expectRefusal(
    await rewriteArchive(file, changeToNewerRelease),
    /made by a newer release of the shop: its database has been through/,
  );
  const withUnknownSecret = (name: string, content: Buffer) => (name === 'secrets.json' ? undefined : content);
  await expectRefusal(
    await rewriteArchive(file, (name, content) =>
      name.startsWith('files/thumbnails') ? undefined : withUnknownSecret(name, content),
    ),
    /3 files are in an earlier one/,
  );
  expect(await restoreBackup(readConfig({ DATA_DIR: targetFolder, ...passphrase }), [sealed])).toMatchObject({
    files: 9,
  });
});

test('refuses to restore into a shop that has data and changes nothing, but restores into an empty shop', async () => {
  const { file, settings } = await makeSmallBackup();
  const shopBefore = await readRowsAndFiles(settings);
  await expect(restoreBackup(readConfig(settings), [file])).rejects.toThrow(
    /database is not empty: it has rows in .*orders.* Nothing was changed/,
  );
  expect(await readRowsAndFiles(settings)).toEqual(shopBefore);

  const targetSettings = { DATA_DIR: createFolder() };
  const strayFile = join(targetSettings.DATA_DIR, 'files/originals/stray.jpg');
  mkdirSync(join(strayFile, '..'), { recursive: true });
  writeFileSync(strayFile, 'a photo');
  await expect(restoreBackup(readConfig(targetSettings), [file])).rejects.toThrow(
    /folder of files is not empty: it holds originals\/stray.jpg/,
  );
  expect(readdirSync(join(targetSettings.DATA_DIR, 'files'))).toEqual(['originals']);

  // A shop that was started but never used counts as empty.
  const startedSettings = { DATA_DIR: createMigratedDataFolder(createFolder()) };
  await (await openShopWith(startedSettings)).close();
  expect(await restoreBackup(readConfig(startedSettings), [file])).toMatchObject({ tookSecrets: false });
  const { rows, files } = await readRowsAndFiles(startedSettings);
  expect({ rows, files }).toEqual(shopBefore);
});

test('a backup with `since` contains only newer files, and is restored together with the earlier backup', async () => {
  const { file: whole, settings, manifest } = await makeSmallBackup();
  // Make the stored files three days old. A backup with `since` also contains files up to one day older than `since`.
  const filesFolder = join(settings['DATA_DIR']!, 'files');
  for (const name of readdirSync(filesFolder, { recursive: true, encoding: 'utf8' }))
    utimesSync(join(filesFolder, name), new Date(Date.now() - 3 * 86_400_000), new Date(Date.now() - 3 * 86_400_000));
  const testShop = await openShopWith(settings);
  const anna = testShop.browser();
  await anna.post('/api/auth/login', { email: 'anna@example.com', password: annasPassword });
  expect((await uploadTo(anna, (await fetchFrames(anna))[0]!.deviceId, await createSmallPhoto())).status).toBe(200);
  await testShop.close();
  const incrementalPath = join(createFolder(), 'since.backup');
  const backup = await makeBackup(readConfig(settings), incrementalPath, new Date(manifest.takenAt));
  expect(backup).toMatchObject({ files: 3, older: 9, missing: { count: 0 } });

  const targetSettings = { DATA_DIR: createFolder() };
  await expect(restoreBackup(readConfig(targetSettings), [incrementalPath])).rejects.toThrow(
    /has only what changed since .*: 9 files are in/,
  );
  await expect(restoreBackup(readConfig(targetSettings), [incrementalPath, whole])).rejects.toThrow(/is older than/);
  const { file: another } = await makeSmallBackup(undefined, { DATA_DIR: await fillSmallShop(createFolder()) });
  await expect(restoreBackup(readConfig(targetSettings), [another, incrementalPath])).rejects.toThrow(
    /is of another shop than/,
  );
  expect(await restoreBackup(readConfig(targetSettings), [whole, incrementalPath])).toMatchObject({ files: 12 });
  expect(await readRowsAndFiles(targetSettings)).toEqual(await readRowsAndFiles(settings));
});

test('rejects only the call of add() if an archive breaks while an entry waits for bytes', async () => {
  const archive = createArchiveWriter(join(createFolder(), 'sums'));
  const diskError = new Error('the disk is full');
  async function* yieldBytesThenBreak() {
    yield Buffer.alloc(5);
    archive.stream.destroy(diskError);
    await new Promise(setImmediate);
    yield Buffer.alloc(5);
  }
  archive.stream.on('error', () => {}).resume();
  await expect(archive.add('one', 10, yieldBytesThenBreak())).rejects.toThrow(diskError);
});

test('npm run backup and npm run restore print their result; a full disk is reported and leaves no file', async () => {
  const { settings } = await makeSmallBackup();
  await addManyFiles(settings);
  const backupFolder = createFolder();
  const file = join(backupFolder, 'shop.backup');
  const backupExit = await waitForExit(spawnCommand('backup', [file], settings, 18_000));
  expect(backupExit.words).toMatch(/There is no room for the backup in .* \((EFBIG|ENOSPC)\)/);
  expect(backupExit).toMatchObject({ code: 1 });
  expect(readdirSync(backupFolder)).toEqual([]);

  const exitResult = await waitForExit(spawnCommand('backup', [file], settings));
  expect(exitResult.words).toMatch(/rows and 209 stored files, .* MB, not encrypted/);
  expect(exitResult.code).toBe(0);
  expect(readdirSync(backupFolder)).toEqual(['shop.backup']);
  expect(await waitForExit(spawnCommand('backup', [file], settings))).toMatchObject({
    code: 1,
    words: expect.stringMatching(/exists already/),
  });
  expect(
    (await waitForExit(spawnCommand('backup', [join(backupFolder, 'b'), '--since', 'yesterday'], settings))).words,
  ).toMatch(/neither a date/);
  expect(
    (await waitForExit(spawnCommand('backup', [join(backupFolder, 'b')], { DATA_DIR: createFolder() }))).words,
  ).toMatch(/There is no shop in/);

  const targetSettings = { DATA_DIR: createFolder() };
  const restoreExit = await waitForExit(spawnCommand('restore', [file], targetSettings));
  expect(restoreExit).toMatchObject({
    code: 0,
    words: expect.stringMatching(/The shop is as it was at .* 209 stored files/),
  });
  expect(await waitForExit(spawnCommand('restore', [file], targetSettings))).toMatchObject({
    code: 1,
    words: expect.stringMatching(/is not empty/),
  });
  expect(await readRowsAndFiles(targetSettings)).toEqual(await readRowsAndFiles(settings));
});

test('a killed backup leaves no backup file, and the next backup succeeds', async () => {
  const { settings } = await makeSmallBackup();
  await addManyFiles(settings);
  const backupFolder = createFolder();
  const file = join(backupFolder, 'shop.backup');
  // Kill the process after the whole backup is written, but before the file is renamed to its final name.
  expect(
    (await waitForExit(spawnCommand('backup', [file], { ...settings, ...createSettingsToKillAt(file) }))).code,
  ).toBeNull();
  expect(existsSync(join(`${file}.part`, 'backup'))).toBe(true);
  expect(existsSync(file)).toBe(false);
  expect((await waitForExit(spawnCommand('backup', [file], settings))).code).toBe(0);
  expect(readdirSync(backupFolder)).toEqual(['shop.backup']);
});

test('after a killed restore the shop does not open, and running the restore again completes it', async () => {
  const { settings, file: other } = await makeSmallBackup();
  await addManyFiles(settings);
  const file = join(createFolder(), 'shop.backup');
  await makeBackup(readConfig(settings), file);
  const targetSettings = { DATA_DIR: createFolder() };
  const content = join(targetSettings.DATA_DIR, 'files/content');
  expect(
    (await waitForExit(spawnCommand('restore', [file], { ...targetSettings, ...createSettingsToKillAt(content, 100) })))
      .code,
  ).toBeNull();
  expect(readdirSync(content)).toHaveLength(99);

  await expect(openShopWith(targetSettings)).rejects.toThrow(/holds part of a backup, whose restore did not finish/);
  await expect(restoreBackup(readConfig(targetSettings), [other])).rejects.toThrow(/holds part of another backup/);
  expect(await restoreBackup(readConfig(targetSettings), [file])).toMatchObject({ files: 209, tookSecrets: true });
  expect(await readRowsAndFiles(targetSettings)).toEqual(await readRowsAndFiles(settings));
  expect(readFileSync(secretsFilePath(targetSettings.DATA_DIR))).toEqual(
    readFileSync(secretsFilePath(settings['DATA_DIR']!)),
  );
});

test('after a kill while it copies the secrets, running the restore again copies them', async () => {
  const { settings, file } = await makeSmallBackup();
  const targetSettings = { DATA_DIR: createFolder() };
  const secretsPath = secretsFilePath(targetSettings.DATA_DIR);
  expect(
    (await waitForExit(spawnCommand('restore', [file], { ...targetSettings, ...createSettingsToKillAt(secretsPath) })))
      .code,
  ).toBeNull();
  expect(existsSync(secretsPath)).toBe(false);

  expect(await restoreBackup(readConfig(targetSettings), [file])).toMatchObject({ tookSecrets: true });
  expect(readFileSync(secretsPath)).toEqual(readFileSync(secretsFilePath(settings['DATA_DIR']!)));
});

test('a restore on a full disk reports it, and running it again continues when there is room', async ({ skip }) => {
  if (!canMountSmallDisk()) skip('no small disk may be mounted here');
  const { settings } = await makeSmallBackup();
  const sourceDatabase = await createDatabaseFromConfig(readConfig(settings), { withJobs: false });
  await sourceDatabase.db.execute(sql`
    insert into page_views (id, page_path, user_agent, viewed_at)
    select 'view-' || n, '/faq', (select string_agg(md5(n || '.' || part), '') from generate_series(1, 200) part), now()
    from generate_series(1, 6000) n`);
  await sourceDatabase.close();
  const file = join(createFolder(), 'shop.backup');
  await makeBackup(readConfig(settings), file);

  const smallDiskFolder = await mountSmallDisk(200);
  const targetSettings = { DATA_DIR: smallDiskFolder }; // the disk itself: SQLite resolves the path and does not find a folder on it
  const fillerFile = join(smallDiskFolder, 'ballast');
  writeFileSync(fillerFile, Buffer.alloc(130_000_000));
  const restoreExit = await waitForExit(spawnCommand('restore', [file], targetSettings));
  expect(restoreExit.words.trim()).toBe(
    'There is no room for the whole shop, and the restore is not complete. Make room and run the same command again to continue.',
  );
  expect(restoreExit.code).toBe(1);
  rmSync(fillerFile);
  expect(await waitForExit(spawnCommand('restore', [file], targetSettings))).toMatchObject({ code: 0 });
  expect(await readRowsAndFiles(targetSettings)).toEqual(await readRowsAndFiles(settings));
});

test('migrates the backup of an older release after loading it', async () => {
  const knownMigrationTimes = listMigrationTimes(migrationsFolder);
  const release = createFolder();
  copyMigrationsUntil(migrationsFolder, knownMigrationTimes.at(-3)!, release);
  const settings = { DATA_DIR: createFolder() };
  const oldDatabase = await createDatabaseFromConfig(readConfig(settings), { migrationsFolder: release });
  await oldDatabase.db.execute(sql`insert into file_store (shop_id) values ('the-shop')`);
  await oldDatabase.db.execute(sql`
    insert into page_views (id, page_path, user_agent, viewed_at) select 'view-' || n, '/faq', 'a browser', now() from generate_series(1, 5) n`);
  await oldDatabase.close();
  const config = readConfig(settings);
  await (
    await createStorageFromConfig(config, createFolder())
  ).put('originals/one.jpg', Buffer.from('one'), 'image/jpeg');
  const file = join(createFolder(), 'old.backup');
  const { manifest, files } = await makeBackup(config, file);
  expect([manifest.database.migratedTo, files]).toEqual([knownMigrationTimes.at(-3), 1]);

  const targetSettings = await settingsFactories[Object.keys(settingsFactories).at(-1)!]!();
  await restoreBackup(readConfig(targetSettings), [file]);
  // The rows are the same as after a start of this release on the old database.
  expect((await readRowsAndFiles(targetSettings)).rows).toEqual((await readRowsAndFiles(settings)).rows);

  const startedSettings = { DATA_DIR: createMigratedDataFolder(createFolder()) };
  await (await openShopWith(startedSettings)).close();
  await expect(restoreBackup(readConfig(startedSettings), [file])).rejects.toThrow(
    /of an older release than the one that has set up/,
  );
});

/** Renames the settings of a bucket to those of the backup bucket (BACKUP_S3_…). */
const prefixAsBackupSettings = (bucket: Settings): Settings =>
  Object.fromEntries(Object.entries(bucket).map(([name, value]) => [`BACKUP_${name}`, value]));

describe.each(['a folder', 'a bucket'])('nightly backups into %s', (kind) => {
  test('makes one backup a day, keeps the newest BACKUP_KEEP, and records each backup in the database', async () => {
    const { S3_BUCKET, ...bucket } = kind === 'a bucket' ? await createFreshBucket() : {};
    const backupSettings = S3_BUCKET
      ? { BACKUP_TO: `s3://${S3_BUCKET}/nightly`, ...prefixAsBackupSettings(bucket) }
      : { BACKUP_TO: join(createFolder(), 'nightly') };
    const settings = { DATA_DIR: createMigratedDataFolder(createFolder()), BACKUP_KEEP: '2', ...backupSettings };
    const testShop = await openShopWith(settings);
    onTestFinished(await openSnapshotSocket(testShop.shop));
    const { browser, frames } = await buyFramesAsAnna(testShop);
    await uploadTo(browser, frames[0]!.deviceId, await createSmallPhoto());

    const fileStorage = await createStorageFromConfig(
      readConfig({ DATA_DIR: createFolder(), ...bucket, ...(S3_BUCKET && { S3_BUCKET }) }),
      createFolder(),
    );
    const backupStorage = S3_BUCKET ? fileStorage : createDirectoryStorage(backupSettings.BACKUP_TO);
    const listBackupNames = async () => {
      const foundKeys: string[] = [];
      for await (const { key } of backupStorage.list(S3_BUCKET ? 'nightly/' : ''))
        foundKeys.push(key.split('/').at(-1)!);
      return foundKeys.toSorted((one, other) => one.localeCompare(other));
    };
    await backupStorage.put(S3_BUCKET ? 'nightly/readme.txt' : 'readme.txt', Buffer.from('mine'), 'text/plain');
    const makeBackupAtHour = (day: string, hour: string) =>
      makeTodaysBackupIfDue({ ...testShop.shop, clock: { now: () => new Date(`${day}T${hour}:00:00Z`) } });
    await makeBackupAtHour('2026-03-01', '07'); // it is still night in the shop's time zone
    expect(await listBackupNames()).toEqual(['readme.txt']);
    for (const day of ['2026-03-01', '2026-03-02', '2026-03-03']) {
      await makeBackupAtHour(day, '18');
      await makeBackupAtHour(day, '19');
    }
    expect(await listBackupNames()).toEqual([
      'kinframe-2026-03-02T180000Z.backup',
      'kinframe-2026-03-03T180000Z.backup',
      'readme.txt',
    ]);
    expect(readdirSync(settings.DATA_DIR).filter((name) => name.includes('backup'))).toEqual([]);
    expect(await testShop.shop.db.$count(backups)).toBe(3);
    expect(await readLastBackup(testShop.shop.db)).toMatchObject({ files: 3 });

    const file = join(createFolder(), 'from-away.backup');
    const newestBackupName = (S3_BUCKET ? 'nightly/' : '') + 'kinframe-2026-03-03T180000Z.backup';
    await pipeline(await backupStorage.read(newestBackupName), createWriteStream(file));
    expect(
      await restoreBackup(readConfig({ DATA_DIR: createMigratedDataFolder(createFolder()) }), [file]),
    ).toMatchObject({
      files: 3,
      missing: [],
    });
  });
});

/** A clock at 18:00 UTC. At this time the hourly job makes a backup, if the day has none yet. */
const createClockAtSixPm = (day: string) => ({ now: () => new Date(`${day}T18:00:00Z`) });

test('a nightly backup deletes temporary files of killed nightly backups, but not of manual backups', async () => {
  const nightlyBackupFolder = createFolder();
  const testShop = await openShopWith({ ...(await openSmallShop()), BACKUP_TO: nightlyBackupFolder });
  onTestFinished(await openSnapshotSocket(testShop.shop));
  const manualBackupNames = ['kinframe-2026-03-01.backup.part', 'shop.backup.part'];
  for (const name of [...manualBackupNames, 'kinframe-2026-02-28T180000Z.backup.part'])
    mkdirSync(join(nightlyBackupFolder, name, 'snapshot'), { recursive: true });
  await makeTodaysBackupIfDue({ ...testShop.shop, clock: createClockAtSixPm('2026-03-01') });
  expect(readdirSync(nightlyBackupFolder).toSorted()).toEqual([
    manualBackupNames[0],
    'kinframe-2026-03-01T180000Z.backup',
    manualBackupNames[1],
  ]);
});

/** A shop with BACKUP_TO set, the lines of its log, and the lines of its owner's day sheet. */
async function openShopWithNightlyBackups(to: string) {
  const testShop = await openShopWith({ ...(await openSmallShop()), BACKUP_TO: to });
  onTestFinished(await openSnapshotSocket(testShop.shop));
  const loggedLines: object[] = [];
  const log = createLog('info', {}, { write: (line: string) => void loggedLines.push(JSON.parse(line) as object) });
  const shop = { ...testShop.shop, log, clock: createClockAtSixPm('2026-03-01') };
  await registerBackupJobs(createObservedJobRegistrar(shop), shop);
  const owner = testShop.browser();
  await owner.post('/api/admin/auth/password', { password: adminPassword });
  const readDaySheetLines = async () => (await owner.get('/api/admin/day-sheet')).json.lines as object[];
  const requestHourlyBackup = () => shop.jobs.enqueue(shop.db, 'back-up', {}, { key: 'back-up' });
  return { shop, logged: loggedLines, linesOf: readDaySheetLines, requestHourlyBackup };
}

test('reports a failed nightly backup in the log and in the panel, and retries in the next hour', async () => {
  const nightly = join(createFolder(), 'nightly');
  writeFileSync(nightly, 'a file, where not even root makes a folder');
  const { shop, logged, linesOf, requestHourlyBackup } = await openShopWithNightlyBackups(nightly);
  await requestHourlyBackup();
  await vi.waitFor(
    () =>
      expect(logged).toMatchObject([
        {
          level: 50,
          job: 'back-up',
          isLastTry: true,
          msg: 'a job failed',
          err: { message: expect.stringMatching(/EEXIST|ENOTDIR/) },
        },
      ]),
    { timeout: 30_000 },
  );
  await vi.waitFor(
    async () => expect(await linesOf()).toContainEqual({ kind: 'jobs-failed', count: 1, names: ['back-up'] }),
    { timeout: 30_000 },
  );
  expect(await readLastBackup(shop.db)).toBeUndefined();
  rmSync(nightly);
  await requestHourlyBackup();
  await vi.waitFor(() => expect(logged.at(-1)).toMatchObject({ level: 30, msg: 'shop backed up', files: 9 }), {
    timeout: 30_000,
  });
  expect(readdirSync(nightly)).toEqual(['kinframe-2026-03-01T180000Z.backup']);
});

test('does not record a backup that the bucket refuses', async () => {
  const { S3_BUCKET, ...bucket } = await createFreshBucket();
  const refusingProxy = await startTamperingProxy(bucket.S3_ENDPOINT, ({ method }) =>
    method === 'PUT' ? 'forbidden' : undefined,
  );
  const backupSettings = {
    BACKUP_TO: `s3://${S3_BUCKET}/nightly`,
    ...prefixAsBackupSettings({ ...bucket, S3_ENDPOINT: refusingProxy }),
  };
  const testShop = await openShopWith({ ...(await openSmallShop()), ...backupSettings });
  onTestFinished(await openSnapshotSocket(testShop.shop));
  await expect(makeTodaysBackupIfDue({ ...testShop.shop, clock: createClockAtSixPm('2026-03-01') })).rejects.toThrow(
    /the bucket refuses nightly\/kinframe-.* to these keys/,
  );
  expect(await readLastBackup(testShop.shop.db)).toBeUndefined();
});

test('a nightly backup reports a full disk, leaves no file there and deletes no older backup', async ({ skip }) => {
  if (!canMountSmallDisk()) skip('no small disk may be mounted here');
  const disk = await mountSmallDisk(1);
  const olderBackupName = 'kinframe-2026-02-28T180000Z.backup';
  writeFileSync(join(disk, olderBackupName), Buffer.alloc(1_040_000));
  const { shop, logged, requestHourlyBackup } = await openShopWithNightlyBackups(disk);
  await requestHourlyBackup();
  await vi.waitFor(() => expect(logged).toMatchObject([{ msg: 'a job failed' }]), { timeout: 30_000 });
  expect(logged).toMatchObject([{ err: { message: expect.stringContaining(`no room for the backup in ${disk}`) } }]);
  expect(readdirSync(disk)).toEqual([olderBackupName]);
  expect(await readLastBackup(shop.db)).toBeUndefined();
});

describeOnPostgres(() => {
  test('another worker does not start a second backup while one is still running', async () => {
    const nightly = createFolder();
    const settings = { DATABASE_URL: await createEmptyPostgres(), BACKUP_TO: nightly };
    const { shop } = await openShopWith({ ...settings, DATA_DIR: createFolder() });
    const anotherShop = await openShopWith({ ...settings, DATA_DIR: createFolder() });
    const requestHourlyBackup = () => shop.jobs.enqueue(shop.db, 'back-up', {}, { key: 'back-up' });
    for (const shopInstance of [shop, anotherShop.shop])
      await registerBackupJobs(shopInstance.database.jobs, {
        ...shopInstance,
        clock: createClockAtSixPm('2026-03-01'),
      });
    const readJobStates = async () => {
      const { rows } = await shop.db.execute<{ state: string }>(
        sql`select state from jobs.job where name = 'back-up' order by created_on`,
      );
      return rows.map((it) => it.state);
    };
    await shop.db.transaction(async (tx) => {
      await tx.execute(sql`lock table orders in access exclusive mode`);
      await requestHourlyBackup();
      await vi.waitFor(() => waitUntilStatementWaits(shop.db, 'orders'), { timeout: 30_000 });
      const namesDuringBackup = readdirSync(nightly);
      await requestHourlyBackup();
      await wait(2_500); // both workers have polled for jobs by now
      expect(readdirSync(nightly)).toEqual(namesDuringBackup);
    });
    await vi.waitFor(async () => expect(await readJobStates()).toEqual(['completed', 'completed']), {
      timeout: 60_000,
    });
    expect(readdirSync(nightly)).toEqual(['kinframe-2026-03-01T180000Z.backup']);
    expect(await shop.db.$count(backups)).toBe(1);
  });

  test('a worker without BACKUP_TO leaves nightly backups to the worker that has it', async () => {
    const nightly = createFolder();
    const settings = { DATABASE_URL: await createEmptyPostgres() };
    const shopWithoutBackup = await openShopWith({ ...settings, DATA_DIR: createFolder() });
    const { shop } = await openShopWith({ ...settings, DATA_DIR: createFolder(), BACKUP_TO: nightly });
    await registerBackupJobs(shopWithoutBackup.shop.database.jobs, shopWithoutBackup.shop);
    await shop.jobs.enqueue(shop.db, 'back-up', {}, { key: 'back-up' });
    await wait(2_500); // the worker without BACKUP_TO has polled for jobs by now
    await registerBackupJobs(shop.database.jobs, { ...shop, clock: createClockAtSixPm('2026-03-01') });
    await vi.waitFor(() => expect(readdirSync(nightly)).toEqual(['kinframe-2026-03-01T180000Z.backup']), {
      timeout: 30_000,
    });
  });
});
