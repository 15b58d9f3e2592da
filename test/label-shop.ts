import { onTestFinished } from 'vitest';
import { createEasyPost } from '#adapters/labels/easypost.ts';
import { followLabels } from '#shop/labels/follow-labels.ts';
import type { FreshDatabase } from './database.ts';
import { startFakeEasyPost } from './fake-easypost.ts';
import { buyFramesAsAnna } from './people.ts';
import { adminPassword, openTestShop, type ShopResponse } from './shop.ts';

export const labelSender = {
  SHIP_FROM_NAME: 'Kinframe',
  SHIP_FROM_STREET: '1 Main St',
  SHIP_FROM_CITY: 'Portland',
  SHIP_FROM_STATE: 'ME',
  SHIP_FROM_ZIP: '04101',
};
export const labelParcel = { weight: 52, length: 14, width: 11.5, height: 4 };
export const toStatusAndCode = ({ status, json }: ShopResponse) => [status, json.code];
const minuteMs = 60_000;

/** A shop with the label service, and Anna's order of a frame. */
export async function openLabelShop(
  fresh: FreshDatabase,
  { env, cart }: { env?: Record<string, string>; cart?: Parameters<typeof buyFramesAsAnna>[1] } = {},
) {
  const fake = await startFakeEasyPost();
  onTestFinished(() => fake.close());
  const { apiKey, apiBase, webhookSecret } = fake;
  const testShop = await openTestShop(fresh, {
    labels: createEasyPost({ apiKey, apiBase, webhookSecret, timeoutMs: 1000 }),
    env: {
      EASYPOST_API_KEY: apiKey,
      EASYPOST_API_BASE: apiBase,
      EASYPOST_WEBHOOK_SECRET: webhookSecret,
      ...labelSender,
      ...env,
    },
  });
  const { browser } = await buyFramesAsAnna(testShop, { quantity: 1, ...cart });
  const admin = testShop.browser();
  const signIn = () => admin.post('/api/admin/auth/password', { password: adminPassword });
  await signIn();
  const [order] = (await admin.get('/api/admin/orders')).json as { id: string; orderNumber: string }[];
  const { id: orderId, orderNumber } = order!;
  const requestRates = (body: object) => admin.post(`/api/admin/orders/${orderId}/label-rates`, body);
  const readLabels = async () => (await admin.get(`/api/admin/orders/${orderId}/labels`)).json;
  return {
    it: testShop,
    fake,
    admin,
    browser,
    orderId,
    requestRates,
    quote: async (body: object = labelParcel) => (await requestRates(body)).json,
    read: readLabels,
    /** Buys at the cheapest rate, or at another one. */
    buy: (quoted: { label: { id: string }; rates: { id: string }[] }, rate = 0) =>
      admin.post(`/api/admin/labels/${quoted.label.id}/buy`, { rateId: quoted.rates[rate]!.id }),
    voidLabel: (id: string) => admin.post(`/api/admin/labels/${id}/void`),
    states: async () => (await readLabels()).labels.map((label: { state: string }) => label.state),
    margin: async () => (await admin.get(`/api/admin/orders/${orderId}/margin`)).json,
    ownersOrder: async () => (await admin.get(`/api/admin/orders/${orderId}`)).json,
    customersOrder: async () => (await browser.get(`/api/orders/${orderNumber}`)).json,
    /** Lets time pass. The owner's session ends after half an hour, so the owner signs in again. */
    wait: async (minutes: number) => {
      testShop.clock.advance(minutes * minuteMs);
      await signIn();
    },
    /** Runs the job, and returns its errors. */
    follow: async () => {
      const errors: unknown[] = [];
      await followLabels(testShop.shop, {
        signal: new AbortController().signal,
        onError: (error) => errors.push(error),
      });
      return errors;
    },
    deliver: (body: string, headers = fake.sign(body)) =>
      testShop.app.inject({ method: 'POST', url: '/api/webhooks/easypost', headers, payload: body }),
  };
}
