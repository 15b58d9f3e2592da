import { Refusal } from '#contract/refusals.ts';
import { settleFreePayment } from '../payments/free-payments.ts';
import type { PaymentScope } from '../payments/payments.ts';
import { verifyPayment, findReasonNotCharged, type VerifiedCheckout } from './verify.ts';

/**
 * Places the order of a cart that gift cards pay completely. A second call, even at the same time, changes nothing and
 * returns the same order.
 */
export async function payWithGiftCards(
  scope: PaymentScope,
  name: string,
  checkoutToken: string | undefined,
): Promise<VerifiedCheckout> {
  const payment = await settleFreePayment(scope, name, 'order');
  if (payment.state === 'cancelled')
    throw (await findReasonNotCharged(scope, payment)) ?? new Refusal('payment-not-finished');
  return verifyPayment(scope, name, checkoutToken);
}
