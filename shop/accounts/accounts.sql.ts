import { sql } from 'drizzle-orm';
import { bigint, boolean, check, index, integer, jsonb, pgTable, text } from 'drizzle-orm/pg-core';
import type { OwnersWay } from '#contract/owner/security.ts';
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
    /** Photos whose videos disappointed that may still be replaced: each replacement spends one. */
    reuploadCredits: integer('reupload_credits').notNull().default(0),
    stripeCustomerId: text('stripe_customer_id'),
    createdAt: moment('created_at').notNull(),
  },
  (table) => [
    index('customers_created').on(table.createdAt, table.id),
    check('customers_credits', sql`${table.reuploadCredits} >= 0`),
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
    /** When its holder last gave the password again. */
    provedAt: moment('proved_at'),
    /** The browser and the machine it runs on, in words; null where they did not say. */
    device: text('device'),
    /** How the owner got in; null for customers. */
    way: text('way').$type<OwnersWay>(),
  },
  (table) => [
    index('sessions_customer').on(table.customerId),
    index('sessions_expiry').on(table.expiresAt),
    check('sessions_owner', sql`(${table.kind} = 'customer') = (${table.customerId} is not null)`),
  ],
);

/** Another e-mail that a customer wants, until the link mailed there is opened. One a customer. */
export const emailChanges = pgTable('email_changes', {
  customerId: text('customer_id')
    .primaryKey()
    .references(() => customers.id, { onDelete: 'cascade' }),
  /** Changes with each wish, so that the link of an earlier one opens nothing. */
  id: text('id').notNull().unique(),
  email: text('email').notNull(),
  askedAt: moment('asked_at').notNull(),
});

/** A key on a customer's device that signs in without a password. Only its public half is here. */
export const passkeys = pgTable(
  'passkeys',
  {
    /** The authenticator's name for it, base64url. */
    id: id(),
    customerId: text('customer_id')
      .notNull()
      .references(() => customers.id, { onDelete: 'cascade' }),
    /** COSE, base64url. */
    publicKey: text('public_key').notNull(),
    /** How often it has signed, as it says; one that counts backwards is a copy. */
    counter: bigint('counter', { mode: 'number' }).notNull(),
    transports: jsonb('transports').$type<string[]>().notNull(),
    /** Kept in step on several devices. */
    isSynced: boolean('is_synced').notNull(),
    /** The customer's word for it. */
    name: text('name').notNull(),
    createdAt: moment('created_at').notNull(),
    lastUsedAt: moment('last_used_at'),
  },
  (table) => [index('passkeys_customer').on(table.customerId, table.createdAt)],
);
export type Passkey = typeof passkeys.$inferSelect;

/** Failed sign-ins by account or address, for the growing delay that never becomes a lock. */
export const signInFailures = pgTable(
  'sign_in_failures',
  {
    /** SHA-256 of what was tried: an e-mail or an address. */
    key: text('key').primaryKey(),
    failures: integer('failures').notNull(),
    lastFailedAt: moment('last_failed_at').notNull(),
  },
  (table) => [index('sign_in_failures_last').on(table.lastFailedAt)],
);
