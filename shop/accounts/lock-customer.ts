import { eq } from 'drizzle-orm';
import type { Db } from '../ports/database.ts';
import { customers, type Customer } from './accounts.sql.ts';

/**
 * Lock a customer's row, so that it is not deleted before the transaction ends. Returns undefined if there is no row.
 */
export async function lockCustomer(tx: Db, id: string): Promise<Customer | undefined> {
  const [customer] = await tx.select().from(customers).where(eq(customers.id, id)).for('key share');
  return customer;
}
