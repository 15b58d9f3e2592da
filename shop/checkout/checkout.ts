import type { CustomerDetails } from '#contract/customer-details.ts';
import { Refusal } from '#contract/refusals.ts';
import { PaymentProviderError, type CardPayments, type Clock, type Db } from '../ports.ts';
import { priceCart, readCart } from '../catalog/catalog.ts';
import { orderOfCheckout } from '../orders/orders.ts';
import {
  beginCheckout,
  checkoutOf,
  freezePayment,
  modeOf,
  movePayment,
  openPayment,
  openSiblings,
  type Payment,
} from '../payments/payments.ts';

export interface CheckoutScope {
  db: Db;
  clock: Clock;
  provider: CardPayments;
}
export interface PaymentStart {
  payment: Payment;
  intentId: string;
  clientSecret: string;
  /** Set when this browser has no checkout of its own yet. */
  newToken?: string;
}

/**
 * Price the cart, freeze it, then ask the provider: a crash in between leaves a row that the sweep closes, never money
 * without a cart. A changed cart replaces the intents this browser had before.
 */
export async function startPayment(
  { db, clock, provider }: CheckoutScope,
  asked: { productId: string; quantity: number; extraPackages: number; customerDetails?: CustomerDetails | undefined },
  buyer: { checkoutToken?: string | undefined; customerId?: string | undefined },
): Promise<PaymentStart> {
  const cart = readCart(asked);
  const details = asked.customerDetails ?? null;
  if (details && cart.productId !== 'byof' && !details.address) throw new Refusal('details-needed');
  const price = priceCart(cart);

  const known = await checkoutOf({ db, clock }, buyer.checkoutToken);
  const isDone = known !== undefined && (await orderOfCheckout(db, known)) !== undefined;
  const { payment, newToken } = await db.transaction(async (tx) => {
    const fresh = known === undefined || isDone ? await beginCheckout(tx, clock) : undefined;
    const frozen = await freezePayment(tx, clock, {
      ...cart,
      checkoutId: fresh?.id ?? known!,
      customerId: buyer.customerId ?? null,
      lines: price.lines,
      details,
      subtotalCents: price.subtotalCents,
      discountCents: price.discountCents,
      taxCents: price.taxCents,
      totalCents: price.totalCents,
      currency: 'usd',
      livemode: modeOf(provider),
    });
    return { payment: frozen, newToken: fresh?.token };
  });

  await cancelSiblings({ db, clock, provider }, payment);
  const intent = await provider
    .createIntent(
      {
        amountCents: payment.totalCents,
        currency: 'usd',
        description: price.lines.map((line) => `${line.quantity} x ${line.label}`).join(', '),
        ...(details?.address && {
          shipping: {
            name: `${details.firstName} ${details.lastName}`,
            ...(details.phone && { phone: details.phone }),
            address: details.address,
          },
        }),
        metadata: { payment_id: payment.id },
      },
      payment.idempotencyKey,
    )
    .catch((cause: unknown) => {
      throw cause instanceof PaymentProviderError
        ? Object.assign(new Refusal('payment-provider-unavailable'), { cause })
        : cause;
    });
  await openPayment(db, clock, payment.id, intent.id);
  return {
    payment,
    intentId: intent.id,
    clientSecret: intent.clientSecret,
    ...(newToken !== undefined && { newToken }),
  };
}

/** One that was paid meanwhile stays as it is: settling finds it, and the later payment is the one refunded. */
async function cancelSiblings({ db, clock, provider }: CheckoutScope, payment: Payment): Promise<void> {
  for (const sibling of await openSiblings(db, payment.checkoutId, payment.id)) {
    if (sibling.intentId === null) continue; // being asked right now, or left by a crash: the sweep closes it
    const intent = await provider.cancelIntent(sibling.intentId).catch(() => undefined);
    if (intent?.status === 'canceled') await movePayment(db, clock, sibling.id, ['asking', 'open'], 'cancelled');
  }
}
