import { sql } from 'drizzle-orm';
import { index, jsonb, pgTable, text } from 'drizzle-orm/pg-core';
import type { LetterContent } from '#contract/letters.ts';
import { id, moment } from '../columns.ts';
import type { MailLink } from './links.ts';

type Waiting<Letter> = Letter extends unknown
  ? {
      [Field in keyof Letter as Exclude<Field, 'shop' | 'expiresAt'>]: Field extends `${string}Url`
        ? Letter[Field] | MailLink
        : Letter[Field];
    }
  : never;
/** What a letter says before it goes out: without the shop's own name and address, its links without their tokens. */
export type LetterWords = Waiting<LetterContent>;

/** Every mail the shop sends, written in the transaction of its event: once per event, whoever comes first. */
export const mails = pgTable(
  'mails',
  {
    id: id(),
    /** What happened, once: `receipt:{orderId}`. */
    event: text('event').notNull().unique(),
    to: text('to').notNull(),
    /** The order it tells of, for the owner's list of an order's mails. */
    orderId: text('order_id'),
    /** Holds no token. Null once it is too old to be kept. */
    content: jsonb('content').$type<LetterWords>(),
    queuedAt: moment('queued_at').notNull(),
    sentAt: moment('sent_at'),
  },
  (table) => [
    index('mails_queued').on(table.queuedAt, table.id),
    index('mails_worded')
      .on(table.queuedAt)
      .where(sql`${table.content} is not null`),
    index('mails_order').on(table.orderId),
    // For who is to be forgotten: whom a mail went to, whom the event names, and whom the owner was told of.
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
