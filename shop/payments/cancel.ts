import { closePayment, findPaymentById, type PaymentScope } from './payments.ts';
import { settleIntent } from './settle.ts';

/** How long the job waits if the payment's intent is still being created. */
const retrySeconds = 30;

/**
 * The job that closes a payment after another payment has replaced it. If the replaced payment was paid in the
 * meantime, the job settles it.
 */
export async function cancelPayment(scope: PaymentScope, paymentId: string): Promise<void> {
  const { db, jobs, provider } = scope;
  const payment = await findPaymentById(db, paymentId);
  if (payment?.state !== 'asking' && payment?.state !== 'open') return;
  // A $0 payment has no intent.
  if (payment.amountCents === 0) return void (await closePayment(scope, payment, ['asking', 'open'], 'cancelled'));
  if (payment.intentId === null) {
    // The intent is still being created, or a crash prevented it. After a crash, the sweep closes the payment, and the
    // next run of this job does nothing.
    const retryOptions = { afterSeconds: retrySeconds };
    return db.transaction((tx) => jobs.enqueue(tx, 'cancel-payment', { paymentId }, retryOptions));
  }
  const foundIntent = await provider.getIntent(payment.intentId);
  // A payment that was authorized in the meantime is captured if possible: canceling would release it.
  const intent =
    foundIntent?.status === 'requires_capture'
      ? foundIntent
      : foundIntent && (await provider.cancelIntent(payment.intentId));
  if (intent) await settleIntent(scope, intent);
  else await closePayment(scope, payment, ['asking', 'open'], 'cancelled');
}
