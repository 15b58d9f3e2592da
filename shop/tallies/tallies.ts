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

/** How many there are of each, and what they brought: exact, in one read. */
export async function readTallies(db: Db): Promise<Record<keyof typeof sums, number>> {
  const [all] = await db.select(sums).from(tallies);
  return all!;
}

/** Make one row of all there are, so that few are read. Where two do so at once, each row is folded by one of them. */
export const foldTallies = (db: Db) =>
  db.execute(sql`
    with folded as (delete from tallies returning *)
    insert into tallies (orders, revenue_cents, uploads, customers)
    select sum(orders), sum(revenue_cents), sum(uploads), sum(customers) from folded having count(*) > 0`);
