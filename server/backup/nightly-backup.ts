import { randomUUID } from 'node:crypto';
import { mkdir, readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { childProgramUrl } from '#adapters/processes/child-entry.ts';
import { runInChild } from '#adapters/processes/run-in-child.ts';
import { createDirectoryStorage } from '#adapters/storage/directory.ts';
import { recordBackup } from '#shop/backups/backups.ts';
import type { Storage } from '#shop/ports/storage.ts';
import type { Config } from '../config.ts';
import type { Shop } from '../shop.ts';
import type { BackupResult } from './make-backup.ts';

const longestMs = 11 * 3_600_000;

export interface NightlyBackup extends Pick<BackupResult, 'sizeBytes' | 'files' | 'missing'> {
  name: string;
  /** Names of the older backups that were removed. */
  removed: string[];
}

/** The store that BACKUP_TO names, and the prefix of the backups' keys in it. */
interface BackupTarget {
  storage: Storage;
  prefix: string;
}

/**
 * Store a backup at BACKUP_TO and record it in the database. Then delete the oldest backups there and keep the newest
 * BACKUP_KEEP. A child process with a low priority makes the backup, because hashing and encrypting would slow down the
 * requests of visitors.
 */
export async function makeNightlyBackup(
  { config, clock, db }: Pick<Shop, 'config' | 'clock' | 'db'>,
  signal?: AbortSignal,
): Promise<NightlyBackup> {
  const target = await openTarget(config);
  const name = `kinframe-${clock.now().toISOString().slice(0, 19).replaceAll(':', '')}Z.backup`;
  const madeBackup = await makeBackupIn(target, config, name, signal);
  const { files, sizeBytes } = madeBackup;
  await recordBackup({ db, clock }, { takenAt: new Date(madeBackup.manifest.takenAt), files, sizeBytes });
  const removedNames = (await listBackupNames(target)).toSorted().toReversed().slice(config.backup!.keep);
  for (const oldName of removedNames) await target.storage.delete(target.prefix + oldName);
  return { ...madeBackup, name, removed: removedNames };
}

/** The time of the newest nightly backup at BACKUP_TO. */
export async function readNewestNightlyBackupTime(config: Config): Promise<Date | undefined> {
  const newestBackupName = (await listBackupNames(await openTarget(config))).toSorted().at(-1);
  const [, day, hour, minute, second] = nightlyNamePattern.exec(newestBackupName ?? '') ?? [];
  return day ? new Date(`${day}T${hour}:${minute}:${second}Z`) : undefined;
}

/** Test BACKUP_TO with the operations of a nightly backup: write a file, list the files, and delete the file. */
export async function checkBackupTarget(config: Config): Promise<void> {
  const target = await openTarget(config);
  const { storage, prefix } = target;
  const key = `${prefix}check-${randomUUID()}.txt`;
  await storage.put(key, Buffer.from(key), 'text/plain');
  await listBackupNames(target);
  await storage.delete(key);
}

async function openTarget({ backup, dataDir }: Config): Promise<BackupTarget> {
  if (!backup) throw new Error('BACKUP_TO is not set');
  if (!backup.s3) return { storage: createDirectoryStorage(backup.to), prefix: '' };
  const { createS3Storage } = await import('#adapters/storage/s3.ts');
  return { storage: createS3Storage(backup.s3, join(dataDir, 'work')), prefix: `${backup.s3.folder}/` };
}

const nightlyNamePattern = /^kinframe-(\d{4}-\d\d-\d\d)T(\d\d)(\d\d)(\d\d)Z\.backup$/;

/**
 * The names of the nightly backups at BACKUP_TO. Ignores other files, such as manual backups, so that they are never
 * deleted.
 */
async function listBackupNames({ storage, prefix }: BackupTarget): Promise<string[]> {
  const names: string[] = [];
  for await (const { key } of storage.list(prefix)) {
    const name = key.slice(prefix.length);
    if (nightlyNamePattern.test(name)) names.push(name);
  }
  return names;
}

/**
 * Make the backup and store it under this name. A bucket needs a file of known length, so the backup is first written
 * to the local disk. Delete the temporary files of an earlier backup that was killed. No running process uses these
 * files, because the queue runs one backup at a time.
 */
async function makeBackupIn({ storage, prefix }: BackupTarget, config: Config, name: string, signal?: AbortSignal) {
  const { to, s3 } = config.backup!;
  const folder = s3 ? join(config.dataDir, 'outgoing-backup') : to;
  await mkdir(folder, { recursive: true, mode: 0o700 });
  for (const leftoverName of await readdir(folder))
    if (s3 || (leftoverName.endsWith('.part') && nightlyNamePattern.test(leftoverName.slice(0, -'.part'.length))))
      await rm(join(folder, leftoverName), { recursive: true, force: true });
  const path = join(folder, name);
  const madeBackup = await runBackupInChild(config, path, signal);
  if (!s3) return madeBackup;
  await storage.putFile(prefix + name, path, 'application/octet-stream');
  await rm(folder, { recursive: true, force: true });
  return madeBackup;
}

const runBackupInChild = (config: Config, path: string, signal?: AbortSignal) =>
  runInChild<BackUpTask, BackupResult>({
    entry: childProgramUrl(import.meta.url, 'back-up-child'),
    job: { config, path },
    timeoutMs: longestMs,
    signal,
  });
export interface BackUpTask {
  config: Config;
  path: string;
}
