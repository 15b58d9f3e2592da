import type { Clock } from '../ports/clock.ts';
import type { Db } from '../ports/database.ts';
import { removeCollectLinks } from '../collect-links/collect-links.ts';
import type { Forget } from '../forget.ts';
import { holdFramesOf, isOpen, type Frame } from '../frames/frames.ts';
import { forgetConnection } from '../frames/kept.ts';
import { forgetBuyerOfOrder, isGivenBack, ordersOfSomebody, type Order } from '../orders/orders.ts';
import { hasPaymentSince, holdPaymentsFor } from '../payments/payments.ts';
import { endLinksTo } from './keeping.ts';
import { endLinksToOrders, forgetWhoBought, purposesOf } from './who-bought.ts';

/** Forgets who bought what was bought, changed and paid for before a moment, and is over by now. The bill itself stays. */
export const forgetOldOrders: Forget = async (db, before, limit, clock) => {
  let forgotten = 0;
  let page: Order[] = [];
  do {
    page = await ordersOfSomebody(db, { before, after: page.at(-1), limit });
    for (const order of page) if (await forgetOldOrder(db, clock, order, before)) forgotten += 1;
  } while (page.length === limit && forgotten < limit);
  return forgotten;
};

const forgetOldOrder = (db: Db, clock: Clock, found: Order, before: Date): Promise<boolean> =>
  db.transaction(async (tx) => {
    const purposes = await purposesOf(tx, [found]);
    // In the order in which money is settled: payments, then the order and its frames.
    await holdPaymentsFor(tx, purposes);
    const { order, held } = await holdFramesOf(tx, found.id);
    if (!isOver(order, held) || order.updatedAt >= before) return false;
    if (await hasPaymentSince(tx, purposes, before)) return false;
    await forgetBuyerOfOrder(tx, order.id);
    await forgetWhoBought(tx, [order], purposes);
    await endLinksToOrders(tx, clock, [order]);
    for (const frame of held.filter((it) => it.orderId === order.id)) {
      await forgetConnection(tx, frame);
      await removeCollectLinks(tx, frame.id);
      await endLinksTo(tx, clock, frame.id);
    }
    return true;
  });

/** Nothing that was paid for is still to come, and no photo is kept. */
function isOver(order: Order, frames: Frame[]): boolean {
  const isSent = order.shippingAddress === null || order.shippedAt !== null || isGivenBack(order);
  return isSent && frames.every((it) => !isOpen(it) && (it.usedPhotos === 0 || it.erasedAt !== null));
}
