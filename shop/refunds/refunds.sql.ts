import { sql } from 'drizzle-orm';
import { boolean, check, index, integer, jsonb, pgTable, text, type AnyPgColumn } from 'drizzle-orm/pg-core';
import { idColumn, timestampColumn } from '../columns.ts';
import { orders } from '../orders/orders.sql.ts';
import { payments } from '../payments/payments.sql.ts';

/**
 * A refund of an order's payment or of a part of it. If the owner requests it, the row is written before the request to
 * the provider.
 */
export const refunds = pgTable(
  'refunds',
  {
    id: idColumn(),
    paymentId: text('payment_id')
      .notNull()
      .references(() => payments.id),
    /** The order that shows the refund. */
    orderId: text('order_id')
      .notNull()
      .references(() => orders.id),
    amountCents: integer('amount_cents').notNull(),
    /** For the part of a refund that gift cards got: the row of the part that the card got. */
    partOfId: text('part_of_id').references((): AnyPgColumn => refunds.id),
    /** The gift cards that got the amount back. Null: the payment card gets it. */
    giftCards: jsonb('gift_cards').$type<{ giftCardId: string; lastFour: string; amountCents: number }[]>(),
    /** The reason, as the owner typed it; a fixed text for a refund that was made at the provider itself. */
    reason: text('reason').notNull(),
    /**
     * `asking` until the provider has accepted the refund. A failed refund no longer counts against the paid amount.
     */
    state: text('state', { enum: ['asking', 'pending', 'succeeded', 'failed'] }).notNull(),
    providerRefundId: text('provider_refund_id').unique(),
    /** The number of unused photo places that were withdrawn with the refund. */
    photosWithdrawn: integer('photos_withdrawn').notNull().default(0),
    /** Whether the refund also ended the links to the order's videos. */
    withdrawsVideos: boolean('withdraws_videos').notNull().default(false),
    /** Whether the customer gets an email about this refund. The owner can leave it out, and a canceled order has its own email. */
    tellsCustomer: boolean('tells_customer').notNull().default(true),
    createdAt: timestampColumn('created_at').notNull(),
    updatedAt: timestampColumn('updated_at').notNull(),
  },
  (table) => [
    index('refunds_order').on(table.orderId, table.createdAt),
    index('refunds_payment').on(table.paymentId),
    index('refunds_created').on(table.createdAt, table.id),
    index('refunds_unfinished')
      .on(table.updatedAt)
      .where(sql`${table.state} in ('asking', 'pending')`),
    check('refunds_positive', sql`${table.amountCents} > 0`),
  ],
);
export type Refund = typeof refunds.$inferSelect;

/** The columns of a dispute, with the provider's data. */
const disputeColumns = () => ({
  amountCents: integer('amount_cents').notNull(),
  /** The card network's reason and the dispute's status, in the provider's terms. */
  reason: text('reason').notNull(),
  status: text('status').notNull(),
  /** The deadline for a response to the bank. */
  respondBy: timestampColumn('respond_by'),
  createdAt: timestampColumn('created_at').notNull(),
  updatedAt: timestampColumn('updated_at').notNull(),
});

/** A payment that the cardholder disputes at the bank. `id` is the provider's id of the dispute. */
export const disputes = pgTable(
  'disputes',
  {
    id: idColumn(),
    orderId: text('order_id')
      .notNull()
      .references(() => orders.id),
    ...disputeColumns(),
  },
  (table) => [index('disputes_order').on(table.orderId), index('disputes_created').on(table.createdAt, table.id)],
);
export type Dispute = typeof disputes.$inferSelect;

/** A dispute of a payment without an order. */
export const paymentDisputes = pgTable(
  'payment_disputes',
  {
    id: idColumn(),
    paymentId: text('payment_id')
      .notNull()
      .references(() => payments.id),
    ...disputeColumns(),
  },
  (table) => [index('payment_disputes_payment').on(table.paymentId)],
);
export type PaymentDispute = typeof paymentDisputes.$inferSelect;

/**
 * The card issuer's suspicion of fraud, before the cardholder has disputed the payment. `id` is the provider's id of
 * the warning.
 */
export const fraudWarnings = pgTable(
  'fraud_warnings',
  {
    id: idColumn(),
    orderId: text('order_id')
      .notNull()
      .references(() => orders.id),
    /** The kind of fraud, in the provider's terms. */
    fraudType: text('fraud_type').notNull(),
    createdAt: timestampColumn('created_at').notNull(),
  },
  (table) => [index('fraud_warnings_order').on(table.orderId)],
);
export type FraudWarning = typeof fraudWarnings.$inferSelect;
