import { bigint, index, integer, pgTable } from 'drizzle-orm/pg-core';
import { idColumn, timestampColumn } from '../columns.ts';

/** Finished backups. The table does not record where the files of a backup are stored. */
export const backups = pgTable(
  'backups',
  {
    id: idColumn(),
    /** The time of the backup's snapshot. */
    takenAt: timestampColumn('taken_at').notNull(),
    finishedAt: timestampColumn('finished_at').notNull(),
    files: integer('files').notNull(),
    sizeBytes: bigint('size_bytes', { mode: 'number' }).notNull(),
  },
  (table) => [index('backups_taken').on(table.takenAt)],
);
