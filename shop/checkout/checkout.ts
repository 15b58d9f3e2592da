import type { CustomerDetails } from '#contract/customer-details.ts';
import { Refusal } from '#contract/refusals.ts';
import {
  PaymentProviderError,
  type CardPayments,
  type Clock,
  type Db,
  type PaymentIntent,
  type PaymentRequest,
} from '../ports.ts';
import { customerById, rememberProviderCustomer, type Customer } from '../accounts/accounts.ts';
import { priceCart, readCart } from '../catalog/catalog.ts';
import { discountOf, promotionOf } from '../promotions/promotions.ts';
import { orderOfCheckout } from '../orders/orders.ts';
import {
  beginCheckout,
  checkoutOf,
  closePayment,
  freezePayment,
  inWords,
  modeOf,
  openPayment,
  openSiblings,
  providerCustomerOf,
  type Payment,
} from '../payments/payments.ts';
import { claimUse, refuseUsedUp } from '../payments/promotion-uses.ts';
import { taxOn } from './tax.ts';

export interface CheckoutScope {
  db: Db;
  clock: Clock;
  provider: CardPayments;
  collectsTax: boolean;
}
/** A cart as a browser asks for it. */
export interface AskedCart {
  productId: string;
  quantity: number;
  extraPackages: number;
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
  { db, clock, provider, collectsTax }: CheckoutScope,
  asked: AskedCart & { customerDetails?: CustomerDetails | undefined; promoCode?: string | undefined },
  buyer: { checkoutToken?: string | undefined; customerId?: string | undefined },
): Promise<PaymentStart> {
  const cart = readCart(asked);
  const details = asked.customerDetails ?? null;
  if (details && cart.productId !== 'byof' && !details.address) throw new Refusal('details-needed');
  const { lines, subtotalCents } = priceCart(cart);
  const promotion = asked.promoCode ? await promotionOf({ db, clock }, asked.promoCode) : undefined;
  const discountCents = promotion ? discountOf(subtotalCents, promotion) : 0;
  const tax = collectsTax
    ? await taxOn(provider, { cart, lines, subtotalCents, discountCents, details }).catch(inWords)
    : undefined;
  const taxCents = tax?.taxCents ?? 0;

  const known = await openCheckoutOf({ db, clock }, buyer.checkoutToken);
  const { payment, newToken } = await db.transaction(async (tx) => {
    const fresh = known === undefined ? await beginCheckout(tx, clock) : undefined;
    const checkoutId = fresh?.id ?? known!;
    if (promotion) await claimUse(tx, promotion, checkoutId);
    const frozen = await freezePayment(tx, clock, {
      ...cart,
      checkoutId,
      customerId: buyer.customerId ?? null,
      lines,
      details,
      subtotalCents,
      discountCents,
      promoCode: promotion?.code ?? null,
      holdsPromotion: promotion !== undefined,
      taxCents,
      taxRate: tax?.rate ?? null,
      taxJurisdiction: tax?.jurisdiction ?? null,
      taxCalculationId: tax?.id ?? null,
      totalCents: subtotalCents - discountCents + taxCents,
      currency: 'usd',
      livemode: modeOf(provider),
    });
    return { payment: frozen, newToken: fresh?.token };
  });

  await cancelSiblings({ db, clock, provider }, payment);
  const intent = await askForIntent({ db, clock, provider }, payment, {
    amountCents: payment.totalCents,
    currency: 'usd',
    description: lines.map((line) => `${line.quantity} x ${line.label}`).join(', '),
    ...(details?.address && {
      shipping: {
        name: `${details.firstName} ${details.lastName}`,
        ...(details.phone && { phone: details.phone }),
        address: details.address,
      },
    }),
    metadata: { payment_id: payment.id },
    ...(tax && { taxCalculationId: tax.id }),
  }).catch(inWords);
  return {
    payment,
    intentId: intent.id,
    clientSecret: intent.clientSecret,
    ...(newToken !== undefined && { newToken }),
  };
}

