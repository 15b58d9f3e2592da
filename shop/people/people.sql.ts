import { sql } from 'drizzle-orm';
import { bigint, doublePrecision, index, integer, pgTable, text } from 'drizzle-orm/pg-core';
import { idColumn, timestampColumn } from '../columns.ts';

/**
 * All people: accounts, and email addresses of guests who ordered. Triggers on customers and orders (in the migration
 * that creates this table) derive the rows, so that they always match those tables.
 */
export const people = pgTable(
  'people',
  {
    /** The account's id. A guest has an id that exists only in this table. */
    id: idColumn(),
    /** Null for a guest. */
    accountId: text('account_id'),
    email: text('email').notNull().default(''),
    firstName: text('first_name').notNull().default(''),
    lastName: text('last_name').notNull().default(''),
    /** When the account was created, or when the guest first bought. */
    since: timestampColumn('since').notNull().defaultNow(),
    orderCount: integer('order_count').notNull().default(0),
    /** The sum of payments minus refunds. */
    spentCents: bigint('spent_cents', { mode: 'number' })
      .notNull()
      .default(sql`0`),
    firstOrderAt: timestampColumn('first_order_at'),
    lastOrderAt: timestampColumn('last_order_at'),
    /** The numbers of all orders, for the search. */
    orderNumbers: text('order_numbers').notNull().default(''),
    search: text('search')
      .notNull()
      .generatedAlwaysAs(
        sql`searchable("first_name" || ' ' || "last_name" || ' ' || "email" || ' ' || "order_numbers")`,
      ),
    sortName: text('sort_name')
      .notNull()
      .generatedAlwaysAs(sql`folded("first_name" || ' ' || "last_name")`),
    /** The time of the last order, in seconds since 1970; 0 without an order. */
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
/** A person without the derived columns, which only lists use. */
export type Person = Omit<typeof people.$inferSelect, 'search' | 'sortName' | 'lastOrder' | 'orderNumbers'>;
