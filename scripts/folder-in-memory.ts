import { chmodSync, existsSync, mkdtempSync, rmSync, statfsSync } from 'node:fs';
import { join } from 'node:path';

/**
 * Tests make and drop thousands of databases and folders, of small files each: in memory that takes a tenth of the time.
 * Where there is no such folder, or little room in it, they are made on the disk. It goes with this process.
 */
export function folderInMemory(): string | undefined {
  const memory = '/dev/shm';
  if (!existsSync(memory)) return undefined;
  const { bavail, bsize } = statfsSync(memory);
  if (bavail * bsize < 8e9) return undefined;
  const folder = mkdtempSync(join(memory, 'kinframe-tests-'));
  chmodSync(folder, 0o755); // PostgreSQL's files in it are another user's
  process.once('exit', () => rmSync(folder, { recursive: true, force: true }));
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(1));
  return folder;
}
