import { Refusal } from '#contract/refusals.ts';
import { needsRegistration } from '../accounts/registration.ts';
import type { Order } from '../orders/orders.ts';
import { checkoutOf, type PaymentScope } from '../payments/payments.ts';
import { orderAccessToken, photoLimitOf, settle } from '../payments/settle.ts';

export type Verified =
  | { state: 'processing' }
  | { state: 'paid'; order: Order; photoLimit: number; needsRegistration: boolean; session: string | undefined };

/**
 * The browser is back from paying. The order-access token goes to the browser whose checkout it is, not to whoever
 * knows an intent's id.
 */
export async function verifyPayment(
  scope: PaymentScope,
  intentId: string,
  checkoutToken: string | undefined,
): Promise<Verified> {
  const settled = await settle(scope, intentId);
  if (settled.state === 'processing') return settled;
  if (settled.state === 'unpaid') throw new Refusal('payment-not-finished');
  const { order, payment } = settled;
  const isTheirs = (await checkoutOf(scope, checkoutToken)) === payment.checkoutId;
  return {
    state: 'paid',
    order,
    photoLimit: photoLimitOf(payment),
    needsRegistration: await needsRegistration(scope.db, order),
    session: isTheirs ? await orderAccessToken(scope.db, scope.clock, order.id) : undefined,
  };
}
