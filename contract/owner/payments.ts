import * as z from 'zod';
import type { Operations } from '#contract/operation.ts';
import { CloseProblemForm } from '#contract/refund-forms.ts';

/**
 * mismatched: the paid amount is not the cart's price; refunding: the payment will be refunded, but is not refunded
 * yet.
 */
export const PaymentProblem = z.enum(['mismatched', 'refunding']);
export type PaymentProblem = z.infer<typeof PaymentProblem>;

export const ownerPayments = {
  'GET /api/admin/payment-problems': {
    summary:
      'List payments without an order, newest first: they do not match their frozen cart, or are not refunded yet',
    who: 'admin',
    area: 'money',
    response: z.array(
      z.object({
        id: z.string(),
        state: PaymentProblem,
        stripePaymentIntentId: z.string(),
        customerEmail: z.string().nullable(),
        /** The price of the cart, in cents. */
        expectedAmount: z.int(),
        createdAt: z.iso.datetime(),
      }),
    ),
  },
  'POST /api/admin/payment-problems/:id/close': {
    summary: 'Close a payment problem that was settled with the payer outside the provider, and record how',
    who: 'admin',
    area: 'money',
    params: z.object({ id: z.string().max(64) }),
    body: CloseProblemForm,
    response: z.object({ success: z.literal(true) }),
    refusals: ['not-found', 'no-payment-problem', 'refund-under-way', 'refund-unknown'],
    stepUp: true,
  },
} satisfies Operations;
