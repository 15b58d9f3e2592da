import * as z from 'zod/mini';

const text = (most: number, words: string) => z.optional(z.string().check(z.trim(), z.maxLength(most, words)));
const trackingNumber = z.optional(
  z
    .string()
    .check(
      z.trim(),
      z.maxLength(60, 'A tracking number has at most 60 characters'),
      z.regex(/^[A-Za-z0-9 -]*$/, 'A tracking number has letters, digits, spaces and hyphens only'),
    ),
);
const fields = {
  carrier: text(60, 'Please use at most 60 characters'),
  trackingNumber,
  /** Mail the customer once more; the first time they are told anyway. */
  tellAgain: z._default(z.boolean(), false),
};
interface Named {
  carrier?: string | undefined;
  trackingNumber?: string | undefined;
}
const isNamed = ({ carrier, trackingNumber }: Named) => !trackingNumber || !!carrier;
const unnamed = { error: 'Please name the carrier of this tracking number', path: ['carrier'] };

export const ShipmentForm = z.object(fields).check(z.refine(isNamed, unnamed));
export const ShipmentBody = z
  .object({
    ...fields,
    /** The same key sent again tells the customer no second time. */
    key: z.optional(z.uuid()),
  })
  .check(z.refine(isNamed, unnamed));
