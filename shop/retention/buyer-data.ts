import { findAddonIdsOf } from '../addons/place-addon.ts';
import { findCartIdsOf, deleteBuyerDetailsOfCheckouts } from '../checkout/carts.ts';
import { readFramesOfOrders } from '../frames/frames.ts';
import { deleteMailContentAboutOrders } from '../mail/mail.ts';
import type { Order } from '../orders/orders.ts';
import { deletePayerEmails } from '../payments/payments.ts';
import type { Clock } from '../ports/clock.ts';
import type { Db } from '../ports/database.ts';
import { revokeTokens } from '../tokens/tokens.ts';

type BilledOrder = Pick<Order, 'id' | 'checkoutId' | 'frameId'>;

/**
 * The purposes of the payments for these orders, even of unfinished payments: the ids of all carts of their checkouts,
 * and of all add-ons for their frames.
 */
export async function findPaymentPurposeIds(tx: Db, orders: BilledOrder[]): Promise<string[]> {
  const frames = await readFramesOfOrders(
    tx,
    orders.map((it) => it.id),
  );
  const frameIds = [...frames.map((it) => it.id), ...orders.flatMap((it) => it.frameId ?? [])];
  return [...(await findCartIdsOf(tx, ...orders.map((it) => it.checkoutId))), ...(await findAddonIdsOf(tx, frameIds))];
}

/**
 * Delete the personal data of the buyer from the carts, payments and mails of these orders. The caller has locked the
 * payments.
 */
export async function deleteBuyerDataOfOrders(tx: Db, orders: BilledOrder[], purposes: string[]): Promise<void> {
  await deleteBuyerDetailsOfCheckouts(
    tx,
    orders.map((it) => it.checkoutId),
  );
  await deletePayerEmails(tx, purposes);
  await deleteMailContentAboutOrders(
    tx,
    orders.map((it) => it.id),
  );
}

/**
 * Revoke all mailed links to these orders. Call it after their mails are deleted, because a mail that is just being
 * sent may still add tokens.
 */
export async function endLinksToOrders(tx: Db, clock: Clock, orders: BilledOrder[]): Promise<void> {
  for (const { id } of orders)
    for (const purpose of ['order-access', 'finish-registration', 'unsubscribe'] as const)
      await revokeTokens(tx, clock, purpose, id);
}
