import { index, pgTable, text } from 'drizzle-orm/pg-core';
import { passkeyColumns } from '../passkeys/columns.ts';
import { staff } from '../staff/staff.sql.ts';

/**
 * The owner's passkeys for the admin panel. They have a separate table, so that a customer's passkey can never open the
 * admin panel.
 */
export const ownerPasskeys = pgTable('owner_passkeys', passkeyColumns());

/**
 * The passkeys of staff. They have a separate table, so that the previous release, which knows only the owner, cannot
 * accept one as the owner's.
 */
export const staffPasskeys = pgTable(
  'staff_passkeys',
  {
    ...passkeyColumns(),
    staffId: text('staff_id')
      .notNull()
      .references(() => staff.id, { onDelete: 'cascade' }),
  },
  (table) => [index('staff_passkeys_member').on(table.staffId, table.createdAt)],
);
