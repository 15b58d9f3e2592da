import { sql } from 'drizzle-orm';
import { check, index, integer, pgTable, primaryKey, text } from 'drizzle-orm/pg-core';
import { frames } from '../frames/frames.sql.ts';
import { id, moment } from '../columns.ts';

/** A photo that comes in pieces. It has no place in its frame before its last piece is here. */
export const arrivals = pgTable(
  'arrivals',
  {
    id: id(),
    /** It is announced for; a photo by an upload link goes to a later one where this has filled up meanwhile. */
    frameId: text('frame_id')
      .notNull()
      .references(() => frames.id, { onDelete: 'cascade' }),
    /** Of one sender's photos one is decoded at a time, and no more than so many are half sent. */
    sender: text('sender').notNull(),
    /** The guest who alone goes on with it: a contributor, or whoever has this upload link; null: the frame's customer. */
    guestId: text('guest_id'),
    /** However often the photo is sent under this key, its frame takes it once. */
    photoKey: text('photo_key').notNull(),
    /** The selection it was chosen in, and its place there. */
    selection: text('selection'),
    selectionPlace: integer('selection_place'),
    /** The customer's name for it, a label only. */
    name: text('name').notNull(),
    sizeBytes: integer('size_bytes').notNull(),
    /** How much of it is here for good: moved on by guarded updates only, and to its end once it is the frame's. */
    arrivedBytes: integer('arrived_bytes').notNull().default(0),
    /** The photo it became. */
    uploadId: text('upload_id'),
    /** When its last piece came. */
    lastAt: moment('last_at').notNull(),
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

/** What is here of it, each piece a stored file. */
export const arrivalPieces = pgTable(
  'arrival_pieces',
  {
    arrivalId: text('arrival_id')
      .notNull()
      .references(() => arrivals.id, { onDelete: 'cascade' }),
    /** Its first byte in the photo. */
    start: integer('start').notNull(),
    key: text('key').notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.arrivalId, table.start] }),
    // The sweep asks of every stored file whether it is named.
    index('arrival_pieces_key').on(table.key),
  ],
);
