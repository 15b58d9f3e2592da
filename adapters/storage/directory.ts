/** Files in a directory of this machine: the embedded default. */
import { randomUUID } from 'node:crypto';
import { constants, copyFile, lstat, mkdir, open, opendir, readFile, rm, stat } from 'node:fs/promises';
import type { FileHandle } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { StorageFull, StorageMissing } from '#shop/ports/storage.ts';
import type { Storage, StoredFile } from '#shop/ports/storage.ts';
import { errorCode, renameAndSync, writeAndSync } from './durable-file.ts';
import { checkContentType, checkKey, checkPrefix, checkRange, contentTypeOf, isKey, unfinishedFolder } from './keys.ts';
import { isNoRoom, roomOf } from './no-room.ts';

/** A file in the unfinished folder that nobody has touched for so long was left by a process that died. */
const abandonedAfterMs = 60 * 60 * 1000;

export function createDirectoryStorage(directory: string): Storage {
  const root = resolve(directory);
  const unfinished = join(root, unfinishedFolder);
  let sweptAt = 0;

  const pathOf = (key: string) => join(root, ...checkKey(key).split('/'));

  /** Make a file under a name nobody reads, then give it its key; whatever goes wrong, nothing half-made stays. */
  async function finish(key: string, make: (temporary: string) => Promise<void>): Promise<void> {
    const destination = pathOf(key);
    const temporary = join(unfinished, randomUUID());
    try {
      await mkdir(unfinished, { recursive: true, mode: 0o700 });
      await sweepAbandoned();
      await make(temporary);
      await renameAndSync(temporary, destination, root);
    } catch (error) {
      await rm(temporary, { force: true });
      throw fullOr(error, key);
    }
  }

  async function sweepAbandoned(): Promise<void> {
    const now = Date.now();
    if (now - sweptAt < abandonedAfterMs) return;
    sweptAt = now;
    for await (const entry of await opendir(unfinished)) {
      const path = join(unfinished, entry.name);
      const file = await statFile(path);
      if (file && now - file.mtimeMs > abandonedAfterMs) await rm(path, { force: true });
    }
  }

  return {
    kind: 'directory',

    async putFile(key, path, contentType) {
      checkContentType(key, contentType);
      if (await canBeMoved(path)) {
        try {
          await settleInPlace(path);
          await mkdir(root, { recursive: true, mode: 0o700 });
          await renameAndSync(path, pathOf(key), root);
          return;
        } catch (error) {
          // Another filesystem: copied below. The source is still where it was.
          if (errorCode(error) !== 'EXDEV') throw fullOr(error, key);
        }
      }
      await finish(key, async (temporary) => {
        await copyFile(path, temporary, constants.COPYFILE_EXCL | constants.COPYFILE_FICLONE);
        await settleInPlace(temporary);
      });
    },

    async put(key, bytes, contentType) {
      checkContentType(key, contentType);
      await finish(key, (temporary) => writeAndSync(temporary, bytes));
    },

    async stat(key): Promise<StoredFile | undefined> {
      const file = await statFile(pathOf(key));
      return file && { sizeBytes: file.size, contentType: contentTypeOf(key), modifiedAt: file.mtime };
    },

    async read(key, range) {
      if (range) checkRange(range);
      const file = await openFile(key, pathOf(key));
      try {
        if (range) checkRange(range, (await file.stat()).size);
        return file.createReadStream(range);
      } catch (error) {
        await file.close();
        throw error;
      }
    },

    async withLocalFile(key, use) {
      const path = pathOf(key);
      if (!(await statFile(path))) throw new StorageMissing(key);
      return use(path);
    },

    async move(key, to) {
      const path = pathOf(key);
      checkContentType(to, contentTypeOf(key));
      if (!(await statFile(path))) throw new StorageMissing(key);
      try {
        await settleInPlace(path);
        await renameAndSync(path, pathOf(to), root);
      } catch (error) {
        // Moved by someone else between the calls.
        throw errorCode(error) === 'ENOENT' ? new StorageMissing(key) : fullOr(error, to);
      }
    },

    async delete(key) {
      try {
        await rm(pathOf(key), { force: true });
      } catch (error) {
        // A folder of that name holds other keys: there is no such file.
        if (!['ERR_FS_EISDIR', 'ENOTDIR'].includes(errorCode(error) ?? '')) throw error;
      }
    },

    async *list(prefix) {
      const folders = checkPrefix(prefix).split('/').slice(0, -1);
      for await (const key of keysBelow(root, folders)) {
        if (!key.startsWith(prefix)) continue;
        const file = await statFile(pathOf(key));
        if (file) yield { key, modifiedAt: file.mtime, sizeBytes: file.size };
      }
    },

    async room() {
      await mkdir(root, { recursive: true, mode: 0o700 });
      return roomOf(root);
    },

    async check() {
      const path = join(unfinished, randomUUID());
      const bytes = Buffer.from(randomUUID());
      try {
        await mkdir(unfinished, { recursive: true, mode: 0o700 });
        await writeAndSync(path, bytes);
        if (!bytes.equals(await readFile(path))) throw new Error('the storage directory gave back other bytes');
      } catch (error) {
        throw fullOr(error, 'a check');
      } finally {
        await rm(path, { force: true });
      }
    },
  };
}

/** Only a plain file is moved; a link would be stored as a link. */
async function canBeMoved(path: string): Promise<boolean> {
  const file = await lstat(path);
  return file.isFile() && file.nlink === 1;
}

/** On disk, ours alone, and as old as its storing or move: the sweep counts a file's time from here. */
async function settleInPlace(path: string): Promise<void> {
  const file = await open(path, 'r');
  try {
    await file.chmod(0o600);
    await file.utimes(new Date(), new Date());
    await file.sync();
  } finally {
    await file.close();
  }
}

async function openFile(key: string, path: string): Promise<FileHandle> {
  if (!(await statFile(path))) throw new StorageMissing(key);
  try {
    return await open(path, 'r');
  } catch (error) {
    // Deleted between the two calls.
    throw errorCode(error) === 'ENOENT' ? new StorageMissing(key) : error;
  }
}

async function statFile(path: string) {
  try {
    const file = await stat(path);
    return file.isFile() ? file : undefined;
  } catch (error) {
    if (['ENOENT', 'ENOTDIR'].includes(errorCode(error) ?? '')) return undefined;
    throw error;
  }
}

async function* keysBelow(root: string, folders: string[]): AsyncGenerator<string> {
  let entries;
  try {
    entries = await opendir(join(root, ...folders));
  } catch (error) {
    if (['ENOENT', 'ENOTDIR'].includes(errorCode(error) ?? '')) return;
    throw error;
  }
  for await (const entry of entries) {
    const path = [...folders, entry.name];
    const key = path.join('/');
    // Unfinished files, and what others left here under names that are no keys, are not ours to show.
    if (!isKey(key)) continue;
    if (entry.isDirectory()) yield* keysBelow(root, path);
    else if (entry.isFile()) yield key;
  }
}

function fullOr(error: unknown, key: string): unknown {
  const code = errorCode(error);
  return isNoRoom(code) ? new StorageFull(`no room for ${key} (${code})`, { cause: error }) : error;
}
