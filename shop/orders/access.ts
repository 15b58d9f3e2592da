import { lifetimes } from '#contract/limits.ts';
import type { Clock } from '../ports/clock.ts';
import type { Db } from '../ports/database.ts';
import { issueSameToken, readToken } from '../tokens/tokens.ts';
import { findOrderById, readOrdersOf, type Order } from './orders.ts';

/** The reader of an order: a person with the order's token, or a signed-in customer. No one else can read it. */
export interface OrderReader {
  session?: string | undefined;
  customerId?: string | undefined;
}

/**
 * Returns the orders that this reader may see: the token's order if there is a token, otherwise the customer's orders,
 * newest first. People forward their receipts, and a receipt contains the token. The token therefore opens only the
 * order's summary, which shows no name, text or picture of a photo.
 */
export async function findReadableOrders(
  db: Db,
  { session, customerId }: OrderReader,
): Promise<{ orders: Order[]; isByToken: boolean }> {
  const access = await readAccessToken(db, session);
  if (access) {
    const order = await findOrderById(db, access.subjectId);
    return { orders: order ? [order] : [], isByToken: true };
  }
  return { orders: customerId === undefined ? [] : await readOrdersOf(db, customerId), isByToken: false };
}

/** Returns the order that a token opens, no matter which customer is signed in. */
export async function findOrderOfToken(db: Db, session: string | undefined): Promise<Order | undefined> {
  const access = await readAccessToken(db, session);
  return access && findOrderById(db, access.subjectId);
}

const readAccessToken = async (db: Db, session: string | undefined) =>
  session === undefined ? undefined : readToken(db, 'order-access', session);

/**
 * Returns a token that opens only this order's summary. The same checkout cookie always gets the same token. A reloaded
 * page, a second tab and a repeated request therefore create no second token.
 */
export const orderAccessToken = (tx: Db, clock: Clock, orderId: string, checkoutToken: string): Promise<string> =>
  issueSameToken(tx, clock, checkoutToken, {
    purpose: 'order-access',
    subjectId: orderId,
    seconds: lifetimes.orderAccessDays * 86_400,
  });
