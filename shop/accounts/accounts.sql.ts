import { sql } from 'drizzle-orm';
import { check, index, integer, pgTable, text, timestamp, unique } from 'drizzle-orm/pg-core';
import type { OwnerSignInMethod } from '#contract/owner/security.ts';
import { idColumn, timestampColumn } from '../columns.ts';
import { staff } from '../staff/staff.sql.ts';
import { passkeyColumns } from '../passkeys/columns.ts';

/** An account with a password. A buyer without an account has only an order. */
export const customers = pgTable(
  'customers',
  {
    id: idColumn(),
    /** In lower case and trimmed. */
    email: text('email').notNull().unique(),
    firstName: text('first_name').notNull(),
    lastName: text('last_name').notNull(),
    /** The argon2id hash of the password. */
    passwordHash: text('password_hash').notNull(),
    /**
     * When the customer proved that they own the email address (docs/decisions/0098-proven-email.md). Null: not proven,
     * so the account does not reserve the address.
     */
    emailProvenAt: timestampColumn('email_proven_at'),
    /** This release only writes the column, for the previous release, which reads it instead of `emailProvenAt`. */
    emailConfirmedAt: timestampColumn('email_confirmed_at'),
    /**
     * How many photos the customer may still replace because a video is disappointing. A replacement spends one credit.
     */
    reuploadCredits: integer('reupload_credits').notNull().default(0),
    stripeCustomerId: text('stripe_customer_id'),
    createdAt: timestampColumn('created_at').notNull(),
  },
  (table) => [
    index('customers_created').on(table.createdAt, table.id),
    check('customers_credits', sql`${table.reuploadCredits} >= 0`),
    check('customers_email_lower', sql`${table.email} = lower(${table.email})`),
  ],
);
export type Customer = typeof customers.$inferSelect;

/** A signed-in browser. Only the SHA-256 of the cookie's token is stored. */
export const sessions = pgTable(
  'sessions',
  {
    tokenHash: text('token_hash').primaryKey(),
    /**
     * `admin` is the owner. Staff have their own kind, so that the previous release does not read a session of staff as
     * the owner's.
     */
    kind: text('kind', { enum: ['customer', 'admin', 'staff'] }).notNull(),
    /** Null for the admin and staff. */
    customerId: text('customer_id').references(() => customers.id, { onDelete: 'cascade' }),
    /** The member of the staff; null for customers and the owner. */
    staffId: text('staff_id').references(() => staff.id, { onDelete: 'cascade' }),
    /** Why the session of a member ended before its time. The row stays, so that the open panel can say it. */
    endedBecause: text('ended_because', { enum: ['removed', 'role-changed'] }),
    createdAt: timestampColumn('created_at').notNull(),
    lastSeenAt: timestampColumn('last_seen_at').notNull(),
    /** The absolute expiry. An idle session expires sooner. */
    expiresAt: timestampColumn('expires_at').notNull(),
    /**
     * When the customer last entered the password again, or the owner last did a step-up; null if never since sign-in.
     */
    provedAt: timestampColumn('proved_at'),
    /** The browser and its operating system, shown in the list of sessions; null if unknown. */
    device: text('device'),
    /** How the owner or a member of the staff signed in; null for customers. */
    way: text('way').$type<OwnerSignInMethod>(),
    /** The id of the session's browser in `known_browsers`; null for a session from before that table existed. */
    browserId: text('browser_id'),
    /** The customer's passkey that started the session; null if a password or a mailed link started it. */
    passkeyId: text('passkey_id'),
  },
  (table) => [
    index('sessions_customer').on(table.customerId),
    index('sessions_expiry').on(table.expiresAt),
    index('sessions_browser').on(table.browserId),
    index('sessions_staff').on(table.staffId),
    check('sessions_of_staff', sql`(${table.kind} = 'staff') = (${table.staffId} is not null)`),
    check('sessions_owner', sql`(${table.kind} = 'customer') = (${table.customerId} is not null)`),
  ],
);

/**
 * A new email address that a customer has requested and not yet proven with the link that was emailed to the new
 * address. At most one per customer.
 */
export const emailChanges = pgTable('email_changes', {
  customerId: text('customer_id')
    .primaryKey()
    .references(() => customers.id, { onDelete: 'cascade' }),
  /** Each request gets a new id, so that the link of an earlier request becomes invalid. */
  id: text('id').notNull().unique(),
  email: text('email').notNull(),
  askedAt: timestampColumn('asked_at').notNull(),
});

/** A key on a customer's device that signs in without a password. Only the public key is stored. */
export const passkeys = pgTable(
  'passkeys',
  {
    ...passkeyColumns(),
    customerId: text('customer_id')
      .notNull()
      .references(() => customers.id, { onDelete: 'cascade' }),
    /** The session that added the passkey; null for passkeys from before this column existed. */
    sessionHash: text('session_hash'),
  },
  (table) => [index('passkeys_customer').on(table.customerId, table.createdAt)],
);
export type Passkey = typeof passkeys.$inferSelect;

/**
 * A browser in which someone has signed in to this account before. The browser has its own limit of wrong passwords,
 * and a sign-in with it is not reported by mail. One browser cookie can be known to several accounts.
 */
export const knownBrowsers = pgTable(
  'known_browsers',
  {
    id: idColumn(),
    /** SHA-256 of the browser's cookie. The cookie gets a new value at each sign-in. */
    tokenHash: text('token_hash').notNull(),
    /** The id of the customer or of the member of the staff, or `owner` for the owner of the shop. */
    account: text('account').notNull(),
    /** Null for the owner and staff. */
    customerId: text('customer_id').references(() => customers.id, { onDelete: 'cascade' }),
    /** Null for customers and the owner. */
    staffId: text('staff_id').references(() => staff.id, { onDelete: 'cascade' }),
    lastSignInAt: timestampColumn('last_sign_in_at').notNull(),
  },
  (table) => [
    unique('known_browsers_of_account').on(table.tokenHash, table.account),
    index('known_browsers_account').on(table.account),
    index('known_browsers_customer').on(table.customerId),
    index('known_browsers_last').on(table.lastSignInAt),
    check('known_browsers_whose', sql`${table.account} = coalesce(${table.customerId}, ${table.staffId}, 'owner')`),
  ],
);

/**
 * Wrong passwords and codes, counted to limit guessing. Each try is counted before it is checked; a correct try is
 * removed afterwards.
 */
export const tries = pgTable(
  'tries',
  {
    /**
     * SHA-256 of a text that names the account and the kind of try. For tries that are counted for each IP address: the
     * hash of the kind, a colon, and the hash of the address.
     */
    key: text('key').primaryKey(),
    /** The times of the wrong tries of the last day. */
    times: timestamp('times', { withTimezone: true, mode: 'date' }).array().notNull(),
    /** The number of wrong tries since the last correct try, or since a lock after too many tries was removed. */
    inRow: integer('in_row').notNull(),
    lastTriedAt: timestampColumn('last_tried_at').notNull(),
  },
  (table) => [index('tries_last').on(table.lastTriedAt)],
);

/** Failed sign-ins, counted by the previous release. It may still run next to this release during a deployment. */
export const signInFailures = pgTable(
  'sign_in_failures',
  {
    /** SHA-256 of an email address or an IP address. */
    key: text('key').primaryKey(),
    failures: integer('failures').notNull(),
    lastFailedAt: timestampColumn('last_failed_at').notNull(),
  },
  (table) => [index('sign_in_failures_last').on(table.lastFailedAt)],
);
