import { and, inArray, lt, type SQL } from 'drizzle-orm';
import type { PgColumn, PgTable } from 'drizzle-orm/pg-core';
import type { Clock } from './ports/clock.ts';
import type { Db } from './ports/database.ts';

/**
 * Deletes at most `limit` rows older than `before`, oldest first. Returns the number of deleted rows. If it is below
 * the limit, no such rows are left, except rows that must be kept or that another transaction has locked.
 */
export type DeleteOldRows = (db: Db, before: Date, limit: number, clock: Clock) => Promise<number>;

/**
 * Returns a function that deletes old rows by their indexed `age` column. It skips rows that another transaction has
 * locked and rows that do not match `which`.
 */
export const deleteOldRows =
  (table: PgTable, key: PgColumn, age: PgColumn, which?: SQL): DeleteOldRows =>
  async (db, before, limit) => {
    const oldestKeys = db
      .select({ key })
      .from(table)
      .where(and(lt(age, before), which))
      .orderBy(age)
      .limit(limit)
      .for('update', { skipLocked: true });
    const deletedRows = await db.delete(table).where(inArray(key, oldestKeys)).returning({ key });
    return deletedRows.length;
  };
