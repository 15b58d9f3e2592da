import { createReadStream, createWriteStream, existsSync } from 'node:fs';
import { appendFile, mkdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { DirectoryInUse } from '#adapters/database/pglite/lock-directory.ts';
import { getErrorCode, syncFolder } from '#adapters/storage/durable-file.ts';
import { isStorageFullCode } from '#adapters/storage/storage-full.ts';
import { systemClock } from '#adapters/database/database.ts';
import { recordBackup } from '#shop/backups/backups.ts';
import { shopIdFileKey, readStoredText } from '#shop/files/claim.ts';
import { trashKeyFor, trashFolder } from '#shop/files/files.ts';
import { StorageMissing, type Storage } from '#shop/ports/storage.ts';
import type { Config } from '../config.ts';
import { createDatabaseFromConfig, createStorageFromConfig } from '../adapters.ts';
import { secretsFilePath } from '../secrets.ts';
import { mapConcurrently } from './map-concurrently.ts';
import { readArchive, createArchiveWriter, type ArchiveWriter } from './archive.ts';
import { splitIntoLines } from './lines.ts';
import { encryptBackup } from './encryption.ts';
import { fetchSnapshot, notifyOfBackup } from './snapshot-socket.ts';
import {
  archiveEntryOfFile,
  manifestName,
  missingFilesEntry,
  namedFilesEntry,
  parseManifest,
  secretsName,
  tableEntryOf,
  takeSnapshot,
  type Manifest,
} from './snapshot.ts';
import { BackupRefused } from './backup-refused.ts';

/**
 * A row may name its file up to a day after the file was stored. The earlier backup may then lack the file, so a backup
 * with `since` also contains files that are up to a day older than `since`.
 */
const trashGraceMs = 86_400_000;

export interface BackupResult {
  manifest: Manifest;
  sizeBytes: number;
  files: number;
  /** The number of files stored more than a day before `since`. The earlier backup contains them. */
  older: number;
  /** Files that rows name but the store no longer has: their number, and some of their keys. */
  missing: { count: number; such: string[] };
  /** SHA-256 over the hashes of all entries. */
  hash: string;
}

/** Write a whole shop into one file, and record the backup in the shop's database. Rejects with BackupRefused. */
export async function makeBackup(config: Config, path: string, since?: Date): Promise<BackupResult> {
  const finishedBackup = await writeBackupFile(config, path, since);
  await recordInDatabase(config, finishedBackup).catch((cause: unknown) => {
    throw new Error(`${path} is complete, but the shop could not record it.`, { cause });
  });
  return finishedBackup;
}

/**
 * Write a whole shop into one file. Everything is first written into a temporary folder next to the file, and the
 * complete file is then renamed. A killed backup leaves this folder behind, and the next backup to the same path
 * deletes it. Rejects with BackupRefused.
 */
export async function writeBackupFile(config: Config, path: string, since?: Date): Promise<BackupResult> {
  if (existsSync(path))
    throw new BackupRefused(`${path} exists already. Existing files are not overwritten: name another file.`);
  if (!existsSync(dirname(path))) throw new BackupRefused(`There is no folder ${dirname(path)}.`);
  const partialFolder = `${path}.part`;
  try {
    await rm(partialFolder, { recursive: true, force: true });
    await mkdir(partialFolder, { mode: 0o700 });
    const backup = await writeBackup(config, partialFolder, since);
    await rename(join(partialFolder, 'backup'), path);
    await syncFolder(dirname(path));
    return backup;
  } catch (error) {
    throw isStorageFullCode(getErrorCode(error))
      ? new BackupRefused(`There is no room for the backup in ${dirname(path)} (${getErrorCode(error)}).`, {
          cause: error,
        })
      : error;
  } finally {
    await rm(partialFolder, { recursive: true, force: true });
  }
}

/**
 * Record the backup in the shop's database, so that the shop knows the age of its last backup. The database of an older
 * release may have no table for backups.
 */
async function recordInDatabase(config: Config, { manifest, files, sizeBytes }: BackupResult): Promise<void> {
  if (!manifest.namesFiles) return;
  const database = await openDatabaseToCopy(config);
  if (!database) return notifyOfBackup(config.dataDir, { takenAt: manifest.takenAt, files, sizeBytes });
  try {
    const finishedBackup = { takenAt: new Date(manifest.takenAt), files, sizeBytes };
    await recordBackup({ db: database.db, clock: systemClock }, finishedBackup);
  } finally {
    await database.close();
  }
}

async function writeBackup(config: Config, part: string, since: Date | undefined): Promise<BackupResult> {
  const snapshotFolder = join(part, 'snapshot');
  const manifest = { ...(await takeSnapshotOf(config, snapshotFolder)), ...(since && { since: since.toISOString() }) };
  const storage = await createStorageFromConfig(config, part);
  await refuseForeignStore(storage, manifest);

  const archive = createArchiveWriter(join(part, 'sums'));
  const destination = join(part, 'backup');
  const stream = config.backupPassphrase
    ? await encryptBackup(archive.stream, config.backupPassphrase)
    : archive.stream;
  const archiveWritten = pipeline(
    stream,
    createWriteStream(destination, { flags: 'wx', mode: 0o600, flush: true, highWaterMark: smallBytes }),
  );
  const archiveFilled = fillArchive(archive, {
    config,
    storage,
    manifest,
    snapshot: snapshotFolder,
    part,
    since,
  }).catch((error: Error) => {
    archive.stream.destroy(error);
    throw error;
  });
  const [end, content] = await Promise.allSettled([archiveWritten, archiveFilled]);
  // If both failed, `end` has the original error, because `fillArchive` passes its own error on to the stream.
  if (end.status === 'rejected') throw end.reason;
  if (content.status === 'rejected') throw content.reason;
  return { manifest, sizeBytes: (await stat(destination)).size, ...content.value };
}

/** Copy the database first, then the files that its rows name: a file is stored before the row that names it. */
async function takeSnapshotOf(config: Config, folder: string): Promise<Manifest> {
  const database = await openDatabaseToCopy(config);
  if (!database) return takeSnapshotOfRunningShop(config, folder);
  try {
    return await takeSnapshot(database.db, folder);
  } finally {
    await database.close();
  }
}

async function takeSnapshotOfRunningShop({ dataDir }: Config, folder: string): Promise<Manifest> {
  const archive = `${folder}.tar`;
  await fetchSnapshot(dataDir, archive);
  await mkdir(join(folder, 'database'), { recursive: true, mode: 0o700 });
  for await (const { name, bytes } of readArchive(archive, undefined))
    await pipeline(bytes, createWriteStream(join(folder, name), { flags: 'wx', mode: 0o600 }));
  await rm(archive);
  return parseManifest(await readFile(join(folder, manifestName), 'utf8'), archive);
}

/** Returns undefined if a running shop has the embedded database open, because only one process can open it. */
async function openDatabaseToCopy(config: Config) {
  if (!config.databaseUrl && !existsSync(join(config.dataDir, 'db')))
    throw new BackupRefused(`There is no shop in ${config.dataDir}. Check DATA_DIR and DATABASE_URL.`);
  try {
    return await createDatabaseFromConfig(config, { withJobs: false, skipsMigrations: true, isPatient: true });
  } catch (error) {
    if (error instanceof DirectoryInUse) return undefined;
    throw error;
  }
}

async function refuseForeignStore(storage: Storage, { shopId }: Manifest): Promise<void> {
  const storedShopId = await readStoredText(storage, shopIdFileKey);
  if (storedShopId !== undefined && storedShopId.trim() !== shopId)
    throw new BackupRefused(
      `The stored files are those of shop ${storedShopId.trim()}, the database is of shop ${shopId}. Check DATABASE_URL, S3_BUCKET and DATA_DIR.`,
    );
}

interface ArchiveContent {
  config: Config;
  storage: Storage;
  manifest: Manifest;
  snapshot: string;
  part: string;
  since: Date | undefined;
}

async function fillArchive(
  archive: ArchiveWriter,
  from: ArchiveContent,
): Promise<Omit<BackupResult, 'manifest' | 'sizeBytes'>> {
  const { config, manifest, snapshot, part } = from;
  await writeFile(join(snapshot, manifestName), `${JSON.stringify(manifest, null, 2)}\n`);
  await archive.addFile(manifestName, join(snapshot, manifestName));
  if (manifest.namesFiles) await archive.addFile(namedFilesEntry, join(snapshot, namedFilesEntry));
  for (const { name } of manifest.database.tables)
    await archive.addFile(tableEntryOf(name), join(snapshot, tableEntryOf(name)));
  const secretsPath = secretsFilePath(config.dataDir);
  if (existsSync(secretsPath)) await archive.addFile(secretsName, secretsPath);

  const missingPath = join(part, 'missing');
  await writeFile(missingPath, '', { mode: 0o600 });
  let fileCount = 0;
  let older = 0;
  const missingFiles: BackupResult['missing'] = { count: 0, such: [] };
  for await (const { one: key, made: storedFile } of mapConcurrently(listFileKeys(from), fileConcurrency, (key) =>
    findStoredFile(from, key),
  )) {
    if (storedFile === 'older') {
      older += 1;
      continue;
    }
    const bytes = await storedFile?.open();
    if (storedFile && bytes) {
      await archive.add(archiveEntryOfFile(key), storedFile.sizeBytes, bytes);
      fileCount += 1;
      continue;
    }
    await appendFile(missingPath, `${key}\n`);
    missingFiles.count += 1;
    if (missingFiles.such.length < maxNamedMissingFiles) missingFiles.such.push(key);
  }
  await archive.addFile(missingFilesEntry, missingPath);
  const hash = await archive.finish();
  return { files: fileCount, older, missing: missingFiles, hash };
}
const maxNamedMissingFiles = 10;
/** How many files are looked up in advance. Small files among them are already read into memory. */
const fileConcurrency = 4;

async function* listFileKeys({ manifest, snapshot, storage }: ArchiveContent): AsyncGenerator<string> {
  if (manifest.namesFiles) yield* splitIntoLines(createReadStream(join(snapshot, namedFilesEntry)));
  // This release does not know which files the rows of an older release name, so copy all files.
  else for await (const { key } of storage.list('')) if (!isBackupOwnFile(key)) yield key;
}
const isBackupOwnFile = (key: string) =>
  key === shopIdFileKey || key.startsWith(trashFolder) || key.startsWith('check/');

/** A stored file. `open` returns undefined if the file was deleted after it was found. */
interface StoredFile {
  sizeBytes: number;
  open: () => Promise<AsyncIterable<Uint8Array> | undefined>;
}

async function findStoredFile(
  { storage, since }: ArchiveContent,
  key: string,
): Promise<StoredFile | 'older' | undefined> {
  const storageKeys = storageKeysOf(key);
  for (const storageKey of storageKeys) {
    const storedFile = await storage.stat(storageKey);
    if (!storedFile) continue;
    if (since && storedFile.modifiedAt.getTime() < since.getTime() - trashGraceMs) return 'older';
    const { sizeBytes } = storedFile;
    if (sizeBytes > smallBytes)
      return { sizeBytes, open: () => readFirstExisting(storageKeys, (it) => storage.read(it)) };
    const bytes = await readFirstExisting([storageKey], (it) => storage.withLocalFile(it, (path) => readFile(path)));
    if (bytes) return { sizeBytes, open: async () => Readable.from([bytes]) };
  }
  return undefined;
}
/**
 * The keys at which to look for a file: a file that was removed after the snapshot is in the trash. An erased file has
 * neither key.
 */
const storageKeysOf = (key: string) => [key, trashKeyFor(key)];
const smallBytes = 4 * 1024 * 1024;

async function readFirstExisting<T>(
  storageKeys: string[],
  read: (storageKey: string) => Promise<T>,
): Promise<T | undefined> {
  for (const storageKey of storageKeys)
    try {
      return await read(storageKey);
    } catch (error) {
      if (!(error instanceof StorageMissing)) throw error;
    }
  return undefined;
}
