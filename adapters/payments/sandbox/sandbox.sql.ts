import { sql } from 'drizzle-orm';
import { bigint, index, integer, jsonb, pgTable, text, timestamp } from 'drizzle-orm/pg-core';

const moment = (name: string) => timestamp(name, { withTimezone: true });

/** Everything the sandbox has an id for, as Stripe's API shows it: payment intents, charges, refunds, customers, events … */
export const sandboxObjects = pgTable(
  'sandbox_objects',
  {
    id: text('id').primaryKey(),
    /** Stripe's `object`: payment_intent, charge, refund, event … */
    type: text('type').notNull(),
    body: jsonb('body').notNull(),
    /** The payment intent a charge, refund, dispute or payment method belongs to. */
    intentId: text('intent_id'),
    /** When a payment that is still processing comes through. */
    dueAt: moment('due_at'),
    /** Where the buyer returns after authenticating, kept beyond the intent's next_action for a second click. */
    returnUrl: text('return_url'),
    createdAt: moment('created_at').notNull(),
    /** Order of making, for lists and their paging. */
    position: bigint('position', { mode: 'number' }).generatedAlwaysAsIdentity().notNull(),
  },
  (table) => [
    index('sandbox_objects_type_position').on(table.type, table.position),
    index('sandbox_objects_intent_id').on(table.intentId),
    index('sandbox_objects_due_at')
      .on(table.dueAt)
      .where(sql`${table.dueAt} is not null`),
  ],
);

/** The answer given to each Idempotency-Key, written in the transaction of the call it answers. */
export const sandboxIdempotency = pgTable(
  'sandbox_idempotency',
  {
    key: text('key').primaryKey(),
    requestHash: text('request_hash').notNull(),
    status: integer('status'),
    body: jsonb('body'),
    createdAt: moment('created_at').notNull(),
  },
  (table) => [index('sandbox_idempotency_created_at').on(table.createdAt)],
);

/** One webhook to bring to the shop for each event. */
export const sandboxDeliveries = pgTable(
  'sandbox_deliveries',
  {
    eventId: text('event_id')
      .primaryKey()
      .references(() => sandboxObjects.id, { onDelete: 'cascade' }),
    /** The next attempt; null once delivered or given up. */
    dueAt: moment('due_at'),
    attempts: integer('attempts').notNull().default(0),
    /** What the shop answered last; null when it did not answer. */
    lastStatus: integer('last_status'),
    deliveredAt: moment('delivered_at'),
    createdAt: moment('created_at').notNull(),
  },
  (table) => [
    index('sandbox_deliveries_due_at')
      .on(table.dueAt)
      .where(sql`${table.dueAt} is not null`),
  ],
);
