import * as z from 'zod/mini';
import { emailAddressField } from './fields.ts';
import { limits } from './limits.ts';

const wholeNumberMessage = 'Please enter a whole number, 0 or more';
const frameCountField = z.nullable(
  z
    .int(wholeNumberMessage)
    .check(
      z.minimum(0, wholeNumberMessage),
      z.maximum(limits.mostFramesInStock, `At most ${limits.mostFramesInStock}, please`),
    ),
);

/** The address for one email when frames are back. */
export const StockNotificationForm = z.object({
  email: emailAddressField,
  _honeypot: z.optional(z.string().check(z.maxLength(500))),
});

export const StockBody = z.object({
  /** The new number of frames that can still be sold. Null: frames are not counted, and any number can be sold. */
  framesLeft: frameCountField,
  /** The number that the owner has seen. If it is not current anymore, nothing is saved. May be below zero. */
  seen: z.nullable(z.int()),
});
