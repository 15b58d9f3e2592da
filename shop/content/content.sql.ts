import { jsonb, pgTable, text } from 'drizzle-orm/pg-core';
import { moment } from '../columns.ts';

/** What the owner edits, by section; where a section is absent the built-in default stands. */
export const content = pgTable('content', {
  section: text('section').primaryKey(),
  value: jsonb('value').notNull(),
  updatedAt: moment('updated_at').notNull(),
});
