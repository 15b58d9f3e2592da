import type { Db } from '../ports.ts';
import { readToken } from '../accounts/tokens.ts';
import { orderById, ordersOf, type Order } from './orders.ts';

/** Who asks: the holder of an order's token, or a signed-in customer. Anyone else sees nothing. */
export interface OrderReader {
  session?: string | undefined;
  customerId?: string | undefined;
}

/** The orders this reader may see: the token's one, else the customer's own, newest first. */
export async function readableOrders(db: Db, { session, customerId }: OrderReader): Promise<Order[]> {
  const access = session === undefined ? undefined : await readToken(db, 'order-access', session);
  if (access) {
    const order = await orderById(db, access.subjectId);
    return order ? [order] : [];
  }
  return customerId === undefined ? [] : ordersOf(db, customerId);
}
