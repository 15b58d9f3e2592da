/** Storage in a local directory. This is the default storage. */
import { randomUUID } from 'node:crypto';
import { constants, copyFile, lstat, mkdir, open, opendir, readFile, rm, stat } from 'node:fs/promises';
import type { FileHandle } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { StorageFull, StorageMissing } from '#shop/ports/storage.ts';
import type { Storage, StoredFile } from '#shop/ports/storage.ts';
import { getErrorCode, renameAndSync, writeAndSync } from './durable-file.ts';
import {
  checkContentType,
  checkStorageKey,
  checkPrefix,
  checkByteRange,
  contentTypeOf,
  isStorageKey,
  unfinishedFolder,
} from './keys.ts';
import { isStorageFullCode, readDiskSpace } from './storage-full.ts';

/** A file in the unfinished folder that has not changed for this long was left by a dead process. */
const abandonedAfterMs = 60 * 60 * 1000;

export function createDirectoryStorage(directory: string): Storage {
  const root = resolve(directory);
  const unfinishedPath = join(root, unfinishedFolder);
  let sweptAt = 0;

  const resolveKeyPath = (key: string) => join(root, ...checkStorageKey(key).split('/'));

  /** Writes a file under a temporary name, then renames it to its key. After an error, no partial file remains. */
  async function writeThenRename(key: string, make: (temporary: string) => Promise<void>): Promise<void> {
    const destination = resolveKeyPath(key);
    const temporaryPath = join(unfinishedPath, randomUUID());
    try {
      await mkdir(unfinishedPath, { recursive: true, mode: 0o700 });
      await deleteAbandonedFiles();
      await make(temporaryPath);
      await renameAndSync(temporaryPath, destination, root);
    } catch (error) {
      await rm(temporaryPath, { force: true });
      throw storageFullErrorOr(error, key);
    }
  }

  async function deleteAbandonedFiles(): Promise<void> {
    const now = Date.now();
    if (now - sweptAt < abandonedAfterMs) return;
    sweptAt = now;
    for await (const unfinishedFile of await opendir(unfinishedPath)) {
      const path = join(unfinishedPath, unfinishedFile.name);
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
          await syncFile(path);
          await mkdir(root, { recursive: true, mode: 0o700 });
          await renameAndSync(path, resolveKeyPath(key), root);
          return;
        } catch (error) {
          // EXDEV: the source is on another file system and cannot be renamed. It is copied below.
          if (getErrorCode(error) !== 'EXDEV') throw storageFullErrorOr(error, key);
        }
      }
      await writeThenRename(key, async (temporary) => {
        await copyFile(path, temporary, constants.COPYFILE_EXCL | constants.COPYFILE_FICLONE);
        await syncFile(temporary);
      });
    },

    async put(key, bytes, contentType) {
      checkContentType(key, contentType);
      await writeThenRename(key, (temporary) => writeAndSync(temporary, bytes));
    },

    async stat(key): Promise<StoredFile | undefined> {
      const file = await statFile(resolveKeyPath(key));
      return file && { sizeBytes: file.size, contentType: contentTypeOf(key), modifiedAt: file.mtime };
    },

    async read(key, range) {
      if (range) checkByteRange(range);
      const file = await openFile(key, resolveKeyPath(key));
      try {
        if (range) checkByteRange(range, (await file.stat()).size);
        return file.createReadStream(range);
      } catch (error) {
        await file.close();
        throw error;
      }
    },

    async withLocalFile(key, use) {
      const path = resolveKeyPath(key);
      if (!(await statFile(path))) throw new StorageMissing(key);
      return use(path);
    },

    async move(key, to) {
      const path = resolveKeyPath(key);
      checkContentType(to, contentTypeOf(key));
      if (!(await statFile(path))) throw new StorageMissing(key);
      try {
        await syncFile(path);
        await renameAndSync(path, resolveKeyPath(to), root);
      } catch (error) {
        // Another process moved the file between `statFile` and the rename.
        throw getErrorCode(error) === 'ENOENT' ? new StorageMissing(key) : storageFullErrorOr(error, to);
      }
    },

    async delete(key) {
      try {
        await rm(resolveKeyPath(key), { force: true });
      } catch (error) {
        // The path is a folder, or part of the path is a file. So no file with this key exists.
        if (!['ERR_FS_EISDIR', 'ENOTDIR'].includes(getErrorCode(error) ?? '')) throw error;
      }
    },

    async *list(prefix) {
      const folders = checkPrefix(prefix).split('/').slice(0, -1);
      for await (const key of listKeysBelow(root, folders)) {
        if (!key.startsWith(prefix)) continue;
        const file = await statFile(resolveKeyPath(key));
        if (file) yield { key, modifiedAt: file.mtime, sizeBytes: file.size };
      }
    },

    async readFreeSpace() {
      await mkdir(root, { recursive: true, mode: 0o700 });
      return readDiskSpace(root);
    },

    async check() {
      const path = join(unfinishedPath, randomUUID());
      const bytes = Buffer.from(randomUUID());
      try {
        await mkdir(unfinishedPath, { recursive: true, mode: 0o700 });
        await writeAndSync(path, bytes);
        if (!bytes.equals(await readFile(path))) throw new Error('the storage directory gave back other bytes');
      } catch (error) {
        throw storageFullErrorOr(error, 'a check');
      } finally {
        await rm(path, { force: true });
      }
    },
  };
}

/**
 * Whether the file can be moved instead of copied. A symbolic link would be stored as a link, and a file with a second
 * name could still be changed through that name.
 */
async function canBeMoved(path: string): Promise<boolean> {
  const file = await lstat(path);
  return file.isFile() && file.nlink === 1;
}

/**
 * Syncs the file, makes it private, and sets its modification time to now. The sweep of stored files counts a file's
 * age from the time when it was stored or moved.
 */
async function syncFile(path: string): Promise<void> {
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
    // The file was deleted between `statFile` and `open`.
    throw getErrorCode(error) === 'ENOENT' ? new StorageMissing(key) : error;
  }
}

async function statFile(path: string) {
  try {
    const file = await stat(path);
    return file.isFile() ? file : undefined;
  } catch (error) {
    if (['ENOENT', 'ENOTDIR'].includes(getErrorCode(error) ?? '')) return undefined;
    throw error;
  }
}

async function* listKeysBelow(root: string, folders: string[]): AsyncGenerator<string> {
  let entries;
  try {
    entries = await opendir(join(root, ...folders));
  } catch (error) {
    if (['ENOENT', 'ENOTDIR'].includes(getErrorCode(error) ?? '')) return;
    throw error;
  }
  for await (const directoryEntry of entries) {
    const path = [...folders, directoryEntry.name];
    const key = path.join('/');
    // Skip unfinished files, and other programs' files whose names are not keys.
    if (!isStorageKey(key)) continue;
    if (directoryEntry.isDirectory()) yield* listKeysBelow(root, path);
    else if (directoryEntry.isFile()) yield key;
  }
}

function storageFullErrorOr(error: unknown, key: string): unknown {
  const code = getErrorCode(error);
  return isStorageFullCode(code) ? new StorageFull(`no room for ${key} (${code})`, { cause: error }) : error;
}
