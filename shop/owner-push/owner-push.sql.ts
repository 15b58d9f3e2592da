import { sql } from 'drizzle-orm';
import { boolean, check, pgTable, text } from 'drizzle-orm/pg-core';
import { staff } from '../staff/staff.sql.ts';
import { idColumn, timestampColumn } from '../columns.ts';

/** The key pair with which all processes identify the shop to push services, in a single row. */
export const pushKeys = pgTable(
  'push_keys',
  {
    isOnly: boolean('is_only').primaryKey().default(true),
    publicKey: text('public_key').notNull(),
    privateKey: text('private_key').notNull(),
  },
  (table) => [check('push_keys_one', sql`${table.isOnly}`)],
);

/** A browser of the owner or of a member of the staff that gets a notification of each sale. */
export const pushDevices = pgTable('push_devices', {
  id: idColumn(),
  /** The member of the staff who uses it; null for the owner. */
  staffId: text('staff_id').references(() => staff.id, { onDelete: 'cascade' }),
  /** The address at the browser's push service. */
  endpoint: text('endpoint').notNull().unique(),
  /** The browser's public key and secret, with which messages to it are encrypted, base64url. */
  p256dh: text('p256dh').notNull(),
  auth: text('auth').notNull(),
  /** The browser and the system, such as "Safari on iPhone". */
  device: text('device').notNull(),
  createdAt: timestampColumn('created_at').notNull(),
  /** When a message was last accepted by the push service. */
  lastSentAt: timestampColumn('last_sent_at'),
});
export type PushDevice = typeof pushDevices.$inferSelect;
