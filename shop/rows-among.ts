import { sql, type SQL } from 'drizzle-orm';
import type { PgColumn } from 'drizzle-orm/pg-core';
import type { Db } from './ports/database.ts';

/**
 * Builds a query of the rows whose `column` has one of the given values. The values are one array parameter, so any
 * number of them is allowed. Without values, no query runs.
 */
export function createQueryByValues<Row>(
  column: PgColumn,
  query: (db: Db, isAmong: SQL) => PromiseLike<Row[]>,
): (db: Db, values: string[]) => Promise<Row[]> {
  return async (db, values) =>
    values.length === 0 ? [] : await query(db, sql`${column} = any(${sql.param(values)}::text[])`);
}
