import { bigint, boolean, jsonb, text } from 'drizzle-orm/pg-core';
import { idColumn, timestampColumn } from '../columns.ts';

/** The columns of a table of passkeys, either of customers or of the owner. Only the public key is stored. */
export const passkeyColumns = () => ({
  /** The authenticator's credential id, base64url. */
  id: idColumn(),
  /** The public key in COSE format, base64url. */
  publicKey: text('public_key').notNull(),
  /** The authenticator's signature counter. If the counter goes backward, the passkey was copied. */
  counter: bigint('counter', { mode: 'number' }).notNull(),
  transports: jsonb('transports').$type<string[]>().notNull(),
  /** Whether the passkey is synchronized to several devices. */
  isSynced: boolean('is_synced').notNull(),
  /** The name that the user gave the passkey. */
  name: text('name').notNull(),
  createdAt: timestampColumn('created_at').notNull(),
  lastUsedAt: timestampColumn('last_used_at'),
});
