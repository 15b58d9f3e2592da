import { sql, type SQL } from 'drizzle-orm';
import type { PgColumn } from 'drizzle-orm/pg-core';
import type { orderFilters, orderSorts } from '#contract/owner/orders.ts';
import type { ListQuery, ListResponse } from '#contract/lists.ts';
import type { Db } from '../ports/database.ts';
import { readAll, readList, type SearchCondition, type List } from '../lists.ts';
import { unshippedGiftCondition } from './gifts.ts';
import { readyToShipCondition } from './to-ship.ts';
import { orders, type Order } from './orders.sql.ts';

type Sort = (typeof orderSorts)[number];
type Filter = (typeof orderFilters)[number];

/** The condition for orders with a status. Canceled orders have a filter of their own. */
const hasProgress = (progress: number) =>
  sql`${orders.progress} = ${sql.raw(String(progress))} and ${orders.canceledAt} is null`;

const list: List<typeof orders, Sort, Filter> = {
  table: orders,
  sorts: {
    date: [orders.createdAt, orders.id],
    customer: [orders.sortName, orders.createdAt, orders.id],
    total: [orders.totalCents, orders.createdAt, orders.id],
    status: [orders.progress, orders.createdAt, orders.id],
  },
  sort: '-date',
  filters: {
    pending: hasProgress(1),
    processing: hasProgress(2),
    completed: hasProgress(3),
    shipped: hasProgress(4),
    canceled: sql`${orders.canceledAt} is not null`,
    gifts: unshippedGiftCondition,
    'to-ship': readyToShipCondition,
    // The condition names the table as text, because the orders module must not import the returns module.
    returns: sql`${orders.id} in (select "order_id" from "returns" where "returns"."state" in ('requested', 'received'))`,
  },
  search: isFoundBy,
};

/** All search words must match the buyer, or all must match the recipient. A mix of both finds nothing. */
function isFoundBy(isIn: SearchCondition): SQL {
  return sql`(${isIn(orders.search)} or ${isIn(orders.recipientSearch)})`;
}

/**
 * Lists paid orders, newest first by default. The search matches any part of the number, name, email or payment intent,
 * and of the name of a gift's recipient.
 */
export const listOrders = (db: Db, listQuery: ListQuery<Sort, Filter>): Promise<ListResponse<Order>> =>
  readList(db, list, listQuery);

/** Yields all matching orders in batches. */
export const readAllOrders = (db: Db, listQuery: ListQuery<Sort, Filter>): AsyncGenerator<Order[], void> =>
  readAll(db, list, listQuery);

/** The condition that the search finds a row's order. It is used by lists of rows that belong to orders. */
export const orderSearchCondition = (orderId: PgColumn, isIn: SearchCondition): SQL =>
  sql`${orderId} in (select ${orders.id} from ${orders} where ${isFoundBy(isIn)})`;
