import { mkdirSync, rmSync } from 'node:fs';
import { opendir, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';

/** No upload and no rendering takes this long, so older files are left from a process that died. */
const maxTaskMs = 6 * 3_600_000;

/**
 * Opens the folder for temporary files. Each task creates its own folder in it. If only this process uses the data
 * folder, all files in it are left from a process that died, and are deleted.
 */
export function openWorkFolder(dataDir: string, { isOurs }: { isOurs: boolean }): string {
  const folder = join(dataDir, 'work');
  if (isOurs) rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  return folder;
}

/** Remove temporary files that no living process can still be using. */
export async function deleteOldWorkFiles(folder: string): Promise<void> {
  for await (const { name } of await opendir(folder)) {
    const path = join(folder, name);
    const fileStat = await stat(path).catch(() => undefined); // the process finished and deleted its folder in the meantime
    if (fileStat && Date.now() - fileStat.mtimeMs > maxTaskMs) await rm(path, { recursive: true, force: true });
  }
}
