import { doublePrecision, index, integer, pgTable, text } from 'drizzle-orm/pg-core';
import type { MotionStyle } from '#contract/motion.ts';
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
    style: text('style').$type<MotionStyle>().notNull(),
    /** 1 is the first rendering; files and jobs of an older take are ignored. */
    take: integer('take').notNull().default(1),
    /** 0 to 1 while rendering. */
    progress: doublePrecision('progress').notNull().default(0),
    /** Which animator made it; a fallback says so. */
    madeBy: text('made_by'),
    videoKey: text('video_key'),
    posterKey: text('poster_key'),
    seconds: doublePrecision('seconds'),
    sizeBytes: integer('size_bytes'),
    failure: text('failure'),
    queuedAt: moment('queued_at').notNull(),
    renderedAt: moment('rendered_at'),
    approvedAt: moment('approved_at'),
  },
  (table) => [
    index('videos_frame').on(table.frameId, table.state),
    index('videos_state').on(table.state, table.queuedAt),
  ],
);
export type Video = typeof videos.$inferSelect;
