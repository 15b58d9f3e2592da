import { shortWeekdayWords } from '#contract/calendar.ts';
import type { DeliveryEstimate, OrderView } from '#contract/orders.ts';

/** Short lists of orders tell no amounts. */
export type Staged = Pick<OrderView, 'status' | 'isFinalized'> &
  Partial<Pick<OrderView, 'refundedAmount' | 'totalAmount'>>;

/** How the confirmation words an order: its photos decide until the owner has moved it on. */
export function stageOf({ status, isFinalized, refundedAmount = 0, totalAmount }: Staged) {
  if (refundedAmount === totalAmount) return { words: 'Refunded', tone: 'neutral' } as const;
  if (status === 'shipped') return { words: 'Shipped', tone: 'good' } as const;
  if (status === 'completed') return { words: 'Completed', tone: 'good' } as const;
  return isFinalized
    ? ({ words: 'Processing', tone: 'accent' } as const)
    : ({ words: 'Awaiting Photos', tone: 'warn' } as const);
}

/** Whether its parcel is on its way, or there. */
export const hasLeft = ({ status }: Pick<OrderView, 'status'>) => status === 'shipped' || status === 'completed';

/** Uploading, the making of its videos, and its way to the customer: which of them lie behind an order. */
export const doneSteps = (order: Pick<OrderView, 'status' | 'isFinalized'>) => [
  order.isFinalized,
  order.status === 'completed',
  hasLeft(order),
];

/** When a parcel comes. Until the photos are finished that is only a promise for finishing them by a day. */
export function deliveryWords(order: Pick<OrderView, 'status' | 'isFinalized'>, estimate: DeliveryEstimate) {
  const { from, to, finishBy } = estimate;
  if (hasLeft(order)) {
    return {
      title: 'Delivery',
      when: 'Your frame is on its way',
      note: 'The parcel left us; see your shipping email.',
    };
  }
  return {
    title: 'Estimated delivery',
    when: `${shortWeekdayWords(from)} to ${shortWeekdayWords(to)}`,
    condition: order.isFinalized
      ? undefined
      : `if you finish your photos ${finishBy === null ? 'today' : `by ${shortWeekdayWords(finishBy)}`}`,
    note: 'Business days, without weekends and US federal holidays.',
  };
}
