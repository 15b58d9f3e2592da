import { boolean, pgTable } from 'drizzle-orm/pg-core';
import { idColumn, timestampColumn } from '../columns.ts';

/** Whether the owner wants the day sheet by mail. One row, inserted when the owner first chooses. */
export const daySheetWishes = pgTable('day_sheet_wishes', {
  /** Always `owner`. */
  id: idColumn(),
  isMailed: boolean('is_mailed').notNull(),
  updatedAt: timestampColumn('updated_at').notNull(),
});
