import { jsonb, pgTable, text } from 'drizzle-orm/pg-core';
import { timestampColumn } from '../columns.ts';

/** The content of public pages that the owner edits, by section. A section without a row shows its built-in default. */
export const content = pgTable('content', {
  section: text('section').primaryKey(),
  value: jsonb('value').notNull(),
  updatedAt: timestampColumn('updated_at').notNull(),
});
