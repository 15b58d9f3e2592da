import { index, pgTable, text } from 'drizzle-orm/pg-core';
import { idColumn, timestampColumn } from '../columns.ts';

/** A page view. The visitor's address is not stored. */
export const pageViews = pgTable(
  'page_views',
  {
    id: idColumn(),
    pagePath: text('page_path').notNull(),
    referrer: text('referrer'),
    userAgent: text('user_agent').notNull(),
    viewedAt: timestampColumn('viewed_at').notNull(),
  },
  (table) => [index('page_views_at').on(table.viewedAt, table.id)],
);

/**
 * Counts trial videos for the owner's funnel. It contains nothing about the photo and stays after the trial is erased.
 */
export const triedFilms = pgTable(
  'tried_films',
  {
    id: idColumn(),
    triedAt: timestampColumn('tried_at').notNull(),
    /** The latest cart for which this browser started a payment after its video was ready. */
    cartId: text('cart_id'),
  },
  (table) => [index('tried_films_at').on(table.triedAt)],
);
