import { dayAfter, dayOf, isRealDay, type Moment } from './calendar.ts';
import type { Gift } from './gift-forms.ts';
import { limits } from './limits.ts';

/** The first and last shipping day that can be chosen, both inclusive. */
export const shipDays = (now: Moment) => ({ first: dayOf(now), last: dayAfter(dayOf(now), limits.giftShipDays) });
export function isShipDay(day: string, now: Moment): boolean {
  const { first, last } = shipDays(now);
  return isRealDay(day) && day >= first && day <= last;
}

/** The error message for a day that is not a possible shipping day. */
export const shipDayText = (lastDay: string) =>
  `Please choose a shipping day from today to ${lastDay}, or leave it empty.`;

interface Given {
  gift: Gift | null;
  customerFirstName: string;
  customerLastName: string;
}
/** The name on the parcel. */
export const parcelName = (order: Given) => order.gift?.recipientName ?? nameOf(order);
/** The signature on a gift's card. */
export const signatureOf = (order: Given) => order.gift?.from ?? nameOf(order);
const nameOf = ({ customerFirstName, customerLastName }: Given) => `${customerFirstName} ${customerLastName}`.trim();
