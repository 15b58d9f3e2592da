import { index, jsonb, pgTable, text } from 'drizzle-orm/pg-core';
import { id, moment } from '../columns.ts';

/** What was done in the admin panel, and to what; only ever added to. */
export const auditTrail = pgTable(
  'audit_trail',
  {
    id: id(),
    act: text('act').notNull(),
    subjectId: text('subject_id'),
    before: jsonb('before'),
    after: jsonb('after'),
    requestId: text('request_id'),
    at: moment('at').notNull(),
  },
  (table) => [
    index('audit_trail_at').on(table.at, table.id),
    index('audit_trail_subject').on(table.subjectId, table.act, table.at, table.id),
  ],
);
