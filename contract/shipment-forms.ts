import * as z from 'zod/mini';
import { optionalTextField } from './fields.ts';
import { toAsciiText } from './tidy.ts';

const trackingNumber = z.optional(
  z
    .string()
    .check(
      z.overwrite<string>(toAsciiText),
      z.maxLength(60, 'Please use at most 60 characters'),
      z.regex(/^[A-Za-z0-9 -]*$/, 'Please use only letters, digits, spaces and hyphens'),
    ),
);
const fields = {
  carrier: z.optional(optionalTextField(60)),
  trackingNumber,
  /** Whether the customer gets the email when the package is first marked as shipped. True if it is left out. */
  tellCustomer: z.optional(z.boolean()),
  /** Email the customer again after a change. */
  tellAgain: z._default(z.boolean(), false),
};
interface CarrierAndNumber {
  carrier?: string | undefined;
  trackingNumber?: string | undefined;
}
const hasCarrierIfTracked = ({ carrier, trackingNumber }: CarrierAndNumber) => !trackingNumber || !!carrier;
const missingCarrierIssue = { error: 'Please choose the carrier for this tracking number', path: ['carrier'] };

export const ShipmentForm = z.object(fields).check(z.refine(hasCarrierIfTracked, missingCarrierIssue));
export const ShipmentBody = z
  .object({
    ...fields,
    /** Sending the same key again does not send a second email. */
    key: z.optional(z.uuid()),
    /** Only ships: an order that has shipped with another package is refused and stays as it is. */
    isFirst: z._default(z.boolean(), false),
  })
  .check(z.refine(hasCarrierIfTracked, missingCarrierIssue));
