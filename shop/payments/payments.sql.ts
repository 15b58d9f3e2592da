import { sql } from 'drizzle-orm';
import { boolean, check, index, integer, jsonb, pgTable, text } from 'drizzle-orm/pg-core';
import type { CustomerDetails } from '#contract/customer-details.ts';
import type { OrderLine } from '#contract/orders.ts';
import type { CartProduct } from '#contract/catalog.ts';
import { id, moment } from '../columns.ts';
import { orders } from '../orders/orders.sql.ts';

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
    /** `mismatched`: paid, but not what the cart cost; the owner has been told. */
    state: text('state', {
      enum: ['asking', 'open', 'settled', 'cancelled', 'mismatched', 'refunding', 'refunded'],
    }).notNull(),
    productId: text('product_id').$type<CartProduct>().notNull(),
    quantity: integer('quantity').notNull(),
    extraPackages: integer('extra_packages').notNull(),
    lines: jsonb('lines').$type<OrderLine[]>().notNull(),
    /** Null until the buyer has given them: such an intent cannot be shown a card form for. */
    details: jsonb('details').$type<CustomerDetails>(),
    subtotalCents: integer('subtotal_cents').notNull(),
    discountCents: integer('discount_cents').notNull(),
    /** The code behind the discount, as the owner spells it. */
    promoCode: text('promo_code'),
    /** Whether this payment counts as a use of its code (promotion_counts). */
    holdsPromotion: boolean('holds_promotion').notNull().default(false),
    taxCents: integer('tax_cents').notNull(),
    /** Percent, jurisdiction and calculation as the provider gave them; null when no tax was calculated. */
    taxRate: text('tax_rate'),
    taxJurisdiction: text('tax_jurisdiction'),
    taxCalculationId: text('tax_calculation_id'),
    totalCents: integer('total_cents').notNull(),
    currency: text('currency').notNull(),
    /** The buyer at the provider; null where the provider knows them by the card alone. */
    providerCustomerId: text('provider_customer_id'),
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

/** Money given back of a paid order, by the owner. The row is written before the provider is asked. */
export const refunds = pgTable(
  'refunds',
  {
    id: id(),
    orderId: text('order_id')
      .notNull()
      .references(() => orders.id),
    amountCents: integer('amount_cents').notNull(),
    /** The owner's words. */
    reason: text('reason').notNull(),
    /** `asking` until the provider has taken it; a failed one no longer counts against the order's total. */
    state: text('state', { enum: ['asking', 'pending', 'succeeded', 'failed'] }).notNull(),
    providerRefundId: text('provider_refund_id').unique(),
    /** Unused photo places that went back with the money. */
    photosWithdrawn: integer('photos_withdrawn').notNull().default(0),
    createdAt: moment('created_at').notNull(),
    updatedAt: moment('updated_at').notNull(),
  },
  (table) => [
    index('refunds_order').on(table.orderId, table.createdAt),
    index('refunds_unfinished')
      .on(table.updatedAt)
      .where(sql`${table.state} in ('asking', 'pending')`),
    check('refunds_positive', sql`${table.amountCents} > 0`),
  ],
);
export type Refund = typeof refunds.$inferSelect;

/** A payment its cardholder's bank has taken back; `id` is the provider's. */
export const disputes = pgTable(
  'disputes',
  {
    id: id(),
    orderId: text('order_id')
      .notNull()
      .references(() => orders.id),
    amountCents: integer('amount_cents').notNull(),
    /** The card network's reason and the dispute's state, as the provider names them. */
    reason: text('reason').notNull(),
    status: text('status').notNull(),
    /** The last moment for an answer to the bank. */
    respondBy: moment('respond_by'),
    createdAt: moment('created_at').notNull(),
    updatedAt: moment('updated_at').notNull(),
  },
  (table) => [index('disputes_order').on(table.orderId)],
);
export type Dispute = typeof disputes.$inferSelect;

/** The provider's events, each acted on once. */
export const paymentEvents = pgTable('payment_events', {
  id: id(),
  type: text('type').notNull(),
  intentId: text('intent_id'),
  receivedAt: moment('received_at').notNull(),
});
