import { sql } from 'drizzle-orm';
import { check, index, integer, jsonb, pgTable, text } from 'drizzle-orm/pg-core';
import type { CustomerDetails } from '#contract/customer-details.ts';
import type { OrderLine } from '#contract/orders.ts';
import type { CartProduct } from '#contract/catalog.ts';
import { idColumn, timestampColumn } from '../columns.ts';

/**
 * The progress of one browser toward one order. If the cart changes, the checkout gets a new payment. A checkout leads
 * to at most one order; a second payment is refunded.
 */
export const checkouts = pgTable('checkouts', {
  id: idColumn(),
  /**
   * SHA-256 of the httpOnly checkout cookie. Only the browser with this cookie, or the link in the receipt, gives
   * access to the buyer's details to finish the registration.
   */
  tokenHash: text('token_hash').notNull().unique(),
  createdAt: timestampColumn('created_at').notNull(),
});

/** The purchase and its price, frozen before a payment is requested. */
export const carts = pgTable(
  'carts',
  {
    id: idColumn(),
    checkoutId: text('checkout_id')
      .notNull()
      .references(() => checkouts.id),
    /** The signed-in buyer, if there was one when the cart was priced. */
    customerId: text('customer_id'),
    productId: text('product_id').$type<CartProduct>().notNull(),
    quantity: integer('quantity').notNull(),
    extraPackages: integer('extra_packages').notNull(),
    lines: jsonb('lines').$type<OrderLine[]>().notNull(),
    /**
     * The buyer's details; null if the buyer has entered none, or after they were deleted. The checkout page shows the
     * card form only after the details.
     */
    details: jsonb('details').$type<CustomerDetails>(),
    subtotalCents: integer('subtotal_cents').notNull(),
    discountCents: integer('discount_cents').notNull(),
    /** The promo code of the discount, as the owner spells it. */
    promoCode: text('promo_code'),
    /**
     * Whether this cart counts as a use of its promo code (promotion_counts). `held`: the payment of the cart is
     * authorized and about to be captured (in the release before migration 0043: the payment is open). `spent`: the
     * cart is paid.
     */
    promotionUse: text('promotion_use', { enum: ['none', 'held', 'spent'] }).notNull(),
    /** How many frames this cart has taken from the stock. Above zero only while its payment is being captured. */
    framesHeld: integer('frames_held').notNull().default(0),
    taxCents: integer('tax_cents').notNull(),
    /**
     * The rate in percent, the jurisdiction and the calculation id, as the payment provider returned them. All three
     * are null if no tax was calculated.
     */
    taxRate: text('tax_rate'),
    taxJurisdiction: text('tax_jurisdiction'),
    taxCalculationId: text('tax_calculation_id'),
    totalCents: integer('total_cents').notNull(),
    /** The part of the total that gift cards pay. The payment is for the rest. */
    giftCardCents: integer('gift_card_cents').notNull().default(0),
    createdAt: timestampColumn('created_at').notNull(),
  },
  (table) => [
    index('carts_checkout').on(table.checkoutId),
    // For the cart reminders, which look at the carts of the last days.
    index('carts_detailed')
      .on(table.createdAt)
      .where(sql`${table.details} is not null`),
    check('carts_gift_cards', sql`${table.giftCardCents} between 0 and ${table.totalCents}`),
    check(
      'carts_total',
      sql`${table.totalCents} = ${table.subtotalCents} - ${table.discountCents} + ${table.taxCents}`,
    ),
  ],
);
export type FrozenCart = typeof carts.$inferSelect;
