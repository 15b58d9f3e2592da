import { index, jsonb, pgTable, text } from 'drizzle-orm/pg-core';
import type { LetterContent } from '#contract/letters.ts';
import { id, moment } from '../columns.ts';

type WithoutShop<Letter> = Letter extends unknown ? Omit<Letter, 'shop'> : never;
/** What a letter says, before the shop's own name and address are put to it. */
export type LetterWords = WithoutShop<LetterContent>;

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
    /** Null once sent. */
    content: jsonb('content').$type<LetterWords>(),
    queuedAt: moment('queued_at').notNull(),
    sentAt: moment('sent_at'),
  },
  (table) => [index('mails_queued').on(table.queuedAt, table.id), index('mails_order').on(table.orderId)],
);
