/** Writes files so that after a power loss either the whole file exists or no file. */
import { mkdir, open, rename } from 'node:fs/promises';
import { dirname } from 'node:path';

export async function writeAndSync(path: string, bytes: Uint8Array): Promise<void> {
  const file = await open(path, 'wx', 0o600);
  try {
    await file.writeFile(bytes);
    await file.sync();
  } finally {
    await file.close();
  }
}

/**
 * Renames a synced file to its final path and syncs the new name to disk. The name is safe only after its folder is
 * synced. A new folder is safe only after its parent folder is synced. `root` is the topmost folder that may be new.
 */
export async function renameAndSync(from: string, to: string, root: string): Promise<void> {
  await mkdir(dirname(to), { recursive: true, mode: 0o700 });
  await rename(from, to);
  for (let folder = dirname(to); folder.length >= root.length; folder = dirname(folder)) await syncFolder(folder);
}

/** Resolves when all earlier changes in the folder are on disk. Calls during a running sync share the next sync. */
export function syncFolder(path: string): Promise<void> {
  const currentSync = runningSyncs.get(path);
  if (!currentSync) return beginSync(path);
  const beginNewSync = () => beginSync(path);
  return (currentSync.next ??= currentSync.sync.then(beginNewSync, beginNewSync));
}
interface FolderSync {
  sync: Promise<void>;
  next?: Promise<void>;
}
const runningSyncs = new Map<string, FolderSync>();

function beginSync(path: string): Promise<void> {
  const currentSync: FolderSync = { sync: syncNow(path) };
  runningSyncs.set(path, currentSync);
  const endSync = () => {
    if (!currentSync.next) runningSyncs.delete(path);
  };
  currentSync.sync.then(endSync, endSync);
  return currentSync.sync;
}

async function syncNow(path: string): Promise<void> {
  const folder = await open(path, 'r');
  try {
    await folder.sync();
  } finally {
    await folder.close();
  }
}

export function getErrorCode(error: unknown): string | undefined {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : undefined;
}
