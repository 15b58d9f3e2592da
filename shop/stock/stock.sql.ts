import { index, integer, pgTable, text } from 'drizzle-orm/pg-core';
import { timestampColumn } from '../columns.ts';

/**
 * How many frames the shop can still sell. There is at most one row, for the product `kinframe`. Every payment for
 * frames changes it while the owner counts them. Lock it last: no transaction that holds this row waits for another
 * row.
 */
export const frameStock = pgTable('frame_stock', {
  productId: text('product_id').primaryKey(),
  /**
   * Null: frames are not counted, so any number can be sold. Below zero: more frames are paid for than the shop has.
   */
  framesLeft: integer('frames_left'),
});

/** Visitors who want one email when frames are back. The row is deleted with that email. */
export const stockWaiters = pgTable(
  'stock_waiters',
  { email: text('email').primaryKey(), askedAt: timestampColumn('asked_at').notNull() },
  (table) => [index('stock_waiters_asked').on(table.askedAt)],
);
