import { sql } from 'drizzle-orm';
import { check, index, integer, pgTable, text } from 'drizzle-orm/pg-core';
import { id, moment } from '../columns.ts';

/** An account with a password. Buyers without one are known by their order alone. */
export const customers = pgTable(
  'customers',
  {
    id: id(),
    /** Lower case, trimmed. */
    email: text('email').notNull().unique(),
    firstName: text('first_name').notNull(),
    lastName: text('last_name').notNull(),
    /** argon2id. */
    passwordHash: text('password_hash').notNull(),
    /** Since when the mailbox is known to be theirs: only then do guest orders of this e-mail belong to them. */
    emailConfirmedAt: moment('email_confirmed_at'),
    stripeCustomerId: text('stripe_customer_id'),
    createdAt: moment('created_at').notNull(),
  },
  (table) => [
    index('customers_created').on(table.createdAt, table.id),
    check('customers_email_lower', sql`${table.email} = lower(${table.email})`),
  ],
);
export type Customer = typeof customers.$inferSelect;

/** A signed-in browser. The cookie's token is stored only as its SHA-256. */
export const sessions = pgTable(
  'sessions',
  {
    tokenHash: text('token_hash').primaryKey(),
    kind: text('kind', { enum: ['customer', 'admin'] }).notNull(),
    /** Null for the admin. */
    customerId: text('customer_id').references(() => customers.id, { onDelete: 'cascade' }),
    createdAt: moment('created_at').notNull(),
    lastSeenAt: moment('last_seen_at').notNull(),
    /** The absolute end; idleness ends it sooner. */
    expiresAt: moment('expires_at').notNull(),
  },
  (table) => [
    index('sessions_customer').on(table.customerId),
    index('sessions_expiry').on(table.expiresAt),
    check('sessions_owner', sql`(${table.kind} = 'customer') = (${table.customerId} is not null)`),
  ],
);

/** A link with one purpose and an end: 256 random bits, of which only the SHA-256 is kept. */
export const tokens = pgTable(
  'tokens',
  {
    tokenHash: text('token_hash').primaryKey(),
    purpose: text('purpose', {
      enum: ['password-reset', 'email-confirmation', 'finish-registration', 'order-access', 'upload-link', 'delivery'],
    }).notNull(),
    /** What it opens: a customer's, order's or frame's id by purpose. */
    subjectId: text('subject_id').notNull(),
    createdAt: moment('created_at').notNull(),
    expiresAt: moment('expires_at').notNull(),
    /** Set once where the purpose is one act. */
    usedAt: moment('used_at'),
    revokedAt: moment('revoked_at'),
  },
  (table) => [index('tokens_subject').on(table.purpose, table.subjectId), index('tokens_expiry').on(table.expiresAt)],
);
export type TokenPurpose = (typeof tokens.$inferSelect)['purpose'];

/** Failed sign-ins by account or address, for the growing delay that never becomes a lock. */
export const signInFailures = pgTable('sign_in_failures', {
  /** SHA-256 of what was tried: an e-mail or an address. */
  key: text('key').primaryKey(),
  failures: integer('failures').notNull(),
  lastFailedAt: moment('last_failed_at').notNull(),
});
