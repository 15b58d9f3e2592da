import { chmodSync, existsSync, mkdtempSync, rmSync, statfsSync } from 'node:fs';
import { join } from 'node:path';

/**
 * Returns a temporary folder in memory. Tests create and drop thousands of databases and folders with small files,
 * which takes a tenth of the time in memory. Returns undefined if there is no such folder or too little free memory;
 * the tests then use the disk. The folder is deleted when this process exits.
 */
export function findMemoryFolder(): string | undefined {
  const memoryFolder = '/dev/shm';
  if (!existsSync(memoryFolder)) return undefined;
  const { bavail, bsize } = statfsSync(memoryFolder);
  if (bavail * bsize < 8e9) return undefined;
  const folder = mkdtempSync(join(memoryFolder, 'kinframe-tests-'));
  chmodSync(folder, 0o755); // PostgreSQL's files in it belong to another user
  process.once('exit', () => rmSync(folder, { recursive: true, force: true }));
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(1));
  return folder;
}
