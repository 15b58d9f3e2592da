import { sql } from 'drizzle-orm';
import { boolean, doublePrecision, index, integer, jsonb, pgTable, text, unique } from 'drizzle-orm/pg-core';
import type { CameraMovement, MotionStyle, Provenance } from '#contract/motion.ts';
import { orders } from '../orders/orders.sql.ts';
import { uploads } from '../photos/photos.sql.ts';
import { idColumn, timestampColumn } from '../columns.ts';

/** The video of a photo, from the queue to the owner's approval. A redo makes it again with the next `take`. */
export const videos = pgTable(
  'videos',
  {
    id: idColumn(),
    uploadId: text('upload_id')
      .notNull()
      .unique()
      .references(() => uploads.id, { onDelete: 'cascade' }),
    /** The second photo of a video that shows two photos side by side. */
    secondUploadId: text('second_upload_id')
      .unique()
      .references(() => uploads.id, { onDelete: 'set null' }),
    frameId: text('frame_id').notNull(),
    /** The video's place in the frame, from 0. */
    place: integer('place').notNull(),
    state: text('state', { enum: ['queued', 'rendering', 'rendered', 'approved', 'failed'] }).notNull(),
    /** The motion. The shop chooses it from what the photo shows, unless a person chose it (`isChosen`). */
    style: text('style').$type<MotionStyle>().notNull(),
    isChosen: boolean('is_chosen').notNull().default(false),
    /** The number of the rendering, from 1. Files and jobs of an older take are ignored. */
    take: integer('take').notNull().default(1),
    /**
     * The animator, the idempotency key of the request to it, and its job id. They are stored before the shop waits for
     * the job.
     */
    animator: text('animator'),
    jobKey: text('job_key'),
    jobId: text('job_id'),
    /** Why this machine makes the video instead of the animator in the settings; null if that animator makes it. */
    standIn: text('stand_in'),
    /** The video that the owner uploaded instead; null if the photo is animated. */
    filmKey: text('film_key'),
    /** 0 to 1 while rendering. */
    progress: doublePrecision('progress').notNull().default(0),
    /** The animator that made the finished video, even if it replaced the animator in the settings. */
    madeBy: text('made_by'),
    /**
     * What was done to the photo, as tagged in the video file; null for a video that was made before this column
     * existed.
     */
    provenance: jsonb('provenance').$type<Provenance>(),
    videoKey: text('video_key'),
    posterKey: text('poster_key'),
    /** A small copy of the first seconds, for lists. */
    clipKey: text('clip_key'),
    seconds: doublePrecision('seconds'),
    sizeBytes: integer('size_bytes'),
    failure: text('failure'),
    queuedAt: timestampColumn('queued_at').notNull(),
    startedAt: timestampColumn('started_at'),
    failedAt: timestampColumn('failed_at'),
    renderedAt: timestampColumn('rendered_at'),
    /**
     * When a take was last approved. A redo does not clear this time, because the customer could already watch the
     * approved take.
     */
    approvedAt: timestampColumn('approved_at'),
    /**
     * When the customer accepted the video in the proof. For a video without the customer's decision, this is the time
     * of delivery.
     */
    keptAt: timestampColumn('kept_at'),
    /** When the customer replaced the photo of this video. */
    replacedAt: timestampColumn('replaced_at'),
  },
  (table) => [
    index('videos_frame').on(table.frameId, table.state),
    index('videos_state').on(table.state, table.queuedAt),
    // For the sweep, which checks for every stored file whether a row names it.
    index('videos_video').on(table.videoKey),
    index('videos_poster').on(table.posterKey),
    index('videos_clip').on(table.clipKey),
    index('videos_film').on(table.filmKey),
  ],
);
export type Video = typeof videos.$inferSelect;

/**
 * The approved take that a customer can watch while the next take is made and reviewed. The row is deleted when the
 * next take is approved, or when the owner discards the next take and keeps this one. A trigger (migration 0052) then
 * discards the files that no video names.
 */
