import { counted } from '#contract/count-words.ts';
import type { OrderStatus } from '#contract/orders.ts';
import type { AdminOrder } from '#contract/owner/orders.ts';

/** What follows from one status for so many orders: who is told by mail, and which presents would leave too soon. */
export function statusChangeWords(
  status: OrderStatus,
  orders: readonly Pick<AdminOrder, 'isShippable' | 'parcel' | 'gift'>[],
  today: string,
): string {
  const leaving = status === 'shipped' ? orders.filter((it) => it.isShippable && !it.parcel) : [];
  if (leaving.length === 0) return 'No mail is sent.';
  const early = leaving.filter(({ gift }) => gift?.shipOn && gift.shipOn > today).length;
  return [
    `${counted(leaving.length, 'customer')} will be told by mail that the parcel is on its way.`,
    ...(early === 0 ? [] : [`${counted(early, 'gift')} among them would leave before the day that was asked for.`]),
  ].join(' ');
}
