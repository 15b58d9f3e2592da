import { sql } from 'drizzle-orm';
import { bigint, check, index, jsonb, pgTable, text } from 'drizzle-orm/pg-core';
import { idColumn, timestampColumn } from '../columns.ts';

/** The audit trail of the admin panel. Rows are only ever inserted. */
export const auditTrail = pgTable(
  'audit_trail',
  {
    id: idColumn(),
    act: text('act').notNull(),
    subjectId: text('subject_id'),
    before: jsonb('before'),
    after: jsonb('after'),
    requestId: text('request_id'),
    /**
     * The person who did it: `owner` or the id of a staff member, with name and role at that time. Null: no signed-in
     * person did it, or the row is older than these columns.
     */
    personId: text('person_id'),
    personName: text('person_name'),
    personRole: text('person_role'),
    at: timestampColumn('at').notNull(),
    /**
     * The row's place in the hash chain (docs/decisions/0093-audit-chain.md). A trigger sets the place and the hash at
     * the end of the transaction (migration audit_chain).
     */
    place: bigint('place', { mode: 'number' }),
    /** SHA-256 of the previous row's hash and all values of this row. */
    hash: text('hash'),
  },
  (table) => [
    index('audit_trail_place').on(table.place),
    index('audit_trail_at').on(table.at, table.id),
    index('audit_trail_person').on(table.personId, table.at, table.id),
    index('audit_trail_subject').on(table.subjectId, table.act, table.at, table.id),
  ],
);

/**
 * The start and the end of the hash chain. The table has one row, inserted when the first entry is added to the chain.
 */
export const auditChain = pgTable(
  'audit_chain',
  {
    trail: text('trail').primaryKey(),
    /**
     * Place and hash of the last deleted row: the check of the chain starts after them. Code that deletes the oldest
     * rows must store them here. 0 and '': no row was deleted.
     */
    anchorPlace: bigint('anchor_place', { mode: 'number' }).notNull(),
    anchorHash: text('anchor_hash').notNull(),
    lastPlace: bigint('last_place', { mode: 'number' }).notNull(),
    lastHash: text('last_hash').notNull(),
  },
  (table) => [check('audit_chain_one', sql`${table.trail} = 'audit'`)],
);
