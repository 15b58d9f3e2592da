import { Refusal } from '#contract/refusals.ts';
import { lifetimes } from '#contract/limits.ts';
import { checkPromoCode, startPayment } from '#shop/checkout/checkout.ts';
import { calculatePriceAt } from '#shop/checkout/price.ts';
import { openCartLink } from '#shop/checkout/cart-link.ts';
import { payWithGiftCards } from '#shop/checkout/pay-with-gift-cards.ts';
import { verifyPayment, type VerifiedCheckout } from '#shop/checkout/verify.ts';
import { cartPaidCondition } from '#shop/payments/payments.ts';
import { recordCartOfTrialBrowser } from '#shop/trials/trials.ts';
import type { HttpScope } from './common/http-scope.ts';
import { mountOperation } from './common/serve.ts';

export function registerCheckoutRoutes({ app, shop, jar }: HttpScope): void {
  const { collectsTax } = shop.config;

  mountOperation(app, 'POST /api/price-cart', async ({ body }) => {
    const cartPrice = await calculatePriceAt({ ...shop, collectsTax }, body, body.address);
    const { kind, publishableKey } = shop.provider;
    return {
      provider: kind,
      ...(publishableKey !== undefined && { publishableKey }),
      lines: cartPrice.lines,
      subtotalAmount: cartPrice.subtotalCents,
      discountAmount: cartPrice.discountCents,
      ...(cartPrice.promotion && { promoCode: cartPrice.promotion.code }),
      ...(cartPrice.taxCents !== undefined && { taxAmount: cartPrice.taxCents }),
      totalAmount: cartPrice.totalCents,
      isCapturedLater: cartPrice.isCapturedLater,
    };
  });

  mountOperation(app, 'POST /api/create-payment-intent', async ({ body, request, reply }) => {
    const customer = await app.guards.findCustomer(request);
    const { cart, intentId, clientSecret, giftCards, newToken } = await startPayment({ ...shop, collectsTax }, body, {
      checkoutToken: jar.read(request, 'checkout'),
      customerId: customer?.id,
      address: request.ip,
    }).catch((error: unknown) => {
      // The next attempt of this browser is an ordinary purchase.
      if (error instanceof Refusal && (error.code === 'payment-link-over' || error.code === 'payment-link-paid'))
        jar.clear(reply, 'checkout');
      throw error;
    });
    if (newToken !== undefined) jar.set(reply, 'checkout', newToken, lifetimes.checkoutCookieHours * 3600);
    // A failed count must not stop the payment.
    await recordCartOfTrialBrowser(
      { ...shop, isCartPaid: cartPaidCondition },
      jar.read(request, 'trial'),
      cart.id,
    ).catch((error: unknown) =>
      request.log.error({ err: error }, 'the cart of a visitor who tried could not be counted'),
    );
    const { kind, publishableKey } = shop.provider;
    return {
      clientSecret,
      paymentIntentId: intentId,
      provider: kind,
      ...(publishableKey !== undefined && { publishableKey }),
      lines: cart.lines,
      subtotalAmount: cart.subtotalCents,
      discountAmount: cart.discountCents,
      ...(cart.promoCode !== null && { promoCode: cart.promoCode }),
      taxAmount: cart.taxCents,
      ...(cart.taxRate !== null && { taxRate: cart.taxRate }),
      ...(cart.taxJurisdiction !== null && { taxJurisdiction: cart.taxJurisdiction }),
      totalAmount: cart.totalCents,
      giftCards: giftCards.map(({ lastFour, amountCents }) => ({ lastFour, amount: amountCents })),
      dueAmount: cart.totalCents - cart.giftCardCents,
    };
  });

  mountOperation(app, 'POST /api/check-promo-code', async ({ body, request }) => {
    const { promoCode, discountCents } = await checkPromoCode(shop, body, {
      checkoutToken: jar.read(request, 'checkout'),
      address: request.ip,
    });
    return { promoCode, discountAmount: discountCents };
  });

  mountOperation(app, 'POST /api/cart-link', async ({ body, request, reply }) => {
    const { checkoutToken, ...opened } = await openCartLink(shop, body.token, jar.read(request, 'checkout'));
    if (checkoutToken !== undefined) {
      jar.set(reply, 'checkout', checkoutToken, lifetimes.checkoutCookieHours * 3600);
      shop.live.publish('orders');
    }
    return opened;
  });

  mountOperation(app, 'POST /api/verify-payment', async ({ body, request }) => {
    return createPaidResponse(await verifyPayment(shop, body.paymentIntentId, jar.read(request, 'checkout')));
  });

  mountOperation(app, 'POST /api/pay-with-gift-cards', async ({ body, request }) => {
    const paidOrder = await payWithGiftCards(shop, body.paymentIntentId, jar.read(request, 'checkout'));
    shop.live.publish('orders', 'uploads');
    return createPaidResponse(paidOrder);
  });

  function createPaidResponse(verified: VerifiedCheckout) {
    if (verified.state === 'processing')
      return { success: false, status: 'processing' as const, needsRegistration: false };
    const { order, photoLimit, needsRegistration, session } = verified;
    return {
      success: true,
      status: 'paid' as const,
      needsRegistration,
      // Anyone who knows the intent's id may settle it. Only the browser that paid receives the session and the user.
      ...(session !== undefined && { session, user: { id: order.customerId ?? order.id, photoLimit } }),
    };
  }
}
