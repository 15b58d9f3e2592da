import { and, eq, inArray, type SQL } from 'drizzle-orm';
import { Refusal } from '#contract/refusals.ts';
import type { Db } from '../ports/database.ts';
import type { Storage } from '../ports/storage.ts';
import { discardedFiles } from './files.sql.ts';

/** The stored files of one module, according to the rows that name them. */
export interface NamedFiles {
  /** The folders of its files, each with a slash at its end. */
  folders: readonly string[];
  /** The subset of these keys that rows name. */
  selectNamed: (db: Db, keys: string[]) => Promise<Set<string>>;
  /** The keys of at most `limit` rows, sorted by file name, from the file name `name` on. */
  listNamedFrom: (db: Db, name: string, limit: number) => Promise<string[]>;
  /** A query with one column, `key`: every key that the rows of the module name, and null for a row that names none. */
  every: SQL;
}

export interface NewFile {
  key: string;
  /** On local disk. The store may move the file instead of copying it. */
  path: string;
  contentType: string;
}

/**
 * Store files, then call `name`. `name` commits the row that names the files, and must do nothing after the commit. The
 * files are deleted again only if it is certain that no row names them: a file could not be stored, `isNamed` returns
 * false, or the transaction was rolled back. If the connection breaks during COMMIT, the result is unknown. Then the
 * files stay, and the sweep checks later whether a row names them.
 *
 * @param replaced the files that the row named before. They are moved to the trash after the commit.
 */
export async function storeFilesThenRow<T>(
  storage: Storage,
  files: NewFile[],
  name: () => Promise<T>,
  {
    isNamed = () => true,
    replaced = [],
  }: { isNamed?: (namingResult: T) => boolean; replaced?: (string | null)[] } = {},
): Promise<T> {
  const deleteUnnamed = () =>
    deleteFiles(
      storage,
      files.map(({ key }) => key),
    );
  try {
    for (const { key, path, contentType } of files) await storage.putFile(key, path, contentType);
  } catch (error) {
    await deleteUnnamed();
    throw error;
  }
  const namingResult = await name().catch(async (error: unknown) => {
    if (isRolledBack(error)) await deleteUnnamed();
    throw error;
  });
  if (isNamed(namingResult)) await moveToTrash(storage, replaced);
  else await deleteUnnamed();
  return namingResult;
}

/** Delete files that no row names anymore. If a file cannot be deleted now, the sweep deletes it later. */
export const deleteFiles = (storage: Storage, keys: string[]) =>
  Promise.allSettled(keys.map((key) => storage.delete(key)));

/** Delete files that no row names anymore, also from the trash. A file may be moved to the trash in the meantime. */
export const eraseFiles = (storage: Storage, keys: string[]) =>
  Promise.allSettled(
    keys.map(async (key) => {
      await storage.delete(key);
      await storage.delete(trashKeyFor(key));
    }),
  );

const moveToTrash = (storage: Storage, keys: (string | null)[]) =>
  Promise.allSettled(keys.filter((key) => key !== null).map((key) => storage.move(key, trashKeyFor(key))));

/**
 * Delete the rows of a frame's discarded files and return the keys of the files. The caller has locked the frame. The
 * caller must erase the files after the commit, because then nothing refers to them anymore.
 *
 * @param uploadId take only the copies and previews of this photo
 */
export async function deleteDiscardedFileRows(tx: Db, frameId: string, uploadId?: string): Promise<string[]> {
  const isOfPhoto = uploadId === undefined ? undefined : eq(discardedFiles.uploadId, uploadId);
  const takenRows = await tx
    .delete(discardedFiles)
    .where(and(eq(discardedFiles.frameId, frameId), isOfPhoto))
    .returning();
  return takenRows.map(({ key }) => key);
}

/** Delete the rows of these discarded files. The caller must delete the files after the commit. */
export async function deleteDiscardedRows(tx: Db, keys: string[]): Promise<void> {
  if (keys.length > 0) await tx.delete(discardedFiles).where(inArray(discardedFiles.key, keys));
}

const trashPrefix = 'trash/';
/** The key of a file in the trash, where it waits to be deleted. */
export const trashKeyFor = (key: string) => trashPrefix + key;
/** The prefix of all keys in the trash. `removeTrashPrefix` returns the key that a file had before. */
export const trashFolder = trashPrefix;
export const removeTrashPrefix = (key: string) => key.slice(trashPrefix.length);

/**
 * SQL states of errors that reject a statement or the COMMIT itself, so that the transaction is certainly rolled back.
 * Errors of a server shutdown or a broken connection are not included: they may come after the commit.
 */
const refusedSqlStatePattern = /^(22|23|25|42|53|55)\w{3}$|^(40001|40P01|57014)$/;

function isRolledBack(error: unknown): boolean {
  if (error instanceof Refusal) return true;
  for (let it = error; it instanceof Error; it = it.cause)
    if ('code' in it && typeof it.code === 'string' && refusedSqlStatePattern.test(it.code)) return true;
  return false;
}
