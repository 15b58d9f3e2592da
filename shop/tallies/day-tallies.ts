import { asc, desc, sql, type SQL } from 'drizzle-orm';
import { getTableConfig, type PgColumn, type PgTable } from 'drizzle-orm/pg-core';
import type { Db } from '../ports/database.ts';
import { type DaySpan, dayInSpanCondition } from './spans.ts';
import { codeTallies, dayTallies, labelTallies, marginTallies, pageTallies, videoTallies } from './tallies.sql.ts';

const sumOf = (figure: PgColumn | SQL, which?: SQL) =>
  sql<number>`coalesce(sum(${figure})${which && sql` filter (where ${which})`}, 0)`.mapWith(Number);

/** Orders, their revenue and their production state by day. Days without any are left out. */
export const selectOrdersByDay = (db: Db, span: DaySpan) =>
  db
    .select({
      day: dayTallies.day,
      orders: sumOf(dayTallies.orders),
      revenueCents: sumOf(dayTallies.revenueCents),
      refundedCents: sumOf(dayTallies.refundedCents),
      frameOrders: sumOf(dayTallies.frameOrders),
      finalized: sumOf(dayTallies.finalized),
      delivered: sumOf(dayTallies.delivered),
    })
    .from(dayTallies)
    .where(dayInSpanCondition(dayTallies.day, span))
    .groupBy(dayTallies.day)
    .orderBy(asc(dayTallies.day));

/** Page views by day, and the number of views on product pages and on the checkout. */
export const selectViewsByDay = (db: Db, span: DaySpan, { product, checkout }: { product: string; checkout: string }) =>
  db
    .select({
      day: pageTallies.day,
      views: sumOf(pageTallies.views),
      productViews: sumOf(pageTallies.views, sql`starts_with(${pageTallies.pagePath}, ${product})`),
      checkoutViews: sumOf(pageTallies.views, sql`${pageTallies.pagePath} = ${checkout}`),
    })
    .from(pageTallies)
    .where(dayInSpanCondition(pageTallies.day, span))
    .groupBy(pageTallies.day)
    .orderBy(asc(pageTallies.day));

/**
 * The number of viewed pages, the total of their views, and the most viewed pages. At most `most` pages are listed,
 * because visitors can request any number of different paths.
 */
export async function viewsByPage(
  db: Db,
  most: number,
  span?: DaySpan,
): Promise<{ pages: number; views: number; mostSeen: { pagePath: string; count: number }[] }> {
  const viewCount = sumOf(pageTallies.views);
  const rows = await db
    .select({
      pagePath: pageTallies.pagePath,
      count: viewCount,
      pages: sql`count(*) over ()`.mapWith(Number),
      views: sql`sum(${viewCount}) over ()`.mapWith(Number),
    })
    .from(pageTallies)
    .where(span && dayInSpanCondition(pageTallies.day, span))
    .groupBy(pageTallies.pagePath)
    .having(sql`${viewCount} > 0`)
    .orderBy(desc(viewCount), asc(pageTallies.pagePath))
    .limit(most);
  const { pages = 0, views = 0 } = rows[0] ?? {};
  return { pages, views, mostSeen: rows.map(({ pagePath, count }) => ({ pagePath, count })) };
}

/** Uses of promo codes by day and code. */
export const selectCodeUsesByDay = (db: Db, span: DaySpan) =>
  db
    .select({
      day: codeTallies.day,
      code: codeTallies.code,
      uses: sumOf(codeTallies.uses),
      discountCents: sumOf(codeTallies.discountCents),
    })
    .from(codeTallies)
    .where(dayInSpanCondition(codeTallies.day, span))
    .groupBy(codeTallies.day, codeTallies.code)
    .orderBy(asc(codeTallies.day), asc(codeTallies.code));

/**
 * Merges the rows of a tally table that have the same key (such as the day) into one row with their sums. If all sums
 * are zero, the rows are deleted. `mergeTallies` does the same for the table of the stat cards.
 */
export async function mergeDayTallies(db: Db): Promise<void> {
  await mergeRowsByKey(db, dayTallies, ['day']);
  await mergeRowsByKey(db, pageTallies, ['day', 'page_path']);
  await mergeRowsByKey(db, codeTallies, ['day', 'code']);
  await mergeRowsByKey(db, marginTallies, ['day']);
  await mergeRowsByKey(db, labelTallies, ['day']);
  await mergeRowsByKey(db, videoTallies, ['day', 'animator']);
}

async function mergeRowsByKey(db: Db, table: PgTable, keyNames: string[]): Promise<void> {
  const joinColumnNames = (all: string[]) =>
    sql.join(
      all.map((it) => sql.identifier(it)),
      sql`, `,
    );
  const sumColumns = getTableConfig(table)
    .columns.map((it) => it.name)
    .filter((it) => !keyNames.includes(it));
  const sumOfColumn = (it: string) => sql`sum(${sql.identifier(it)})`;
  const total = sql.join(sumColumns.map(sumOfColumn), sql`, `);
  const isNonZero = sql.join(
    sumColumns.map((it) => sql`${sumOfColumn(it)} <> 0`),
    sql` or `,
  );
  const keyColumns = joinColumnNames(keyNames);
  await db.execute(sql`
    with scattered as (select ${keyColumns} from ${table} group by ${keyColumns} having count(*) > 1),
    folded as (delete from ${table} where (${keyColumns}) in (select ${keyColumns} from scattered) returning *)
    insert into ${table} (${keyColumns}, ${joinColumnNames(sumColumns)})
    select ${keyColumns}, ${total} from folded group by ${keyColumns} having ${isNonZero}`);
}
