import { sql } from 'drizzle-orm';
import { index, jsonb, pgTable, text } from 'drizzle-orm/pg-core';
import type { EmailContent } from '#contract/emails.ts';
import { idColumn, timestampColumn } from '../columns.ts';
import type { MailLink } from './links.ts';

type WithMailLinks<Email> = Email extends unknown
  ? {
      [Field in keyof Email as Exclude<Field, 'shop' | 'expiresAt' | 'giftCardCode'>]: Field extends `${string}Url`
        ? Email[Field] | MailLink
        : Email[Field];
    }
  : never;
/**
 * The content of a mail before it is sent: without the shop's name and address and the code of a gift card, and with
 * links that have no tokens yet.
 */
export type StoredEmail = WithMailLinks<EmailContent>;

/**
 * Every mail that the shop sends. The row is inserted in the transaction of the event that causes the mail. `event` is
 * unique, so each event sends at most one mail.
 */
export const mails = pgTable(
  'mails',
  {
    id: idColumn(),
    /** The unique name of what happened: `receipt:{orderId}`. */
    event: text('event').notNull().unique(),
    to: text('to').notNull(),
    /** The order that the mail is about, for the owner's list of an order's mails. */
    orderId: text('order_id'),
    /** Contains no token. Null after the content is deleted, for example because the mail is old. */
    content: jsonb('content').$type<StoredEmail>(),
    queuedAt: timestampColumn('queued_at').notNull(),
    sentAt: timestampColumn('sent_at'),
  },
  (table) => [
    index('mails_queued').on(table.queuedAt, table.id),
    index('mails_worded')
      .on(table.queuedAt)
      .where(sql`${table.content} is not null`),
    index('mails_order').on(table.orderId),
    // These three indexes find the mails of a person whose data is deleted: by recipient, by the id in `event`, and
    // mails to the owner about that person.
    index('mails_to').on(table.to),
    index('mails_named').on(sql`split_part(${table.event}, ':', 2)`),
    index('mails_about')
      .on(sql`(${table.content} ->> 'customerEmail')`)
      .where(sql`${table.content} ->> 'customerEmail' is not null`),
    index('mails_unsent')
      .on(table.queuedAt)
      .where(sql`${table.sentAt} is null and ${table.content} is not null`),
  ],
);
