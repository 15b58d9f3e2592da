import { boolean, index, pgTable, text } from 'drizzle-orm/pg-core';
import { id, moment } from '../columns.ts';

/** A question to the shop, from the support form or the contact form. */
export const tickets = pgTable(
  'tickets',
  {
    id: id(),
    /** Short, unguessable, unique. */
    ticketNumber: text('ticket_number').notNull().unique(),
    kind: text('kind', { enum: ['support', 'contact'] }).notNull(),
    status: text('status', { enum: ['open', 'completed'] }).notNull(),
    subject: text('subject').notNull(),
    customerName: text('customer_name').notNull(),
    customerEmail: text('customer_email').notNull(),
    phone: text('phone'),
    smsConsent: boolean('sms_consent').notNull(),
    message: text('message').notNull(),
    adminNotes: text('admin_notes').notNull().default(''),
    createdAt: moment('created_at').notNull(),
  },
  (table) => [index('tickets_status').on(table.status, table.createdAt, table.id)],
);
