import { sql } from 'drizzle-orm';
import { boolean, doublePrecision, index, integer, jsonb, pgTable, text } from 'drizzle-orm/pg-core';
import type { Moves } from '#contract/photo-forms.ts';
import type { Seen } from '../ports/seeing.ts';
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
    /** What people wrote about the picture: its video's title. */
    caption: text('caption'),
    /** Its customer wants that written on the film. */
    isTitled: boolean('is_titled').notNull().default(false),
    sha256: text('sha256').notNull(),
    width: integer('width').notNull(),
    height: integer('height').notNull(),
    /** Where the picture's point of interest is, 0 to 1; null: found by the renderer. */
    focusX: doublePrecision('focus_x'),
    focusY: doublePrecision('focus_y'),
    /** Its place among the frame's photos, 0 first; null: after those that have one, as it was chosen. */
    position: integer('position'),
    /** What its customer lets move. */
    moves: jsonb('moves').$type<Moves>(),
    /** What the photo shows; null until it was looked at. */
    seen: jsonb('seen').$type<Seen>(),
    originalKey: text('original_key').notNull(),
    displayKey: text('display_key').notNull(),
    thumbnailKey: text('thumbnail_key').notNull(),
    adminNotes: text('admin_notes').notNull().default(''),
    uploadedAt: moment('uploaded_at').notNull(),
    /** The selection it was chosen in, its place there, and when the first of it that is in this frame came. */
    selection: text('selection'),
    selectionPlace: integer('selection_place'),
    selectionAt: moment('selection_at'),
    /** Who brought it through a collect link; the person's name may be forgotten by now. */
    contributorId: text('contributor_id'),
    /** Since when the customer has to accept it; null: it is theirs. It takes its place meanwhile, and is never animated. */
    waitingSince: moment('waiting_since'),
  },
  (table) => [
    index('uploads_frame').on(table.frameId, table.uploadedAt, table.id),
    index('uploads_order').on(table.orderId, table.uploadedAt, table.id),
    index('uploads_uploaded').on(table.uploadedAt, table.id),
    index('uploads_contributor')
      .on(table.contributorId)
      .where(sql`${table.contributorId} is not null`),
    index('uploads_waiting')
      .on(table.frameId)
      .where(sql`${table.waitingSince} is not null`),
    // The sweep asks of every stored file whether it is named.
    index('uploads_original').on(table.originalKey),
    index('uploads_display').on(table.displayKey),
    index('uploads_thumbnail').on(table.thumbnailKey),
  ],
);
export type Upload = typeof uploads.$inferSelect;
