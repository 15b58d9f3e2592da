import { index, integer, pgTable, text } from 'drizzle-orm/pg-core';
import { timestampColumn } from '../columns.ts';

/** Paid requests to animators, by the request's idempotency key. A row stays when its video is deleted. */
export const animationOrders = pgTable(
  'animation_orders',
  {
    key: text('key').primaryKey(),
    videoId: text('video_id').notNull(),
    orderId: text('order_id').notNull(),
    animator: text('animator').notNull(),
    priceCents: integer('price_cents').notNull(),
    /** The month in the shop's time zone, for example 2026-11. */
    month: text('month').notNull(),
    orderedAt: timestampColumn('ordered_at').notNull(),
  },
  (table) => [index('animation_orders_video').on(table.videoId), index('animation_orders_order').on(table.orderId)],
);

/**
 * The cost of all paid requests of a month. Concurrent requests lock this row, so that together they cannot exceed the
 * cap.
 */
export const animationMonths = pgTable('animation_months', {
  month: text('month').primaryKey(),
  spentCents: integer('spent_cents').notNull().default(0),
});
