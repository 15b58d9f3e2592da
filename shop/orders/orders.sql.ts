import { sql } from 'drizzle-orm';
import { check, index, integer, jsonb, pgTable, text } from 'drizzle-orm/pg-core';
import type { ProductType } from '#contract/catalog.ts';
import type { Gift } from '#contract/gift-forms.ts';
import type { OrderEventKind, OrderLine, OrderStatus, ShippingAddress } from '#contract/orders.ts';
import { idColumn, timestampColumn } from '../columns.ts';

/** A paid purchase. */
export const orders = pgTable(
  'orders',
  {
    id: idColumn(),
    /** Short, unguessable and easy to say on the phone: KF-7Q4M-2XPA. */
    orderNumber: text('order_number').notNull().unique(),
    /** Null for a guest's order, and after the buyer's data was deleted. */
    customerId: text('customer_id'),
    email: text('email').notNull(),
    firstName: text('first_name').notNull(),
    lastName: text('last_name').notNull(),
    /** The phone number as the buyer typed it. */
    phone: text('phone'),
    /** The phone number in E.164, such as +12075550142; null if it could not be parsed. */
    phoneE164: text('phone_e164'),
    shippingAddress: jsonb('shipping_address').$type<ShippingAddress>(),
    /** If this is set, `shippingAddress` is the address of the gift's recipient. */
    gift: jsonb('gift').$type<Gift>(),
    productType: text('product_type').$type<ProductType>().notNull(),
    quantity: integer('quantity').notNull(),
    extraPackages: integer('extra_packages').notNull(),
    lines: jsonb('lines').$type<OrderLine[]>().notNull(),
    subtotalCents: integer('subtotal_cents').notNull(),
    discountCents: integer('discount_cents').notNull(),
    promoCode: text('promo_code'),
    taxCents: integer('tax_cents').notNull(),
    /** The tax rate in percent, as the provider reported it; null if no tax was calculated. */
    taxRate: text('tax_rate'),
    taxJurisdiction: text('tax_jurisdiction'),
    totalCents: integer('total_cents').notNull(),
    /** The part of the total that gift cards paid. */
    giftCardCents: integer('gift_card_cents').notNull().default(0),
    /** The sum of refunds that are made or pending, without failed ones. */
    refundedCents: integer('refunded_cents').notNull().default(0),
    status: text('status').$type<OrderStatus>().notNull(),
    /** The owner's notes. Customers never see them. */
    notes: text('notes').notNull().default(''),
    shippedAt: timestampColumn('shipped_at'),
    trackingCarrier: text('tracking_carrier'),
    trackingNumber: text('tracking_number'),
    /** When the carrier delivered the package; null if the shop does not know it. */
    deliveredAt: timestampColumn('delivered_at'),
    /** What the labels of the order cost, without voided ones; null if no label counts. */
    labelCents: integer('label_cents'),
    /** When the owner canceled the order. Its status stays what it was. */
    canceledAt: timestampColumn('canceled_at'),
    /** The frame in which an add-on's order bought more room; null for any other order. */
    frameId: text('frame_id'),
    /** When the buyer unsubscribed from reminders. */
    remindersEndedAt: timestampColumn('reminders_ended_at'),
    checkoutId: text('checkout_id').notNull().unique(),
    paymentId: text('payment_id').notNull().unique(),
    stripePaymentIntentId: text('stripe_payment_intent_id').notNull().unique(),
    createdAt: timestampColumn('created_at').notNull(),
    updatedAt: timestampColumn('updated_at').notNull(),
    /** The text that the search looks in. */
    search: text('search')
      .notNull()
      .generatedAlwaysAs(
        sql`searchable("order_number" || ' ' || "first_name" || ' ' || "last_name" || ' ' || "email" || ' ' || "stripe_payment_intent_id")`,
      ),
    /** The text in which the search looks for a gift’s recipient; null if the order is not a gift. */
    recipientSearch: text('recipient_search').generatedAlwaysAs(sql`searchable("gift" ->> 'recipientName')`),
    sortName: text('sort_name')
      .notNull()
      .generatedAlwaysAs(sql`folded("first_name" || ' ' || "last_name")`),
    /** The status as a number, from 1 (pending) to 4 (shipped). */
    progress: integer('progress')
      .notNull()
      .generatedAlwaysAs(sql`array_position(array['pending', 'processing', 'completed', 'shipped'], "status")`),
  },
  (table) => [
    index('orders_created').on(table.createdAt, table.id),
    // For the retention job, which deletes the buyer's data of old orders, oldest first.
    index('orders_of_somebody')
      .on(table.createdAt, table.id)
      .where(sql`${table.email} <> ''`),
    index('orders_progress').on(table.progress, table.createdAt, table.id),
    index('orders_sort_name').on(table.sortName, table.createdAt, table.id),
    index('orders_total').on(table.totalCents, table.createdAt, table.id),
    // A search also reads all entries of the index's pending list, so that list must stay short.
    index('orders_search').using('gin', table.search.op('gin_trgm_ops')).with({ gin_pending_list_limit: 256 }),
    index('orders_recipient_search')
      .using('gin', table.recipientSearch.op('gin_trgm_ops'))
      .with({ gin_pending_list_limit: 256 })
      .where(sql`${table.recipientSearch} is not null`),
    index('orders_customer').on(table.customerId),
    index('orders_email').on(table.email),
    // The orders of add-ons for a frame. Their customer may have been deleted, so they are found by their frame.
    index('orders_frame')
      .on(table.frameId)
      .where(sql`${table.frameId} is not null`),
    // Gifts that have not shipped yet. Their number stays small even if the shop has many orders.
    index('orders_gifts')
      .on(table.createdAt, table.id)
      .where(sql`${table.gift} is not null and ${table.shippedAt} is null`),
    // Packages that have not shipped yet. Their number stays small even if the shop has many orders.
    index('orders_to_ship')
      .on(table.createdAt, table.id)
      .where(sql`${table.shippingAddress} is not null and ${table.shippedAt} is null`),
    index('orders_canceled')
      .on(table.createdAt, table.id)
      .where(sql`${table.canceledAt} is not null`),
    check('orders_gift_sent', sql`${table.gift} is null or ${table.shippingAddress} is not null`),
    check('orders_label', sql`${table.labelCents} >= 0`),
    check('orders_refunded', sql`${table.refundedCents} between 0 and ${table.totalCents}`),
    check('orders_gift_cards', sql`${table.giftCardCents} between 0 and ${table.totalCents}`),
    check('orders_email_lower', sql`${table.email} = lower(${table.email})`),
  ],
);
/** An order without its derived columns, which only lists use. */
export type Order = Omit<typeof orders.$inferSelect, 'search' | 'recipientSearch' | 'sortName' | 'progress'>;

/** The history of an order, in the sequence of events. */
export const orderEvents = pgTable(
  'order_events',
  {
    id: idColumn(),
    orderId: text('order_id')
      .notNull()
      .references(() => orders.id),
    kind: text('kind').$type<OrderEventKind>().notNull(),
    /** The text that the owner reads. Customers read it too, except for kinds that only the owner sees. */
    words: text('words').notNull(),
    at: timestampColumn('at').notNull(),
  },
  (table) => [index('order_events_order').on(table.orderId, table.at)],
);
