import { photosOf } from '#contract/catalog.ts';
import { Refusal } from '#contract/refusals.ts';
import { orderAccessToken } from '../orders/access.ts';
import type { Order } from '../orders/orders.ts';
import type { PaymentScope } from '../payments/payments.ts';
import { settle } from '../payments/settle.ts';
import { checkoutOf } from './carts.ts';
import { orderPaidFor } from './place-order.ts';
import { needsRegistration } from './registration.ts';

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
  if (settled.payment.purpose !== 'order') throw new Refusal('payment-not-found');
  const order = await orderPaidFor(scope.db, settled.payment);
  if (!order) throw new Refusal('payment-mismatch'); // it went back before it came to an order
  const isTheirs = checkoutToken !== undefined && (await checkoutOf(scope, checkoutToken)) === order.checkoutId;
  return {
    state: 'paid',
    order,
    photoLimit: photosOf(order),
    needsRegistration: await needsRegistration(scope.db, order),
    session: isTheirs ? await orderAccessToken(scope.db, scope.clock, order.id, checkoutToken) : undefined,
  };
}
