import { addonIdsOf } from '../addons/place-addon.ts';
import { cartIdsOf, forgetBuyersOf } from '../checkout/carts.ts';
import { framesOfOrders } from '../frames/frames.ts';
import { forgetMailsAbout } from '../mail/mail.ts';
import type { Order } from '../orders/orders.ts';
import { forgetPayers } from '../payments/payments.ts';
import type { Clock } from '../ports/clock.ts';
import type { Db } from '../ports/database.ts';
import { revokeTokens } from '../tokens/tokens.ts';

type Bill = Pick<Order, 'id' | 'checkoutId' | 'frameId'>;

/** What was paid for, or was to be, on the way to these orders and for the frames in which they bought room. */
export async function purposesOf(tx: Db, orders: Bill[]): Promise<string[]> {
  const frames = await framesOfOrders(
    tx,
    orders.map((it) => it.id),
  );
  const frameIds = [...frames.map((it) => it.id), ...orders.flatMap((it) => it.frameId ?? [])];
  return [...(await cartIdsOf(tx, ...orders.map((it) => it.checkoutId))), ...(await addonIdsOf(tx, frameIds))];
}

/** Carts, payments and mails on the way to these orders tell no more who bought. The payments are held. */
export async function forgetWhoBought(tx: Db, orders: Bill[], purposes: string[]): Promise<void> {
  await forgetBuyersOf(
    tx,
    orders.map((it) => it.checkoutId),
  );
  await forgetPayers(tx, purposes);
  await forgetMailsAbout(
    tx,
    orders.map((it) => it.id),
  );
}

/** No mailed link opens these orders. Their mails are forgotten by then: one that is being written has been waited for. */
export async function endLinksToOrders(tx: Db, clock: Clock, orders: Bill[]): Promise<void> {
  for (const { id } of orders)
    for (const purpose of ['order-access', 'finish-registration', 'unsubscribe'] as const)
      await revokeTokens(tx, clock, purpose, id);
}
