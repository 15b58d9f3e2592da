import { randomUUID } from 'node:crypto';
import { mkdir, readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { childEntry } from '#adapters/processes/child-entry.ts';
import { runInChild } from '#adapters/processes/run-in-child.ts';
import { createDirectoryStorage } from '#adapters/storage/directory.ts';
import { keepBackup } from '#shop/backups/backups.ts';
import type { Storage } from '#shop/ports/storage.ts';
import type { Config } from '../config.ts';
import type { Shop } from '../shop.ts';
import type { BackupMade } from './make-backup.ts';

const longestMs = 11 * 3_600_000;

export interface BackupAway extends Pick<BackupMade, 'sizeBytes' | 'files' | 'missing'> {
  name: string;
  /** Older ones that made room. */
  removed: string[];
}

/** The shop's backups where BACKUP_TO says, and what is before their names there. */
interface Place {
  storage: Storage;
  prefix: string;
}

/**
 * Put a backup where BACKUP_TO says and write down that it is there, then take the oldest there away, so that BACKUP_KEEP
 * are left. It is made by a process of its own, with little claim to the processor: hashing and sealing would hold up the
 * shop's visitors.
 */
export async function backUpAway(
  { config, clock, db }: Pick<Shop, 'config' | 'clock' | 'db'>,
  signal?: AbortSignal,
): Promise<BackupAway> {
  const place = await placeOf(config);
  const name = `kinframe-${clock.now().toISOString().slice(0, 19).replaceAll(':', '')}Z.backup`;
  const made = await makeIn(place, config, name, signal);
  const { files, sizeBytes } = made;
  await keepBackup({ db, clock }, { takenAt: new Date(made.manifest.takenAt), files, sizeBytes });
  const removed = (await namesIn(place)).toSorted().toReversed().slice(config.backup!.keep);
  for (const old of removed) await place.storage.delete(place.prefix + old);
  return { ...made, name, removed };
}

/** When the newest one there was made. */
export async function newestAway(config: Config): Promise<Date | undefined> {
  const newest = (await namesIn(await placeOf(config))).toSorted().at(-1);
  const [, day, hour, minute, second] = nightlyName.exec(newest ?? '') ?? [];
  return day ? new Date(`${day}T${hour}:${minute}:${second}Z`) : undefined;
}

/** Do there what a night does: put something, see what there is, and take it away again. */
export async function checkAway(config: Config): Promise<void> {
  const place = await placeOf(config);
  const { storage, prefix } = place;
  const key = `${prefix}check-${randomUUID()}.txt`;
  await storage.put(key, Buffer.from(key), 'text/plain');
  await namesIn(place);
  await storage.delete(key);
}

async function placeOf({ backup, dataDir }: Config): Promise<Place> {
  if (!backup) throw new Error('BACKUP_TO is not set');
  if (!backup.s3) return { storage: createDirectoryStorage(backup.to), prefix: '' };
  const { createS3Storage } = await import('#adapters/storage/s3.ts');
  return { storage: createS3Storage(backup.s3, join(dataDir, 'work')), prefix: `${backup.s3.folder}/` };
}

const nightlyName = /^kinframe-(\d{4}-\d\d-\d\d)T(\d\d)(\d\d)(\d\d)Z\.backup$/;

/** Others may lie beside them: only what was named here is counted, and taken away. */
async function namesIn({ storage, prefix }: Place): Promise<string[]> {
  const names: string[] = [];
  for await (const { key } of storage.list(prefix)) {
    const name = key.slice(prefix.length);
    if (nightlyName.test(name)) names.push(name);
  }
  return names;
}

/**
 * A bucket takes a file whose end is known: it is written here first. What a killed night has left makes room: the queue
 * lets one backup be made at a time, so nobody works on it.
 */
async function makeIn({ storage, prefix }: Place, config: Config, name: string, signal?: AbortSignal) {
  const { to, s3 } = config.backup!;
  const folder = s3 ? join(config.dataDir, 'outgoing-backup') : to;
  await mkdir(folder, { recursive: true, mode: 0o700 });
  for (const left of await readdir(folder))
    if (s3 || (left.endsWith('.part') && nightlyName.test(left.slice(0, -'.part'.length))))
      await rm(join(folder, left), { recursive: true, force: true });
  const path = join(folder, name);
  const made = await inChild(config, path, signal);
  if (!s3) return made;
  await storage.putFile(prefix + name, path, 'application/octet-stream');
  await rm(folder, { recursive: true, force: true });
  return made;
}

const inChild = (config: Config, path: string, signal?: AbortSignal) =>
  runInChild<BackUpTask, BackupMade>({
    entry: childEntry(import.meta.url, 'back-up-child'),
    job: { config, path },
    timeoutMs: longestMs,
    signal,
  });
export interface BackUpTask {
  config: Config;
  path: string;
}
