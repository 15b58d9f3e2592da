import { sql } from 'drizzle-orm';
import { check, index, integer, pgTable, text } from 'drizzle-orm/pg-core';
import { id, moment } from '../columns.ts';

/** Money and its purpose. The row is written before the provider is asked. */
export const payments = pgTable(
  'payments',
  {
    id: id(),
    /** What it pays for, and that one's id: a cart that becomes an order, or more room for a frame. */
    purpose: text('purpose', { enum: ['order', 'add-on'] }).notNull(),
    purposeId: text('purpose_id').notNull(),
    /** The buyer's, in whose words the owner is told of it; null until the card's holder is known. */
    email: text('email'),
    /** The provider's id; null only between our row and the provider's answer. */
    intentId: text('intent_id').unique(),
    /** Sent with the creation, so asking again after a crash makes no second intent. */
    idempotencyKey: text('idempotency_key').notNull().unique(),
    /**
     * `mismatched`: paid, but not what was agreed; the owner has been told. `closed`: she has come to terms with the payer
     * outside of the provider.
     */
    state: text('state', {
      enum: ['asking', 'open', 'settled', 'cancelled', 'mismatched', 'refunding', 'refunded', 'closed'],
    }).notNull(),
    amountCents: integer('amount_cents').notNull(),
    currency: text('currency').notNull(),
    mode: text('mode', { enum: ['sandbox', 'test', 'live'] }).notNull(),
    /** The provider's account that knows the intent; null where the provider did not say. */
    account: text('account'),
    /** The buyer at the provider; null where the provider knows them by the card alone. */
    providerCustomerId: text('provider_customer_id'),
    /** What the provider kept of it; null until it says, and when it was last asked. */
    feeCents: integer('fee_cents'),
    feeAskedAt: moment('fee_asked_at'),
    /** Unpaid by then, it is closed. */
    expiresAt: moment('expires_at').notNull(),
    /** When the sweep last asked the provider about it; before that, when it was made. */
    askedAt: moment('asked_at').notNull(),
    createdAt: moment('created_at').notNull(),
    updatedAt: moment('updated_at').notNull(),
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
    // Placed nothing and not forgotten yet.
    index('payments_unplaced')
      .on(table.createdAt)
      .where(sql`${table.state} in ('cancelled', 'refunded', 'closed') and ${table.email} is not null`),
    // The release before 0040 looks here.
    index('payments_abandoned')
      .on(table.createdAt)
      .where(sql`${table.state} = 'cancelled' and ${table.email} is not null`),
    index('payments_fee_unknown')
      .on(table.feeAskedAt.asc().nullsFirst(), table.createdAt.desc())
      .where(sql`${table.state} = 'settled' and ${table.feeCents} is null`),
    check('payments_positive', sql`${table.amountCents} > 0`),
  ],
);
export type Payment = typeof payments.$inferSelect;

/** The provider's events, each acted on once. */
export const paymentEvents = pgTable(
  'payment_events',
  {
    id: id(),
    type: text('type').notNull(),
    intentId: text('intent_id'),
    receivedAt: moment('received_at').notNull(),
  },
  (table) => [index('payment_events_received').on(table.receivedAt)],
);
