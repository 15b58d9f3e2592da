import type { CustomerDetails } from '#contract/customer-details.ts';
import type { Gift } from '#contract/gift-forms.ts';
import { Refusal } from '#contract/refusals.ts';
import type { Clock } from '../ports/clock.ts';
import type { Db } from '../ports/database.ts';
import { findCustomerById } from '../accounts/accounts.ts';
import { priceCart, readCart } from '../catalog/catalog.ts';
import { reserveGiftCardShares, lockGiftCardShares, type GiftCardShare } from '../gift-cards/spending.ts';
import { computeDiscountCents, readPromotion } from '../promotions/promotions.ts';
import { recipientNameOf, refuseOtherShipDays } from '../orders/gifts.ts';
import { toInternationalPhone } from '../phone-number.ts';
import { findOrderOfCheckout } from '../orders/orders.ts';
import {
  freezePayment,
  asPaymentUnavailable,
  findPaymentMode,
  findPayablePayments,
  type PaymentScope,
} from '../payments/payments.ts';
import { refuseEndedLink, refusePaidLink } from './phone-orders.ts';
import { isCapturedLater, calculatePriceWithDiscount, type RequestedCart } from './price.ts';
import { freePaymentName } from '../payments/free-payments.ts';
import { requestIntent, providerTimeoutMs } from './request-intent.ts';
import {
  beginCheckout,
  findCartIdsOf,
  findCheckoutIdByCookie,
  freezeCart,
  lockCheckout,
  recordPaymentStart,
  type FrozenCart,
} from './carts.ts';
import { checkStock } from './frame-stock.ts';
import { reservePromotionUse, refuseUsedUpPromotion } from './promotion-uses.ts';
import { calculateTaxOfCart } from './tax.ts';

export interface CheckoutScope extends Pick<PaymentScope, 'db' | 'clock' | 'jobs' | 'provider'> {
  collectsTax: boolean;
}
export interface StartedPayment {
  cart: FrozenCart;
  /** The provider's intent or, if gift cards pay everything, the name of the payment. */
  intentId: string;
  clientSecret: string;
  giftCards: GiftCardShare[];
  /** The new value of the checkout cookie; set only if the browser had no open checkout. */
  newToken?: string;
}

/** The payment sweep closes a payment intent that is still unpaid after this time. */
const unpaidHours = 24;

/**
 * Starts the payment for a cart: calculates the price, stores the cart, then requests the payment intent from the
 * provider. The cart is stored first, so that no payment exists without a cart. After a crash between the two steps,
 * the payment sweep closes the unpaid row. A changed cart replaces the earlier intents of this browser: a job cancels
 * them. If an earlier intent is paid in the meantime, it is settled, and the later payment is refunded.
 *
 * Gift cards reduce the amount of the intent, and not the total of the order. If they pay the whole total, there is no
 * intent, and `payWithGiftCards` places the order (docs/decisions/0121-gift-cards.md).
 */
