import { pgTable } from 'drizzle-orm/pg-core';
import { passkeyColumns } from '../passkeys/columns.ts';

/**
 * The owner's passkeys for the admin panel. They have a separate table, so that a customer's passkey can never open the
 * admin panel.
 */
export const ownerPasskeys = pgTable('owner_passkeys', passkeyColumns());
