import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';

/**
 * Locks a directory with SQLite's file lock, so that only one process uses the directory. The kernel releases the lock
 * when the process ends, also after kill -9. So no stale or reused pid can block the next start. Returns a function
 * that releases the lock.
 */
export function lockDirectory(directory: string): () => void {
  const lock = new DatabaseSync(join(directory, '.lock'));
  try {
    lock.exec('PRAGMA busy_timeout=0; PRAGMA journal_mode=MEMORY; PRAGMA locking_mode=EXCLUSIVE; BEGIN EXCLUSIVE');
  } catch (cause) {
    lock.close();
    throw (cause as { errcode?: number }).errcode === sqliteBusyCode ? new DirectoryInUse(directory) : cause;
  }
  return () => lock.close();
}
/** SQLite's error code SQLITE_BUSY: another process has the lock. */
const sqliteBusyCode = 5;

export class DirectoryInUse extends Error {
  override name = 'DirectoryInUse';
  constructor(directory: string) {
    super(
      `${directory} is in use by another process. The embedded database serves one process only: ` +
        'stop the other one, or set DATABASE_URL to a PostgreSQL server.',
    );
  }
}
