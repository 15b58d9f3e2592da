import { countText } from '#contract/count-text.ts';
import { kinframe } from '#contract/catalog.ts';
import type { Clock } from '../ports/clock.ts';
import type { Db } from '../ports/database.ts';
import { isFullyRefunded, recordOrderEvent, type Order } from '../orders/orders.ts';
import { putFramesBack, takeSoldFrames } from '../stock/stock.ts';

/** The frames of an order that are still on the shelf. An order of an add-on contains no frame. */
const countUnshippedFrames = ({ productType, quantity, frameId, shippedAt, status }: Order): number =>
  frameId === null && productType.startsWith(kinframe) && shippedAt === null && status !== 'shipped' ? quantity : 0;

/** Puts the frames of an order back into the stock, if it has not shipped, and notes it in the order's history. */
export async function returnFramesToStock(tx: Db, clock: Clock, order: Order): Promise<void> {
  const count = countUnshippedFrames(order);
  if (count > 0 && (await putFramesBack(tx, count)))
    await recordOrderEvent(tx, clock, order.id, 'stock', `${countText(count, 'frame')} put back into stock.`);
}

/**
 * Puts an order's frames back once its refunds reach the total, and takes them again if a refund fails: its package
 * then leaves after all. `order` is the order before the change. A canceled order returns its frames when it is
 * canceled, and stays canceled.
 */
export async function updateReturnedFrames(tx: Db, clock: Clock, order: Order, refundedCents: number): Promise<void> {
  if (order.canceledAt !== null) return;
  const [was, is] = [isFullyRefunded(order), isFullyRefunded({ ...order, refundedCents })];
  if (!was && is) await returnFramesToStock(tx, clock, order);
  if (was && !is) await takeSoldFrames(tx, countUnshippedFrames(order));
}
