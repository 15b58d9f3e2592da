import { sql } from 'drizzle-orm';
import { check, index, integer, jsonb, pgTable, text } from 'drizzle-orm/pg-core';
import type { ProductType } from '#contract/catalog.ts';
import type { Gift } from '#contract/gift-forms.ts';
import type { OrderEventKind, OrderLine, OrderStatus, ShippingAddress } from '#contract/orders.ts';
import { id, moment } from '../columns.ts';

/** A paid purchase. */
export const orders = pgTable(
  'orders',
  {
    id: id(),
    /** Short, unguessable, said on the phone: KF-7Q4M-2XPA. */
    orderNumber: text('order_number').notNull().unique(),
    /** Null while a guest's. */
    customerId: text('customer_id'),
    email: text('email').notNull(),
    firstName: text('first_name').notNull(),
    lastName: text('last_name').notNull(),
    phone: text('phone'),
    shippingAddress: jsonb('shipping_address').$type<ShippingAddress>(),
    /** Then the address is the recipient's. */
    gift: jsonb('gift').$type<Gift>(),
    productType: text('product_type').$type<ProductType>().notNull(),
    quantity: integer('quantity').notNull(),
    extraPackages: integer('extra_packages').notNull(),
    lines: jsonb('lines').$type<OrderLine[]>().notNull(),
    subtotalCents: integer('subtotal_cents').notNull(),
    discountCents: integer('discount_cents').notNull(),
    promoCode: text('promo_code'),
    taxCents: integer('tax_cents').notNull(),
    /** Percent, as the provider gave it; null when no tax was calculated. */
    taxRate: text('tax_rate'),
    taxJurisdiction: text('tax_jurisdiction'),
    totalCents: integer('total_cents').notNull(),
    /** Given back or about to be: refunds that have not failed. */
    refundedCents: integer('refunded_cents').notNull().default(0),
    status: text('status').$type<OrderStatus>().notNull(),
    /** The owner's, never the customer's to read. */
    notes: text('notes').notNull().default(''),
    shippedAt: moment('shipped_at'),
    trackingCarrier: text('tracking_carrier'),
    trackingNumber: text('tracking_number'),
    /** The frame it adds room to; null for an order with frames of its own. */
    frameId: text('frame_id'),
    /** When its buyer asked for no more reminders. */
    remindersEndedAt: moment('reminders_ended_at'),
    checkoutId: text('checkout_id').notNull().unique(),
    paymentId: text('payment_id').notNull().unique(),
    stripePaymentIntentId: text('stripe_payment_intent_id').notNull().unique(),
    createdAt: moment('created_at').notNull(),
    updatedAt: moment('updated_at').notNull(),
    /** What it is found by. */
    search: text('search')
      .notNull()
      .generatedAlwaysAs(
        sql`searchable("order_number" || ' ' || "first_name" || ' ' || "last_name" || ' ' || "email" || ' ' || "stripe_payment_intent_id")`,
      ),
    /** The same of a gift’s recipient; null of all others. */
    recipientSearch: text('recipient_search').generatedAlwaysAs(sql`searchable("gift" ->> 'recipientName')`),
    sortName: text('sort_name')
      .notNull()
      .generatedAlwaysAs(sql`folded("first_name" || ' ' || "last_name")`),
    /** Its status as a number, 1 pending to 4 shipped. */
    progress: integer('progress')
      .notNull()
      .generatedAlwaysAs(sql`array_position(array['pending', 'processing', 'completed', 'shipped'], "status")`),
  },
  (table) => [
    index('orders_created').on(table.createdAt, table.id),
    // Those that say who placed them, the oldest first to be forgotten.
    index('orders_of_somebody')
      .on(table.createdAt, table.id)
      .where(sql`${table.email} <> ''`),
    index('orders_progress').on(table.progress, table.createdAt, table.id),
    index('orders_sort_name').on(table.sortName, table.createdAt, table.id),
    index('orders_total').on(table.totalCents, table.createdAt, table.id),
    // What waits to be sorted into the index is read by every search, so little of it may wait.
    index('orders_search').using('gin', table.search.op('gin_trgm_ops')).with({ gin_pending_list_limit: 256 }),
    index('orders_recipient_search')
      .using('gin', table.recipientSearch.op('gin_trgm_ops'))
      .with({ gin_pending_list_limit: 256 })
      .where(sql`${table.recipientSearch} is not null`),
    index('orders_customer').on(table.customerId),
    index('orders_email').on(table.email),
    // Presents that are still here: few, however large the shop.
    index('orders_gifts')
      .on(table.createdAt, table.id)
      .where(sql`${table.gift} is not null and ${table.shippedAt} is null`),
    check('orders_gift_sent', sql`${table.gift} is null or ${table.shippingAddress} is not null`),
    check('orders_refunded', sql`${table.refundedCents} between 0 and ${table.totalCents}`),
    check('orders_email_lower', sql`${table.email} = lower(${table.email})`),
  ],
);
/** What is derived is for lists alone. */
export type Order = Omit<typeof orders.$inferSelect, 'search' | 'recipientSearch' | 'sortName' | 'progress'>;

/** An order's history, in the order it happened. */
export const orderEvents = pgTable(
  'order_events',
  {
    id: id(),
    orderId: text('order_id')
      .notNull()
      .references(() => orders.id),
    kind: text('kind').$type<OrderEventKind>().notNull(),
    /** Words for the customer and the owner. */
    words: text('words').notNull(),
    at: moment('at').notNull(),
  },
  (table) => [index('order_events_order').on(table.orderId, table.at)],
);
