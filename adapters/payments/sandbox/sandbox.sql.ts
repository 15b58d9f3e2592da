import { sql } from 'drizzle-orm';
import { bigint, index, integer, jsonb, pgTable, text, timestamp } from 'drizzle-orm/pg-core';

const createTimestampColumn = (name: string) => timestamp(name, { withTimezone: true });

/**
 * All sandbox objects with an id, as Stripe's API shows them: payment intents, charges, refunds, customers, events …
 */
export const sandboxObjects = pgTable(
  'sandbox_objects',
  {
    id: text('id').primaryKey(),
    /** Stripe's `object`: payment_intent, charge, refund, event … */
    type: text('type').notNull(),
    body: jsonb('body').notNull(),
    /** The payment intent that a charge, refund, dispute or payment method belongs to. */
    intentId: text('intent_id'),
    /** When a payment that is still processing will succeed. */
    dueAt: createTimestampColumn('due_at'),
    /**
     * Where the buyer returns after authentication. It stays here after the intent's next_action is removed, because
     * the buyer may click a second time.
     */
    returnUrl: text('return_url'),
    createdAt: createTimestampColumn('created_at').notNull(),
    /** The order of creation, for lists and their pages. */
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

/** The response for each Idempotency-Key, written in the same transaction as the changes of the request. */
export const sandboxIdempotency = pgTable(
  'sandbox_idempotency',
  {
    key: text('key').primaryKey(),
    requestHash: text('request_hash').notNull(),
    status: integer('status'),
    body: jsonb('body'),
    createdAt: createTimestampColumn('created_at').notNull(),
  },
  (table) => [index('sandbox_idempotency_created_at').on(table.createdAt)],
);

/** One webhook delivery to the shop for each event. */
export const sandboxDeliveries = pgTable(
  'sandbox_deliveries',
  {
    eventId: text('event_id')
      .primaryKey()
      .references(() => sandboxObjects.id, { onDelete: 'cascade' }),
    /** When the next attempt is due. Null after the delivery succeeded or the last attempt failed. */
    dueAt: createTimestampColumn('due_at'),
    attempts: integer('attempts').notNull().default(0),
    /** The shop's last HTTP status. Null if the shop did not respond. */
    lastStatus: integer('last_status'),
    deliveredAt: createTimestampColumn('delivered_at'),
    createdAt: createTimestampColumn('created_at').notNull(),
  },
  (table) => [
    index('sandbox_deliveries_due_at')
      .on(table.dueAt)
      .where(sql`${table.dueAt} is not null`),
  ],
);
