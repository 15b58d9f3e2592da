import { setTimeout as wait } from 'node:timers/promises';
import pg from 'pg';
import { Stripe } from 'stripe';
import { deriveSecretKeyFrom } from '#adapters/payments/sandbox/sandbox.ts';
import { readSecrets } from '#server/secrets.ts';
import { startPostgres, type Postgres } from '../test/postgres.ts';
import { readCpuSeconds, sumCpuSecondsOfProcessTree, readParentPid } from './measure.ts';
import { startShop, type ShopProcess } from './shop-process.ts';

/** CPU milliseconds of one order, from its first request until its emails are sent. */
export interface OrderCost {
  web: number;
  worker: number;
  database: number;
}
const orderCount = 200;
/** Orders before the measurement, so that compiled code and caches are warm. */
const warmUpOrders = 60;
const concurrency = 4;
const webhookSecret = 'whsec_of_the_bench';

/**
 * A web process and a worker on PostgreSQL handle orders and write emails. The payment provider runs in another process
 * with a separate PostgreSQL.
 */
export async function measureWholeOrders(): Promise<OrderCost> {
  const clusters = [await startPostgres({ durable: true }), await startPostgres()];
  const startedProcesses: ShopProcess[] = [];
  const startProcess = async (settings: Record<string, string>) => {
    const shop = await startShop(settings);
    startedProcesses.push(shop);
    return shop;
  };
  try {
    const [ours, theirs] = clusters;
    if (!ours || !theirs) throw new Error('Whole orders are measured on PostgreSQL, and none is installed.');
    const provider = await startProcess({ DATABASE_URL: theirs.url, ROLE: 'web' });
    const secretKey = deriveSecretKeyFrom(readSecrets(provider.dataDir).sandboxWebhookSecret);
    const settings = {
      DATABASE_URL: ours.url,
      STRIPE_SECRET_KEY: secretKey,
      STRIPE_PUBLISHABLE_KEY: 'pk_test_of_the_bench',
      STRIPE_WEBHOOK_SECRET: webhookSecret,
      STRIPE_API_BASE: `${provider.origin}/sandbox/stripe`,
      RATE_LIMITS: 'on', // as in a shop with real payments: each buyer has their own IP address
      TRUST_PROXY: '127.0.0.1',
    };
    const web = await startProcess({ ...settings, ROLE: 'web' });
    const worker = await startProcess({ ...settings, ROLE: 'worker' });
    return await measureOrders({ provider, secretKey, web, worker, database: ours });
  } finally {
    for (const shop of startedProcesses.toReversed()) await shop.close();
    for (const cluster of clusters) await cluster?.stop();
  }
}

interface MeasuredProcesses {
  provider: ShopProcess;
  secretKey: string;
  web: ShopProcess;
  worker: ShopProcess;
  database: Postgres;
}

async function measureOrders({ provider, secretKey, web, worker, database }: MeasuredProcesses): Promise<OrderCost> {
  const client = new pg.Client({ connectionString: database.url });
  await client.connect();
  try {
    const { rows } = await client.query<{ ours: number }>('select pg_backend_pid() as ours');
    const postmaster = readParentPid(rows[0]!.ours);
    const sendNewEvents = createEventSender(provider.origin, secretKey, web.origin);
    const waitForSentEmails = async (wanted: number) => {
      const countEmails = async () =>
        (await client.query<{ left: number }>('select count(*)::int as left from mails where sent_at is not null'))
          .rows[0]!.left;
      for (const deadline = Date.now() + 120_000; (await countEmails()) < wanted; await wait(100))
        if (Date.now() > deadline)
          throw new Error(`after two minutes ${await countEmails()} of ${wanted} emails were sent`);
    };
    const sellOrders = async (first: number, count: number) => {
      for (let at = first; at < first + count; at += concurrency) {
        await Promise.all(Array.from({ length: concurrency }, (_, i) => buyFrame(web.origin, provider.origin, at + i)));
        await sendNewEvents();
      }
      await waitForSentEmails(2 * (first + count));
    };
    const readUsedResources = () => ({
      web: readCpuSeconds(web.pid),
      worker: readCpuSeconds(worker.pid),
      database: sumCpuSecondsOfProcessTree(postmaster),
    });
    await sellOrders(0, warmUpOrders);
    const resourcesAtStart = readUsedResources();
    await sellOrders(warmUpOrders, orderCount);
    const resourcesAtEnd = readUsedResources();
    const computeCostPerOrder = (name: keyof OrderCost) =>
      (1000 * (resourcesAtEnd[name] - resourcesAtStart[name])) / orderCount;
    return {
      web: computeCostPerOrder('web'),
      worker: computeCostPerOrder('worker'),
      database: computeCostPerOrder('database'),
    };
  } finally {
    await client.end();
  }
}

