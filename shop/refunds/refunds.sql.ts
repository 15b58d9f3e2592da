import { sql } from 'drizzle-orm';
import { check, index, integer, pgTable, text } from 'drizzle-orm/pg-core';
import { id, moment } from '../columns.ts';
import { orders } from '../orders/orders.sql.ts';
import { payments } from '../payments/payments.sql.ts';

/** Money of a payment given back by the owner. The row is written before the provider is asked. */
export const refunds = pgTable(
  'refunds',
  {
    id: id(),
    paymentId: text('payment_id')
      .notNull()
      .references(() => payments.id),
    /** The order it is told with. */
    orderId: text('order_id')
      .notNull()
      .references(() => orders.id),
    amountCents: integer('amount_cents').notNull(),
    /** The owner's words. */
    reason: text('reason').notNull(),
    /** `asking` until the provider has taken it; a failed one no longer counts against what was paid. */
    state: text('state', { enum: ['asking', 'pending', 'succeeded', 'failed'] }).notNull(),
    providerRefundId: text('provider_refund_id').unique(),
    /** Unused photo places that went back with the money. */
    photosWithdrawn: integer('photos_withdrawn').notNull().default(0),
    createdAt: moment('created_at').notNull(),
    updatedAt: moment('updated_at').notNull(),
  },
  (table) => [
    index('refunds_order').on(table.orderId, table.createdAt),
    index('refunds_payment').on(table.paymentId),
    index('refunds_unfinished')
      .on(table.updatedAt)
      .where(sql`${table.state} in ('asking', 'pending')`),
    check('refunds_positive', sql`${table.amountCents} > 0`),
  ],
);
export type Refund = typeof refunds.$inferSelect;

/** What the provider tells of a dispute. */
const dispute = () => ({
  amountCents: integer('amount_cents').notNull(),
  /** The card network's reason and the dispute's state, as the provider names them. */
  reason: text('reason').notNull(),
  status: text('status').notNull(),
  /** The last moment for an answer to the bank. */
  respondBy: moment('respond_by'),
  createdAt: moment('created_at').notNull(),
  updatedAt: moment('updated_at').notNull(),
});

/** A payment its cardholder's bank has taken back; `id` is the provider's. */
export const disputes = pgTable(
  'disputes',
  {
    id: id(),
    orderId: text('order_id')
      .notNull()
      .references(() => orders.id),
    ...dispute(),
  },
  (table) => [index('disputes_order').on(table.orderId)],
);
export type Dispute = typeof disputes.$inferSelect;

/** The same of a payment that made no order. */
export const paymentDisputes = pgTable(
  'payment_disputes',
  {
    id: id(),
    paymentId: text('payment_id')
      .notNull()
      .references(() => payments.id),
    ...dispute(),
  },
  (table) => [index('payment_disputes_payment').on(table.paymentId)],
);
export type PaymentDispute = typeof paymentDisputes.$inferSelect;

/** What a card's issuer thinks of a payment, before its holder is heard; `id` is the provider's. */
export const fraudWarnings = pgTable(
  'fraud_warnings',
  {
    id: id(),
    orderId: text('order_id')
      .notNull()
      .references(() => orders.id),
    /** As the provider names it. */
    fraudType: text('fraud_type').notNull(),
    createdAt: moment('created_at').notNull(),
  },
  (table) => [index('fraud_warnings_order').on(table.orderId)],
);
export type FraudWarning = typeof fraudWarnings.$inferSelect;
