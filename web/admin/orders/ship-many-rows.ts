import { toShopDay, shortDayText, weekdayText } from '#contract/calendar.ts';
import type { AdminOrder, ShippingCheck } from '#contract/owner/orders.ts';
import { ShipmentForm } from '#contract/shipment-forms.ts';
import type { ShippingLine } from '#contract/shipping-lines.ts';
import { listShippingWarnings } from './shipping-warnings.ts';

export interface CheckedOrder {
  order: AdminOrder;
  check: ShippingCheck;
}

/** A pasted line, with what was found about it. */
export interface CheckedShippingLine extends ShippingLine {
  /** Undefined if there is no order with this number. */
  order: AdminOrder | undefined;
  /** Why the line cannot be shipped. */
  problem: string | undefined;
  /** What the owner should know. The line is shipped only if the owner chooses "Ship anyway". */
  warnings: string[];
}

/**
 * Compares pasted lines with the orders. `carrier` is used for lines that name none. `today` is the date in the shop's
 * time zone.
 */
export function checkShippingLines(
  lines: ShippingLine[],
  found: CheckedOrder[],
  carrier: string,
  today: string,
): CheckedShippingLine[] {
  const ordersByNumber = new Map(found.map((it) => [it.order.orderNumber, it]));
  const lineOfOrder = new Map<string, number>();
  const lineOfTracking = new Map<string, number>();
  return lines.map((typed) => {
    const line = { ...typed, carrier: typed.carrier || carrier.trim() };
    const knownOrder = ordersByNumber.get(line.orderNumber);
    const lineWithSameOrder = lineOfOrder.get(line.orderNumber);
    const lineWithSameTracking = lineOfTracking.get(line.trackingNumber);
    lineOfOrder.set(line.orderNumber, lineWithSameOrder ?? line.line);
    lineOfTracking.set(line.trackingNumber, lineWithSameTracking ?? line.line);
    const problem = lineWithSameOrder
      ? `This is the same order as on line ${lineWithSameOrder}.`
      : findProblem(line, knownOrder?.order);
    const warnings = knownOrder ? listWarnings(knownOrder, today) : [];
    if (lineWithSameTracking !== undefined)
      warnings.push(`This is the same tracking number as on line ${lineWithSameTracking}.`);
    return { ...line, order: knownOrder?.order, problem, warnings: problem === undefined ? warnings : [] };
  });
}

function findProblem({ carrier, trackingNumber }: ShippingLine, order: AdminOrder | undefined): string | undefined {
  if (!order) return 'There’s no order with this number.';
  if (order.canceledAt) return 'This order is canceled. Please don’t ship it.';
  if (!order.isShippable) return 'This order is for a service, so there’s nothing to ship.';
  if (order.parcel) {
    const { shippedAt, trackingNumber: sent } = order.parcel;
    return `Already shipped on ${shortDayText(shippedAt)}${sent ? ` with ${sent}` : ''}.`;
  }
  const parseResult = ShipmentForm.safeParse({ carrier, trackingNumber, tellAgain: false });
  return parseResult.success ? undefined : `${parseResult.error.issues[0]!.message}.`;
}

function listWarnings({ order, check }: CheckedOrder, today: string): string[] {
  const { gift, disputes, refundedAmount, totalAmount } = order;
  return [
    ...listShippingWarnings(check, order.customerEmail),
    ...(refundedAmount === totalAmount && totalAmount > 0 ? ['The whole order was refunded.'] : []),
    ...(disputes.some((it) => it.isOpen) ? ['The payment is disputed.'] : []),
    ...(gift?.shipOn && gift.shipOn > today
      ? [`This is a gift. Please don’t ship it before ${weekdayText(gift.shipOn)}.`]
      : []),
  ];
}

export const computeTodayInShop = () => toShopDay(Date.now());
