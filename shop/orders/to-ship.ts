import { and, asc, count, gte, inArray, isNotNull, isNull, lt, min, ne, sql, sum, type SQL } from 'drizzle-orm';
import { kinframe } from '#contract/catalog.ts';
import { maxCountedPackages } from '#contract/day-sheet-lines.ts';
import type { Db } from '../ports/database.ts';
import { orders } from './orders.sql.ts';

/**
 * The condition for orders whose package can leave: not shipped, not canceled, not fully refunded, and the videos of
 * all their active frames are ready. Gifts with a shipping day are not included, because they leave on that day. The
 * SQL contains the frames table as text, because the orders module must not import the frames module.
 */
export const readyToShipCondition: SQL = and(
  isNotNull(orders.shippingAddress),
  isNull(orders.shippedAt),
  isNull(orders.canceledAt),
  lt(orders.refundedCents, orders.totalCents),
  sql`(${orders.gift} ->> 'shipOn') is null`,
  sql`exists (select from "frames" where "frames"."order_id" = ${orders.id})`,
  sql`not exists (select from "frames" where "frames"."order_id" = ${orders.id} and "frames"."is_active" and "frames"."videos_ready_at" is null)`,
)!;

/**
 * The number of packages that can leave, at most `maxCountedPackages`, and the time when the oldest of their orders was
 * placed.
 */
export async function countPackagesToShip(db: Db): Promise<{ count: number; since: Date } | undefined> {
  const ordersQuery = db
    .select({ createdAt: orders.createdAt })
    .from(orders)
    .where(readyToShipCondition)
    .orderBy(asc(orders.createdAt), asc(orders.id))
    .limit(maxCountedPackages)
    .as('some');
  const [found] = await db.select({ count: count(), since: min(ordersQuery.createdAt) }).from(ordersQuery);
  return found?.since ? { count: found.count, since: found.since } : undefined;
}

/** The number of frames in paid orders that have not shipped. */
export async function countFramesToShip(db: Db): Promise<number> {
  const [found] = await db
    .select({ frames: sum(orders.quantity).mapWith(Number) })
    .from(orders)
    .where(
      and(
        isNotNull(orders.shippingAddress),
        isNull(orders.shippedAt),
        isNull(orders.canceledAt),
        ne(orders.status, 'shipped'),
        lt(orders.refundedCents, orders.totalCents),
        inArray(orders.productType, [kinframe, `${kinframe}-with-bundle`]),
      ),
    );
  return found?.frames ?? 0;
}

/** The number of paid orders since a moment. */
export const countOrdersSince = (db: Db, since: Date): Promise<number> =>
  db.$count(orders, gte(orders.createdAt, since));
