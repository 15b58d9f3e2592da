import type { Order } from '../orders/orders.ts';
import type { Refund } from '../refunds/refunds.ts';

type TaxedOrder = Pick<Order, 'taxCents' | 'totalCents'>;
type PartOfRefund = Pick<Refund, 'id' | 'amountCents' | 'state'>;

/**
 * The sales tax that a refund gives back, in cents: its share of the order's tax. The shares of all refunds of an order
 * add up to the tax that the database counts as refunded (`kept_tax_cents`), because each share is the difference
 * between two such sums. `refunds` are all refunds of the order, oldest first. A failed refund counts on its own,
 * because its return takes back the same amount.
 */
export function refundedTaxOf(order: TaxedOrder, refunds: readonly PartOfRefund[], refund: PartOfRefund): number {
  if (refund.state === 'failed') return computeTaxShare(order, refund.amountCents);
  const countedRefunds = refunds.filter((it) => it.state !== 'failed');
  const refundIndex = countedRefunds.findIndex((it) => it.id === refund.id);
  const refundedBefore = countedRefunds.slice(0, refundIndex).reduce((sum, it) => sum + it.amountCents, 0);
  return computeTaxShare(order, refundedBefore + refund.amountCents) - computeTaxShare(order, refundedBefore);
}

/** `kept_tax_cents` of the database rounds halves up, as `Math.round` does for positive numbers. */
const computeTaxShare = ({ taxCents, totalCents }: TaxedOrder, refundedCents: number): number =>
  Math.round((taxCents * refundedCents) / totalCents);
