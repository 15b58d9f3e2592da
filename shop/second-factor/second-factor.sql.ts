import { sql } from 'drizzle-orm';
import { check, integer, pgTable, text } from 'drizzle-orm/pg-core';
import { moment } from '../columns.ts';

/** What the owner's phone and the shop make one-time codes of. One row, as there is one owner. */
export const secondFactors = pgTable(
  'second_factors',
  {
    owner: text('owner').primaryKey(),
    /** Base32: whoever has it makes the codes. */
    secret: text('secret').notNull(),
    createdAt: moment('created_at').notNull(),
    /** Since when it is asked for; null until one code has shown that the phone has it. */
    confirmedAt: moment('confirmed_at'),
    /** The half minute of the last code that was used. */
    lastStep: integer('last_step'),
  },
  (table) => [check('second_factors_one', sql`${table.owner} = 'owner'`)],
);

/** In place of the phone, once each. */
export const recoveryCodes = pgTable('recovery_codes', {
  /** SHA-256. */
  codeHash: text('code_hash').primaryKey(),
  owner: text('owner')
    .notNull()
    .references(() => secondFactors.owner, { onDelete: 'cascade' }),
  createdAt: moment('created_at').notNull(),
  usedAt: moment('used_at'),
});
