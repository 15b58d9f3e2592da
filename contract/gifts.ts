import { dayAfter, toShopDay, isRealDay, type DateLike } from './calendar.ts';
import type { Gift } from './gift-forms.ts';
import { limits } from './limits.ts';

/** The first and last shipping day that can be chosen, both inclusive. */
export const giftShippingDayRange = (now: DateLike) => ({
  first: toShopDay(now),
  last: dayAfter(toShopDay(now), limits.giftShipDays),
});
export function isGiftShippingDay(day: string, now: DateLike): boolean {
  const { first, last } = giftShippingDayRange(now);
  return isRealDay(day) && day >= first && day <= last;
}

/** The error message for a day that is not a possible shipping day. */
export const giftShippingDayError = (lastDay: string) =>
  `Please choose a shipping day from today to ${lastDay}, or leave it empty`;

interface GiftAndBuyer {
  gift: Gift | null;
  customerFirstName: string;
  customerLastName: string;
}
/** The name on the parcel. */
export const parcelRecipientName = (order: GiftAndBuyer) => order.gift?.recipientName ?? formatBuyerName(order);
/** The signature on a gift's card. */
export const giftCardSignature = (order: GiftAndBuyer) => order.gift?.from ?? formatBuyerName(order);
const formatBuyerName = ({ customerFirstName, customerLastName }: GiftAndBuyer) =>
  `${customerFirstName} ${customerLastName}`.trim();
