import { index, pgTable, text } from 'drizzle-orm/pg-core';
import { id, moment } from '../columns.ts';

/** A page view. The visitor's address is not stored. */
export const pageViews = pgTable(
  'page_views',
  {
    id: id(),
    pagePath: text('page_path').notNull(),
    referrer: text('referrer'),
    userAgent: text('user_agent').notNull(),
    viewedAt: moment('viewed_at').notNull(),
  },
  (table) => [index('page_views_at').on(table.viewedAt, table.id)],
);
