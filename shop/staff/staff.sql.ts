import { sql } from 'drizzle-orm';
import { check, index, pgTable, text, uniqueIndex } from 'drizzle-orm/pg-core';
import type { Role } from '#contract/owner/areas.ts';
import { idColumn, timestampColumn } from '../columns.ts';

/**
 * People whom the owner invited to work in the panel. The owner of the settings has no row. Rows are never deleted,
 * because the audit trail names the people.
 */
export const staff = pgTable(
  'staff',
  {
    id: idColumn(),
    /** In lower case and trimmed. */
    email: text('email').notNull(),
    name: text('name').notNull(),
    role: text('role').$type<Role>().notNull(),
    state: text('state', { enum: ['invited', 'active', 'removed'] }).notNull(),
    /** argon2id. Null: the person signs in with a passkey only. */
    passwordHash: text('password_hash'),
    invitedAt: timestampColumn('invited_at').notNull(),
    acceptedAt: timestampColumn('accepted_at'),
    removedAt: timestampColumn('removed_at'),
  },
  (table) => [
    uniqueIndex('staff_email')
      .on(table.email)
      .where(sql`${table.state} <> 'removed'`),
    index('staff_invited').on(table.invitedAt, table.id),
    check('staff_email_lower', sql`${table.email} = lower(${table.email})`),
    check('staff_removed', sql`(${table.state} = 'removed') = (${table.removedAt} is not null)`),
    check('staff_accepted', sql`${table.state} <> 'active' or ${table.acceptedAt} is not null`),
    check('staff_password', sql`${table.state} <> 'removed' or ${table.passwordHash} is null`),
  ],
);
