import type { PaymentIntent } from '../ports/card-payments.ts';
import { queueMail } from '../mail/mail.ts';
import { changePaymentState, type Payment, type PaymentScope } from './payments.ts';

/**
 * Handles a payment whose amount, currency or mode differs from the agreed one. The payment buys nothing, and the owner
 * is notified once.
 */
export async function reportMismatch(
  { db, clock, jobs, link, ownerEmail }: PaymentScope,
  payment: Payment,
  intent: PaymentIntent,
): Promise<void> {
  const mailAddress = await ownerEmail();
  await db.transaction(async (tx) => {
    if (!(await changePaymentState(tx, clock, payment.id, ['asking', 'open', 'cancelled'], 'mismatched'))) return;
    await queueMail(
      tx,
      { jobs, clock },
      {
        event: `owner-payment-mismatch:${payment.id}`,
        to: mailAddress,
        content: {
          kind: 'owner-payment-mismatch',
          paymentIntentId: intent.id,
          customerEmail: payment.email ?? undefined,
          expectedCents: payment.amountCents,
          receivedCents: intent.amountReceivedCents,
          receivedCurrency: intent.currency === payment.currency ? undefined : intent.currency.toUpperCase(),
          adminUrl: link('/admin?tab=orders'),
        },
      },
    );
  });
}
