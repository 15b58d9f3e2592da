import type { Clock } from '../ports/clock.ts';
import type { Db } from '../ports/database.ts';
import { removeCollectLinks } from '../collect-links/collect-links.ts';
import type { DeleteOldRows } from '../delete-old-rows.ts';
import { lockFramesOf, isOpen, type Frame } from '../frames/frames.ts';
import { deleteConnectionDetails } from '../frames/frame-retention.ts';
import { deleteBuyerDataOfOrder, isFullyRefunded, findOrdersWithBuyerData, type Order } from '../orders/orders.ts';
import { hasPaymentSince, lockPaymentsFor } from '../payments/payments.ts';
import { removeLabelFilesOf } from '../labels/label-files.ts';
import { deleteReturnsOf } from '../returns/return-files.ts';
import { revokeVideoLinks } from './erasure.ts';
import { endLinksToOrders, deleteBuyerDataOfOrders, findPaymentPurposeIds } from './buyer-data.ts';

/**
 * Delete the personal data of buyers from finished orders that were placed, changed and paid for before the given time.
 * The bill stays. An order that must be kept does not block the orders after it.
 */
export const deleteBuyersOfOldOrders: DeleteOldRows = async (db, before, limit, clock) => {
  let forgotten = 0;
  let page: Order[] = [];
  do {
    page = await findOrdersWithBuyerData(db, { before, after: page.at(-1), limit });
    for (const order of page) if (await forgetOldOrder(db, clock, order, before)) forgotten += 1;
  } while (page.length === limit && forgotten < limit);
  return forgotten;
};

const forgetOldOrder = (db: Db, clock: Clock, found: Order, before: Date): Promise<boolean> =>
  db.transaction(async (tx) => {
    const paymentPurposeIds = await findPaymentPurposeIds(tx, [found]);
    // Lock in the same order as the settling of payments: payments, then the order and its frames.
    await lockPaymentsFor(tx, paymentPurposeIds);
    const { order, lockedFrames } = await lockFramesOf(tx, found.id);
    if (!isRetentionOver(order, lockedFrames) || order.updatedAt >= before) return false;
    if (await hasPaymentSince(tx, paymentPurposeIds, before)) return false;
    // The sweep of unreferenced files deletes any files that the returns and labels still have.
    await deleteReturnsOf(tx, [order.id]);
    await removeLabelFilesOf(tx, [order.id]);
    await deleteBuyerDataOfOrder(tx, order.id);
    await deleteBuyerDataOfOrders(tx, [order], paymentPurposeIds);
    await endLinksToOrders(tx, clock, [order]);
    for (const frame of lockedFrames.filter((it) => it.orderId === order.id)) {
      await deleteConnectionDetails(tx, frame);
      await removeCollectLinks(tx, frame.id);
      await revokeVideoLinks(tx, clock, frame.id);
    }
    return true;
  });

/** Whether everything paid for is delivered, and no photo is stored anymore. */
function isRetentionOver(order: Order, frames: Frame[]): boolean {
  const isSent = order.shippingAddress === null || order.shippedAt !== null || isFullyRefunded(order);
  return isSent && frames.every((it) => !isOpen(it) && (it.usedPhotos === 0 || it.erasedAt !== null));
}
