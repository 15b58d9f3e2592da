import { lifetimes } from '#contract/limits.ts';
import { checkPromoCode, startPayment } from '#shop/checkout/checkout.ts';
import { verifyPayment } from '#shop/checkout/verify.ts';
import type { Door } from './door.ts';
import { serve } from './serve.ts';

export function checkoutHttp({ app, shop, jar }: Door): void {
  const { collectsTax } = shop.config;

  serve(app, 'POST /api/create-payment-intent', async ({ body, request, reply }) => {
    const customer = await app.guards.maybeCustomer(request);
    const { payment, intentId, clientSecret, newToken } = await startPayment({ ...shop, collectsTax }, body, {
      checkoutToken: jar.read(request, 'checkout'),
      customerId: customer?.id,
    });
    if (newToken !== undefined) jar.set(reply, 'checkout', newToken, lifetimes.checkoutCookieHours * 3600);
    const { kind, publishableKey } = shop.provider;
    return {
      clientSecret,
      paymentIntentId: intentId,
      provider: kind,
      ...(publishableKey !== undefined && { publishableKey }),
      lines: payment.lines,
      subtotalAmount: payment.subtotalCents,
      discountAmount: payment.discountCents,
      ...(payment.promoCode !== null && { promoCode: payment.promoCode }),
      taxAmount: payment.taxCents,
      ...(payment.taxRate !== null && { taxRate: payment.taxRate }),
      ...(payment.taxJurisdiction !== null && { taxJurisdiction: payment.taxJurisdiction }),
      totalAmount: payment.totalCents,
    };
  });

  serve(app, 'POST /api/check-promo-code', async ({ body, request }) => {
    const { promoCode, discountCents } = await checkPromoCode(shop, body, jar.read(request, 'checkout'));
    return { promoCode, discountAmount: discountCents };
  });

  serve(app, 'POST /api/verify-payment', async ({ body, request }) => {
    const verified = await verifyPayment(shop, body.paymentIntentId, jar.read(request, 'checkout'));
    if (verified.state === 'processing') return { success: false, status: 'processing', needsRegistration: false };
    const { order, photoLimit, needsRegistration, session } = verified;
    return {
      success: true,
      status: 'paid',
      needsRegistration,
      // Whoever knows an intent may have it settled; who bought with it is told to the browser that paid.
      ...(session !== undefined && { session, user: { id: order.customerId ?? order.id, photoLimit } }),
    };
  });
}
