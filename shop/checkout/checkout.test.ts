import { expect, test, vi } from 'vitest';
import { lifetimes } from '#contract/limits.ts';
import { PaymentProviderError } from '#shop/ports/card-payments.ts';
import { describeOnFastestEngine } from '#test/database.ts';
import { runPaymentCancelJobs, annasCart, startPayment, requestVerification } from '#test/paying.ts';
import { anna, buyFramesAsAnna, annasPassword, buyAndVerify, fetchFrames } from '#test/people.ts';
import { createFaultyProvider } from '#test/provider.ts';
import { countRows, readAllTables, readQueuedMails } from '#test/rows.ts';
import { openTestShop } from '#test/shop.ts';

describeOnFastestEngine((fresh) => {
  test('a buyer has only one customer record at the provider, from the first cart to the account', async () => {
    const createdCustomers: string[] = [];
    const { provider } = createFaultyProvider((real) => ({
      createCustomer: async (...buyer) => {
        const id = await real.createCustomer(...buyer);
        createdCustomers.push(id);
        return id;
      },
    }));
    const testShop = await openTestShop(fresh, { provider });
    const browser = testShop.browser();
    await startPayment(browser, { quantity: 2 });
    await buyAndVerify(browser); // another cart of the same checkout
    expect((await browser.post('/api/complete-registration', { password: annasPassword })).status).toBe(200);
    // A purchase while signed in.
    await buyAndVerify(browser, { productId: 'byof', customerDetails: { ...anna, address: undefined } });
    expect(createdCustomers).toHaveLength(1);
    const rows = await readAllTables(testShop.shop.db);
    expect(rows['customers']).toMatchObject([{ stripe_customer_id: createdCustomers[0] }]);
    expect(new Set(rows['payments']!.map((row) => (row as Record<string, unknown>)['provider_customer_id']))).toEqual(
      new Set(createdCustomers),
    );
  });

  test.each(['rejected', 'not-found'] as const)(
    'accepts the payment when the provider returns %s for the buyer’s customer record',
    async (reason) => {
      const rejectRequest = () => Promise.reject(new PaymentProviderError(reason, 'no such customer'));
      const { provider } = createFaultyProvider((real) =>
        reason === 'rejected'
          ? { createCustomer: rejectRequest }
          : {
              createIntent: (request, key) => (request.customerId ? rejectRequest() : real.createIntent(request, key)),
            },
      );
      const testShop = await openTestShop(fresh, { provider });
      const { verified } = await buyAndVerify(testShop.browser());
      expect(verified.json).toMatchObject({ success: true });
      expect((await readAllTables(testShop.shop.db))['payments']).toMatchObject([{ provider_customer_id: null }]);
    },
  );

  test('returns the order-access token only to the browser that paid, not to others that know the intent', async () => {
    const testShop = await openTestShop(fresh);
    const browser = testShop.browser();
    const { verified, paymentIntentId } = await buyAndVerify(browser);
    expect(verified.json.session).toMatch(/^[\w-]{43}$/);
    expect((await requestVerification(testShop.browser(), paymentIntentId)).json.session).toBeUndefined();
  });

  test('returns the same order-access token on every request, and the token keeps working', async () => {
    const testShop = await openTestShop(fresh);
    const browser = testShop.browser();
    const { verified, paymentIntentId } = await buyAndVerify(browser);
    const { session } = verified.json;
    const verifyResponses = await Promise.all(
      Array.from({ length: 50 }, () => requestVerification(browser, paymentIntentId)),
    );
    expect(new Set(verifyResponses.map(({ json }) => json.session))).toEqual(new Set([session]));
    expect(await countRows(testShop.shop.db, 'tokens')).toBe(1);
    const otherTab = testShop.browser();
    expect((await otherTab.get(`/api/order-summary?session=${session}`)).json.orders).toHaveLength(1);
    // Another order of the same browser gets another token.
    const nextPurchase = await buyAndVerify(browser);
    expect(nextPurchase.verified.json.session).not.toBe(session);
  });

  test('the checkout cookie is valid for one day, even if the browser keeps the cookie longer', async () => {
    const testShop = await openTestShop(fresh);
    const browser = testShop.browser();
    const { paymentIntentId } = await buyAndVerify(browser);
    testShop.clock.advance(lifetimes.checkoutCookieHours * 3_600_000 - 60_000);
    expect((await requestVerification(browser, paymentIntentId)).json.session).toMatch(/^[\w-]{43}$/);
    testShop.clock.advance(120_000);
    expect((await requestVerification(browser, paymentIntentId)).json).toMatchObject({ success: true });
    expect((await requestVerification(browser, paymentIntentId)).json.session).toBeUndefined();
    expect((await browser.get('/api/registration/context')).status).not.toBe(200);
  });

  test('ignores a price from the browser, and cancels the earlier intent when the cart changes', async () => {
    const testShop = await openTestShop(fresh);
    const browser = testShop.browser();
    const firstIntent = await startPayment(browser, { total: 1, totalAmount: 1, price: 0, amount: 1 });
    expect(firstIntent.totalAmount).toBe(19_900);
    const secondIntent = await startPayment(browser, { quantity: 3, extraPackages: 2 });
    expect(secondIntent.totalAmount).toBe(61_698);
    await runPaymentCancelJobs(testShop);
    expect((await testShop.shop.provider.getIntent(firstIntent.paymentIntentId))!.status).toBe('canceled');
    expect((await testShop.shop.provider.getIntent(secondIntent.paymentIntentId))!.amountCents).toBe(61_698);
    for (const [wrong, code] of [
      [{ productId: 'photo-bundle' }, 'bundle-needs-frame'],
      [{ productId: 'photo2video-10' }, 'bundle-needs-frame'],
      [{ productId: 'toaster' }, 'unknown-product'],
      [{ productId: 'byof', quantity: 2 }, 'one-service'],
      [{ customerDetails: { ...anna, address: undefined } }, 'details-needed'],
    ] as const)
      expect((await browser.post('/api/create-payment-intent', { ...annasCart, ...wrong })).json).toMatchObject({
        success: false,
        code,
      });
    expect(
      (
        await testShop.browser().post('/api/create-payment-intent', {
          ...annasCart,
          productId: 'byof',
          customerDetails: { ...anna, address: undefined },
        })
      ).status,
    ).toBe(200);
  });

  test('provider requests of one checkout share one deadline; returns 503 when the deadline has passed', async () => {
    const givenSignals: (AbortSignal | undefined)[] = [];
    const { provider, state } = createFaultyProvider((real) => ({
      calculateTax: (request, options) => {
        givenSignals.push(options?.deadline);
        return real.calculateTax(request, options);
      },
      createCustomer: (buyer, key, options) => {
        givenSignals.push(options?.deadline);
        return real.createCustomer(buyer, key, options);
      },
      // The deadline passes during this request, so the abort signal ends the request.
      createIntent: (request, key, options) => {
        givenSignals.push(options?.deadline);
        deadlineController.abort();
        return real.createIntent(request, key, options);
      },
    }));
    const testShop = await openTestShop(fresh, { provider, env: { STRIPE_TAX: 'on' } });
    const deadlineController = new AbortController();
    const timeoutSpy = vi.spyOn(AbortSignal, 'timeout').mockReturnValue(deadlineController.signal);
    try {
      const browser = testShop.browser();
      const customerDetails = { ...anna, address: { ...anna.address, state: 'NY', postalCode: '12207' } };
      const refusedResponse = await browser.post('/api/create-payment-intent', { ...annasCart, customerDetails });
      expect([refusedResponse.status, refusedResponse.json.code]).toEqual([503, 'payment-provider-unavailable']);
      expect(timeoutSpy).toHaveBeenCalledWith(12_000);
      expect(givenSignals).toEqual([deadlineController.signal, deadlineController.signal, deadlineController.signal]);
      timeoutSpy.mockRestore();
      state.isOn = false;
      expect((await buyAndVerify(browser, { customerDetails })).verified.json.success).toBe(true);
      expect(await countRows(testShop.shop.db, 'orders')).toBe(1);
    } finally {
      timeoutSpy.mockRestore();
    }
  });

  test('a purchase without customer details belongs to the signed-in customer, or to a guest who cannot register', async () => {
    const testShop = await openTestShop(fresh);
    const { browser } = await buyFramesAsAnna(testShop);
    await buyAndVerify(browser, { customerDetails: undefined });
    expect((await browser.get('/api/order-summary')).json.orders[0]).toMatchObject({
      email: anna.email,
      customerFirstName: 'Anna',
    });
    expect(await readQueuedMails(testShop.shop.db, 'receipt:')).toHaveLength(2);
    expect(await fetchFrames(browser)).toHaveLength(2);

    for (const guest of [testShop.browser(), testShop.browser()]) {
      const { verified } = await buyAndVerify(guest, { customerDetails: undefined });
      expect(verified.json).toMatchObject({ success: true, needsRegistration: false, session: expect.any(String) });
      expect((await guest.get(`/api/order-summary?session=${verified.json.session}`)).json.orders).toHaveLength(1);
      expect((await guest.get('/api/registration/context')).status).toBe(404);
      expect((await guest.post('/api/complete-registration', { password: 'Sunflower-Field-7' })).status).toBe(404);
    }
    expect(await countRows(testShop.shop.db, 'customers')).toBe(1);
    expect((await readQueuedMails(testShop.shop.db)).filter((mail) => mail.to === '')).toEqual([]);
  });
});
