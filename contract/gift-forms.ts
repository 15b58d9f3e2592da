import * as z from 'zod/mini';
import { isRealDay } from './calendar.ts';
import { trimmed } from './fields.ts';
import { limits } from './limits.ts';

const atMost = (most: number) =>
  z.optional(z.string().check(z.trim(), z.maxLength(most, `Please use at most ${most} characters`)));

/** A present: the parcel goes to its recipient, with the giver's words and without prices. */
export const GiftForm = z.object({
  recipientName: trimmed('Please tell us who the gift is for', limits.recipientNameCharacters),
  /** As the card is signed; without it, the giver's name. */
  from: atMost(limits.giftFromCharacters),
  message: atMost(limits.giftMessageCharacters),
  /** The first day it may leave the shop; without it, as soon as it is ready. */
  shipOn: z.optional(z.string().check(z.refine((it) => it === '' || isRealDay(it), 'Please choose a day'))),
});
export type Gift = z.output<typeof GiftForm>;
