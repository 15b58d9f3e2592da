import { sql } from 'drizzle-orm';
import {
  boolean,
  check,
  doublePrecision,
  index,
  integer,
  jsonb,
  pgTable,
  text,
  uniqueIndex,
} from 'drizzle-orm/pg-core';
import type { MotionStyle } from '#contract/motion.ts';
import type { AreaForm, AllowedMotions } from '#contract/photo-forms.ts';
import type { OwnMotion } from '../ports/imaging.ts';
import type { PhotoAnalysis } from '../ports/photo-analyzer.ts';
import { frames } from '../frames/frames.sql.ts';
import { idColumn, timestampColumn } from '../columns.ts';

/** A customer's photo: the file as it was uploaded, and copies that are upright and have no metadata. */
export const uploads = pgTable(
  'uploads',
  {
    id: idColumn(),
    frameId: text('frame_id')
      .notNull()
      .references(() => frames.id),
    orderId: text('order_id').notNull(),
    /** The unguessable name that the shop generated. The photo is served at /uploads/{fileName}. */
    fileName: text('file_name').notNull().unique(),
    /** The name of the file on the sender's device. It is only a label. */
    originalFileName: text('original_file_name').notNull(),
    mimeType: text('mime_type').notNull(),
    fileSize: integer('file_size').notNull(),
    /** The caption of the photo, which is also the title of its video. */
    caption: text('caption'),
    /** Whether the caption is written on the video. */
    isTitled: boolean('is_titled').notNull().default(false),
    sha256: text('sha256').notNull(),
    width: integer('width').notNull(),
    height: integer('height').notNull(),
    /** The picture's point of interest, 0 to 1; null if the renderer chooses it. */
    focusX: doublePrecision('focus_x'),
    focusY: doublePrecision('focus_y'),
    /**
     * The photo's position in its frame, beginning with 0. Photos without a position follow in the order in which they
     * were chosen.
     */
    position: integer('position'),
    /** What may or should move in the photo, as the customer chose: people, water, a candle. */
    moves: jsonb('moves').$type<AllowedMotions>(),
    /** The motion that the customer chose for the video; null if the shop chooses. */
    chosenStyle: text('chosen_style').$type<MotionStyle>(),
    /** The motion that the original file contains; null if it contains none, and for photos of earlier releases. */
    ownMotion: jsonb('own_motion').$type<OwnMotion>(),
    /** What the photo shows; null until it was analyzed. */
    seen: jsonb('seen').$type<PhotoAnalysis>(),
    originalKey: text('original_key').notNull(),
    displayKey: text('display_key').notNull(),
    thumbnailKey: text('thumbnail_key').notNull(),
    /**
     * How far the display copy and the thumbnail are turned clockwise, and the part of the turned photo that they show.
     */
    quarterTurns: integer('quarter_turns').notNull().default(0),
    cropArea: jsonb('crop_area').$type<AreaForm>(),
    /** The display copy of the whole photo; null if the photo is not turned or cropped. */
    wholeKey: text('whole_key'),
    /** Whether scratches, dust and faded colors are repaired in the video, as the customer chose. */
    isRepaired: boolean('is_repaired').notNull().default(false),
    /** Whether the customer keeps the paper border of a print. The question about it is then not asked again. */
    isBorderKept: boolean('is_border_kept').notNull().default(false),
    /** The perceptual hash of the display copy; null for a plain picture, and for photos of earlier releases. */
    perceptualHash: text('perceptual_hash'),
    /** Photos of a frame with the same value look alike, and the customer keeps all of them. */
    keptAlike: text('kept_alike'),
    /**
     * The photo to the left of this one in the video that both photos share; null if this photo has its own video. If
     * that photo was deleted, this one has its own video, too.
     */
    shownWithId: text('shown_with_id'),
    /** Whether the customer wants no pair with this photo. It is then not suggested again. */
    isShownAlone: boolean('is_shown_alone').notNull().default(false),
    adminNotes: text('admin_notes').notNull().default(''),
    uploadedAt: timestampColumn('uploaded_at').notNull(),
    /**
     * The selection of files that the photo was chosen with, its position in that selection, and the time when the
     * first photo of the selection arrived in this frame.
     */
    selection: text('selection'),
    selectionPlace: integer('selection_place'),
    selectionAt: timestampColumn('selection_at'),
    /** The contributor who added the photo through a collect link. Their name may already be deleted. */
    contributorId: text('contributor_id'),
    /**
     * When the photo began to wait for the customer to accept it; null if it is the customer's own. A waiting photo
     * uses a place, but no video is made from it.
     */
    waitingSince: timestampColumn('waiting_since'),
  },
  (table) => [
    index('uploads_frame').on(table.frameId, table.uploadedAt, table.id),
    index('uploads_order').on(table.orderId, table.uploadedAt, table.id),
    uniqueIndex('uploads_shown_with').on(table.shownWithId),
    index('uploads_uploaded').on(table.uploadedAt, table.id),
    index('uploads_contributor')
      .on(table.contributorId)
      .where(sql`${table.contributorId} is not null`),
    index('uploads_waiting')
      .on(table.frameId)
      .where(sql`${table.waitingSince} is not null`),
    // For the sweep, which checks for every stored file whether a row names it.
    index('uploads_original').on(table.originalKey),
    index('uploads_display').on(table.displayKey),
    index('uploads_thumbnail').on(table.thumbnailKey),
    index('uploads_whole')
      .on(table.wholeKey)
      .where(sql`${table.wholeKey} is not null`),
    check('uploads_quarter_turns', sql`${table.quarterTurns} between 0 and 3`),
  ],
);
export type Upload = typeof uploads.$inferSelect;
