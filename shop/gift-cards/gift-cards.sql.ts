import { sql } from 'drizzle-orm';
import { boolean, check, index, integer, pgTable, primaryKey, text, uniqueIndex } from 'drizzle-orm/pg-core';
import { idColumn, timestampColumn } from '../columns.ts';

/**
 * A gift card and its purchase. The row is written before the payment is requested. Its code is in `gift_card_codes`.
 */
export const giftCards = pgTable(
  'gift_cards',
  {
    id: idColumn(),
    /** The number of the purchase on the receipt: GC-7Q4M-2XPA. It opens nothing. */
    number: text('number').notNull().unique(),
    /**
     * A changed form gets a new row with the same purchase. At most one row of a purchase is ever paid; a second
     * payment is refunded.
     */
    purchaseId: text('purchase_id').notNull(),
    /** True if the buyer chose "a Kinframe" and not an amount. */
    isForFrame: boolean('is_for_frame').notNull(),
    amountCents: integer('amount_cents').notNull(),
    /** The amount that is left. Meaningful while the card is active. */
    balanceCents: integer('balance_cents').notNull(),
    /** `void`: the owner has voided the card. Its balance can no longer be spent and is not owed. */
    state: text('state', { enum: ['unpaid', 'active', 'void'] }).notNull(),
    /** The names, addresses and the message are empty after the personal data was deleted. */
    recipientName: text('recipient_name').notNull(),
    /** Null: the buyer prints the card. */
    recipientEmail: text('recipient_email'),
    senderName: text('sender_name').notNull(),
    buyerEmail: text('buyer_email').notNull(),
    message: text('message'),
    /** The day of delivery by email in the shop's calendar, 2026-12-24. Null: the buyer prints the card. */
    deliverOn: text('deliver_on'),
    /** The account that bought it, if the buyer was signed in. */
    customerId: text('customer_id'),
    paymentId: text('payment_id').unique(),
    /** The last four characters of the newest code; null until the first code exists. */
    lastFour: text('last_four'),
    /** When the email to the recipient was queued. */
    sentAt: timestampColumn('sent_at'),
    paidAt: timestampColumn('paid_at'),
    voidedAt: timestampColumn('voided_at'),
    createdAt: timestampColumn('created_at').notNull(),
    /** The text that the search looks in. */
    search: text('search')
      .notNull()
      .generatedAlwaysAs(
        sql`searchable("number" || ' ' || coalesce("last_four", '') || ' ' || "recipient_name" || ' ' || coalesce("recipient_email", '') || ' ' || "sender_name" || ' ' || "buyer_email")`,
      ),
  },
  (table) => [
    index('gift_cards_purchase').on(table.purchaseId),
    uniqueIndex('gift_cards_paid_once')
      .on(table.purchaseId)
      .where(sql`${table.paidAt} is not null`),
    index('gift_cards_created').on(table.createdAt, table.id),
    index('gift_cards_state').on(table.state, table.createdAt, table.id),
    index('gift_cards_search').using('gin', table.search.op('gin_trgm_ops')).with({ gin_pending_list_limit: 256 }),
    // For the job that emails cards on their day.
    index('gift_cards_due')
      .on(table.deliverOn)
      .where(sql`${table.state} = 'active' and ${table.sentAt} is null and ${table.deliverOn} is not null`),
    index('gift_cards_buyer').on(table.buyerEmail),
    index('gift_cards_customer').on(table.customerId),
    check('gift_cards_amount', sql`${table.amountCents} > 0`),
    check('gift_cards_balance', sql`${table.balanceCents} between 0 and ${table.amountCents}`),
    check('gift_cards_day', sql`(${table.deliverOn} is null) = (${table.recipientEmail} is null)`),
  ],
);
/** A card without its derived column, which only the list uses. */
export type GiftCard = Omit<typeof giftCards.$inferSelect, 'search'>;

/**
 * The codes of gift cards: 16 random characters. Only their SHA-256 is stored. All codes of a card open the same card.
 */
export const giftCardCodes = pgTable(
  'gift_card_codes',
  {
    codeHash: text('code_hash').primaryKey(),
    giftCardId: text('gift_card_id')
      .notNull()
      .references(() => giftCards.id),
    createdAt: timestampColumn('created_at').notNull(),
    /** When a newer code replaced this one, because the owner sent the card again. */
    endedAt: timestampColumn('ended_at'),
  },
  (table) => [index('gift_card_codes_card').on(table.giftCardId)],
);

/**
 * The part of a cart or of an add-on that a gift card pays. While `state` is `none`, it only reserves the amount until `holdEndsAt`. It
 * is taken from the card's balance when it becomes `held`, directly before the card is charged. `spent`: the cart is an
 * order.
 */
export const giftCardUses = pgTable(
  'gift_card_uses',
  {
    /** The id of the cart or of the add-on. */
    cartId: text('cart_id').notNull(),
    giftCardId: text('gift_card_id')
      .notNull()
      .references(() => giftCards.id),
    /** The last four characters of the code that the buyer entered. */
    lastFour: text('last_four').notNull(),
    /** The order in which the buyer entered the cards, from 0. */
    position: integer('position').notNull(),
    amountCents: integer('amount_cents').notNull(),
    state: text('state', { enum: ['none', 'held', 'spent'] }).notNull(),
    holdEndsAt: timestampColumn('hold_ends_at').notNull(),
    orderId: text('order_id'),
    /** The sum of refunds of the order that went back to this card. */
    returnedCents: integer('returned_cents').notNull().default(0),
  },
  (table) => [
    primaryKey({ columns: [table.cartId, table.giftCardId] }),
    index('gift_card_uses_card').on(table.giftCardId),
    index('gift_card_uses_order')
      .on(table.orderId)
      .where(sql`${table.orderId} is not null`),
    check('gift_card_uses_amount', sql`${table.amountCents} > 0`),
    check('gift_card_uses_returned', sql`${table.returnedCents} between 0 and ${table.amountCents}`),
    check('gift_card_uses_spent', sql`(${table.orderId} is not null) = (${table.state} = 'spent')`),
  ],
);
export type GiftCardUse = typeof giftCardUses.$inferSelect;
