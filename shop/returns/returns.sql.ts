import { sql } from 'drizzle-orm';
import { boolean, index, integer, pgTable, primaryKey, text, uniqueIndex } from 'drizzle-orm/pg-core';
import { returnReasons, returnStates } from '#contract/return-forms.ts';
import { idColumn, timestampColumn } from '../columns.ts';
import { frames } from '../frames/frames.sql.ts';
import { orders } from '../orders/orders.sql.ts';
import { refunds } from '../refunds/refunds.sql.ts';

/** A customer's request to send frames of an order back, and what came of it. */
export const returns = pgTable(
  'returns',
  {
    id: idColumn(),
    orderId: text('order_id')
      .notNull()
      .references(() => orders.id),
    /**
     * A return whose refund has failed keeps the state `refunded`, and counts as received until it is refunded again
     * (`withCurrentState`).
     */
    state: text('state', { enum: returnStates }).notNull(),
    reason: text('reason', { enum: returnReasons }).notNull(),
    /** The customer's own text; empty if the customer entered none. */
    words: text('words').notNull(),
    photoKey: text('photo_key'),
    photoBytes: integer('photo_bytes'),
    /** The owner's answer to the request. */
    answer: text('answer'),
    answeredAt: timestampColumn('answered_at'),
    labelKey: text('label_key'),
    labelBytes: integer('label_bytes'),
    labelLink: text('label_link'),
    receivedAt: timestampColumn('received_at'),
    endedAt: timestampColumn('ended_at'),
    /** What the owner wrote when the return ended. */
    closingWords: text('closing_words'),
    refundId: text('refund_id').references(() => refunds.id),
    requestedAt: timestampColumn('requested_at').notNull(),
    updatedAt: timestampColumn('updated_at').notNull(),
  },
  (table) => [
    index('returns_order').on(table.orderId, table.requestedAt),
    // Returns that wait for the owner. Their number stays small.
    index('returns_waiting')
      .on(table.orderId)
      .where(sql`${table.state} in ('requested', 'received')`),
    index('returns_files')
      .on(table.updatedAt)
      .where(sql`${table.photoKey} is not null or ${table.labelKey} is not null`),
    index('returns_photo').on(table.photoKey),
    index('returns_label').on(table.labelKey),
    index('returns_refund').on(table.refundId),
  ],
);
export type Return = typeof returns.$inferSelect;

/** The frames of a return. */
export const returnFrames = pgTable(
  'return_frames',
  {
    returnId: text('return_id')
      .notNull()
      .references(() => returns.id, { onDelete: 'cascade' }),
    frameId: text('frame_id')
      .notNull()
      .references(() => frames.id),
    /** Whether the return is open or has ended with a refund. A frame has at most one such return. */
    isTaken: boolean('is_taken').notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.returnId, table.frameId] }),
    uniqueIndex('return_frames_taken')
      .on(table.frameId)
      .where(sql`${table.isTaken}`),
  ],
);