/** The provider's intent for a frozen payment, under the buyer's name there. */
async function askForIntent(
  scope: Pick<CheckoutScope, 'db' | 'clock' | 'provider'>,
  payment: Payment,
  request: PaymentRequest,
): Promise<PaymentIntent> {
  const { db, clock, provider } = scope;
  const account = payment.customerId === null ? undefined : await customerById(db, payment.customerId);
  const customerId = await providerCustomer(scope, payment, account);
  const open = async (intent: PaymentIntent, providerCustomerId?: string) => {
    await openPayment(db, clock, payment.id, { intentId: intent.id, providerCustomerId });
    return intent;
  };
  const { idempotencyKey } = payment;
  if (customerId === undefined) return open(await provider.createIntent(request, idempotencyKey));
  try {
    return await open(await provider.createIntent({ ...request, customerId }, idempotencyKey), customerId);
  } catch (error) {
    if (!(error instanceof PaymentProviderError && error.reason === 'not-found')) throw error;
    // Deleted at the provider, by the owner's hand: the buyer pays all the same, and is made anew next time.
    if (account) await rememberProviderCustomer(db, account.id, null);
    return open(await provider.createIntent(request, `${idempotencyKey}-without-customer`));
  }
}

/** Who the buyer is at the provider: as the account knows, or this checkout, else made now. */
async function providerCustomer(
  { db, provider }: Pick<CheckoutScope, 'db' | 'provider'>,
  { id, checkoutId, details }: Payment,
  account: Customer | undefined,
): Promise<string | undefined> {
  if (account?.stripeCustomerId) return account.stripeCustomerId;
  const buyer = account ?? details;
  if (!buyer) return undefined;
  const known = account ? undefined : await providerCustomerOf(db, checkoutId, buyer.email);
  if (known !== undefined) return known;
  const name = `${buyer.firstName} ${buyer.lastName}`.trim();
  const key = account ? `customer-${account.id}` : `customer-${id}`;
  const made = await provider.createCustomer({ name, email: buyer.email }, key).catch((error: unknown) => {
    // A mailbox the provider has its doubts about: the buyer can pay without being a customer there.
    if (error instanceof PaymentProviderError && error.reason === 'rejected') return undefined;
    throw error;
  });
  if (account && made !== undefined) await rememberProviderCustomer(db, account.id, made);
  return made;
}

/** One that was paid meanwhile stays as it is: settling finds it, and the later payment is the one refunded. */
async function cancelSiblings(
  { db, clock, provider }: Omit<CheckoutScope, 'collectsTax'>,
  payment: Payment,
): Promise<void> {
  for (const sibling of await openSiblings(db, payment.checkoutId, payment.id)) {
    if (sibling.intentId === null) continue; // being asked right now, or left by a crash: the sweep closes it
    const intent = await provider.cancelIntent(sibling.intentId).catch(() => undefined);
    if (intent?.status === 'canceled') await closePayment(db, clock, sibling.id, ['asking', 'open'], 'cancelled');
  }
}

/** What a code takes off a cart, as things stand: another may be faster to its last use. */
export async function checkPromoCode(
  scope: Pick<CheckoutScope, 'db' | 'clock'>,
  asked: AskedCart & { promoCode: string },
  checkoutToken: string | undefined,
): Promise<{ promoCode: string; discountCents: number }> {
  const { subtotalCents } = priceCart(readCart(asked));
  const promotion = await promotionOf(scope, asked.promoCode);
  await refuseUsedUp(scope.db, promotion, await openCheckoutOf(scope, checkoutToken));
  return { promoCode: promotion.code, discountCents: discountOf(subtotalCents, promotion) };
}

/** This browser's checkout, unless it has come to its order: the next cart begins another. */
async function openCheckoutOf(scope: { db: Db; clock: Clock }, token: string | undefined): Promise<string | undefined> {
  const known = await checkoutOf(scope, token);
  return known !== undefined && (await orderOfCheckout(scope.db, known)) ? undefined : known;
}
