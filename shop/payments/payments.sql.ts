import { sql } from 'drizzle-orm';
import { check, index, integer, pgTable, text } from 'drizzle-orm/pg-core';
import { idColumn, timestampColumn } from '../columns.ts';

/** A payment and its purpose. The row is written before the request to the provider. */
export const payments = pgTable(
  'payments',
  {
    id: idColumn(),
    /**
     * What the payment is for, and the id of that cart, add-on or gift card. A paid cart becomes an order; a paid
     * add-on adds places to a frame; a paid gift card can be spent.
     */
    purpose: text('purpose', { enum: ['order', 'add-on', 'gift-card'] }).notNull(),
    purposeId: text('purpose_id').notNull(),
    /** The buyer's email; null until the cardholder is known, and after the buyer's data was deleted. */
    email: text('email'),
    /** The provider's id of the intent; null until the shop has stored the provider's response. */
    intentId: text('intent_id').unique(),
    /** Sent with the request that creates the intent, so that a retry after a crash does not create a second intent. */
    idempotencyKey: text('idempotency_key').notNull().unique(),
    /**
     * `mismatched`: paid, but not as agreed; the owner was notified. `closed`: the owner has settled it with the payer
     * outside of the provider.
     */
    state: text('state', {
      enum: ['asking', 'open', 'settled', 'cancelled', 'mismatched', 'refunding', 'refunded', 'closed'],
    }).notNull(),
    /** Zero if gift cards pay the whole cart. The provider then has no intent. */
    amountCents: integer('amount_cents').notNull(),
    currency: text('currency').notNull(),
    mode: text('mode', { enum: ['sandbox', 'test', 'live'] }).notNull(),
    /** The provider's account that owns the intent; null if the provider did not report it. */
    account: text('account'),
    /** The buyer's id at the provider; null if the provider knows only the card. */
    providerCustomerId: text('provider_customer_id'),
    /**
     * The provider's fee, null until the provider reports it. `feeAskedAt` is the time of the last request for the fee.
     */
    feeCents: integer('fee_cents'),
    feeAskedAt: timestampColumn('fee_asked_at'),
    /** An unpaid payment is closed after this time. */
    expiresAt: timestampColumn('expires_at').notNull(),
    /** When the sweep last read the intent from the provider; initially the creation time. */
    askedAt: timestampColumn('asked_at').notNull(),
    createdAt: timestampColumn('created_at').notNull(),
    updatedAt: timestampColumn('updated_at').notNull(),
  },
  (table) => [
    index('payments_purpose').on(table.purposeId),
    index('payments_open')
      .on(table.askedAt, table.id)
      .where(sql`${table.state} in ('asking', 'open')`),
    index('payments_refunding')
      .on(table.updatedAt)
      .where(sql`${table.state} = 'refunding'`),
    index('payments_mismatched')
      .on(table.createdAt)
      .where(sql`${table.state} = 'mismatched'`),
    // For the retention job: payments that bought nothing and still have a buyer's email.
    index('payments_unplaced')
      .on(table.createdAt)
      .where(sql`${table.state} in ('cancelled', 'refunded', 'closed') and ${table.email} is not null`),
    // The release before migration 0040 still uses this index.
    index('payments_abandoned')
      .on(table.createdAt)
      .where(sql`${table.state} = 'cancelled' and ${table.email} is not null`),
    index('payments_fee_unknown')
      .on(table.feeAskedAt.asc().nullsFirst(), table.createdAt.desc())
      .where(sql`${table.state} = 'settled' and ${table.feeCents} is null`),
    check('payments_positive', sql`${table.amountCents} >= 0`),
  ],
);
export type Payment = typeof payments.$inferSelect;

/** The provider's events, each handled once. */
export const paymentEvents = pgTable(
  'payment_events',
  {
    id: idColumn(),
    type: text('type').notNull(),
    intentId: text('intent_id'),
    receivedAt: timestampColumn('received_at').notNull(),
  },
  (table) => [index('payment_events_received').on(table.receivedAt)],
);