export async function startPayment(
  { collectsTax, ...scope }: CheckoutScope,
  requestedCart: RequestedCart & {
    customerDetails?: CustomerDetails | undefined;
    promoCode?: string | undefined;
    giftCards?: string[] | undefined;
    /** Whether a wallet gave the address. The wallet also gives it to the provider, which allows only one of both. */
    isFromWallet?: boolean | undefined;
  },
  buyer: { checkoutToken?: string | undefined; customerId?: string | undefined; address: string },
): Promise<StartedPayment> {
  const { db, clock, jobs, provider } = scope;
  const deadline = AbortSignal.timeout(providerTimeoutMs);
  const cartPrice = await calculatePriceWithDiscount(scope, requestedCart);
  const { cart, lines, subtotalCents, promotion, discountCents } = cartPrice;
  const details = validateDetails(requestedCart.customerDetails, {
    isShipped: cart.productId !== 'byof',
    now: clock.now(),
  });
  const tax = collectsTax
    ? await calculateTaxOfCart(provider, { cart, lines, subtotalCents, discountCents, details }, { deadline }).catch(
        asPaymentUnavailable,
      )
    : undefined;
  const taxCents = tax?.taxCents ?? 0;

  const knownCheckout = await openCheckoutOf({ db, clock }, buyer.checkoutToken);
  // After the checkout was read: if it got its order in the meantime, the cart must not be bought again in a new one.
  await refusePaidLink({ db, clock }, buyer.checkoutToken);
  const account = buyer.customerId === undefined ? undefined : await findCustomerById(db, buyer.customerId);
  const totalCents = subtotalCents - discountCents + taxCents;
  const { frozen, payment, newToken, earlierCartIds, isCounted, shares } = await db.transaction(async (tx) => {
    const freshCheckout = knownCheckout === undefined ? await beginCheckout(tx, clock) : undefined;
    const checkoutId = freshCheckout?.id ?? knownCheckout!;
    await lockCheckout(tx, checkoutId);
    await refuseEndedLink(tx, clock, checkoutId);
    if (buyer.checkoutToken !== undefined) await recordPaymentStart(tx, buyer.checkoutToken);
    const earlierCartIds = await findCartIdsOf(tx, checkoutId);
    const replacedPayments = await findPayablePayments(tx, 'order', earlierCartIds);
    const areFramesCounted = await checkStock(tx, cart, checkoutId);
    if (promotion) await reservePromotionUse(tx, clock, promotion, { checkoutId, address: buyer.address });
    const giftCardShares = await lockGiftCardShares(tx, clock, requestedCart.giftCards ?? [], {
      dueCents: totalCents,
      ownCartIds: earlierCartIds,
    });
    const giftCardCents = giftCardShares.reduce((sum, it) => sum + it.amountCents, 0);
    const frozenCart = await freezeCart(tx, clock, {
      ...cart,
      checkoutId,
      customerId: buyer.customerId ?? null,
      lines,
      details,
      subtotalCents,
      discountCents,
      promoCode: promotion?.code ?? null,
      promotionUse: 'none',
      framesHeld: 0,
      taxCents,
      taxRate: tax?.rate ?? null,
      taxJurisdiction: tax?.jurisdiction ?? null,
      taxCalculationId: tax?.id ?? null,
      totalCents,
      giftCardCents,
    });
    await reserveGiftCardShares(tx, clock, frozenCart.id, giftCardShares, earlierCartIds);
    const frozenPayment = await freezePayment(tx, clock, {
      purpose: 'order',
      purposeId: frozenCart.id,
      email: details?.email ?? account?.email ?? null,
      amountCents: totalCents - giftCardCents,
      currency: 'usd',
      mode: findPaymentMode(provider),
      expiresAt: new Date(clock.now().getTime() + unpaidHours * 3_600_000),
    });
    if (replacedPayments.length > 0)
      await jobs.enqueueAll(
        tx,
        'cancel-payment',
        replacedPayments.map(({ id }) => ({ paymentId: id })),
      );
    return {
      frozen: frozenCart,
      payment: frozenPayment,
      newToken: freshCheckout?.token,
      earlierCartIds,
      isCounted: areFramesCounted,
      shares: giftCardShares,
    };
  });

  const startedPayment = { cart: frozen, giftCards: shares, ...(newToken !== undefined && { newToken }) };
  if (payment.amountCents === 0) return { ...startedPayment, intentId: freePaymentName(payment), clientSecret: '' };
  const intent = await requestIntent(
    { db, clock, provider, deadline },
    { payment, account, guest: frozen.details ?? undefined, earlierCartIds },
    {
      amountCents: payment.amountCents,
      currency: 'usd',
      description: lines.map((line) => `${line.quantity} x ${line.label}`).join(', '),
      ...(details?.address &&
        !requestedCart.isFromWallet && {
          shipping: {
            name: recipientNameOf(details),
            ...(details.phone && { phone: toInternationalPhone(details.phone) ?? details.phone }),
            address: details.address,
          },
        }),
      metadata: { payment_id: payment.id },
      // The gift cards may have been spent elsewhere in the meantime, which is checked after the authorization, too.
      isCapturedLater: isCapturedLater(cartPrice, isCounted) || shares.length > 0,
      // A calculation is for the whole total. The shop's own report of the sales tax contains every order.
      ...(tax && shares.length === 0 && { taxCalculationId: tax.id }),
    },
  ).catch(asPaymentUnavailable);
  return { ...startedPayment, intentId: intent.id, clientSecret: intent.clientSecret };
}

/**
 * Returns the buyer's details. Refuses details that are not enough to ship the cart. Empty fields of a gift are
 * removed.
 */
function validateDetails(
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

/** Returns the current discount of a promo code on a cart. Another buyer may still get the code's last use first. */
export async function checkPromoCode(
  scope: Pick<CheckoutScope, 'db' | 'clock'>,
  requestedCart: RequestedCart & { promoCode: string },
  { checkoutToken, address }: { checkoutToken: string | undefined; address: string },
): Promise<{ promoCode: string; discountCents: number }> {
  const { subtotalCents } = priceCart(readCart(requestedCart));
  const promotion = await readPromotion(scope, requestedCart.promoCode);
  await refuseUsedUpPromotion(scope, promotion, { checkoutId: await openCheckoutOf(scope, checkoutToken), address });
  return { promoCode: promotion.code, discountCents: computeDiscountCents(subtotalCents, promotion) };
}

/**
 * Returns the id of this browser's checkout. Undefined if the checkout already has an order: the next cart then starts
 * a new checkout.
 */
async function openCheckoutOf(scope: { db: Db; clock: Clock }, token: string | undefined): Promise<string | undefined> {
  const knownCheckoutId = await findCheckoutIdByCookie(scope, token);
  return knownCheckoutId !== undefined && (await findOrderOfCheckout(scope.db, knownCheckoutId))
    ? undefined
    : knownCheckoutId;
}
