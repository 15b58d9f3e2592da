import * as z from 'zod/mini';
import { requiredTextField } from './fields.ts';

export const cancellationPhotoChoices = ['keep', 'erase'] as const;

const fields = {
  /** The owner's reason. The customer sees it in the email and in the order's history. */
  reason: requiredTextField('Please enter a reason', 500),
  /** What happens to the photos and videos. */
  photos: z.enum(cancellationPhotoChoices, 'Please choose what happens to the photos and videos'),
  /** Whether the customer gets an email. */
  tellCustomer: z.boolean(),
};

/** The owner's form to cancel an order. */
export const CancelForm = z.object(fields);

export const CancelBody = z.object({
  ...fields,
  /** The sum that the owner has confirmed, in integer cents. If another sum is due now, nothing is canceled. */
  refundAmount: z.int().check(z.gte(1), z.lte(100_000_000)),
  /** Sending the same key again cancels and refunds nothing more. */
  key: z.uuid(),
});
