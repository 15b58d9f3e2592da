import { sql } from 'drizzle-orm';
import { bigint, doublePrecision, index, integer, pgTable, text } from 'drizzle-orm/pg-core';
import { id, moment } from '../columns.ts';

/**
 * Everyone the shop deals with: an account, or the mailbox of a guest's orders. Derived: triggers on the tables of customers
 * and orders (the migration that makes it) keep each row what counting would say.
 */
export const people = pgTable(
  'people',
  {
    /** The account's id; of a guest one of their own. */
    id: id(),
    /** Null for a guest. */
    accountId: text('account_id'),
    email: text('email').notNull().default(''),
    firstName: text('first_name').notNull().default(''),
    lastName: text('last_name').notNull().default(''),
    /** When the account was made, or a guest first bought. */
    since: moment('since').notNull().defaultNow(),
    orderCount: integer('order_count').notNull().default(0),
    /** What was paid, less what was given back. */
    spentCents: bigint('spent_cents', { mode: 'number' })
      .notNull()
      .default(sql`0`),
    firstOrderAt: moment('first_order_at'),
    lastOrderAt: moment('last_order_at'),
    /** All of them, to be found by. */
    orderNumbers: text('order_numbers').notNull().default(''),
    search: text('search')
      .notNull()
      .generatedAlwaysAs(
        sql`searchable("first_name" || ' ' || "last_name" || ' ' || "email" || ' ' || "order_numbers")`,
      ),
    sortName: text('sort_name')
      .notNull()
      .generatedAlwaysAs(sql`folded("first_name" || ' ' || "last_name")`),
    /** The last order's time in seconds; 0 without any. */
    lastOrder: doublePrecision('last_order')
      .notNull()
      .generatedAlwaysAs(sql`coalesce(extract(epoch from "last_order_at" at time zone 'UTC')::double precision, 0)`),
  },
  (table) => [
    index('people_since').on(table.since, table.id),
    index('people_sort_name').on(table.sortName, table.since, table.id),
    index('people_spent').on(table.spentCents, table.since, table.id),
    index('people_orders').on(table.orderCount, table.since, table.id),
    index('people_last_order').on(table.lastOrder, table.since, table.id),
    index('people_guests')
      .on(table.since, table.id)
      .where(sql`${table.accountId} is null`),
    index('people_again')
      .on(table.since, table.id)
      .where(sql`${table.orderCount} > 1`),
    index('people_without_order')
      .on(table.since, table.id)
      .where(sql`${table.orderCount} = 0`),
    index('people_accounts')
      .on(table.since, table.id)
      .where(sql`${table.accountId} is not null`),
    index('people_accounts_with_order')
      .on(table.since, table.id)
      .where(sql`${table.accountId} is not null and ${table.orderCount} > 0`),
    index('people_search').using('gin', table.search.op('gin_trgm_ops')).with({ gin_pending_list_limit: 256 }),
  ],
);
/** What is derived of it is for lists alone. */
export type Person = Omit<typeof people.$inferSelect, 'search' | 'sortName' | 'lastOrder' | 'orderNumbers'>;
