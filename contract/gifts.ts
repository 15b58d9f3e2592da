import * as z from 'zod/mini';
import { dayAfter, dayOf, type Moment } from './calendar.ts';
import { trimmed } from './fields.ts';
import { limits } from './limits.ts';

const atMost = (most: number) =>
  z.optional(z.string().check(z.trim(), z.maxLength(most, `Please use at most ${most} characters`)));
const isDay = (text: string) => z.iso.date().safeParse(text).success;

/** A present: the parcel goes to its recipient, with the giver's words and without prices. */
export const GiftForm = z.object({
  recipientName: trimmed('Please tell us who the gift is for', limits.recipientNameCharacters),
  /** As the card is signed; without it, the giver's name. */
  from: atMost(limits.giftFromCharacters),
  message: atMost(limits.giftMessageCharacters),
  /** The first day it may leave the shop; without it, as soon as it is ready. */
  shipOn: z.optional(z.string().check(z.refine((it) => it === '' || isDay(it), 'Please choose a day'))),
});
export type Gift = z.output<typeof GiftForm>;

/** The days to ship that can be chosen, both included. */
export const shipDays = (now: Moment) => ({ first: dayOf(now), last: dayAfter(dayOf(now), limits.giftShipDays) });
export function isShipDay(day: string, now: Moment): boolean {
  const { first, last } = shipDays(now);
  return isDay(day) && day >= first && day <= last;
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
