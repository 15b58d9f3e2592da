import { sql } from 'drizzle-orm';
import { check, doublePrecision, index, integer, pgTable, text, unique } from 'drizzle-orm/pg-core';
import type { ProductId } from '#contract/catalog.ts';
import { reviewStates } from '#contract/reviews.ts';
import { id, moment } from '../columns.ts';
import { orders } from '../orders/orders.sql.ts';
import { videos } from '../production/production.sql.ts';

/** What a buyer says of a product: one for each order and product. Taken back, it is gone. */
export const reviews = pgTable(
  'reviews',
  {
    id: id(),
    orderId: text('order_id')
      .notNull()
      .references(() => orders.id),
    /** For lists, which ask one table. */
    orderNumber: text('order_number').notNull(),
    productId: text('product_id').$type<ProductId>().notNull(),
    state: text('state', { enum: reviewStates }).notNull(),
    /** Counts what was written: only what the owner has read is approved. */
    version: integer('version').notNull().default(1),
    stars: integer('stars').notNull(),
    words: text('words').notNull(),
    name: text('name').notNull(),
    /** By consent: everyone may watch this take of it. The consent goes with the video. */
    videoId: text('video_id').references(() => videos.id, { onDelete: 'set null' }),
    videoTake: integer('video_take'),
    writtenAt: moment('written_at').notNull(),
    decidedAt: moment('decided_at'),
    /** Why the owner hides it. */
    reason: text('reason'),
    answer: text('answer'),
    /** What it is found by. */
    search: text('search')
      .notNull()
      .generatedAlwaysAs(sql`searchable("order_number" || ' ' || "name" || ' ' || "words")`),
    /** What waits has the least, the oldest first; what is decided comes after it, newest first. */
    turn: doublePrecision('turn')
      .notNull()
      .generatedAlwaysAs(
        sql`case when "state" = 'waiting' then extract(epoch from "written_at" at time zone 'UTC') else 1e11 - extract(epoch from "written_at" at time zone 'UTC') end`,
      ),
  },
  (table) => [
    unique('reviews_order_product').on(table.orderId, table.productId),
    index('reviews_shown')
      .on(table.productId, table.writtenAt, table.id)
      .where(sql`${table.state} = 'approved'`),
    index('reviews_turn').on(table.turn, table.id),
    index('reviews_state').on(table.state, table.turn, table.id),
    index('reviews_search').using('gin', table.search.op('gin_trgm_ops')).with({ gin_pending_list_limit: 256 }),
    index('reviews_video')
      .on(table.videoId)
      .where(sql`${table.videoId} is not null`),
    check('reviews_stars', sql`${table.stars} between 1 and 5`),
  ],
);
/** What is derived is for lists alone. */
export type Review = Omit<typeof reviews.$inferSelect, 'search' | 'turn'>;
