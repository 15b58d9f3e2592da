import { bigint, index, integer, jsonb, pgTable, text } from 'drizzle-orm/pg-core';
import type { ErasedFrame, ErasureReason } from '#contract/keeping.ts';
import { id, moment } from '../columns.ts';

/** Photos and videos that were erased: the receipt, and while their files are being deleted, which ones those are. */
export const erasures = pgTable(
  'erasures',
  {
    id: id(),
    /** Null for a guest's, and once the account is gone. */
    customerId: text('customer_id'),
    reason: text('reason').$type<ErasureReason>().notNull(),
    frames: jsonb('frames').$type<ErasedFrame[]>().notNull(),
    photos: integer('photos').notNull(),
    videos: integer('videos').notNull(),
    sizeBytes: bigint('size_bytes', { mode: 'number' }).notNull(),
    /** Keys of the files that no row names any more; null once they are gone. */
    keys: jsonb('keys').$type<string[]>(),
    /** Who hears of it once they are gone; null once that is done. */
    receipt: jsonb('receipt').$type<{ to: string; firstName: string }>(),
    askedAt: moment('asked_at').notNull(),
    doneAt: moment('done_at'),
  },
  (table) => [index('erasures_customer').on(table.customerId, table.askedAt)],
);
export type Erasure = typeof erasures.$inferSelect;
