import { sql } from 'drizzle-orm';
import { boolean, index, pgTable, text } from 'drizzle-orm/pg-core';
import { id, moment } from '../columns.ts';

/** A question to the shop, from the support form or the contact form. */
export const tickets = pgTable(
  'tickets',
  {
    id: id(),
    /** A short, unguessable and unique number for people. */
    ticketNumber: text('ticket_number').notNull().unique(),
    kind: text('kind', { enum: ['support', 'contact'] }).notNull(),
    status: text('status', { enum: ['open', 'completed'] }).notNull(),
    subject: text('subject').notNull(),
    customerName: text('customer_name').notNull(),
    customerEmail: text('customer_email').notNull(),
    /** The phone number as the customer entered it. */
    phone: text('phone'),
    /** The phone number in E.164 format, for example +12075550142; null if it cannot be parsed. */
    phoneE164: text('phone_e164'),
    smsConsent: boolean('sms_consent').notNull(),
    message: text('message').notNull(),
    adminNotes: text('admin_notes').notNull().default(''),
    createdAt: moment('created_at').notNull(),
    /** The text that the search looks in. */
    search: text('search')
      .notNull()
      .generatedAlwaysAs(
        sql`searchable("ticket_number" || ' ' || "customer_name" || ' ' || "customer_email" || ' ' || "subject")`,
      ),
  },
  (table) => [
    index('tickets_status').on(table.status, table.createdAt, table.id),
    index('tickets_created').on(table.createdAt, table.id),
    index('tickets_search').using('gin', table.search.op('gin_trgm_ops')).with({ gin_pending_list_limit: 256 }),
  ],
);
/** A ticket without the derived column, which only lists use. */
export type Ticket = Omit<typeof tickets.$inferSelect, 'search'>;

/** The answers that the owner sent by mail. They are deleted with their ticket. */
export const ticketAnswers = pgTable(
  'ticket_answers',
  {
    id: id(),
    ticketId: text('ticket_id')
      .notNull()
      .references(() => tickets.id, { onDelete: 'cascade' }),
    words: text('words').notNull(),
    answeredAt: moment('answered_at').notNull(),
  },
  (table) => [index('ticket_answers_ticket').on(table.ticketId, table.answeredAt)],
);
