import { sql } from 'drizzle-orm';
import { check, index, integer, pgTable, primaryKey, text } from 'drizzle-orm/pg-core';
import { timestampColumn } from '../columns.ts';

/**
 * The number of payments that have used a code. A code may have a cap on its uses. Every reservation of a capped code,
 * and every payment with it, locks this row. Of several concurrent buyers, only one then gets the last use.
 */
export const promotionCounts = pgTable(
  'promotion_counts',
  {
    /** The code in upper case, for comparison. */
    code: text('code').primaryKey(),
    used: integer('used').notNull(),
  },
  (table) => [check('promotion_counts_used', sql`${table.used} >= 0`)],
);

/**
 * Reserves one use of a capped code for a browser that entered the code, while its user pays. The row stays for
 * a day after the reservation has ended. During that day, neither the browser nor its network gets another reservation.
 */
export const promotionHolds = pgTable(
  'promotion_holds',
  {
    /** The code in upper case, for comparison. */
    code: text('code').notNull(),
    checkoutId: text('checkout_id').notNull(),
    /** SHA-256 of the code and the browser's network. */
    networkHash: text('network_hash').notNull().unique(),
    endsAt: timestampColumn('ends_at').notNull(),
  },
  (table) => [primaryKey({ columns: [table.code, table.checkoutId] }), index('promotion_holds_ends').on(table.endsAt)],
);
