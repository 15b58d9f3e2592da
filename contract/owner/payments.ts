import * as z from 'zod';
import type { Operations } from '#contract/operation.ts';

export const ownerPayments = {
  'GET /api/admin/payment-problems': {
    summary: 'Payments that arrived but do not match their frozen cart, newest first: no order came of them',
    who: 'admin',
    response: z.array(
      z.object({
        id: z.string(),
        stripePaymentIntentId: z.string(),
        customerEmail: z.string().nullable(),
        /** What the cart cost, in cents. */
        expectedAmount: z.int(),
        createdAt: z.iso.datetime(),
      }),
    ),
  },
} satisfies Operations;
