import { bigint, index, integer, jsonb, pgTable, text } from 'drizzle-orm/pg-core';
import type { ErasedFrame, ErasureReason } from '#contract/erasure.ts';
import { idColumn, timestampColumn } from '../columns.ts';

/** An erasure of photos and videos: its receipt, and the keys of the files while they are being deleted. */
export const erasures = pgTable(
  'erasures',
  {
    id: idColumn(),
    /** Null for a guest, and after the account is deleted. */
    customerId: text('customer_id'),
    reason: text('reason').$type<ErasureReason>().notNull(),
    frames: jsonb('frames').$type<ErasedFrame[]>().notNull(),
    photos: integer('photos').notNull(),
    videos: integer('videos').notNull(),
    sizeBytes: bigint('size_bytes', { mode: 'number' }).notNull(),
    /** Keys of the files to delete, which no row refers to anymore; null after they are deleted. */
    keys: jsonb('keys').$type<string[]>(),
    /** The recipient of the receipt mail, which is queued after the files are deleted; null after it is queued. */
    receipt: jsonb('receipt').$type<{ to: string; firstName: string }>(),
    askedAt: timestampColumn('asked_at').notNull(),
    doneAt: timestampColumn('done_at'),
  },
  (table) => [index('erasures_customer').on(table.customerId, table.askedAt)],
);
export type Erasure = typeof erasures.$inferSelect;