export const liveTakes = pgTable(
  'live_takes',
  {
    videoId: text('video_id')
      .primaryKey()
      .references(() => videos.id, { onDelete: 'cascade' }),
    frameId: text('frame_id').notNull(),
    take: integer('take').notNull(),
    style: text('style').$type<MotionStyle>().notNull(),
    isChosen: boolean('is_chosen').notNull(),
    madeBy: text('made_by'),
    provenance: jsonb('provenance').$type<Provenance>(),
    videoKey: text('video_key').notNull(),
    posterKey: text('poster_key'),
    clipKey: text('clip_key'),
    filmKey: text('film_key'),
    seconds: doublePrecision('seconds'),
    sizeBytes: integer('size_bytes'),
    renderedAt: timestampColumn('rendered_at'),
    keptAt: timestampColumn('kept_at'),
  },
  (table) => [index('live_takes_frame').on(table.frameId)],
);
export type LiveTake = typeof liveTakes.$inferSelect;

/**
 * A short, small version of a photo's future video, shown while the customer still adds photos. It is up to date if
 * `wish` equals the customer's current settings for the photo. After the row is deleted, a trigger (migration 0053)
 * discards its file.
 */
export const previews = pgTable(
  'previews',
  {
    uploadId: text('upload_id')
      .primaryKey()
      .references(() => uploads.id, { onDelete: 'cascade' }),
    frameId: text('frame_id').notNull(),
    wish: text('wish').notNull(),
    style: text('style').$type<MotionStyle>().notNull(),
    camera: text('camera').$type<CameraMovement>().notNull(),
    /** The motion that the preview shows. It differs from `style` if the photo does not allow that motion. */
    shownStyle: text('shown_style').$type<MotionStyle>().notNull(),
    /** Null if no preview could be made. */
    key: text('key'),
    madeAt: timestampColumn('made_at').notNull(),
  },
  (table) => [index('previews_key').on(table.key)],
);
export type Preview = typeof previews.$inferSelect;

/** A customer's wish for another motion. It replaces the video's `take` with the next take. */
export const wishes = pgTable(
  'wishes',
  {
    id: idColumn(),
    videoId: text('video_id')
      .notNull()
      .references(() => videos.id, { onDelete: 'cascade' }),
    frameId: text('frame_id').notNull(),
    take: integer('take').notNull(),
    /** The motion of the take that the customer wants to replace. */
    style: text('style').$type<MotionStyle>().notNull(),
    /** The customer's explanation. */
    why: text('why').notNull(),
    askedAt: timestampColumn('asked_at').notNull(),
  },
  (table) => [unique('wishes_take').on(table.videoId, table.take), index('wishes_frame').on(table.frameId)],
);
export type Wish = typeof wishes.$inferSelect;

/**
 * The production state of each order with finalized frames. `follow_production` (migration 0027) derives it from the
 * order's frames and videos, at the end of each transaction that changes one of them.
 */
export const productionOrders = pgTable(
  'production_orders',
  {
    orderId: text('order_id')
      .primaryKey()
      .references(() => orders.id, { onDelete: 'cascade' }),
    /** When one of the order's frames was last finalized. */
    finalizedAt: timestampColumn('finalized_at').notNull(),
    /** When the frame that waits longest was finalized; null if all finalized frames are delivered. */
    waitingSince: timestampColumn('waiting_since'),
    toReview: integer('to_review').notNull().default(0),
    underWay: integer('under_way').notNull().default(0),
    failed: integer('failed').notNull().default(0),
    /**
     * Sorts the list. Waiting orders come first, sorted by the time they were promised for. Delivered orders follow,
     * newest first.
     */
    turn: doublePrecision('turn')
      .notNull()
      .generatedAlwaysAs(
        sql`case when "waiting_since" is null then 1e11 - extract(epoch from "finalized_at" at time zone 'UTC') else extract(epoch from "waiting_since" at time zone 'UTC') end`,
      ),
  },
  (table) => {
    const listIndex = (name: string) => index(name).on(table.turn, table.orderId);
    return [
      listIndex('production_turn'),
      listIndex('production_open').where(sql`${table.waitingSince} is not null`),
      listIndex('production_delivered').where(sql`${table.waitingSince} is null`),
      listIndex('production_review').where(sql`${table.toReview} > 0`),
      listIndex('production_under_way').where(sql`${table.underWay} > 0`),
      listIndex('production_failed').where(sql`${table.failed} > 0`),
    ];
  },
);
export type OrderInProduction = typeof productionOrders.$inferSelect;
