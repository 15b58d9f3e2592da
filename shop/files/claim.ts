import { text } from 'node:stream/consumers';
import type { Db } from '../ports/database.ts';
import { StorageMissing, type Storage } from '../ports/storage.ts';
import { newId } from '../columns.ts';
import type { NamedFiles } from './files.ts';
import { fileStore } from './files.sql.ts';

export interface StoreScope {
  db: Db;
  storage: Storage;
  /** Every word that keeps files. */
  words: readonly NamedFiles[];
}

/** Where the store keeps the id of its shop: outside every folder, so that no sweep sees it. */
export const markKey = 'shop-id.txt';
/** Where a store says that a backup is being restored into it, and which: one that was killed goes on with the same. */
export const restoringKey = 'restoring.txt';
/** Rows of each word that are looked at in a store without a mark. */
const sampleRows = 20;

/** The store is not this shop's: its files are no business of ours, and ours are elsewhere. */
export class ForeignStore extends Error {
  override name = 'ForeignStore';
}

/**
 * Make sure that this database and this store belong together before anything is kept or swept; a store that is nobody's
 * yet becomes this shop's. Rejects with ForeignStore, and has changed nothing then.
 */
export async function claimStore(scope: StoreScope): Promise<void> {
  if (await isClaimed(scope)) return;
  const { db, storage } = scope;
  await storage.put(markKey, Buffer.from(await shopIdOf(db)), 'text/plain');
  // Of two databases that find a new store at the same moment, one reads the other's mark here or before it sweeps.
  await isClaimed(scope);
}

/** Whether the store carries this shop's mark; false: nobody's, and it may have it. Rejects with ForeignStore. */
export async function isClaimed(scope: StoreScope): Promise<boolean> {
  const { db, storage } = scope;
  const shopId = await shopIdOf(db);
  const mark = (await readKey(storage, markKey))?.trim();
  if (mark === shopId) return true;
  const [place, settings] = storage.kind === 's3' ? ['bucket', 'S3_BUCKET'] : ['folder of files', 'DATA_DIR'];
  const refuse = (why: string): never => {
    throw new ForeignStore(
      `This ${place} ${why} Nothing was changed. Check DATABASE_URL and ${settings}. ` +
        `If the two do belong together, put a file ${markKey} that holds ${shopId} into the ${place}, and start again.`,
    );
  };
  if (mark !== undefined)
    return refuse(`belongs to another shop's database: to shop ${mark}, and this is shop ${shopId}.`);
  if ((await readKey(storage, restoringKey)) !== undefined)
    throw new ForeignStore(
      `This ${place} holds part of a backup, whose restore came to no end. Nothing was changed. ` +
        `Restore that backup again, or empty the ${place}.`,
    );
  // Without a mark: new, or as old as a shop that had none. Then the files tell.
  const named = await sampleNamed(scope, sampleRows);
  if (named.length === 0 && (await holdsFiles(scope)))
    return refuse(`belongs to another shop's database: it holds files, and this one names none.`);
  if (named.length > 0 && !(await isAnyThere(storage, named)))
    return refuse(`is not the one of this shop's database, whose files are not in it.`);
  return false;
}

/** Made once: of processes that start together on one database, the first one's stays. */
async function shopIdOf(db: Db): Promise<string> {
  await db.insert(fileStore).values({ shopId: newId() }).onConflictDoNothing();
  const [row] = await db.select().from(fileStore);
  return row!.shopId;
}

/** What a small file of the store itself says; undefined where there is none. */
export async function readKey(storage: Storage, key: string): Promise<string | undefined> {
  try {
    return await text(await storage.read(key));
  } catch (error) {
    if (error instanceof StorageMissing) return undefined;
    throw error;
  }
}

/** Keys that rows name: of each word so many rows, from anywhere among them, as names are random. */
export async function sampleNamed({ db, words }: Pick<StoreScope, 'db' | 'words'>, rows: number): Promise<string[]> {
  const keys = new Set<string>();
  for (const word of words) {
    const found = await word.from(db, newId(), rows);
    if (found.length < rows) found.push(...(await word.from(db, '', rows)));
    for (const key of found) keys.add(key);
  }
  return [...keys];
}

async function isAnyThere(storage: Storage, keys: string[]): Promise<boolean> {
  for (const key of keys) if (await storage.stat(key)) return true;
  return false;
}

async function holdsFiles({ storage, words }: StoreScope): Promise<boolean> {
  for (const folder of words.flatMap((word) => word.folders)) for await (const _ of storage.list(folder)) return true;
  return false;
}
