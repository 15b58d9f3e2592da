import { mkdirSync, rmSync } from 'node:fs';
import { opendir, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';

/** No upload and no render takes so long: what is older was left by a process that died. */
const longestMs = 6 * 3_600_000;

/**
 * The folder for files on their way, each piece of work in a folder of its own below it. Where this process has the data
 * folder to itself, everything there was left by one that died.
 */
export function openWorkFolder(dataDir: string, { isOurs }: { isOurs: boolean }): string {
  const folder = join(dataDir, 'work');
  if (isOurs) rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  return folder;
}

/** Remove what no living process can still be working on. */
export async function sweepWork(folder: string): Promise<void> {
  for await (const { name } of await opendir(folder)) {
    const path = join(folder, name);
    const found = await stat(path).catch(() => undefined); // finished meanwhile
    if (found && Date.now() - found.mtimeMs > longestMs) await rm(path, { recursive: true, force: true });
  }
}
