import { index, pgTable, text } from 'drizzle-orm/pg-core';
import { idColumn, timestampColumn } from '../columns.ts';

/** Recent photos that were refused because they took too long to decode: their senders, and the time of the refusal. */
export const slowPhotos = pgTable(
  'slow_photos',
  {
    id: idColumn(),
    sender: text('sender').notNull(),
    refusedAt: timestampColumn('refused_at').notNull(),
  },
  (table) => [
    index('slow_photos_sender').on(table.sender, table.refusedAt),
    index('slow_photos_refused').on(table.refusedAt),
  ],
);
