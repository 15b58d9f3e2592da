import { sql } from 'drizzle-orm';
import { check, index, integer, pgTable, primaryKey, text } from 'drizzle-orm/pg-core';
import { frames } from '../frames/frames.sql.ts';
import { idColumn, timestampColumn } from '../columns.ts';

/**
 * A photo that is uploaded in pieces (the chunks of the tus protocol). The photo gets a place in its frame when its
 * last piece is stored.
 */
export const arrivals = pgTable(
  'arrivals',
  {
    id: idColumn(),
    /**
     * The frame for which the upload was created. If that frame is full when the photo is complete, a photo from an
     * upload link goes to the customer's next frame.
     */
    frameId: text('frame_id')
      .notNull()
      .references(() => frames.id, { onDelete: 'cascade' }),
    /**
     * The id of a customer or of a link. Photos of one sender are decoded one at a time, and the number of incomplete
     * uploads of each sender is limited.
     */
    sender: text('sender').notNull(),
    /**
     * The only guest who may continue the upload: a contributor, or a person with this upload link. Null if only the
     * frame's customer may continue it.
     */
    guestId: text('guest_id'),
    /** The frame accepts one photo for each key, even if the photo is sent several times. */
    photoKey: text('photo_key').notNull(),
    /** The selection of files that the photo was chosen with, and its position in that selection. */
    selection: text('selection'),
    selectionPlace: integer('selection_place'),
    /** The name of the file on the sender's device. It is only a label. */
    name: text('name').notNull(),
    sizeBytes: integer('size_bytes').notNull(),
    /**
     * The number of stored bytes. A piece is stored only if it begins at this number. The number reaches `sizeBytes`
     * only after the photo belongs to the frame.
     */
    arrivedBytes: integer('arrived_bytes').notNull().default(0),
    /** The complete photo; null while the upload is incomplete. */
    uploadId: text('upload_id'),
    /** When the latest piece of the upload was stored. Until the first piece is stored, when the upload was created. */
    lastAt: timestampColumn('last_at').notNull(),
  },
  (table) => [
    index('arrivals_frame').on(table.frameId),
    index('arrivals_last').on(table.lastAt),
    index('arrivals_guest')
      .on(table.guestId)
      .where(sql`${table.guestId} is not null`),
    check('arrivals_length', sql`${table.arrivedBytes} between 0 and ${table.sizeBytes}`),
  ],
);
export type Arrival = typeof arrivals.$inferSelect;

/** The stored pieces of incomplete uploads. Each piece is a stored file. */
export const arrivalPieces = pgTable(
  'arrival_pieces',
  {
    arrivalId: text('arrival_id')
      .notNull()
      .references(() => arrivals.id, { onDelete: 'cascade' }),
    /** The position of the piece's first byte in the photo. */
    start: integer('start').notNull(),
    key: text('key').notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.arrivalId, table.start] }),
    // For the sweep, which checks for every stored file whether a row names it.
    index('arrival_pieces_key').on(table.key),
  ],
);
