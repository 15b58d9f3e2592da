import { sql } from 'drizzle-orm';
import { boolean, index, pgTable, text } from 'drizzle-orm/pg-core';
import { idColumn, timestampColumn } from '../columns.ts';
import { carts } from './checkout.sql.ts';

/**
 * The reminders about one cart whose buyer went on to the payment and did not pay: one email, and one more two days
 * later. The row stays for the owner's counts, so it contains no email address.
 */
export const cartReminders = pgTable(
  'cart_reminders',
  {
    id: idColumn(),
    /**
     * The cart that the emails show and their link opens: the newest one of the buyer when the last email was queued.
     */
    cartId: text('cart_id')
      .notNull()
      .references(() => carts.id),
    /** SHA-256 of the buyer's email address. Null after an erasure. */
    emailHash: text('email_hash'),
    /** When the buyer left the cart of the first email. */
    leftAt: timestampColumn('left_at').notNull(),
    firstSentAt: timestampColumn('first_sent_at').notNull(),
    secondSentAt: timestampColumn('second_sent_at'),
    /** When the link was first opened. */
    openedAt: timestampColumn('opened_at'),
    /** When an order with the buyer's email address was paid. */
    boughtAt: timestampColumn('bought_at'),
  },
  (table) => [
    index('cart_reminders_email').on(table.emailHash, table.firstSentAt),
    index('cart_reminders_sent').on(table.firstSentAt),
    index('cart_reminders_cart').on(table.cartId),
  ],
);
export type CartReminder = typeof cartReminders.$inferSelect;

/** Email addresses (SHA-256) that get no cart reminders. */
export const cartReminderStops = pgTable(
  'cart_reminder_stops',
  {
    emailHash: text('email_hash').primaryKey(),
    stoppedAt: timestampColumn('stopped_at').notNull(),
    /** Null after an unsubscription, which has no end. Set after an erasure, until no earlier cart can be reminded. */
    endsAt: timestampColumn('ends_at'),
  },
  (table) => [
    index('cart_reminder_stops_end')
      .on(table.endsAt)
      .where(sql`${table.endsAt} is not null`),
  ],
);

/** Whether the owner wants cart reminders. One row, inserted when the owner first chooses; they are on without it. */
export const cartReminderSettings = pgTable('cart_reminder_settings', {
  /** Always `owner`. */
  id: idColumn(),
  isOn: boolean('is_on').notNull(),
  updatedAt: timestampColumn('updated_at').notNull(),
});
