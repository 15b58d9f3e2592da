import { desc } from 'drizzle-orm';
import { newId } from '../columns.ts';
import { readFirstOrderTime } from '../orders/orders.ts';
import type { Clock } from '../ports/clock.ts';
import type { Db } from '../ports/database.ts';
import { backups } from './backups.sql.ts';

export type Backup = typeof backups.$inferSelect;

/** A shop with orders needs a backup at least this often. In milliseconds. */
const maxBackupAgeMs = 7 * 86_400_000;

export async function recordBackup(
  { db, clock }: { db: Db; clock: Clock },
  made: Pick<Backup, 'takenAt' | 'files' | 'sizeBytes'>,
): Promise<void> {
  await db.insert(backups).values({ id: newId(), finishedAt: clock.now(), ...made });
}

export async function readLastBackup(db: Db): Promise<Backup | undefined> {
  const [last] = await db.select().from(backups).orderBy(desc(backups.takenAt)).limit(1);
  return last;
}

/**
 * Whether the last backup is too old. If there is no backup, the time counts from the first order. Also returns the
 * last backup, if any.
 */
export async function isBackupOverdue(db: Db, now: Date): Promise<{ isOverdue: boolean; last: Backup | undefined }> {
  const lastBackup = await readLastBackup(db);
  const lastBackupOrFirstOrder = lastBackup?.takenAt ?? (await readFirstOrderTime(db));
  return {
    isOverdue:
      lastBackupOrFirstOrder !== undefined && now.getTime() - lastBackupOrFirstOrder.getTime() > maxBackupAgeMs,
    last: lastBackup,
  };
}
