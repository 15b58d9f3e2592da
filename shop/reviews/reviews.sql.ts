import { sql } from 'drizzle-orm';
import { check, doublePrecision, index, integer, pgTable, text, unique } from 'drizzle-orm/pg-core';
import type { ProductId } from '#contract/catalog.ts';
import { reviewStates } from '#contract/reviews.ts';
import { idColumn, timestampColumn } from '../columns.ts';
import { orders } from '../orders/orders.sql.ts';
import { videos } from '../production/production.sql.ts';

/**
 * A buyer's review of a product. Each order has at most one review per product. When the buyer withdraws the review,
 * the row is deleted.
 */
export const reviews = pgTable(
  'reviews',
  {
    id: idColumn(),
    orderId: text('order_id')
      .notNull()
      .references(() => orders.id),
    /** A copy of the order's number, so that lists query only one table. */
    orderNumber: text('order_number').notNull(),
    productId: text('product_id').$type<ProductId>().notNull(),
    state: text('state', { enum: reviewStates }).notNull(),
    /** Increases with each change of the text, so that the owner approves only the text that they have read. */
    version: integer('version').notNull().default(1),
    stars: integer('stars').notNull(),
    words: text('words').notNull(),
    name: text('name').notNull(),
    /**
     * The video, and its take, that the buyer allows the shop to show publicly. Deleting the video ends this consent.
     */
    videoId: text('video_id').references(() => videos.id, { onDelete: 'set null' }),
    videoTake: integer('video_take'),
    writtenAt: timestampColumn('written_at').notNull(),
    decidedAt: timestampColumn('decided_at'),
    /** Why the owner hid the review. */
    reason: text('reason'),
    answer: text('answer'),
    /** The text that the search looks in. */
    search: text('search')
      .notNull()
      .generatedAlwaysAs(sql`searchable("order_number" || ' ' || "name" || ' ' || "words")`),
    /** Sorts the list. Waiting reviews come first, oldest first. The other reviews follow, newest first. */
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
/** A review without the derived columns, which only lists use. */
export type Review = Omit<typeof reviews.$inferSelect, 'search' | 'turn'>;
