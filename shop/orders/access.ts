import { lifetimes } from '#contract/limits.ts';
import type { Clock } from '../ports/clock.ts';
import type { Db } from '../ports/database.ts';
import { issueSameToken, readToken } from '../tokens/tokens.ts';
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

/**
 * Lets its holder read this order's summary, and nothing else. The same one for the same checkout cookie: a page that is
 * loaded again, a second tab and a tenth call are told the token that the first was told.
 */
export const orderAccessToken = (tx: Db, clock: Clock, orderId: string, checkoutToken: string): Promise<string> =>
  issueSameToken(tx, clock, checkoutToken, {
    purpose: 'order-access',
    subjectId: orderId,
    seconds: lifetimes.orderAccessDays * 86_400,
  });
