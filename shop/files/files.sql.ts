import { sql } from 'drizzle-orm';
import { boolean, check, index, pgTable, text } from 'drizzle-orm/pg-core';
import { timestampColumn } from '../columns.ts';

/**
 * The file store of this database. The database and the store both contain the same shop id. The table has only one
 * row.
 */
export const fileStore = pgTable(
  'file_store',
  {
    isOnly: boolean('is_only').primaryKey().default(true),
    shopId: text('shop_id').notNull(),
    /** Since when the sweep is stopped, because it finds more orphans than its limit. */
    sweepStoppedAt: timestampColumn('sweep_stopped_at'),
  },
  (table) => [check('file_store_only', sql`${table.isOnly}`)],
);

/**
 * Files that a frame, one of its photos or videos, or a preview named before, for example before other files replaced
 * them. Triggers (migrations 0037, 0052, 0053 and 0058) insert the rows. A row stays until its file is deleted. The
 * file is in the trash, or still at its key.
 */
export const discardedFiles = pgTable(
  'discarded_files',
  {
    key: text('key').primaryKey(),
    frameId: text('frame_id').notNull(),
    /** The photo, if the file is a copy or a preview of a photo. */
    uploadId: text('upload_id'),
  },
  (table) => [index('discarded_files_frame').on(table.frameId)],
);
