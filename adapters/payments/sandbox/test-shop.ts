/**
 * A shop with a sandbox, for tests. It has a settable clock, the received webhooks, and the requests of a buyer's
 * browser.
 */
import fastify, { type FastifyInstance } from 'fastify';
import { Stripe } from 'stripe';
import type { Db } from '#shop/ports/database.ts';
import { createSandboxPayments, SANDBOX_PATH, type SandboxPayments, type SandboxSettings } from './sandbox.ts';
import { createCardFields, type TestCard } from './test-cards.ts';

export const WEBHOOK_SECRET = 'whsec_for_tests';
export const TEST_SHOP_URL = 'http://shop.test';

export interface ReceivedWebhook {
  rawBody: string;
  signature: string;
  event: Stripe.Event;
}
export interface TestShop extends SandboxPayments {
  app: FastifyInstance;
  clock: { now(): Date; advance(seconds: number): void };
  /** The received webhooks, oldest first. */
  webhooks: ReceivedWebhook[];
  call(
    method: 'GET' | 'POST',
    path: string,
    form?: Record<string, string>,
    headers?: Record<string, string>,
  ): Promise<TestResponse>;
  /** Confirms an intent as a buyer's browser does: with the client secret and without an API key. */
  confirm(intent: { id: string; clientSecret: string }, form: Record<string, string>): Promise<TestResponse>;
  pay(intent: { id: string; clientSecret: string }, card: TestCard): Promise<TestResponse>;
}
export interface TestResponse {
  status: number;
  // oxlint-disable-next-line typescript/no-explicit-any -- Stripe's response, whose fields tests read freely
  body: any;
  headers: Record<string, unknown>;
}

export function createSandboxTestShop(db: Db, settings: Partial<SandboxSettings> = {}): TestShop {
  let now = new Date('2026-12-01T12:00:00Z');
  const clock = { now: () => now, advance: (seconds: number) => void (now = new Date(now.getTime() + seconds * 1000)) };
  const webhooks: ReceivedWebhook[] = [];
  const deliverWebhook = async (rawBody: string, headers: Record<string, string>) => {
    webhooks.push({
      rawBody,
      signature: headers['stripe-signature'] ?? '',
      event: JSON.parse(rawBody) as Stripe.Event,
    });
    return 200;
  };
  const sandbox = createSandboxPayments({
    db,
    clock,
    webhookSecret: WEBHOOK_SECRET,
    baseUrl: TEST_SHOP_URL,
    deliver: deliverWebhook,
    ...settings,
  });
  const app = fastify();
  app.register(sandbox.routes, { prefix: SANDBOX_PATH });

  const callApi: TestShop['call'] = async (method, path, form = {}, headers = {}) => {
    const fields = new URLSearchParams(form).toString();
    const response = await app.inject({
      method,
      url: SANDBOX_PATH + path + (method === 'GET' && fields ? `?${fields}` : ''),
      headers: {
        authorization: `Bearer ${sandbox.secretKey}`,
        'content-type': 'application/x-www-form-urlencoded',
        ...headers,
      },
      ...(method === 'POST' && { payload: fields }),
    });
    return { status: response.statusCode, body: response.json(), headers: response.headers };
  };
  const confirm: TestShop['confirm'] = (intent, form) =>
    callApi(
      'POST',
      `/v1/payment_intents/${intent.id}/confirm`,
      { client_secret: intent.clientSecret, ...form },
      { authorization: '' },
    );

  return {
    ...sandbox,
    app,
    clock,
    webhooks,
    call: callApi,
    confirm,
    pay: (intent, card) => confirm(intent, createCardFields(card)),
  };
}

/** Listens on a socket, like Stripe. Returns the URL of the API. */
export async function startSandboxServer(shop: TestShop): Promise<string> {
  return (await shop.app.listen({ port: 0, host: '127.0.0.1' })) + SANDBOX_PATH;
}
