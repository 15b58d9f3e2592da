import { bigint, index, integer, pgTable } from 'drizzle-orm/pg-core';
import { id, moment } from '../columns.ts';

/** Backups that were finished, wherever they lie now. */
export const backups = pgTable(
  'backups',
  {
    id: id(),
    /** The moment the backup is of. */
    takenAt: moment('taken_at').notNull(),
    finishedAt: moment('finished_at').notNull(),
    files: integer('files').notNull(),
    sizeBytes: bigint('size_bytes', { mode: 'number' }).notNull(),
  },
  (table) => [index('backups_taken').on(table.takenAt)],
);
