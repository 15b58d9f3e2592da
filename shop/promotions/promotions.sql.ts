import { sql } from 'drizzle-orm';
import { check, integer, pgTable, text } from 'drizzle-orm/pg-core';

/** How many checkouts hold or have spent a code: the one row that parallel buyers of a capped code meet. */
export const promotionCounts = pgTable(
  'promotion_counts',
  {
    /** Upper case, as it is compared. */
    code: text('code').primaryKey(),
    used: integer('used').notNull(),
  },
  (table) => [check('promotion_counts_used', sql`${table.used} >= 0`)],
);
