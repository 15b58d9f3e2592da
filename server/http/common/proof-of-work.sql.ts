import { sql } from 'drizzle-orm';
import { boolean, check, index, pgTable, text, timestamp } from 'drizzle-orm/pg-core';

/** The secret with which all processes sign challenges, in a single row. */
export const proofOfWorkKeys = pgTable(
  'proof_of_work_keys',
  {
    isOnly: boolean('is_only').primaryKey().default(true),
    secret: text('secret').notNull(),
  },
  (table) => [check('proof_of_work_keys_one', sql`${table.isOnly}`)],
);

/**
 * Challenges whose solution was used. A row is kept at least until its challenge expires, so no solution works twice.
 */
export const proofsOfWork = pgTable(
  'proofs_of_work',
  {
    nonce: text('nonce').primaryKey(),
    endsAt: timestamp('ends_at', { withTimezone: true, mode: 'date' }).notNull(),
  },
  (table) => [index('proofs_of_work_end').on(table.endsAt)],
);
