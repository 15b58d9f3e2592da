import { shortWeekdayText } from '#contract/calendar.ts';
import type { DeliveryEstimate, OrderView } from '#contract/orders.ts';

/** The parts of an order that decide its stage. The amounts are optional, because some lists of orders omit them. */
export type OrderStageFields = Pick<OrderView, 'status' | 'isFinalized'> &
  Partial<Pick<OrderView, 'refundedAmount' | 'totalAmount' | 'canceledAt'>>;

/**
 * The status of an order as shown to the customer. Until the owner sets `shipped` or `completed`, it depends on whether
 * the order's photos are finalized.
 */
export function orderStageBadge({
  status,
  isFinalized,
  refundedAmount = 0,
  totalAmount,
  canceledAt = null,
}: OrderStageFields) {
  if (canceledAt !== null) return { words: 'Canceled', tone: 'neutral' } as const;
  if (refundedAmount === totalAmount) return { words: 'Refunded', tone: 'neutral' } as const;
  if (status === 'shipped') return { words: 'Shipped', tone: 'good' } as const;
  if (status === 'completed') return { words: 'Completed', tone: 'good' } as const;
  return isFinalized
    ? ({ words: 'Processing', tone: 'accent' } as const)
    : ({ words: 'Awaiting Photos', tone: 'warn' } as const);
}

/** Returns whether the package has shipped. */
export const hasShipped = ({ status }: Pick<OrderView, 'status'>) => status === 'shipped' || status === 'completed';

/** Whether each of the three steps of an order is done: uploading, making the videos, shipping. */
export const listDoneSteps = (order: Pick<OrderView, 'status' | 'isFinalized'>) => [
  order.isFinalized,
  order.status === 'completed',
  hasShipped(order),
];

/** The text about the delivery. Until the photos are finalized, it says by which day the customer must finish them. */
export function deliveryText(order: Pick<OrderView, 'status' | 'isFinalized'>, estimate: DeliveryEstimate) {
  const { from, to, finishBy } = estimate;
  if (hasShipped(order)) {
    return {
      title: 'Delivery',
      when: 'Your frame is on its way',
      note: 'Your package has shipped. See your shipping email.',
    };
  }
  return {
    title: 'Estimated delivery',
    when: `${shortWeekdayText(from)} to ${shortWeekdayText(to)}`,
    condition: order.isFinalized
      ? undefined
      : `if you finish your photos ${finishBy === null ? 'today' : `by ${shortWeekdayText(finishBy)}`}`,
    note: 'We count business days only, not weekends or US federal holidays.',
  };
}
