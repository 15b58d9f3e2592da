import { eq, type SQL } from 'drizzle-orm';
import { Refusal } from '#contract/refusals.ts';
import type { Db } from '../ports/database.ts';
import type { Storage } from '../ports/storage.ts';
import { discardedFiles } from './files.sql.ts';

/** The stored files of one word of the shop, as the rows that name them tell. */
export interface NamedFiles {
  /** Where it keeps them, each with a slash at its end. */
  folders: readonly string[];
  /** Which of these keys a row names. */
  among: (db: Db, keys: string[]) => Promise<Set<string>>;
  /** The keys that some rows name: `limit` rows, in the order of their files' names, from this name on. */
  from: (db: Db, name: string, limit: number) => Promise<string[]>;
  /** A query of one column, `key`: everything that its rows name, null where one names nothing. */
  every: SQL;
}

export interface NewFile {
  key: string;
  /** On local disk; the store may take it away. */
  path: string;
  contentType: string;
}

/**
 * Store files, then name them: `name` commits the row that does, and nothing after it. The files are deleted again only
 * where it is known that no row names them: one could not be stored, `isNamed` says so of what was committed, or the
 * commit was refused. Where the connection died while COMMIT was under way nobody knows; then they stay, and the sweep
 * sees later whether a row names them.
 *
 * @param replaced what the row named before, put into the trash once it no longer does
 */
export async function storeAndName<T>(
  storage: Storage,
  files: NewFile[],
  name: () => Promise<T>,
  { isNamed = () => true, replaced = [] }: { isNamed?: (named: T) => boolean; replaced?: (string | null)[] } = {},
): Promise<T> {
  /** What cannot be deleted now is swept later. */
  const forget = () => Promise.allSettled(files.map(({ key }) => storage.delete(key)));
  try {
    for (const { key, path, contentType } of files) await storage.putFile(key, path, contentType);
  } catch (error) {
    await forget();
    throw error;
  }
  const named = await name().catch(async (error: unknown) => {
    if (isRolledBack(error)) await forget();
    throw error;
  });
  if (isNamed(named)) await discard(storage, replaced);
  else await forget();
  return named;
}

const discard = (storage: Storage, keys: (string | null)[]) =>
  Promise.allSettled(keys.filter((key) => key !== null).map((key) => storage.move(key, trashed(key))));

/**
 * Take over what was discarded of a frame whose row is held: nobody gets it back then, and the files are the caller's to
 * delete, once this is committed.
 */
export async function takeDiscarded(tx: Db, frameId: string): Promise<string[]> {
  const taken = await tx.delete(discardedFiles).where(eq(discardedFiles.frameId, frameId)).returning();
  return taken.map(({ key }) => key);
}

const trash = 'trash/';
/** Where a file that nothing names waits to be erased. */
export const trashed = (key: string) => trash + key;
/** The same, of all that wait: their prefix, and the key that one had before. */
export const trashFolder = trash;
export const untrashed = (key: string) => key.slice(trash.length);

/**
 * The server's no to a statement or to the COMMIT itself, after which nothing of the transaction is kept. Not among them
 * is what it says while it shuts down or a connection breaks: that may come after the commit.
 */
const refusedByServer = /^(22|23|25|42|53|55)\w{3}$|^(40001|40P01|57014)$/;

function isRolledBack(error: unknown): boolean {
  if (error instanceof Refusal) return true;
  for (let it = error; it instanceof Error; it = it.cause)
    if ('code' in it && typeof it.code === 'string' && refusedByServer.test(it.code)) return true;
  return false;
}
