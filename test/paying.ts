import { Stripe } from 'stripe';
import { expect } from 'vitest';
import { cancelPayment } from '#shop/payments/cancel.ts';
import { settleOpenPayments } from '#shop/payments/sweep.ts';
import { readSecrets } from '#server/secrets.ts';
import { anna, confirmIntentWithCard } from './people.ts';
import { readWaitingJobs } from './rows.ts';
import type { Browser, TestShop } from './shop.ts';

export const annasCart = { productId: 'kinframe', quantity: 1, extraPackages: 0, customerDetails: anna };
export const startPayment = async (browser: Browser, changed: Record<string, unknown> = {}) => {
  const response = await browser.post('/api/create-payment-intent', { ...annasCart, ...changed });
  expect(response.status, response.text).toBe(200);
  return response.json as { paymentIntentId: string; clientSecret: string; totalAmount: number };
};
export const pay = (
  browser: Browser,
  { paymentIntentId, clientSecret }: { paymentIntentId: string; clientSecret: string },
  card?: string,
) => confirmIntentWithCard(browser, paymentIntentId, clientSecret, card);
export const requestVerification = (browser: Browser, paymentIntentId: string) =>
  browser.post('/api/verify-payment', { paymentIntentId });
export const startAddon = async (
  browser: Browser,
  deviceId: string,
  quantity = 1,
  more: { giftCards?: string[] } = {},
) => {
  const response = await browser.post('/api/create-addon-payment-intent', { deviceId, quantity, ...more });
  expect(response.status, response.text).toBe(200);
  return response.json as { paymentIntentId: string; clientSecret: string; totalAmount: number; dueAmount: number };
};
export const verifyAddon = (browser: Browser, paymentIntentId: string) =>
  browser.post('/api/verify-addon-payment', { paymentIntentId });
/** Buys photo packages for a frame that the customer owns, from the first step to the last. */
export const buyAddon = async (browser: Browser, deviceId: string, quantity = 1) => {
  const intent = await startAddon(browser, deviceId, quantity);
  await pay(browser, intent);
  expect((await verifyAddon(browser, intent.paymentIntentId)).json).toMatchObject({ success: true });
  return intent;
};
export const runPaymentSettlement = (it: TestShop, errors: unknown[] = []) =>
  settleOpenPayments(it.shop, { signal: new AbortController().signal, onError: (error) => errors.push(error) });

/** Does the work of the jobs that cancel replaced payments. */
export async function runPaymentCancelJobs(it: TestShop) {
  for (const { data } of await readWaitingJobs(it.shop.db, 'cancel-payment'))
    await cancelPayment(it.shop, data['paymentId'] as string);
}

/** Sends the provider's webhook about an intent, signed like a real one. */
export function sendPaymentWebhook(
  it: TestShop,
  intentId: string,
  spoil: { body?: string; header?: string; secret?: string; at?: number } = {},
) {
  const object = { id: intentId, object: 'payment_intent' };
  const payload = JSON.stringify({
    id: `evt_${crypto.randomUUID()}`,
    object: 'event',
    type: 'payment_intent.succeeded',
    livemode: false,
    data: { object },
  });
  const secret = spoil.secret ?? readSecrets(it.shop.config.dataDir).sandboxWebhookSecret;
  const timestamp = Math.floor((spoil.at ?? it.clock.now().getTime()) / 1000);
  const header = spoil.header ?? Stripe.webhooks.generateTestHeaderString({ payload, secret, timestamp });
  return it.app.inject({
    method: 'POST',
    url: '/api/webhooks/stripe',
    headers: { 'content-type': 'application/json', 'stripe-signature': header },
    payload: spoil.body ?? payload,
  });
}
