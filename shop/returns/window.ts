import { dayAfter, dayText, toShopDay } from '#contract/calendar.ts';
import { kinframe, type DeliveryTimes } from '#contract/catalog.ts';
import { lifetimes } from '#contract/limits.ts';
import { Refusal } from '#contract/refusals.ts';
import type { OrderReturns } from '#contract/returns.ts';
import { estimateArrival } from '../orders/delivery-estimate.ts';
import { isFullyRefunded, type Order } from '../orders/orders.ts';

/** Whether an order contains frames that the shop sells. An order of an add-on contains none. */
const containsFrames = ({ frameId, productType, shippingAddress }: Order) =>
  frameId === null && productType.startsWith(kinframe) && shippingAddress !== null;

/** Whether the customer sees the returns of this order: its frames have shipped. */
export const showsReturns = (order: Order): boolean =>
  containsFrames(order) && order.shippedAt !== null && order.canceledAt === null;

/**
 * The last day on which a return can be asked for; undefined if the order has not shipped. The days count from the last
 * day of the estimated delivery or, if the carrier reports a later delivery, from that day. So no customer has fewer
 * days than promised.
 */
export function computeLastReturnDay(
  times: DeliveryTimes,
  { shippedAt, deliveredAt }: Pick<Order, 'shippedAt' | 'deliveredAt'>,
): string | undefined {
  if (shippedAt === null) return undefined;
  const { to: estimatedDay } = estimateArrival(times, shippedAt);
  const reportedDay = deliveredAt === null ? estimatedDay : toShopDay(deliveredAt);
  return dayAfter(reportedDay > estimatedDay ? reportedDay : estimatedDay, lifetimes.returnDays);
}

/** Why no return of this order can be asked for now. Null if it can. */
export function returnRefusalOf(times: DeliveryTimes, order: Order, now: Date): OrderReturns['refusal'] {
  if (!containsFrames(order)) return 'nothing-to-return';
  if (order.canceledAt !== null) return 'order-canceled';
  const lastDay = computeLastReturnDay(times, order);
  if (lastDay === undefined) return 'return-not-shipped';
  if (isFullyRefunded(order)) return 'nothing-to-refund';
  return toShopDay(now) > lastDay ? 'return-window-over' : null;
}

export function refuseReturnOutside(times: DeliveryTimes, order: Order, now: Date): void {
  const refusal = returnRefusalOf(times, order, now);
  if (refusal === 'return-window-over')
    throw new Refusal(refusal, { day: dayText(computeLastReturnDay(times, order)!) });
  if (refusal !== null) throw new Refusal(refusal);
}
