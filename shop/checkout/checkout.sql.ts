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

/** What is bought and what it costs, frozen before anybody is asked to pay for it. */
export const carts = pgTable(
  'carts',
  {
    id: id(),
    checkoutId: text('checkout_id')
      .notNull()
      .references(() => checkouts.id),
    /** The signed-in buyer, if there was one when the cart was priced. */
    customerId: text('customer_id'),
    productId: text('product_id').$type<CartProduct>().notNull(),
    quantity: integer('quantity').notNull(),
    extraPackages: integer('extra_packages').notNull(),
    lines: jsonb('lines').$type<OrderLine[]>().notNull(),
    /** Null until the buyer has given them: such a cart cannot be shown a card form for. */
    details: jsonb('details').$type<CustomerDetails>(),
    subtotalCents: integer('subtotal_cents').notNull(),
    discountCents: integer('discount_cents').notNull(),
    /** The code behind the discount, as the owner spells it. */
    promoCode: text('promo_code'),
    /** Whether this cart counts as a use of its code (promotion_counts): held until it is paid, then spent. */
    promotionUse: text('promotion_use', { enum: ['none', 'held', 'spent'] }).notNull(),
    taxCents: integer('tax_cents').notNull(),
    /** Percent, jurisdiction and calculation as the provider gave them; null when no tax was calculated. */
    taxRate: text('tax_rate'),
    taxJurisdiction: text('tax_jurisdiction'),
    taxCalculationId: text('tax_calculation_id'),
    totalCents: integer('total_cents').notNull(),
    createdAt: moment('created_at').notNull(),
  },
  (table) => [
    index('carts_checkout').on(table.checkoutId),
    check(
      'carts_total',
      sql`${table.totalCents} = ${table.subtotalCents} - ${table.discountCents} + ${table.taxCents}`,
    ),
  ],
);
export type FrozenCart = typeof carts.$inferSelect;
