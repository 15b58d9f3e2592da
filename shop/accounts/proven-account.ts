import { sql } from 'drizzle-orm';
import { customers } from './accounts.sql.ts';

/**
 * The id of the account that has proven this email address, as a subquery. A guest's order goes only to a proven
 * account when it is placed. The row lock makes this statement and a simultaneous proof run one after the other.
 */
export const provenAccountOf = (email: string) =>
  sql<string | null>`(select case when ${customers.emailProvenAt} is not null then ${customers.id} end
    from ${customers} where ${customers.email} = ${email} for share)`;
