import * as z from 'zod';
import type { Operations } from '#contract/operation.ts';

/** Paid, but not what the cart cost; or to be given back, and not back yet. */
export const PaymentProblem = z.enum(['mismatched', 'refunding']);
export type PaymentProblem = z.infer<typeof PaymentProblem>;

export const ownerPayments = {
  'GET /api/admin/payment-problems': {
    summary:
      'Payments that arrived and made no order, newest first: they do not match their frozen cart, or have not gone back yet',
    who: 'admin',
    response: z.array(
      z.object({
        id: z.string(),
        state: PaymentProblem,
        stripePaymentIntentId: z.string(),
        customerEmail: z.string().nullable(),
        /** What the cart cost, in cents. */
        expectedAmount: z.int(),
        createdAt: z.iso.datetime(),
      }),
    ),
  },
} satisfies Operations;
