import { closeProblem } from '#shop/payments/close-problem.ts';
import { readPaymentProblems } from '#shop/payments/payments.ts';
import { getAuditAuthor } from '../common/by.ts';
import type { HttpScope } from '../common/http-scope.ts';
import { mountOperation } from '../common/serve.ts';

export function registerOwnerPaymentRoutes({ app, shop }: HttpScope): void {
  const { db } = shop;

  mountOperation(app, 'GET /api/admin/payment-problems', async () =>
    (await readPaymentProblems(db)).map((payment) => ({
      id: payment.id,
      state: payment.state,
      stripePaymentIntentId: payment.intentId ?? '',
      customerEmail: payment.email,
      expectedAmount: payment.amountCents,
      createdAt: payment.createdAt.toISOString(),
    })),
  );

  mountOperation(app, 'POST /api/admin/payment-problems/:id/close', async ({ params, body, request }) => {
    await closeProblem(shop, params.id, body.note, getAuditAuthor(request));
    return { success: true as const };
  });
}