/** A new buyer orders one frame, pays at the provider, and returns to the shop. */
export async function buyFrame(shop: string, provider: string, number: number): Promise<void> {
  let cookie = '';
  const buyerAddress = `198.18.${number >> 8}.${number & 255}`;
  const postJson = async (path: string, body: unknown) => {
    const response = await fetch(shop + path, {
      method: 'POST',
      headers: { origin: shop, cookie, 'x-forwarded-for': buyerAddress, 'content-type': 'application/json' },
      body: JSON.stringify(body),
    });
    if (!response.ok) throw new Error(`${path} answered ${response.status}: ${await response.text()}`);
    cookie ||= response.headers
      .getSetCookie()
      .map((it) => it.split(';')[0])
      .join('; ');
    return (await response.json()) as Record<string, string>;
  };
  const address = { line1: '12 Linden Street', city: 'Portland', state: 'OR', postalCode: '97201', country: 'US' };
  const customerDetails = { firstName: 'Anna', lastName: 'Keller', email: `buyer-${number}@example.com`, address };
  const cart = { productId: 'kinframe', quantity: 1, extraPackages: 1, customerDetails };
  const { paymentIntentId, clientSecret } = await postJson('/api/create-payment-intent', cart);
  const confirmResponse = await fetch(`${provider}/sandbox/stripe/v1/payment_intents/${paymentIntentId}/confirm`, {
    method: 'POST',
    body: new URLSearchParams({
      client_secret: clientSecret!,
      'payment_method_data[type]': 'card',
      'payment_method_data[card][number]': '4242424242424242',
      'payment_method_data[card][exp_month]': '12',
      'payment_method_data[card][exp_year]': '2040',
      'payment_method_data[card][cvc]': '123',
    }),
  });
  if (!confirmResponse.ok)
    throw new Error(`the provider answered ${confirmResponse.status}: ${await confirmResponse.text()}`);
  await postJson('/api/verify-payment', { paymentIntentId });
}

/**
 * Returns a function that sends the shop the provider's events about intents since the previous call of the function,
 * oldest first.
 */
function createEventSender(provider: string, secretKey: string, shop: string): () => Promise<void> {
  let newestEventId: string | undefined;
  return async () => {
    const response = await fetch(`${provider}/sandbox/stripe/v1/events?limit=100`, {
      headers: { authorization: `Bearer ${secretKey}` },
    });
    const allEvents = ((await response.json()) as { data: { id: string; type: string }[] }).data;
    const newestKnownIndex = allEvents.findIndex((it) => it.id === newestEventId);
    const newEvents = newestKnownIndex < 0 ? allEvents : allEvents.slice(0, newestKnownIndex);
    newestEventId = allEvents[0]?.id;
    for (const event of newEvents.toReversed().filter((it) => it.type.startsWith('payment_intent.')))
      await sendWebhook(shop, event);
  };
}

async function sendWebhook(shop: string, event: object): Promise<void> {
  const payload = JSON.stringify(event);
  const signature = Stripe.webhooks.generateTestHeaderString({ payload, secret: webhookSecret });
  const headers = { 'content-type': 'application/json', 'stripe-signature': signature };
  const response = await fetch(`${shop}/api/webhooks/stripe`, { method: 'POST', headers, body: payload });
  if (!response.ok) throw new Error(`a webhook was answered ${response.status}: ${await response.text()}`);
}
