import { boolean, pgTable } from 'drizzle-orm/pg-core';
import { id, moment } from '../columns.ts';

/** Whether the owner wants the day sheet by mail. One row, inserted when the owner first chooses. */
export const daySheetWishes = pgTable('day_sheet_wishes', {
  /** Always `owner`. */
  id: id(),
  isMailed: boolean('is_mailed').notNull(),
  updatedAt: moment('updated_at').notNull(),
});
