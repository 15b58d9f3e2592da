import { dayAfter, dayOf, isRealDay, type Moment } from './calendar.ts';
import type { Gift } from './gift-forms.ts';
import { limits } from './limits.ts';

/** The days to ship that can be chosen, both included. */
export const shipDays = (now: Moment) => ({ first: dayOf(now), last: dayAfter(dayOf(now), limits.giftShipDays) });
export function isShipDay(day: string, now: Moment): boolean {
  const { first, last } = shipDays(now);
  return isRealDay(day) && day >= first && day <= last;
}

/** Words for the others. */
export const shipDayWords = (lastDay: string) =>
  `Please choose a day to ship from today until ${lastDay}, or leave it empty.`;

interface Given {
  gift: Gift | null;
  customerFirstName: string;
  customerLastName: string;
}
/** The name on the parcel. */
export const parcelName = (order: Given) => order.gift?.recipientName ?? nameOf(order);
/** How a gift's card is signed. */
export const signatureOf = (order: Given) => order.gift?.from ?? nameOf(order);
const nameOf = ({ customerFirstName, customerLastName }: Given) => `${customerFirstName} ${customerLastName}`.trim();
