import { Refusal } from '#contract/refusals.ts';
import { PaymentProviderError } from '../ports/card-payments.ts';
import { recordAuditEntry, type AuditAuthor } from '../audit/audit.ts';
import { readAutomaticRefund } from './automatic-refunds.ts';
import { closePayment, findPaymentById, type Payment, type PaymentScope } from './payments.ts';

/**
 * Closes a payment problem after the owner has settled it with the payer outside of the provider, for example by bank
 * transfer. The shop then never refunds the payment. Refuses while the provider is refunding the payment, because the
 * payer would get the money twice.
 */
export async function closeProblem(
  scope: PaymentScope,
  paymentId: string,
  note: string,
  by: AuditAuthor,
): Promise<void> {
  const { db, clock, jobs, purposes } = scope;
  const payment = await findPaymentById(db, paymentId);
  if (!payment) throw new Refusal('not-found');
  const { state, intentId } = payment;
  if (state !== 'mismatched' && state !== 'refunding') throw new Refusal('no-payment-problem');
  if (intentId !== null && (await isGoingBack(scope, payment, intentId))) {
    await db.transaction((tx) => jobs.enqueue(tx, 'follow-refunds', { intentId }, { key: intentId }));
    throw new Refusal('refund-under-way');
  }
  await db.transaction(async (tx) => {
    if (!(await closePayment({ db: tx, clock, purposes }, payment, [state], 'closed')))
      throw new Refusal('no-payment-problem');
    await recordAuditEntry(tx, clock, {
      act: 'close-payment-problem',
      subjectId: paymentId,
      before: { state },
      after: { state: 'closed', note },
      ...by,
    });
  });
}

async function isGoingBack(scope: PaymentScope, payment: Payment, intentId: string): Promise<boolean> {
  try {
    return (await readAutomaticRefund(scope, payment, intentId)).leftCents === 0;
  } catch (error) {
    if (error instanceof PaymentProviderError) throw Object.assign(new Refusal('refund-unknown'), { cause: error });
    throw error;
  }
}
