import { doublePrecision, index, integer, pgTable, text } from 'drizzle-orm/pg-core';
import { frames } from '../frames/frames.sql.ts';
import { id, moment } from '../columns.ts';

/** A customer's photo: the bytes as uploaded, and the upright, metadata-free copies made from them. */
export const uploads = pgTable(
  'uploads',
  {
    id: id(),
    frameId: text('frame_id')
      .notNull()
      .references(() => frames.id),
    orderId: text('order_id').notNull(),
    /** Ours, unguessable, served at /uploads/{fileName}. */
    fileName: text('file_name').notNull().unique(),
    /** The customer's, a label only. */
    originalFileName: text('original_file_name').notNull(),
    mimeType: text('mime_type').notNull(),
    fileSize: integer('file_size').notNull(),
    sha256: text('sha256').notNull(),
    width: integer('width').notNull(),
    height: integer('height').notNull(),
    /** Where the picture's point of interest is, 0 to 1; null: found by the renderer. */
    focusX: doublePrecision('focus_x'),
    focusY: doublePrecision('focus_y'),
    originalKey: text('original_key').notNull(),
    displayKey: text('display_key').notNull(),
    thumbnailKey: text('thumbnail_key').notNull(),
    adminNotes: text('admin_notes').notNull().default(''),
    uploadedAt: moment('uploaded_at').notNull(),
  },
  (table) => [
    index('uploads_frame').on(table.frameId, table.uploadedAt, table.id),
    index('uploads_order').on(table.orderId),
  ],
);
export type Upload = typeof uploads.$inferSelect;
