import { shortWeekdayWords } from '#contract/calendar.ts';
import type { Gift } from '#contract/gift-forms.ts';
import type { OrderSummary, OrderView } from '#contract/orders.ts';

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

/** When a parcel comes. Until the photos are finished that is only a promise for finishing them today. */
export function deliveryWords(
  order: Pick<OrderView, 'status' | 'isFinalized'> & { gift?: Pick<Gift, 'shipOn'> | null },
  estimate: OrderSummary['estimatedDelivery'],
) {
  const { isFinalized, gift } = order;
  if (hasLeft(order)) {
    return {
      title: 'Delivery',
      when: 'Your frame is on its way',
      note: 'The parcel left us; see your shipping email.',
    };
  }
  const when = estimate
    ? `${shortWeekdayWords(estimate.from)} to ${shortWeekdayWords(estimate.to)}`
    : 'About 8 business days';
  return {
    title: 'Estimated delivery',
    when,
    condition: isFinalized
      ? undefined
      : gift?.shipOn
        ? 'if you finish your photos in time'
        : 'if you finish your photos today',
    note: 'Business days, without weekends and US federal holidays.',
  };
}
