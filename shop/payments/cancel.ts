import { PaymentProviderError } from '../ports/card-payments.ts';
import { closePayment, paymentById, type PaymentScope } from './payments.ts';
import { settleIntent } from './settle.ts';

/** When to look again at a payment the provider is being asked for. */
const lookAgainSeconds = 30;

/** The job that closes a payment another one has replaced; one that was paid meanwhile it settles. */
export async function cancelPayment(scope: PaymentScope, paymentId: string): Promise<void> {
  const { db, jobs, provider } = scope;
  const payment = await paymentById(db, paymentId);
  if (payment?.state !== 'asking' && payment?.state !== 'open') return;
  if (payment.intentId === null) {
    // Being asked for at this moment, or left by a crash: then the sweep closes it, and this ends.
    const again = { afterSeconds: lookAgainSeconds };
    return db.transaction((tx) => jobs.enqueue(tx, 'cancel-payment', { paymentId }, again));
  }
  const intent = await provider.cancelIntent(payment.intentId).catch((error: unknown) => {
    if (error instanceof PaymentProviderError && error.reason === 'not-found') return undefined;
    throw error;
  });
  if (intent) await settleIntent(scope, intent);
  else await closePayment(scope, payment, ['asking', 'open'], 'cancelled');
}
