import { sql } from 'drizzle-orm';
import { boolean, doublePrecision, index, integer, jsonb, pgTable, text, unique } from 'drizzle-orm/pg-core';
import type { MotionStyle, Provenance } from '#contract/motion.ts';
import { orders } from '../orders/orders.sql.ts';
import { uploads } from '../photos/photos.sql.ts';
import { id, moment } from '../columns.ts';

/** The one video of a photo, from the queue to the owner's approval. A redo starts it over with the next `take`. */
export const videos = pgTable(
  'videos',
  {
    id: id(),
    uploadId: text('upload_id')
      .notNull()
      .unique()
      .references(() => uploads.id, { onDelete: 'cascade' }),
    frameId: text('frame_id').notNull(),
    /** Its photo's place among the frame's, 0 first. */
    place: integer('place').notNull(),
    state: text('state', { enum: ['queued', 'rendering', 'rendered', 'approved', 'failed'] }).notNull(),
    /** Chosen by what the photo shows, unless a person chose it. */
    style: text('style').$type<MotionStyle>().notNull(),
    isChosen: boolean('is_chosen').notNull().default(false),
    /** 1 is the first rendering; files and jobs of an older take are ignored. */
    take: integer('take').notNull().default(1),
    /** Whose job it is, the order's idempotency key and the job's id there: written before it is waited for. */
    animator: text('animator'),
    jobKey: text('job_key'),
    jobId: text('job_id'),
    /** Why the animator of the settings does not make it, and this machine does instead; null where it does. */
    standIn: text('stand_in'),
    /** The owner's own film for it, as it came; null where the photo is animated. */
    filmKey: text('film_key'),
    /** 0 to 1 while rendering. */
    progress: doublePrecision('progress').notNull().default(0),
    /** Which animator made it; a fallback says so. */
    madeBy: text('made_by'),
    /** What was done to the photo, as the video itself tells; null for videos made before it was kept. */
    provenance: jsonb('provenance').$type<Provenance>(),
    videoKey: text('video_key'),
    posterKey: text('poster_key'),
    /** The first seconds, small, for lists. */
    clipKey: text('clip_key'),
    seconds: doublePrecision('seconds'),
    sizeBytes: integer('size_bytes'),
    failure: text('failure'),
    queuedAt: moment('queued_at').notNull(),
    startedAt: moment('started_at'),
    failedAt: moment('failed_at'),
    renderedAt: moment('rendered_at'),
    /** When a take of it was last accepted. Making it again does not undo that its customer could watch it. */
    approvedAt: moment('approved_at'),
    /** When the customer, asked to look at it, wanted to keep it. */
    keptAt: moment('kept_at'),
    /** When its customer put another photo in the place of the one it was made of. */
    replacedAt: moment('replaced_at'),
  },
  (table) => [
    index('videos_frame').on(table.frameId, table.state),
    index('videos_state').on(table.state, table.queuedAt),
    // The sweep asks of every stored file whether it is named.
    index('videos_video').on(table.videoKey),
    index('videos_poster').on(table.posterKey),
    index('videos_clip').on(table.clipKey),
    index('videos_film').on(table.filmKey),
  ],
);
export type Video = typeof videos.$inferSelect;

/** A customer's wish for another motion; the take it was about was given up for it. */
export const wishes = pgTable(
  'wishes',
  {
    id: id(),
    videoId: text('video_id')
      .notNull()
      .references(() => videos.id, { onDelete: 'cascade' }),
    frameId: text('frame_id').notNull(),
    take: integer('take').notNull(),
    /** The motion it had. */
    style: text('style').$type<MotionStyle>().notNull(),
    /** In the customer's words. */
    why: text('why').notNull(),
    askedAt: moment('asked_at').notNull(),
  },
  (table) => [unique('wishes_take').on(table.videoId, table.take), index('wishes_frame').on(table.frameId)],
);
export type Wish = typeof wishes.$inferSelect;

/**
 * How far each order with finalized frames is: derived from its frames and videos by `follow_production` (migration 0007)
 * as each transaction that changes one of them ends.
 */
export const productionOrders = pgTable(
  'production_orders',
  {
    orderId: text('order_id')
      .primaryKey()
      .references(() => orders.id, { onDelete: 'cascade' }),
    /** The latest finalize among its frames. */
    finalizedAt: moment('finalized_at').notNull(),
    /** The finalize of its longest waiting frame; null once all finalized frames are delivered. */
    waitingSince: moment('waiting_since'),
    toReview: integer('to_review').notNull().default(0),
    underWay: integer('under_way').notNull().default(0),
    failed: integer('failed').notNull().default(0),
    /** What was promised soonest has the least; what is delivered comes after all that waits, newest first. */
    turn: doublePrecision('turn')
      .notNull()
      .generatedAlwaysAs(
        sql`case when "waiting_since" is null then 1e11 - extract(epoch from "finalized_at" at time zone 'UTC') else extract(epoch from "waiting_since" at time zone 'UTC') end`,
      ),
  },
  (table) => {
    const listed = (name: string) => index(name).on(table.turn, table.orderId);
    return [
      listed('production_turn'),
      listed('production_open').where(sql`${table.waitingSince} is not null`),
      listed('production_delivered').where(sql`${table.waitingSince} is null`),
      listed('production_review').where(sql`${table.toReview} > 0`),
      listed('production_under_way').where(sql`${table.underWay} > 0`),
      listed('production_failed').where(sql`${table.failed} > 0`),
    ];
  },
);
export type OrderInProduction = typeof productionOrders.$inferSelect;
