import { sql, type SQL } from 'drizzle-orm';
import type { PgColumn } from 'drizzle-orm/pg-core';
import type { orderFilters, orderSorts } from '#contract/owner/orders.ts';
import type { Asked, ListAnswer } from '#contract/lists.ts';
import type { Db } from '../ports/database.ts';
import { readAll, readList, type IsFoundIn, type List } from '../lists.ts';
import { areHere } from './gifts.ts';
import { orders, type Order } from './orders.sql.ts';

type Sort = (typeof orderSorts)[number];
type Filter = (typeof orderFilters)[number];

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
    pending: sql`${orders.progress} = 1`,
    processing: sql`${orders.progress} = 2`,
    completed: sql`${orders.progress} = 3`,
    shipped: sql`${orders.progress} = 4`,
    gifts: areHere,
  },
  search: isFoundBy,
};

/** A word of the buyer beside one of the recipient finds nothing: a search is for one of them. */
function isFoundBy(isIn: IsFoundIn): SQL {
  return sql`(${isIn(orders.search)} or ${isIn(orders.recipientSearch)})`;
}

/** Paid orders, found by any part of their number, name, e-mail and payment intent, gifts by their recipient's name too; the newest first unless asked otherwise. */
export const listOrders = (db: Db, asked: Asked<Sort, Filter>): Promise<ListAnswer<Order>> => readList(db, list, asked);

/** All of them, some at a time. */
export const allOrders = (db: Db, asked: Asked<Sort, Filter>): AsyncGenerator<Order[], void> =>
  readAll(db, list, asked);

/** For lists of what orders have: the rows whose order is found so. */
export const isOfOrderFoundBy = (orderId: PgColumn, isIn: IsFoundIn): SQL =>
  sql`${orderId} in (select ${orders.id} from ${orders} where ${isFoundBy(isIn)})`;
