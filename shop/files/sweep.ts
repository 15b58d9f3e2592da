import { eq, isNotNull, isNull } from 'drizzle-orm';
import { lifetimes } from '#contract/limits.ts';
import type { Clock } from '../ports/clock.ts';
import type { Db } from '../ports/database.ts';
import { StorageMissing, type Storage } from '../ports/storage.ts';
import { claimStore, type StoreScope } from './claim.ts';
import { trashed, trashFolder, untrashed } from './files.ts';
import { discardedFiles, fileStore } from './files.sql.ts';

/** Younger files may be about to get their row. */
const graceMs = 60 * 60_000;
const trashMs = lifetimes.trashDays * 86_400_000;
/** Keys that one look at the database is about. */
const pageSize = 500;
/** What a store's own checks leave when they are killed: named by nobody. */
const checkFolder = 'check/';

/** One run takes a hundredth of the files, of a small shop a few more, of a large one no more than this. */
const mostOrphans = { share: 0.01, atLeast: 20, atMost: 1000 };
const mostOf = (files: number) =>
  Math.min(mostOrphans.atMost, Math.max(mostOrphans.atLeast, Math.floor(files * mostOrphans.share)));

export interface StoppedSweep {
  /** Stored, and of those named by no row. */
  files: number;
  orphans: number;
  at: Date;
}
interface SweepScope extends StoreScope {
  clock: Clock;
  /** false: the owner has looked, and any number may go. */
  isLimited: boolean;
  /** Runs in the transaction that stops the sweep, once until it goes on again. */
  tellOwner: (tx: Db, stopped: StoppedSweep) => Promise<void>;
  signal?: AbortSignal | undefined;
}
export interface Sweep {
  files: number;
  orphans: number;
  /** Files put into the trash, taken out of it because a row names them, and erased. */
  trashed: number;
  restored: number;
  erased: number;
  /** More orphans than one run takes: none was moved, and nothing erased. */
  isStopped: boolean;
}

/**
 * Put stored files that no row names into the trash, and erase what has lain there for its days. Many orphans at once are
 * hardly orphans: rather the database is an older copy than its files, or a word forgot to say what it names. Then
 * nothing moves until the owner has looked.
 */
export async function sweepFiles(scope: SweepScope): Promise<Sweep> {
  await claimStore(scope);
  const now = scope.clock.now();
  const { restored, expired } = await lookThroughTrash(scope, now);
  const { files, orphans, keys } = await findOrphans(scope, now);
  const found = { files, orphans, restored };
  if (scope.isLimited && orphans > mostOf(files)) {
    await stop(scope, { files, orphans, at: now });
    return { ...found, trashed: 0, erased: 0, isStopped: true };
  }
  await scope.db.update(fileStore).set({ sweepStoppedAt: null }).where(isNotNull(fileStore.sweepStoppedAt));
  // Looked up once more: finding them takes minutes in a large store. Erased first: what is moved may take such a place.
  const erased = await eachUnnamed(scope, expired, async (key) => {
    await scope.storage.delete(trashed(key));
    await scope.db.delete(discardedFiles).where(eq(discardedFiles.key, key));
  });
  const moved = await eachUnnamed(scope, keys, (key) => moveIfThere(scope.storage, key, trashed(key)));
  return { ...found, trashed: moved, erased, isStopped: false };
}

/** A row that names a trashed file gets it back. Answers the keys of those whose days are over. */
async function lookThroughTrash(scope: SweepScope, now: Date): Promise<{ restored: number; expired: string[] }> {
  const expired: string[] = [];
  let restored = 0;
  for await (const page of pagesOf(scope, [trashFolder])) {
    const named = await namedAmong(
      scope,
      page.map(({ key }) => untrashed(key)),
    );
    for (const { key, modifiedAt } of page)
      if (named.has(untrashed(key))) {
        await moveIfThere(scope.storage, key, untrashed(key));
        restored += 1;
      } else if (now.getTime() - modifiedAt.getTime() > trashMs) expired.push(untrashed(key));
  }
  return { restored, expired };
}

/** Counts them all; names as many as one run may take, or all where there is no limit. */
async function findOrphans(scope: SweepScope, now: Date) {
  const keys: string[] = [];
  let files = 0;
  let orphans = 0;
  for await (const page of pagesOf(scope, [...scope.words.flatMap((word) => word.folders), checkFolder])) {
    files += page.length;
    const old = page.filter(({ modifiedAt }) => now.getTime() - modifiedAt.getTime() > graceMs).map(({ key }) => key);
    const named = await namedAmong(scope, old);
    const unnamed = old.filter((key) => !named.has(key));
    orphans += unnamed.length;
    if (!scope.isLimited || orphans <= mostOrphans.atMost) keys.push(...unnamed);
  }
  return { files, orphans, keys };
}

async function stop({ db, tellOwner }: SweepScope, stopped: StoppedSweep): Promise<void> {
  await db.transaction(async (tx) => {
    const first = await tx
      .update(fileStore)
      .set({ sweepStoppedAt: stopped.at })
      .where(isNull(fileStore.sweepStoppedAt))
      .returning();
    if (first.length > 0) await tellOwner(tx, stopped);
  });
}

interface ListedFile {
  key: string;
  modifiedAt: Date;
}
async function* pagesOf({ storage, signal }: SweepScope, folders: string[]): AsyncGenerator<ListedFile[]> {
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

/** Act on each of these that no row names now. Answers on how many. */
async function eachUnnamed(scope: SweepScope, keys: string[], act: (key: string) => Promise<void>): Promise<number> {
  let count = 0;
  for (let i = 0; i < keys.length; i += pageSize) {
    scope.signal?.throwIfAborted();
    const page = keys.slice(i, i + pageSize);
    const named = await namedAmong(scope, page);
    for (const key of page.filter((it) => !named.has(it))) {
      await act(key);
      count += 1;
    }
  }
  return count;
}

async function namedAmong({ db, words }: StoreScope, keys: string[]): Promise<Set<string>> {
  if (keys.length === 0) return new Set();
  const named = await Promise.all(words.map((word) => word.among(db, keys)));
  return new Set(named.flatMap((it) => [...it]));
}

/** Another process may sweep at the same time. */
async function moveIfThere(storage: Storage, key: string, to: string): Promise<void> {
  await storage.move(key, to).catch((error: unknown) => {
    if (!(error instanceof StorageMissing)) throw error;
  });
}
