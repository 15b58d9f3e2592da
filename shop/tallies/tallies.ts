import { sql } from 'drizzle-orm';
import type { PgColumn } from 'drizzle-orm/pg-core';
import type { Db } from '../ports/database.ts';
import { tallies } from './tallies.sql.ts';

const sumOf = (column: PgColumn) => sql<number>`coalesce(sum(${column}), 0)`.mapWith(Number);
const sums = {
  orders: sumOf(tallies.orders),
  revenueCents: sumOf(tallies.revenueCents),
  uploads: sumOf(tallies.uploads),
  customers: sumOf(tallies.customers),
};

/** The numbers of orders, photos and customers, and the revenue. They are exact and come from one query. */
export async function readTallies(db: Db): Promise<Record<keyof typeof sums, number>> {
  const [all] = await db.select(sums).from(tallies);
  return all!;
}

/**
 * Merges all rows into one row with their sums, so that few rows are read. If two runs overlap, each row is merged by
 * only one of them.
 */
export const mergeTallies = (db: Db) =>
  db.execute(sql`
    with folded as (delete from tallies returning *)
    insert into tallies (orders, revenue_cents, uploads, customers)
    select sum(orders), sum(revenue_cents), sum(uploads), sum(customers) from folded having count(*) > 0`);
