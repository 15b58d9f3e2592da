import { sql } from 'drizzle-orm';
import { boolean, check, index, pgTable, text } from 'drizzle-orm/pg-core';
import { moment } from '../columns.ts';

/** The one store in which this database keeps its files: both know the shop by the same id. One row. */
export const fileStore = pgTable(
  'file_store',
  {
    isOnly: boolean('is_only').primaryKey().default(true),
    shopId: text('shop_id').notNull(),
    /** Since when the sweep finds more than it takes by itself. */
    sweepStoppedAt: moment('sweep_stopped_at'),
  },
  (table) => [check('file_store_only', sql`${table.isOnly}`)],
);

/**
 * Files that a frame or one of its videos named until others took their place: written down by triggers (migration 0037)
 * as that happens, until the files are deleted. They lie in the trash, or where they were.
 */
export const discardedFiles = pgTable(
  'discarded_files',
  { key: text('key').primaryKey(), frameId: text('frame_id').notNull() },
  (table) => [index('discarded_files_frame').on(table.frameId)],
);
