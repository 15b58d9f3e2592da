import { index, pgTable, text } from 'drizzle-orm/pg-core';
import { id, moment } from '../columns.ts';

/** Photos that took too long to open, for a while: who sent them, and when. */
export const slowPhotos = pgTable(
  'slow_photos',
  {
    id: id(),
    sender: text('sender').notNull(),
    refusedAt: moment('refused_at').notNull(),
  },
  (table) => [
    index('slow_photos_sender').on(table.sender, table.refusedAt),
    index('slow_photos_refused').on(table.refusedAt),
  ],
);
