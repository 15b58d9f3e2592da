/** Writing files so that a power cut leaves the whole file or none of it. */
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
 * Rename a synced file to where readers look for it, and make the rename itself last: a name is only safe once its
 * folder is on disk, and a new folder only once its parent is. `root` is the topmost folder that may be new.
 */
export async function renameAndSync(from: string, to: string, root: string): Promise<void> {
  await mkdir(dirname(to), { recursive: true, mode: 0o700 });
  await rename(from, to);
  for (let folder = dirname(to); folder.length >= root.length; folder = dirname(folder)) await syncFolder(folder);
}

/** What was done in a folder before this call is on disk when it resolves. Those who come while one is at it share the next. */
export function syncFolder(path: string): Promise<void> {
  const present = underWay.get(path);
  if (!present) return beginSync(path);
  const begin = () => beginSync(path);
  return (present.next ??= present.sync.then(begin, begin));
}
interface FolderSync {
  sync: Promise<void>;
  next?: Promise<void>;
}
const underWay = new Map<string, FolderSync>();

function beginSync(path: string): Promise<void> {
  const present: FolderSync = { sync: syncNow(path) };
  underWay.set(path, present);
  const end = () => {
    if (!present.next) underWay.delete(path);
  };
  present.sync.then(end, end);
  return present.sync;
}

async function syncNow(path: string): Promise<void> {
  const folder = await open(path, 'r');
  try {
    await folder.sync();
  } finally {
    await folder.close();
  }
}

export function errorCode(error: unknown): string | undefined {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : undefined;
}
