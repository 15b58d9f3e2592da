import { sql } from 'drizzle-orm';
import { expect, test } from 'vitest';
import { systemClock } from '#adapters/database/database.ts';
import { toShopDay } from '#contract/calendar.ts';
import { PaymentProviderError } from '#shop/ports/card-payments.ts';
import type { Db } from '#shop/ports/database.ts';
import { describeOnFastestEngine, describeOnEachEngine } from '#test/database.ts';
import { anna, buyAndVerify } from '#test/people.ts';
import { readAllTables, readQueuedMails } from '#test/rows.ts';
import { openTestShop, type Browser } from '#test/shop.ts';
import { writeContent } from '../content/content.ts';

const taxSettings = { STRIPE_TAX: 'on' };
const newYork = {
  ...anna,
  address: { line1: '1 Elm Street', city: 'Albany', state: 'NY', postalCode: '12207', country: 'US' },
};
const annaWithoutAddress = { ...anna, address: undefined };
const service = { productId: 'byof', quantity: 1, extraPackages: 0 };
const requestIntentFor = (browser: Browser, cart: Record<string, unknown> = {}) =>
  browser.post('/api/create-payment-intent', {
    productId: 'kinframe',
    quantity: 1,
    extraPackages: 0,
    customerDetails: newYork,
    ...cart,
  });

async function readCheckouts(db: Db) {
  const { checkouts, carts, payments, promotion_counts } = await readAllTables(db);
  return { checkouts, carts, payments, promotion_counts };
}

describeOnEachEngine((fresh) => {
  test('calculates tax after the discount; charges, shows and reports the tax to the provider', async () => {
    const testShop = await openTestShop(fresh, { env: taxSettings });
    const { db, provider } = testShop.shop;
    const today = toShopDay(Date.now());
    await writeContent(db, systemClock, 'promos', [
      { message: 'A tenth off', startDate: today, endDate: today, discountCode: 'GIFT10', discountPercent: 10 },
    ]);
    const browser = testShop.browser();
    const { intent, verified, paymentIntentId } = await buyAndVerify(browser, {
      extraPackages: 1,
      customerDetails: newYork,
      promoCode: 'gift10',
    });
    // 4 percent tax on 179.10 for the frame and on 8.99 for the package, both after the discount.
    const sums = { subtotalAmount: 20_899, discountAmount: 2090, taxAmount: 716 + 36, totalAmount: 18_809 + 752 };
    expect(intent).toMatchObject({ ...sums, taxRate: '4', taxJurisdiction: 'New York' });
    expect(await provider.getIntent(paymentIntentId)).toMatchObject({ amountCents: 19_561 });
    const { json } = await browser.get(`/api/order-summary?session=${verified.json.session}`);
    expect(json.orders).toMatchObject([{ ...sums, taxRate: '4', taxJurisdiction: 'New York' }]);
    for (const { content } of await readQueuedMails(db))
      expect(content).toMatchObject({ taxCents: 752, taxLabel: 'New York, 4%', totalCents: 19_561 });

    const { rows } = await db.execute<{ calculation: string }>(
      sql`select body ->> 'calculation' as calculation from sandbox_objects where type = 'tax.association'`,
    );
    const { carts } = (await readAllTables(db)) as { carts?: { tax_calculation_id: string }[] };
    expect(rows).toEqual([{ calculation: carts![0]!.tax_calculation_id }]);
  });

  test('taxes the service where its buyer lives, and needs only the country and postal code', async () => {
    const testShop = await openTestShop(fresh, { env: taxSettings });
    const browser = testShop.browser();
    expect((await requestIntentFor(browser, { ...service, customerDetails: annaWithoutAddress })).json).toMatchObject({
      success: false,
      code: 'tax-location-needed',
    });
    const { intent } = await buyAndVerify(browser, {
      ...service,
      customerDetails: { ...annaWithoutAddress, taxLocation: { country: 'CA', postalCode: 'm5v3l9' } },
    });
    expect(intent).toMatchObject({ taxAmount: 650, totalAmount: 5649, taxRate: '13', taxJurisdiction: 'Ontario' });
  });
});

describeOnFastestEngine((fresh) => {
  test('charges no tax and sends no tax request when the shop collects none', async () => {
    const testShop = await openTestShop(fresh, {
      provider: ({ payments }) => ({ ...payments, calculateTax: () => Promise.reject(new Error('asked for tax')) }),
    });
    const { json } = await requestIntentFor(testShop.browser());
    expect(json).toMatchObject({ taxAmount: 0, totalAmount: 19_900 });
    expect(json).not.toHaveProperty('taxRate');
  });

  test('refuses an address without a known tax with tax-location-unknown, and changes nothing', async () => {
    const testShop = await openTestShop(fresh, { env: taxSettings });
    const checkoutsBefore = await readCheckouts(testShop.shop.db);
    const detailsWithUnknownPlace = { ...annaWithoutAddress, taxLocation: { country: 'US', postalCode: '00000' } };
    expect(
      (await requestIntentFor(testShop.browser(), { ...service, customerDetails: detailsWithUnknownPlace })).json,
    ).toMatchObject({
      code: 'tax-location-unknown',
      message: expect.stringContaining('ZIP or postal code'),
    });
    expect((await requestIntentFor(testShop.browser(), { customerDetails: undefined })).json.code).toBe(
      'details-needed',
    );
    expect(await readCheckouts(testShop.shop.db)).toEqual(checkoutsBefore);
  });

  test('returns 503 while the provider cannot calculate tax, and keeps the earlier payment', async () => {
    let isDown = false;
    const testShop = await openTestShop(fresh, {
      env: taxSettings,
      provider: ({ payments }) => ({
        ...payments,
        calculateTax: (request) =>
          isDown
            ? Promise.reject(new PaymentProviderError('unavailable', 'no answer'))
            : payments.calculateTax(request),
      }),
    });
    const browser = testShop.browser();
    const { json: first } = await requestIntentFor(browser);
    isDown = true;
    const checkoutsBefore = await readCheckouts(testShop.shop.db);
    const refusedIntentResponse = await requestIntentFor(browser, { extraPackages: 1 });
    expect([refusedIntentResponse.status, refusedIntentResponse.json.code]).toEqual([
      503,
      'payment-provider-unavailable',
    ]);
    expect(await readCheckouts(testShop.shop.db)).toEqual(checkoutsBefore);
    expect(await testShop.shop.provider.getIntent(first.paymentIntentId)).toMatchObject({
      status: 'requires_payment_method',
    });
    isDown = false;
    expect((await requestIntentFor(browser, { extraPackages: 1 })).json).toMatchObject({ taxAmount: 836 });
  });
});
