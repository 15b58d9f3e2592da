import { index, integer, pgTable, text, timestamp } from 'drizzle-orm/pg-core';

/** Calls counted in their window, for all processes. Unlogged: a crash may forget it. */
export const rateCounters = pgTable(
  'rate_counters',
  {
    key: text('key').primaryKey(),
    count: integer('count').notNull(),
    endsAt: timestamp('ends_at', { withTimezone: true, mode: 'date' }).notNull(),
  },
  (table) => [index('rate_counters_end').on(table.endsAt)],
);
