import { expect, test } from 'vitest';
import { systemClock } from '#adapters/database/database.ts';
import { toShopDay } from '#contract/calendar.ts';
import { describeOnEachEngine } from '#test/database.ts';
import { pay, requestVerification, startPayment } from '#test/paying.ts';
import { anna } from '#test/people.ts';
import { countRows } from '#test/rows.ts';
import { openTestShop, type Browser } from '#test/shop.ts';
import { writeContent } from '../content/content.ts';

const albany = { country: 'US', state: 'NY', city: 'Albany', postalCode: '12207' };
const requestPrice = (browser: Browser, more: object = {}) =>
  browser.post('/api/price-cart', { productId: 'kinframe', quantity: 1, extraPackages: 0, ...more });

describeOnEachEngine((fresh) => {
  test('the price for a wallet includes the tax at its address and equals the payment’s price, and calculating it stores no cart', async () => {
    const testShop = await openTestShop(fresh, { env: { STRIPE_TAX: 'on' } });
    const browser = testShop.browser();
    const priceBefore = (await requestPrice(browser)).json;
    expect(priceBefore).toMatchObject({ provider: 'sandbox', subtotalAmount: 19_900, totalAmount: 19_900 });
    expect(priceBefore).not.toHaveProperty('taxAmount');
    expect((await requestPrice(browser, { address: albany })).json).toMatchObject({
      taxAmount: 796,
      totalAmount: 20_696,
      isCapturedLater: false,
    });
    expect(await countRows(testShop.shop.db, 'carts')).toBe(0);
    const address = { ...albany, line1: '1 Elm Street' };
    expect((await startPayment(browser, { customerDetails: { ...anna, address } })).totalAmount).toBe(20_696);
  });

  test('the price for a wallet includes a promo code’s discount, and no tax if the shop collects none', async () => {
    const testShop = await openTestShop(fresh);
    const today = toShopDay(Date.now());
    await writeContent(testShop.shop.db, systemClock, 'promos', [
      {
        message: 'A tenth off',
        startDate: today,
        endDate: today,
        discountCode: 'GIFT10',
        discountPercent: 10,
        usageCap: 5,
      },
    ]);
    const { json } = await requestPrice(testShop.browser(), { promoCode: 'gift10' });
    expect(json).toMatchObject({ discountAmount: 1990, promoCode: 'GIFT10', taxAmount: 0, totalAmount: 17_910 });
    expect(json.isCapturedLater).toBe(true); // a limited code is checked after the authorization
  });

  test('refuses a price for an address in another country or one that the provider does not know', async () => {
    const testShop = await openTestShop(fresh, { env: { STRIPE_TAX: 'on' } });
    expect((await requestPrice(testShop.browser(), { address: { ...albany, country: 'GB' } })).status).toBe(400);
    const { json } = await requestPrice(testShop.browser(), { address: { country: 'US', postalCode: '00000' } });
    expect(json).toMatchObject({ success: false, code: 'tax-location-unknown' });
  });

  test('an intent for a wallet gets its address from the wallet, and the order stores this address', async () => {
    const testShop = await openTestShop(fresh);
    const browser = testShop.browser();
    const shipping = { 'shipping[name]': 'Anna Berg', 'shipping[address][line1]': '1 Elm Street' };
    const confirmIntent = (intent: { paymentIntentId: string; clientSecret: string }) =>
      testShop.app.inject({
        method: 'POST',
        url: `/sandbox/stripe/v1/payment_intents/${intent.paymentIntentId}/confirm`,
        headers: { 'content-type': 'application/x-www-form-urlencoded' },
        payload: new URLSearchParams({
          client_secret: intent.clientSecret,
          'payment_method_data[type]': 'card',
          'payment_method_data[card][number]': '4242424242424242',
          ...shipping,
        }).toString(),
      });
    const intentWithForm = await startPayment(browser);
    expect((await confirmIntent(intentWithForm)).json().error).toMatchObject({
      code: 'payment_intent_invalid_parameter',
    });
    const intentWithWallet = await startPayment(browser, { isFromWallet: true });
    expect((await confirmIntent(intentWithWallet)).json()).toMatchObject({
      status: 'succeeded',
      shipping: { name: 'Anna Berg' },
    });
    expect((await requestVerification(browser, intentWithWallet.paymentIntentId)).json).toMatchObject({
      success: true,
    });
    // A repeated verification, and a second payment of the first intent, make no second order.
    await requestVerification(browser, intentWithWallet.paymentIntentId);
    await pay(browser, intentWithForm);
    expect(await countRows(testShop.shop.db, 'orders')).toBe(1);
  });
});
