import type { Page } from '@playwright/test';
import { expect } from './fixtures.ts';

/** Pays for a frame with two extra packages through API calls in the browser, without the pages' forms. */
export async function buyFrameThroughApi(page: Page, email: string): Promise<void> {
  await page.goto('/');
  const paid = await page.evaluate(async (email) => {
    const postJson = async (url: string, body: unknown) =>
      (
        await fetch(url, {
          method: 'POST',
          headers: { 'content-type': 'application/json' },
          body: JSON.stringify(body),
        })
      ).json();
    const address = { line1: '12 Linden Street', city: 'Portland', state: 'OR', postalCode: '97201', country: 'US' };
    const customerDetails = { firstName: 'Otto', lastName: 'Winter', email, phone: '', address };
    const cart = { productId: 'kinframe', quantity: 1, extraPackages: 2, customerDetails };
    const { paymentIntentId, clientSecret } = await postJson('/api/create-payment-intent', cart);
    await fetch(`/sandbox/stripe/v1/payment_intents/${paymentIntentId}/confirm`, {
      method: 'POST',
      body: new URLSearchParams({
        client_secret: clientSecret,
        'payment_method_data[type]': 'card',
        'payment_method_data[card][number]': '4242424242424242',
        'payment_method_data[card][exp_month]': '12',
        'payment_method_data[card][exp_year]': '2040',
        'payment_method_data[card][cvc]': '123',
        return_url: location.origin,
      }),
    });
    return postJson('/api/verify-payment', { paymentIntentId });
  }, email);
  expect(paid).toMatchObject({ success: true });
}
