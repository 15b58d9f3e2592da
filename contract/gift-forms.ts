import * as z from 'zod/mini';
import { isRealDay } from './calendar.ts';
import { optionalTextField, phoneNumberField, requiredTextField } from './fields.ts';
import { limits } from './limits.ts';

/** A gift. The parcel goes to the recipient, with the giver's message and without prices. */
export const GiftForm = z.object({
  recipientName: requiredTextField('Please enter who the gift is for', limits.recipientNameCharacters),
  /** For the carrier: customs forms and the delivery may need it. The shop never calls it. */
  recipientPhone: z.optional(phoneNumberField),
  /** The signature on the card. Defaults to the giver's name. */
  from: z.optional(optionalTextField(limits.giftFromCharacters)),
  message: z.optional(optionalTextField(limits.giftMessageCharacters)),
  /** The first day on which it may be shipped. Without it, the gift is shipped as soon as it is ready. */
  shipOn: z.optional(z.string().check(z.refine((it) => it === '' || isRealDay(it), 'Please choose a day'))),
});
export type Gift = z.output<typeof GiftForm>;
