import { sql, type SQL } from 'drizzle-orm';
import { customers } from './accounts.sql.ts';

/**
 * The account whose mailbox is known to be its owner's, as a value for another statement: only that one takes orders
 * bought without signing in. A confirmation under way is waited for, and waits.
 */
export const confirmedAccountOf = (email: SQL) =>
  sql<string | null>`(select case when ${customers.emailConfirmedAt} is not null then ${customers.id} end
    from ${customers} where ${customers.email} = ${email} for share)`;
