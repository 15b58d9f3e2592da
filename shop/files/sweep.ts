import { eq, isNotNull, isNull } from 'drizzle-orm';
import { lifetimes } from '#contract/limits.ts';
import type { Clock } from '../ports/clock.ts';
import type { Db } from '../ports/database.ts';
import { StorageMissing, type Storage } from '../ports/storage.ts';
import { claimStore, type StoreScope } from './claim.ts';
import { trashKeyFor, trashFolder, removeTrashPrefix } from './files.ts';
import { discardedFiles, fileStore } from './files.sql.ts';

/** Skip files younger than this: their row may not be committed yet. */
const graceMs = 60 * 60_000;
const trashMs = lifetimes.trashDays * 86_400_000;
/** The number of keys per database query. */
const pageSize = 500;
/**
 * The folder of the test files with which the shop checks that a store works. A check that is killed leaves its file.
 * No row names these files.
 */
const checkFolder = 'check/';

/** The limit of orphans per run: one percent of the files, but at least 20 and at most 1000. */
const orphanLimit = { share: 0.01, atLeast: 20, atMost: 1000 };
const maxOrphansOf = (files: number) =>
  Math.min(orphanLimit.atMost, Math.max(orphanLimit.atLeast, Math.floor(files * orphanLimit.share)));

export interface StoppedSweep {
  /** The number of stored files, and of those that no row names. */
  files: number;
  orphans: number;
  at: Date;
}
interface SweepScope extends StoreScope {
  clock: Clock;
  /** False if the owner has checked the orphans, so that any number may be moved. */
  isLimited: boolean;
  /**
   * Called in the transaction that stops the sweep. Called once, and again only after the sweep has run in the
   * meantime.
   */
  notifyOwner: (tx: Db, stopped: StoppedSweep) => Promise<void>;
  signal?: AbortSignal | undefined;
}
export interface FileSweepResult {
  files: number;
  orphans: number;
  /**
   * The numbers of files that were moved to the trash, restored from the trash because a row names them, and deleted.
   */
  trashed: number;
  restored: number;
  erased: number;
  /** True if there are more orphans than the limit: no file was moved to the trash or deleted. */
  isStopped: boolean;
}

/**
 * Move stored files that no row names to the trash, and delete files that have been there for `trashDays`. Very many
 * orphans are probably a mistake: the database may be older than its files, or a module may not list its named files.
 * Then the sweep only restores files from the trash until the owner has checked.
 */
export async function sweepFiles(scope: SweepScope): Promise<FileSweepResult> {
  await claimStore(scope);
  const now = scope.clock.now();
  const { restored, expired } = await scanTrash(scope, now);
  const { files, orphans, keys } = await findOrphans(scope, now);
  const sweepCounts = { files, orphans, restored };
  if (scope.isLimited && orphans > maxOrphansOf(files)) {
    await stopSweep(scope, { files, orphans, at: now });
    return { ...sweepCounts, trashed: 0, erased: 0, isStopped: true };
  }
  await scope.db.update(fileStore).set({ sweepStoppedAt: null }).where(isNotNull(fileStore.sweepStoppedAt));
  // `forEachUnnamedFile` checks again that no row names the files, because finding the orphans takes minutes in a large store.
  // Delete expired files first: a file that is moved to the trash may get the key of an expired file.
  const erasedCount = await forEachUnnamedFile(scope, expired, async (key) => {
    await scope.storage.delete(trashKeyFor(key));
    await scope.db.delete(discardedFiles).where(eq(discardedFiles.key, key));
  });
  const movedCount = await forEachUnnamedFile(scope, keys, (key) => moveIfStored(scope.storage, key, trashKeyFor(key)));
  return { ...sweepCounts, trashed: movedCount, erased: erasedCount, isStopped: false };
}

/** Restore files in the trash that a row names. Returns the original keys of the files that have expired. */
async function scanTrash(scope: SweepScope, now: Date): Promise<{ restored: number; expired: string[] }> {
  const expiredKeys: string[] = [];
  let restored = 0;
  for await (const page of listPages(scope, [trashFolder])) {
    const namedKeys = await findNamedKeys(
      scope,
      page.map(({ key }) => removeTrashPrefix(key)),
    );
    for (const { key, modifiedAt } of page)
      if (namedKeys.has(removeTrashPrefix(key))) {
        await moveIfStored(scope.storage, key, removeTrashPrefix(key));
        restored += 1;
      } else if (now.getTime() - modifiedAt.getTime() > trashMs) expiredKeys.push(removeTrashPrefix(key));
  }
  return { restored, expired: expiredKeys };
}

/** Count all orphans. Returns the keys of as many as one run may move, or of all if there is no limit. */
async function findOrphans(scope: SweepScope, now: Date) {
  const keys: string[] = [];
  let fileCount = 0;
  let orphanCount = 0;
  for await (const page of listPages(scope, [...scope.fileSources.flatMap((source) => source.folders), checkFolder])) {
    fileCount += page.length;
    const oldFiles = page
      .filter(({ modifiedAt }) => now.getTime() - modifiedAt.getTime() > graceMs)
      .map(({ key }) => key);
    const namedKeys = await findNamedKeys(scope, oldFiles);
    const unnamedKeys = oldFiles.filter((key) => !namedKeys.has(key));
    orphanCount += unnamedKeys.length;
    if (!scope.isLimited || orphanCount <= orphanLimit.atMost) keys.push(...unnamedKeys);
  }
  return { files: fileCount, orphans: orphanCount, keys };
}

async function stopSweep({ db, notifyOwner }: SweepScope, stopped: StoppedSweep): Promise<void> {
  await db.transaction(async (tx) => {
    const firstStop = await tx
      .update(fileStore)
      .set({ sweepStoppedAt: stopped.at })
      .where(isNull(fileStore.sweepStoppedAt))
      .returning();
    if (firstStop.length > 0) await notifyOwner(tx, stopped);
  });
}

interface ListedFile {
  key: string;
  modifiedAt: Date;
}
async function* listPages({ storage, signal }: SweepScope, folders: string[]): AsyncGenerator<ListedFile[]> {
  for (const folder of folders) {
    let page: ListedFile[] = [];
    for await (const file of storage.list(folder)) {
      page.push(file);
      if (page.length < pageSize) continue;
      signal?.throwIfAborted();
      yield page;
      page = [];
    }
    if (page.length > 0) yield page;
  }
}

/** Call `act` for each key that no row names now. Returns the number of calls. */
async function forEachUnnamedFile(
  scope: SweepScope,
  keys: string[],
  act: (key: string) => Promise<void>,
): Promise<number> {
  let count = 0;
  for (let i = 0; i < keys.length; i += pageSize) {
    scope.signal?.throwIfAborted();
    const page = keys.slice(i, i + pageSize);
    const namedKeys = await findNamedKeys(scope, page);
    for (const key of page.filter((it) => !namedKeys.has(it))) {
      await act(key);
      count += 1;
    }
  }
  return count;
}

async function findNamedKeys({ db, fileSources }: StoreScope, keys: string[]): Promise<Set<string>> {
  if (keys.length === 0) return new Set();
  const namedKeyLists = await Promise.all(fileSources.map((source) => source.selectNamed(db, keys)));
  return new Set(namedKeyLists.flatMap((it) => [...it]));
}

/** Ignores a missing file, because another process may sweep at the same time. */
async function moveIfStored(storage: Storage, key: string, to: string): Promise<void> {
  await storage.move(key, to).catch((error: unknown) => {
    if (!(error instanceof StorageMissing)) throw error;
  });
}
