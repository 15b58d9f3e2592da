import { and, inArray, lt, type SQL } from 'drizzle-orm';
import type { PgColumn, PgTable } from 'drizzle-orm/pg-core';
import type { Clock } from './ports/clock.ts';
import type { Db } from './ports/database.ts';

/** Forgets what is older than a moment, at most so many rows, the oldest first. Answers how many; fewer than the limit: all. */
export type Forget = (db: Db, before: Date, limit: number, clock: Clock) => Promise<number>;

/** Deletes rows by their age, passing over those that somebody holds or of which `which` is not true. `age` is indexed. */
export const forgetRows =
  (table: PgTable, key: PgColumn, age: PgColumn, which?: SQL): Forget =>
  async (db, before, limit) => {
    const oldest = db
      .select({ key })
      .from(table)
      .where(and(lt(age, before), which))
      .orderBy(age)
      .limit(limit)
      .for('update', { skipLocked: true });
    const forgotten = await db.delete(table).where(inArray(key, oldest)).returning({ key });
    return forgotten.length;
  };
