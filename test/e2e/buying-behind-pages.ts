import type { Page } from '@playwright/test';
import { expect, waitForEmailedLink } from './fixtures.ts';

/** Pays through API calls in the browser, without the pages' forms. Returns the response of the verification. */
const payThroughApi = (page: Page, purchase: { start: string; verify: string; body: unknown }) =>
  page.evaluate(async ({ start, verify, body: purchaseBody }) => {
    const postJson = async (url: string, body: unknown) =>
      (
        await fetch(url, {
          method: 'POST',
          headers: { 'content-type': 'application/json' },
          body: JSON.stringify(body),
        })
      ).json();
    const { paymentIntentId, clientSecret } = await postJson(start, purchaseBody);
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
    return postJson(verify, { paymentIntentId });
  }, purchase);

const portland = { line1: '12 Linden Street', city: 'Portland', state: 'OR', postalCode: '97201', country: 'US' };

/** Buys a frame with two extra packages. */
export async function buyFrameThroughApi(page: Page, email: string, address: object = portland): Promise<void> {
  await page.goto('/');
  const customerDetails = { firstName: 'Otto', lastName: 'Winter', email, phone: '', address };
  const paidOrder = await payThroughApi(page, {
    start: '/api/create-payment-intent',
    verify: '/api/verify-payment',
    body: { productId: 'kinframe', quantity: 1, extraPackages: 2, customerDetails },
  });
  expect(paidOrder).toMatchObject({ success: true });
}

/** Buys a gift card that is emailed at once. Returns its code from the email. */
export async function buyGiftCardThroughApi(page: Page, amountCents: number): Promise<string> {
  await page.goto('/');
  const recipientEmail = `recipient-${crypto.randomUUID()}@example.com`;
  const purchase = await payThroughApi(page, {
    start: '/api/gift-cards/payment-intent',
    verify: '/api/gift-cards/verify-payment',
    body: {
      isForFrame: false,
      amountCents,
      recipientName: 'Mei',
      recipientEmail,
      senderName: 'Ben Ode',
      buyerEmail: `giver-${crypto.randomUUID()}@example.com`,
    },
  });
  expect(purchase).toMatchObject({ success: true });
  return waitForEmailedLink(recipientEmail, /([0-9A-Z]{4}-){3}[0-9A-Z]{4}/);
}
