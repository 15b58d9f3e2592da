import { integer, pgTable, text } from 'drizzle-orm/pg-core';
import { timestampColumn } from '../columns.ts';

/** The secret from which a person's phone and the shop compute one-time codes. One row for each person of the panel. */
export const secondFactors = pgTable('second_factors', {
  /** `owner`, or the id of a member of the staff. */
  owner: text('owner').primaryKey(),
  /** The secret in base32. Anyone who knows it can compute the codes. */
  secret: text('secret').notNull(),
  createdAt: timestampColumn('created_at').notNull(),
  /**
   * The time since which sign-in requires a code; null until a first correct code has shown that the phone has the
   * secret.
   */
  confirmedAt: timestampColumn('confirmed_at'),
  /** The 30-second time step of the last used code, so that no code is used twice. */
  lastStep: integer('last_step'),
});

/** Recovery codes. Each can replace one code of the phone. */
export const recoveryCodes = pgTable('recovery_codes', {
  /** The SHA-256 of the code. */
  codeHash: text('code_hash').primaryKey(),
  owner: text('owner')
    .notNull()
    .references(() => secondFactors.owner, { onDelete: 'cascade' }),
  createdAt: timestampColumn('created_at').notNull(),
  usedAt: timestampColumn('used_at'),
});
