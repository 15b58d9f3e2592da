import { and, asc, eq, inArray, lte, sql, type SQL } from 'drizzle-orm';
import { toShopDay } from '#contract/calendar.ts';
import type { Clock } from '../ports/clock.ts';
import type { Db } from '../ports/database.ts';
import { createQueryByValues } from '../rows-among.ts';
import { videos } from './production.sql.ts';
import { animationMonths, animationOrders } from './spending.sql.ts';

interface PaidAnimation {
  key: string;
  videoId: string;
  orderId: string;
  animator: string;
  priceCents: number;
}

/** The current month in the shop's time zone, for example 2026-11. */
export const findSpendingMonth = (clock: Clock) => toShopDay(clock.now()).slice(0, 7);

/**
 * Books the cost of a paid request before it is sent to the animator. Returns false and books nothing if the month's
 * sum would exceed its cap.
 */
export async function bookAnimationCost(
  tx: Db,
  clock: Clock,
  order: PaidAnimation,
  capCents: number | undefined,
): Promise<boolean> {
  const month = findSpendingMonth(clock);
  await tx.insert(animationMonths).values({ month }).onConflictDoNothing();
  const spentAfterOrder = sql`${animationMonths.spentCents} + ${order.priceCents}`;
  const bookedMonth = await tx
    .update(animationMonths)
    .set({ spentCents: spentAfterOrder })
    .where(and(eq(animationMonths.month, month), capCents === undefined ? undefined : lte(spentAfterOrder, capCents)))
    .returning({ month: animationMonths.month });
  if (bookedMonth.length === 0) return false;
  await tx.insert(animationOrders).values({ ...order, month, orderedAt: clock.now() });
  return true;
}

/** Undoes the booking of a request that the animator refused at once, because such a request costs nothing. */
export async function unbookAnimationCost(tx: Db, key: string): Promise<void> {
  const [order] = await tx.delete(animationOrders).where(eq(animationOrders.key, key)).returning();
  if (!order) return;
  await tx
    .update(animationMonths)
    .set({ spentCents: sql`${animationMonths.spentCents} - ${order.priceCents}` })
    .where(eq(animationMonths.month, order.month));
}

/** Videos, each with the sum that was paid for it, in cents. */
const selectVideosWithCosts = (db: Db, isAmong: SQL) =>
  db
    .select({ video: videos, costCents: sql<number>`coalesce(sum(${animationOrders.priceCents}), 0)::int` })
    .from(videos)
    .leftJoin(animationOrders, eq(animationOrders.videoId, videos.id))
    .where(isAmong)
    .groupBy(videos.id)
    .orderBy(asc(videos.place), asc(videos.id));
export const videosOfFramesWithCosts = createQueryByValues(videos.frameId, selectVideosWithCosts);
export const videosWithCosts = createQueryByValues(videos.id, selectVideosWithCosts);

/** For each of these orders and each paid animator: the number of paid requests, and their cost in cents. */
export const readCostOfOrders = (
  db: Db,
  orderIds: string[],
): Promise<{ orderId: string; animator: string; videos: number; cents: number }[]> =>
  db
    .select({
      orderId: animationOrders.orderId,
      animator: animationOrders.animator,
      videos: sql<number>`count(*)::int`,
      cents: sql<number>`sum(${animationOrders.priceCents})::int`,
    })
    .from(animationOrders)
    .where(inArray(animationOrders.orderId, orderIds))
    .groupBy(animationOrders.orderId, animationOrders.animator)
    .orderBy(asc(animationOrders.animator));
