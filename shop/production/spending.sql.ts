import { index, integer, pgTable, text } from 'drizzle-orm/pg-core';
import { moment } from '../columns.ts';

/** What was ordered of an animator that is paid, by the order's key. It stays when its video goes. */
export const animationOrders = pgTable(
  'animation_orders',
  {
    key: text('key').primaryKey(),
    videoId: text('video_id').notNull(),
    orderId: text('order_id').notNull(),
    animator: text('animator').notNull(),
    priceCents: integer('price_cents').notNull(),
    /** Of the shop's time zone: 2026-11. */
    month: text('month').notNull(),
    orderedAt: moment('ordered_at').notNull(),
  },
  (table) => [index('animation_orders_video').on(table.videoId), index('animation_orders_order').on(table.orderId)],
);

/** The sum of a month's orders: the one row that orders at the same moment wait for. */
export const animationMonths = pgTable('animation_months', {
  month: text('month').primaryKey(),
  spentCents: integer('spent_cents').notNull().default(0),
});
