import type { CustomerDetails } from '#contract/customer-details.ts';
import type { Gift } from '#contract/gift-forms.ts';
import { Refusal } from '#contract/refusals.ts';
import type { Clock } from '../ports/clock.ts';
import type { Db } from '../ports/database.ts';
import { customerById } from '../accounts/accounts.ts';
import { priceCart, readCart } from '../catalog/catalog.ts';
import { discountOf, promotionOf } from '../promotions/promotions.ts';
import { addressee, refuseOtherShipDays } from '../orders/gifts.ts';
import { orderOfCheckout } from '../orders/orders.ts';
import { freezePayment, inWords, modeOf, payablePayments, type PaymentScope } from '../payments/payments.ts';
import { askForIntent, providerMs } from './ask-for-intent.ts';
import { beginCheckout, cartIdsOf, checkoutOf, freezeCart, holdCheckout, type FrozenCart } from './carts.ts';
import { claimUse, refuseUsedUp } from './promotion-uses.ts';
import { taxOn } from './tax.ts';

export interface CheckoutScope extends Pick<PaymentScope, 'db' | 'clock' | 'jobs' | 'provider'> {
  collectsTax: boolean;
}
/** A cart as a browser asks for it. */
export interface AskedCart {
  productId: string;
  quantity: number;
  extraPackages: number;
}
export interface PaymentStart {
  cart: FrozenCart;
  intentId: string;
  clientSecret: string;
  /** Set when this browser has no checkout of its own yet. */
  newToken?: string;
}

/** An intent nobody has paid by then is closed. */
const unpaidHours = 24;
/** Sooner where its cart holds a use of a promotion code that others may be waiting for. */
const unpaidHoursWithCode = 2;

/**
 * Price the cart, freeze it, then ask the provider: a crash in between leaves a row that the sweep closes, never money
 * without a cart. A changed cart replaces the intents this browser had before: a job cancels them. One that is paid in
 * the meantime is settled, and the later payment is the one that goes back.
 */
export async function startPayment(
  { collectsTax, ...scope }: CheckoutScope,
  asked: AskedCart & { customerDetails?: CustomerDetails | undefined; promoCode?: string | undefined },
  buyer: { checkoutToken?: string | undefined; customerId?: string | undefined },
): Promise<PaymentStart> {
  const { db, clock, jobs, provider } = scope;
  const deadline = AbortSignal.timeout(providerMs);
  const cart = readCart(asked);
  const details = detailsOf(asked.customerDetails, { isShipped: cart.productId !== 'byof', now: clock.now() });
  const { lines, subtotalCents } = priceCart(cart);
  const promotion = asked.promoCode ? await promotionOf({ db, clock }, asked.promoCode) : undefined;
  const discountCents = promotion ? discountOf(subtotalCents, promotion) : 0;
  const tax = collectsTax
    ? await taxOn(provider, { cart, lines, subtotalCents, discountCents, details }, { deadline }).catch(inWords)
    : undefined;
  const taxCents = tax?.taxCents ?? 0;

  const known = await openCheckoutOf({ db, clock }, buyer.checkoutToken);
  const account = buyer.customerId === undefined ? undefined : await customerById(db, buyer.customerId);
  const { frozen, payment, newToken, earlierCarts } = await db.transaction(async (tx) => {
    const fresh = known === undefined ? await beginCheckout(tx, clock) : undefined;
    const checkoutId = fresh?.id ?? known!;
    await holdCheckout(tx, checkoutId);
    const earlierCarts = await cartIdsOf(tx, checkoutId);
    const replaced = await payablePayments(tx, 'order', earlierCarts);
    if (promotion) await claimUse(tx, promotion, checkoutId);
    const frozen = await freezeCart(tx, clock, {
      ...cart,
      checkoutId,
      customerId: buyer.customerId ?? null,
      lines,
      details,
      subtotalCents,
      discountCents,
      promoCode: promotion?.code ?? null,
      promotionUse: promotion ? 'held' : 'none',
      taxCents,
      taxRate: tax?.rate ?? null,
      taxJurisdiction: tax?.jurisdiction ?? null,
      taxCalculationId: tax?.id ?? null,
      totalCents: subtotalCents - discountCents + taxCents,
    });
    const frozenPayment = await freezePayment(tx, clock, {
      purpose: 'order',
      purposeId: frozen.id,
      email: details?.email ?? account?.email ?? null,
      amountCents: frozen.totalCents,
      currency: 'usd',
      mode: modeOf(provider),
      expiresAt: new Date(clock.now().getTime() + (promotion ? unpaidHoursWithCode : unpaidHours) * 3_600_000),
    });
    if (replaced.length > 0)
      await jobs.enqueueAll(
        tx,
        'cancel-payment',
        replaced.map(({ id }) => ({ paymentId: id })),
      );
    return { frozen, payment: frozenPayment, newToken: fresh?.token, earlierCarts };
  });

  const intent = await askForIntent(
    { db, clock, provider, deadline },
    { payment, account, guest: frozen.details ?? undefined, earlierCarts },
    {
      amountCents: payment.amountCents,
      currency: 'usd',
      description: lines.map((line) => `${line.quantity} x ${line.label}`).join(', '),
      ...(details?.address && {
        shipping: {
          name: addressee(details),
          ...(details.phone && { phone: details.phone }),
          address: details.address,
        },
      }),
      metadata: { payment_id: payment.id },
      ...(tax && { taxCalculationId: tax.id }),
    },
  ).catch(inWords);
  return {
    cart: frozen,
    intentId: intent.id,
    clientSecret: intent.clientSecret,
    ...(newToken !== undefined && { newToken }),
  };
}

/** What the buyer told us, as far as the cart can be sent by it; of a gift, what was left empty is left out. */
function detailsOf(
  given: CustomerDetails | undefined,
  { isShipped, now }: { isShipped: boolean; now: Date },
): CustomerDetails | null {
  if (!given) return null;
  const { gift, ...details } = given;
  if (isShipped && !details.address) throw new Refusal('details-needed');
  if (!gift) return details;
  if (!isShipped) throw new Refusal('gift-needs-parcel');
  refuseOtherShipDays(gift.shipOn, now);
  return { ...details, gift: Object.fromEntries(Object.entries(gift).filter(([, text]) => text)) as Gift };
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
