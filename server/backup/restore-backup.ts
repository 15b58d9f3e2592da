import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { createWriteStream, existsSync } from 'node:fs';
import { mkdtemp, readFile, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { buffer, text } from 'node:stream/consumers';
import { finished } from 'node:stream/promises';
import { sql } from 'drizzle-orm';
import { importDatabaseCopy, refuseNonEmptyDatabase } from '#adapters/database/copy-in.ts';
import { systemClock } from '#adapters/database/database.ts';
import { readLastMigrationTime } from '#adapters/database/copy-out.ts';
import { listMigrationTimes, copyMigrationsUntil } from '#adapters/database/migrations.ts';
import { getErrorCode, renameAndSync, writeAndSync } from '#adapters/storage/durable-file.ts';
import { contentTypeOf, isStorageKey } from '#adapters/storage/keys.ts';
import { isStorageFullCode, readDiskSpace } from '#adapters/storage/storage-full.ts';
import { recordBackup } from '#shop/backups/backups.ts';
import { shopIdFileKey, readStoredText, restoreMarkerFileKey } from '#shop/files/claim.ts';
import type { Db } from '#shop/ports/database.ts';
import { type Storage, StorageFull } from '#shop/ports/storage.ts';
import type { Config } from '../config.ts';
import { namedFiles } from '../named-files.ts';
import { createDatabaseFromConfig, createStorageFromConfig } from '../adapters.ts';
import { migrationsFolder } from '../project-folder.ts';
import { secretsFilePath } from '../secrets.ts';
import { openWorkFolder } from '../work-folder.ts';
import { mapConcurrently } from './map-concurrently.ts';
import { BackupDamaged, readArchive, type ArchivedEntry } from './archive.ts';
import { splitIntoLines } from './lines.ts';
import {
  fileKeyOfEntry,
  missingFilesEntry,
  namedFilesEntry,
  parseManifest,
  secretsName,
  tableEntryOf,
  type Manifest,
} from './snapshot.ts';
import { BackupRefused } from './backup-refused.ts';

export interface RestoreResult {
  manifest: Manifest;
  files: number;
  /** Files that rows name and that were already gone when the backup was made. */
  missing: string[];
  /** The number of jobs of an older release that were not restored, because this release has no queue for them. */
  jobsLeftOut: number;
  /** True if the generated secrets came from the backup. Secrets that DATA_DIR already has are kept instead. */
  tookSecrets: boolean;
}

interface InspectedBackup {
  path: string;
  manifest: Manifest;
  /** Keys of the stored files in the backup. */
  keys: Set<string>;
  /**
   * Keys that the rows of the backup name. Undefined for a backup of an older release: then all its files are restored.
   */
  named: Set<string> | undefined;
  missing: string[];
}

/**
 * Restore the last of these backups into an empty shop. The earlier backups supply the files that the last one leaves
 * out. All backups are read and checked before anything is written. The secrets are written first, then the files, then
 * all rows in one transaction. After an error in between the shop does not open, and the same command continues the
 * restore. Rejects with BackupRefused, or with ShopNotEmpty if the database has data.
 */
export async function restoreBackup(config: Config, paths: string[]): Promise<RestoreResult> {
  const backups: InspectedBackup[] = [];
  for (const path of paths) backups.push(await inspectBackup(path, config.backupPassphrase));
  const lastBackup = backups.at(-1)!;
  refuseUnsuitableBackups(backups);
  const backupsByFileKey = findWantedFiles(backups);

  const folder = await mkdtemp(join(openWorkFolder(config.dataDir, { isOurs: false }), 'restore-'));
  try {
    const storage = await createStorageFromConfig(config, folder);
    const shopIdOfTarget = await prepareDatabase(config, lastBackup.manifest, folder);
    await refuseNonEmptyStore(storage, lastBackup.manifest, shopIdOfTarget);
    const loadedBackup = await loadBackup({ config, storage, backups, wanted: backupsByFileKey, folder });
    await finishRestore(config, lastBackup, loadedBackup.files);
    return { manifest: lastBackup.manifest, missing: lastBackup.missing, ...loadedBackup };
  } catch (error) {
    if (error instanceof BackupRefused) throw error;
    throw isDiskFull(error) || (!config.databaseUrl && (await isFull(config.dataDir)))
      ? new BackupRefused(
          'There is no room for the whole shop, and the restore is not complete. Make room and run the same command again to continue.',
          { cause: error },
        )
      : error;
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** True if the disk is full, as the system, the store or PostgreSQL reports it. */
const isDiskFull = (error: unknown): boolean =>
  error instanceof Error &&
  (isStorageFullCode(getErrorCode(error)) ||
    error instanceof StorageFull ||
    getErrorCode(error) === diskFullErrorCode ||
    isDiskFull(error.cause));
/** PostgreSQL's error code for a full disk. */
const diskFullErrorCode = '53100';

/**
 * On a full disk the embedded database reports an unrelated transaction error, so measure the free space instead. The
 * database grows in steps of this size.
 */
async function isFull(folder: string): Promise<boolean> {
  const { freeBytes, totalBytes } = await readDiskSpace(folder);
  return totalBytes > 0 && freeBytes < 16 * 1024 * 1024;
}

/** The manifest of a backup. Reads its first entry only. */
export async function readManifest(path: string, passphrase: string | undefined): Promise<Manifest> {
  for await (const { bytes } of readArchive(path, passphrase)) return parseManifest(await text(bytes), path);
  throw new BackupDamaged(path, 'is empty.');
}

/** Read a whole backup, and check that it is complete and has only known entries. */
async function inspectBackup(path: string, passphrase: string | undefined): Promise<InspectedBackup> {
  let manifest: Manifest | undefined;
  const keys = new Set<string>();
  let named: Set<string> | undefined;
  const missingKeys: string[] = [];
  for await (const { name, bytes } of readArchive(path, passphrase)) {
    const key = fileKeyOfEntry(name);
    if (!manifest) manifest = parseManifest(await text(bytes), path);
    else if (key !== undefined && isStorageKey(key)) keys.add(key);
    else if (name === namedFilesEntry) named = new Set(await collectAll(splitIntoLines(bytes)));
    else if (name === missingFilesEntry) missingKeys.push(...(await collectAll(splitIntoLines(bytes))));
    else if (name !== secretsName && !manifest.database.tables.some((table) => tableEntryOf(table.name) === name))
      throw new BackupDamaged(path, `holds ${name}, which no backup holds.`);
  }
  return { path, manifest: manifest!, keys, named, missing: missingKeys };
}

async function collectAll<T>(some: AsyncIterable<T>): Promise<T[]> {
  const allItems: T[] = [];
  for await (const item of some) allItems.push(item);
  return allItems;
}

function refuseUnsuitableBackups(backups: InspectedBackup[]): void {
  const { manifest, path } = backups.at(-1)!;
  const { migratedTo } = manifest.database;
  if (!listMigrationTimes(migrationsFolder).includes(migratedTo))
    throw new BackupRefused(
      `${path} was made by a newer release of the shop: its database has been through a change of ` +
        `${new Date(migratedTo).toISOString().slice(0, 10)} that this release does not know. Nothing was changed. Restore it with that release.`,
    );
  backups.reduce((before, next) => {
    if (before.manifest.shopId !== next.manifest.shopId)
      throw new BackupRefused(`${next.path} is of another shop than ${before.path}. Nothing was changed.`);
    if (before.manifest.takenAt > next.manifest.takenAt)
      throw new BackupRefused(`${next.path} is older than ${before.path}: name the oldest first. Nothing was changed.`);
    return next;
  });
}

/**
 * The keys of the files to restore, each with the newest backup that contains the file. Throws if the last backup needs
 * a file that no backup contains.
 */
function findWantedFiles(backups: InspectedBackup[]): Map<string, InspectedBackup> {
  const { named, keys, missing: missingKeys, path, manifest } = backups.at(-1)!;
  const wantedFiles = new Map<string, InspectedBackup>();
  const knownMissingKeys = new Set(missingKeys);
  const absentKeys: string[] = [];
  for (const key of named ?? keys) {
    const newestBackupWithFile = backups.findLast((it) => it.keys.has(key));
    if (newestBackupWithFile) wantedFiles.set(key, newestBackupWithFile);
    else if (!knownMissingKeys.has(key)) absentKeys.push(key);
  }
  if (absentKeys.length > 0)
    throw new BackupRefused(
      `${path} has only what changed since ${manifest.since ?? 'an earlier backup'}: ${absentKeys.length} files are in an earlier one. ` +
        'Nothing was changed. Name that one first, then this one.',
    );
  return wantedFiles;
}

/**
 * Create an empty database with the schema of the backup's release. If a shop was already started on this database,
 * returns its id.
 */
async function prepareDatabase(config: Config, { database }: Manifest, folder: string): Promise<string | undefined> {
  const foundDatabase = await createDatabaseFromConfig(config, { withJobs: false, skipsMigrations: true });
  let shopId: string | undefined;
  try {
    await refuseNonEmptyDatabase(foundDatabase.db);
    const currentMigrationTime = await readLastMigrationTime(foundDatabase.db);
    if (currentMigrationTime !== undefined && currentMigrationTime > database.migratedTo)
      throw new BackupRefused(
        'The backup is of an older release than the one that has set up this database. Nothing was changed. ' +
          'Restore into a new database or DATA_DIR, where no shop was started: it is then brought up to this release.',
      );
    shopId = await readShopId(foundDatabase.db);
  } finally {
    await foundDatabase.close();
  }
  copyMigrationsUntil(migrationsFolder, database.migratedTo, getMigrationsFolder(folder));
  // Open the database once with its job queue, which creates the tables for jobs.
  await (await createDatabaseFromConfig(config, { migrationsFolder: getMigrationsFolder(folder) })).close();
  return shopId;
}

async function readShopId(db: Db): Promise<string | undefined> {
  const { rows } = await db.execute<{ there: boolean }>(sql`select to_regclass('file_store') is not null as there`);
  if (!rows[0]!.there) return undefined;
  const { rows: fileStores } = await db.execute<{ shopId: string }>(sql`select shop_id as "shopId" from file_store`);
  return fileStores[0]?.shopId;
}
/** Migrate to this release, and record the backup as the shop's last one. */
async function finishRestore(config: Config, { manifest, path }: InspectedBackup, files: number): Promise<void> {
  const database = await createDatabaseFromConfig(config, { withJobs: false });
  try {
    const restoredBackup = { takenAt: new Date(manifest.takenAt), files, sizeBytes: (await stat(path)).size };
    await recordBackup({ db: database.db, clock: systemClock }, restoredBackup);
  } finally {
    await database.close();
  }
}
const getMigrationsFolder = (folder: string) => join(folder, 'migrations');

async function refuseNonEmptyStore(
  storage: Storage,
  { shopId, takenAt }: Manifest,
  here: string | undefined,
): Promise<void> {
  const storeLabel = storage.kind === 's3' ? 'bucket' : 'folder of files';
  const unfinishedRestore = await readStoredText(storage, restoreMarkerFileKey);
  if (unfinishedRestore === `${shopId} ${takenAt}`) return;
  if (unfinishedRestore !== undefined)
    throw new BackupRefused(
      `The ${storeLabel} holds part of another backup, whose restore did not finish. Nothing was changed. ` +
        `Restore that one (taken ${unfinishedRestore.split(' ')[1]}), or empty the ${storeLabel}.`,
    );
  const storedShopId = (await readStoredText(storage, shopIdFileKey))?.trim();
  if (storedShopId !== undefined && storedShopId !== here && storedShopId !== shopId)
    throw new BackupRefused(`The ${storeLabel} belongs to another shop (${storedShopId}). Nothing was changed.`);
  for (const prefix of namedFiles.flatMap((namedFile) => namedFile.folders))
    for await (const { key } of storage.list(prefix))
      throw new BackupRefused(
        `The ${storeLabel} is not empty: it holds ${key}. Nothing was changed. Restore into an empty one.`,
      );
}

interface BackupLoadScope {
  config: Config;
  storage: Storage;
  backups: InspectedBackup[];
  wanted: Map<string, InspectedBackup>;
  folder: string;
}

async function loadBackup(
  scope: BackupLoadScope,
): Promise<Pick<RestoreResult, 'files' | 'jobsLeftOut' | 'tookSecrets'>> {
  const { config, storage, backups, wanted: wantedFiles, folder } = scope;
  const lastBackup = backups.at(-1)!;
  const { manifest, path } = lastBackup;
  const database = await createDatabaseFromConfig(config, {
    withJobs: false,
    skipsMigrations: true,
    isPatient: true,
    migrationsFolder: getMigrationsFolder(folder),
  });
  try {
    await storage.put(restoreMarkerFileKey, Buffer.from(`${manifest.shopId} ${manifest.takenAt}`), 'text/plain');
    const areSecretsTaken = await takeSecrets(config, lastBackup);
    for (const backup of backups) await storeFiles(scope, backup);
    const entries = readArchive(path, config.backupPassphrase);
    const { jobsLeftOut } = await importDatabaseCopy(
      database.db,
      manifest.database,
      (table) => readLines(entries, tableEntryOf(table)),
      () => storage.put(shopIdFileKey, Buffer.from(manifest.shopId), 'text/plain'),
    );
    await entries.return(undefined);
    await storage.delete(restoreMarkerFileKey);
    return { files: wantedFiles.size, jobsLeftOut, tookSecrets: areSecretsTaken };
  } finally {
    await database.close();
  }
}

/**
 * Stores many files at the same time. Most time is spent waiting for the sync of each file to disk, and these waits
 * overlap.
 */
async function storeFiles(scope: BackupLoadScope, backup: InspectedBackup): Promise<void> {
  const storedFiles = mapConcurrently(
    unpackFiles(scope, backup),
    fileConcurrency,
    async ({ key, path, written: writtenFile }) => {
      await writtenFile;
      await scope.storage.putFile(key, path, contentTypeOf(key));
      await rm(path, { force: true });
    },
  );
  while (!(await storedFiles.next()).done);
}

const fileConcurrency = 16;
/** The write buffer of each file. While it is written to disk, the next file is read. */
const writeBufferBytes = 1024 * 1024;

async function* unpackFiles({ config, wanted: wantedFiles, folder }: BackupLoadScope, backup: InspectedBackup) {
  for await (const { name, bytes } of readArchive(backup.path, config.backupPassphrase)) {
    const key = fileKeyOfEntry(name);
    if (key === undefined || wantedFiles.get(key) !== backup) continue;
    const path = join(folder, randomUUID());
    const file = createWriteStream(path, { mode: 0o600, highWaterMark: writeBufferBytes });
    const fileWritten = finished(file);
    fileWritten.catch(() => {}); // awaited here or in storeFiles: until then, prevent an unhandled rejection
    try {
      for await (const chunk of bytes) if (!file.write(chunk)) await Promise.race([once(file, 'drain'), fileWritten]);
    } catch (error) {
      file.destroy();
      throw error;
    }
    file.end();
    yield { key, path, written: fileWritten };
  }
}

/**
 * The lines of one table. The backup contains the tables in the order in which the caller reads them, so earlier
 * entries can be skipped.
 */
async function* readLines(entries: AsyncGenerator<ArchivedEntry>, name: string): AsyncGenerator<string> {
  for (;;) {
    const nextEntry = await entries.next();
    if (nextEntry.done) throw new Error(`the backup has no ${name}`);
    if (nextEntry.value.name === name) return yield* splitIntoLines(nextEntry.value.bytes);
  }
}

/**
 * Copy the generated secrets, such as the hash of the owner's password, from the backup, unless DATA_DIR already has
 * secrets. Returns true if DATA_DIR has the secrets of the backup afterwards, also if a killed restore has copied them.
 * Call it before anything that takes long: if the shop is started after a killed restore, it would generate its own
 * secrets.
 */
async function takeSecrets({ dataDir, backupPassphrase }: Config, { path }: InspectedBackup): Promise<boolean> {
  const secretsPath = secretsFilePath(dataDir);
  for await (const { name, bytes } of readArchive(path, backupPassphrase)) {
    if (name !== secretsName) continue;
    const content = await buffer(bytes);
    if (existsSync(secretsPath)) return content.equals(await readFile(secretsPath));
    const temporarySecretsPath = `${secretsPath}.${randomUUID()}`;
    await writeAndSync(temporarySecretsPath, content);
    await renameAndSync(temporarySecretsPath, secretsPath, dataDir);
    return true;
  }
  return false;
}
