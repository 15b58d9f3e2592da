import { sql } from 'drizzle-orm';
import { boolean, index, integer, jsonb, pgTable, text, type AnyPgColumn } from 'drizzle-orm/pg-core';
import type { MailOutcome, MailProblem } from '../ports/inbound-mail.ts';
import { idColumn, timestampColumn } from '../columns.ts';

/** A question to the shop, from the support form, the contact form or an email. */
export const tickets = pgTable(
  'tickets',
  {
    id: idColumn(),
    /** A short, unguessable and unique number for people. */
    ticketNumber: text('ticket_number').notNull().unique(),
    kind: text('kind', { enum: ['support', 'contact', 'mail', 'owner'] }).notNull(),
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
    createdAt: timestampColumn('created_at').notNull(),
    /** The ticket to whose reply address this email came from another sender. */
    relatedTicketId: text('related_ticket_id').references((): AnyPgColumn => tickets.id, { onDelete: 'set null' }),
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
    index('tickets_related').on(table.relatedTicketId),
    index('tickets_search').using('gin', table.search.op('gin_trgm_ops')).with({ gin_pending_list_limit: 256 }),
  ],
);
/** A ticket without the derived column, which only lists use. */
export type Ticket = Omit<typeof tickets.$inferSelect, 'search'>;

/** The answers that the owner sent by mail. They are deleted with their ticket. */
export const ticketAnswers = pgTable(
  'ticket_answers',
  {
    id: idColumn(),
    ticketId: text('ticket_id')
      .notNull()
      .references(() => tickets.id, { onDelete: 'cascade' }),
    words: text('words').notNull(),
    answeredAt: timestampColumn('answered_at').notNull(),
  },
  (table) => [index('ticket_answers_ticket').on(table.ticketId, table.answeredAt)],
);

/** Emails of the customer that belong to a ticket. They are deleted with their ticket. */
export const ticketMessages = pgTable(
  'ticket_messages',
  {
    id: idColumn(),
    ticketId: text('ticket_id')
      .notNull()
      .references(() => tickets.id, { onDelete: 'cascade' }),
    fromName: text('from_name').notNull(),
    fromEmail: text('from_email').notNull(),
    words: text('words').notNull(),
    /** The quoted earlier emails below the text. */
    quoted: text('quoted').notNull(),
    /** The names of attachments that were not kept. */
    leftOut: jsonb('left_out').$type<string[]>().notNull(),
    /** Why the text is missing. */
    problem: text('problem').$type<MailProblem>(),
    receivedAt: timestampColumn('received_at').notNull(),
  },
  (table) => [
    index('ticket_messages_ticket').on(table.ticketId, table.receivedAt),
    index('ticket_messages_sender').on(table.fromEmail, table.receivedAt),
  ],
);

/**
 * An attachment of a customer's email, or of the owner's answer. A file that the owner has added belongs to no answer
 * until the answer is sent.
 */
export const ticketFiles = pgTable(
  'ticket_files',
  {
    id: idColumn(),
    messageId: text('message_id').references(() => ticketMessages.id, { onDelete: 'cascade' }),
    answerId: text('answer_id').references(() => ticketAnswers.id, { onDelete: 'cascade' }),
    position: integer('position').notNull(),
    name: text('name').notNull(),
    key: text('key').notNull().unique(),
    contentType: text('content_type').notNull(),
    sizeBytes: integer('size_bytes').notNull(),
    addedAt: timestampColumn('added_at').notNull(),
  },
  (table) => [
    index('ticket_files_message').on(table.messageId, table.position),
    index('ticket_files_answer').on(table.answerId, table.position),
    index('ticket_files_unsent')
      .on(table.addedAt)
      .where(sql`${table.messageId} is null and ${table.answerId} is null`),
  ],
);

/** Every email that the shop has read, so that it reads each one once. Has no personal data. */
export const inboundMails = pgTable(
  'inbound_mails',
  {
    /** A hash of the Message-ID. */
    id: idColumn(),
    outcome: text('outcome').$type<MailOutcome>().notNull(),
    readAt: timestampColumn('read_at').notNull(),
  },
  (table) => [index('inbound_mails_read').on(table.readAt)],
);

/** A text that the owner uses often. `{name}` stands for the customer's name. */
export const savedReplies = pgTable('saved_replies', {
  id: idColumn(),
  title: text('title').notNull(),
  words: text('words').notNull(),
  savedAt: timestampColumn('saved_at').notNull(),
});
