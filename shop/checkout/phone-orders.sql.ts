import { sql } from 'drizzle-orm';
import { check, index, integer, jsonb, pgTable, text } from 'drizzle-orm/pg-core';
import type { CartProduct } from '#contract/catalog.ts';
import type { PhoneCustomer } from '#contract/phone-order-forms.ts';
import { idColumn, timestampColumn } from '../columns.ts';
import { checkouts } from './checkout.sql.ts';

/**
 * A cart that the owner has made for a customer, and the customer pays with a link. All browsers that open the link
 * belong to its checkout, which leads to at most one order.
 */
export const phoneOrders = pgTable(
  'phone_orders',
  {
    id: idColumn(),
    checkoutId: text('checkout_id')
      .notNull()
      .unique()
      .references(() => checkouts.id),
    productId: text('product_id').$type<CartProduct>().notNull(),
    quantity: integer('quantity').notNull(),
    extraPackages: integer('extra_packages').notNull(),
    promoCode: text('promo_code'),
    /** Null after an erasure. */
    customer: jsonb('customer').$type<PhoneCustomer>(),
    /** The owner's note. Customers never see it. */
    note: text('note').notNull().default(''),
    createdAt: timestampColumn('created_at').notNull(),
    /** When the link was last emailed. */
    sentAt: timestampColumn('sent_at'),
    /** How often it was emailed. */
    mails: integer('mails').notNull().default(0),
    openedAt: timestampColumn('opened_at'),
    canceledAt: timestampColumn('canceled_at'),
    expiresAt: timestampColumn('expires_at').notNull(),
  },
  (table) => [
    index('phone_orders_created').on(table.createdAt, table.id),
    index('phone_orders_expiry').on(table.expiresAt),
    check('phone_orders_mails', sql`${table.mails} >= 0`),
  ],
);
export type PhoneOrder = typeof phoneOrders.$inferSelect;

/** Further browsers of a checkout: those that opened its payment link. */
export const checkoutBrowsers = pgTable(
  'checkout_browsers',
  {
    /** SHA-256 of the browser's checkout cookie. */
    tokenHash: text('token_hash').primaryKey(),
    checkoutId: text('checkout_id')
      .notNull()
      .references(() => checkouts.id),
    createdAt: timestampColumn('created_at').notNull(),
    /** When it last started a payment. The browser that did so last is the one that pays. */
    startedAt: timestampColumn('started_at'),
  },
  (table) => [
    index('checkout_browsers_created').on(table.createdAt),
    index('checkout_browsers_checkout').on(table.checkoutId),
  ],
);
