import { countText } from '#contract/count-text.ts';
import type { OrderStatus } from '#contract/orders.ts';
import type { AdminOrder } from '#contract/owner/orders.ts';

/** The orders whose package counts as shipped if they get this status. */
export const filterOrdersShippedByStatus = <T extends Pick<AdminOrder, 'isShippable' | 'parcel'>>(
  status: OrderStatus,
  orders: readonly T[],
): T[] => (status === 'shipped' ? orders.filter((it) => it.isShippable && !it.parcel) : []);

/**
 * Describes the effects of a status change: how many customers get an email, and how many gifts would ship too early.
 */
export function statusChangeText(
  status: OrderStatus,
  orders: readonly Pick<AdminOrder, 'isShippable' | 'parcel' | 'gift'>[],
  today: string,
  tellCustomer = true,
): string {
  const ordersToShip = filterOrdersShippedByStatus(status, orders);
  if (ordersToShip.length === 0) return 'We won’t send an email.';
  const earlyGifts = ordersToShip.filter(({ gift }) => gift?.shipOn && gift.shipOn > today).length;
  return [
    tellCustomer
      ? `${countText(ordersToShip.length, 'customer')} will get an email that the package is on its way.`
      : 'We won’t send an email.',
    ...(earlyGifts === 0 ? [] : [`${countText(earlyGifts, 'gift')} would ship before the chosen day.`]),
  ].join(' ');
}
