import { and, count, gt, isNotNull, lt, min, sql, sum } from 'drizzle-orm';
import { deliveryHours } from '#contract/limits.ts';
import type { ListQuery, ListResponse } from '#contract/lists.ts';
import type { productionFilters, productionSorts } from '#contract/owner/production.ts';
import type { Db } from '../ports/database.ts';
import { readList, type List } from '../lists.ts';
import { orderSearchCondition } from '../orders/orders-list.ts';
import { productionOrders, type OrderInProduction } from './production.sql.ts';

type Sort = (typeof productionSorts)[number];
type Filter = (typeof productionFilters)[number];

const list: List<typeof productionOrders, Sort, Filter> = {
  table: productionOrders,
  sorts: { due: [productionOrders.turn, productionOrders.orderId] },
  sort: 'due',
  filters: {
    open: sql`${productionOrders.waitingSince} is not null`,
    review: sql`${productionOrders.toReview} > 0`,
    'under-way': sql`${productionOrders.underWay} > 0`,
    failed: sql`${productionOrders.failed} > 0`,
    delivered: sql`${productionOrders.waitingSince} is null`,
  },
  search: (isIn) => orderSearchCondition(productionOrders.orderId, isIn),
};

/**
 * Lists orders with finalized frames, sorted by the time for which their videos are promised. Delivered orders come
 * last.
 */
export const listProduction = (db: Db, listQuery: ListQuery<Sort, Filter>): Promise<ListResponse<OrderInProduction>> =>
  readList(db, list, listQuery);

/**
 * The numbers that need the owner's attention: orders that are later than promised, videos to review, and failed
 * videos.
 */
export async function countProductionTasks(db: Db, now: Date) {
  const { waitingSince, toReview, failed } = productionOrders;
  const promiseDeadline = new Date(now.getTime() - deliveryHours.to * 3_600_000);
  const [[late], [review], [broken]] = await Promise.all([
    db
      .select({ count: count(), since: min(waitingSince) })
      .from(productionOrders)
      // Filter by `turn` as well, because the index of the waiting orders is sorted by it.
      .where(
        and(
          isNotNull(waitingSince),
          lt(productionOrders.turn, promiseDeadline.getTime() / 1000),
          lt(waitingSince, promiseDeadline),
        ),
      ),
    db
      .select({ videos: sum(toReview).mapWith(Number) })
      .from(productionOrders)
      .where(gt(toReview, 0)),
    db
      .select({ videos: sum(failed).mapWith(Number) })
      .from(productionOrders)
      .where(gt(failed, 0)),
  ]);
  return {
    late: late?.since ? { count: late.count, since: late.since } : undefined,
    toReview: review?.videos ?? 0,
    failed: broken?.videos ?? 0,
  };
}
