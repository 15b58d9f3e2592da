import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';

/**
 * One process a directory, by SQLite's file lock: the kernel drops it at any death, also kill -9, so there is no stale
 * pid file and no pid taken for another's. Answers the way to let go.
 */
export function lockDirectory(directory: string): () => void {
  const lock = new DatabaseSync(join(directory, '.lock'));
  try {
    lock.exec('PRAGMA busy_timeout=0; PRAGMA journal_mode=MEMORY; PRAGMA locking_mode=EXCLUSIVE; BEGIN EXCLUSIVE');
  } catch (cause) {
    lock.close();
    throw (cause as { errcode?: number }).errcode === busy ? new DirectoryInUse(directory) : cause;
  }
  return () => lock.close();
}
/** SQLite's number for what another one holds. */
const busy = 5;

export class DirectoryInUse extends Error {
  override name = 'DirectoryInUse';
  constructor(directory: string) {
    super(
      `${directory} is in use by another process. The embedded database serves one process only: ` +
        'stop the other one, or set DATABASE_URL to a PostgreSQL server.',
    );
  }
}
