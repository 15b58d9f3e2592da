import { sql } from 'drizzle-orm';
import { check, index, integer, jsonb, pgTable, text } from 'drizzle-orm/pg-core';
import type { CustomerDetails } from '#contract/customer-details.ts';
import type { OrderLine } from '#contract/orders.ts';
import type { CartProduct } from '#contract/catalog.ts';
import { id, moment } from '../columns.ts';

/**
 * One browser's way to one order: a changed cart makes a new payment of the same checkout. At most one order comes of
 * it; the payment that came second is refunded.
 */
export const checkouts = pgTable('checkouts', {
  id: id(),
  /** SHA-256 of the httpOnly checkout cookie: only this browser gets the registration context. */
  tokenHash: text('token_hash').notNull().unique(),
  createdAt: moment('created_at').notNull(),
});

/** A frozen cart, its price and the provider's intent for it. The row is written before the provider is asked. */
export const payments = pgTable(
  'payments',
  {
    id: id(),
    checkoutId: text('checkout_id')
      .notNull()
      .references(() => checkouts.id),
    /** The signed-in buyer, if there was one when the cart was priced. */
    customerId: text('customer_id'),
    /** The provider's id; null only between our row and the provider's answer. */
    intentId: text('intent_id').unique(),
    /** Sent with the creation, so asking again after a crash makes no second intent. */
    idempotencyKey: text('idempotency_key').notNull().unique(),
    state: text('state', { enum: ['asking', 'open', 'settled', 'cancelled', 'refunding', 'refunded'] }).notNull(),
    productId: text('product_id').$type<CartProduct>().notNull(),
    quantity: integer('quantity').notNull(),
    extraPackages: integer('extra_packages').notNull(),
    lines: jsonb('lines').$type<OrderLine[]>().notNull(),
    /** Null until the buyer has given them: such an intent cannot be shown a card form for. */
    details: jsonb('details').$type<CustomerDetails>(),
    subtotalCents: integer('subtotal_cents').notNull(),
    discountCents: integer('discount_cents').notNull(),
    taxCents: integer('tax_cents').notNull(),
    totalCents: integer('total_cents').notNull(),
    currency: text('currency').notNull(),
    livemode: text('livemode', { enum: ['sandbox', 'test', 'live'] }).notNull(),
    createdAt: moment('created_at').notNull(),
    updatedAt: moment('updated_at').notNull(),
  },
  (table) => [
    index('payments_checkout').on(table.checkoutId),
    index('payments_open')
      .on(table.createdAt, table.id)
      .where(sql`${table.state} in ('asking', 'open', 'refunding')`),
    check(
      'payments_total',
      sql`${table.totalCents} = ${table.subtotalCents} - ${table.discountCents} + ${table.taxCents}`,
    ),
    check('payments_positive', sql`${table.totalCents} > 0`),
  ],
);
export type Payment = typeof payments.$inferSelect;

/** The provider's events, each acted on once. */
export const paymentEvents = pgTable('payment_events', {
  id: id(),
  type: text('type').notNull(),
  intentId: text('intent_id'),
  receivedAt: moment('received_at').notNull(),
});
