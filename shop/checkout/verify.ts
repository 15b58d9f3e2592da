import { formatDollars, photoCountOf } from '#contract/catalog.ts';
import { Refusal } from '#contract/refusals.ts';
import { orderAccessToken } from '../orders/access.ts';
import type { Order } from '../orders/orders.ts';
import { hasLostGiftCard } from '../gift-cards/spending.ts';
import { freePaymentOf, isFreePaymentName } from '../payments/free-payments.ts';
import { isUnsettled, type Payment, type PaymentScope } from '../payments/payments.ts';
import { settleIntentById, type SettleOutcome } from '../payments/settle.ts';
import { findCartById, findPaidCheckoutId } from './carts.ts';
import { findOrderOfPayment } from './place-order.ts';
import { findFrameShortage } from './frame-stock.ts';
import { findLostDiscount } from './promotion-uses.ts';
import { needsRegistration } from './registration.ts';

/**
 * Returns the refusal that explains why the card was not charged, if other buyers bought the frames or used up the
 * promo code first, or if the money on a gift card was spent elsewhere.
 */
export async function findReasonNotCharged(scope: Pick<PaymentScope, 'db' | 'clock'>, payment: Payment) {
  if (payment.purpose !== 'order') return undefined;
  const cart = await findCartById(scope.db, payment.purposeId);
  const framesLeft = cart && (await findFrameShortage(scope.db, cart));
  if (framesLeft !== undefined) return new Refusal('frames-lost', { left: String(framesLeft) });
  const lostCode = cart && (await findLostDiscount(scope, cart));
  if (lostCode) return new Refusal('promo-code-lost', { code: lostCode.code, more: formatDollars(lostCode.cents) });
  return cart && (await hasLostGiftCard(scope.db, cart.id)) ? new Refusal('gift-card-lost') : undefined;
}

export type VerifiedCheckout =
  | { state: 'processing' }
  | { state: 'paid'; order: Order; photoLimit: number; needsRegistration: boolean; session: string | undefined };

/**
 * Handles a browser that returns from paying. Only the browser of the checkout gets the order-access token: it is not
 * enough to know the intent's id.
 */
export async function verifyPayment(
  scope: PaymentScope,
  intentId: string,
  checkoutToken: string | undefined,
): Promise<VerifiedCheckout> {
  const settlement = isFreePaymentName(intentId)
    ? await readFreePayment(scope, intentId)
    : await settleIntentById(scope, intentId);
  if (settlement.state === 'processing') return settlement;
  if (settlement.state === 'unpaid') {
    const reason = settlement.status === 'canceled' ? await findReasonNotCharged(scope, settlement.payment) : undefined;
    throw reason ?? new Refusal('payment-not-finished');
  }
  if (settlement.payment.purpose !== 'order') throw new Refusal('payment-not-found');
  const order = await findOrderOfPayment(scope.db, settlement.payment);
  if (!order) throw new Refusal('payment-mismatch'); // the payment was refunded before its checkout had an order
  const isOwnCheckout =
    checkoutToken !== undefined && (await findPaidCheckoutId(scope, checkoutToken)) === order.checkoutId;
  return {
    state: 'paid',
    order,
    photoLimit: photoCountOf(order),
    needsRegistration: await needsRegistration(scope.db, order),
    session: isOwnCheckout ? await orderAccessToken(scope.db, scope.clock, order.id, checkoutToken) : undefined,
  };
}

/** Reads a payment of $0, for a cart that gift cards pay completely. It is settled only when the buyer places the order. */
async function readFreePayment({ db }: PaymentScope, name: string): Promise<SettleOutcome> {
  const payment = await freePaymentOf(db, name);
  if (!payment) throw new Refusal('payment-not-found');
  return isUnsettled(payment)
    ? { state: 'unpaid', payment, status: 'requires_payment_method' }
    : { state: 'paid', payment };
}
