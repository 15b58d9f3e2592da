import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { beforeAll, expect, inject, onTestFinished, test, vi } from 'vitest';
import { build } from '../../scripts/build.ts';
import { onPostgres } from '../database.ts';
import { anna, confirm } from '../people.ts';
import type { Browser } from '../shop.ts';
import { RunningShop } from './running-shop.ts';

/** Buyers at once, in each life of the shop. */
const buyers = 6;
/** When the kill comes, in ms: while cards are charged, and while what was charged becomes orders. */
const whileCharging = [0, 4, 12];
const whileSettling = [0, 3, 8, 20, 45];

onPostgres(() => {
  beforeAll(() => build(), 600_000);

  test(
    'killed with -9 anywhere between charge and commit, each charge is one order after a restart, with no browser',
    { timeout: 600_000 },
    async () => {
      const dataDir = mkdtempSync(join(tmpdir(), 'kinframe-killed-'));
      const name = `test_${crypto.randomUUID().replaceAll('-', '')}`;
      const server = new URL(inject('postgresUrl')!);
      await query(server, `create database ${name}`);
      const database = new URL(server);
      database.pathname = `/${name}`;
      const start = async () =>
        (await RunningShop.start(dataDir, { DATABASE_URL: database.href, RATE_LIMITS: 'off' })).ready();
      let shop = await start();
      onTestFinished(async () => {
        await shop.end('SIGKILL');
        rmSync(dataDir, { recursive: true, force: true });
        await query(server, `drop database ${name} with (force)`);
      });
      const live = async (act: (carts: Cart[]) => void, killAfterMs: number, isCharged: boolean) => {
        const carts = await Promise.all(Array.from({ length: buyers }, () => startPayment(shop)));
        if (isCharged) await Promise.all(carts.map(charge));
        act(carts);
        await new Promise((resolve) => setTimeout(resolve, killAfterMs));
        await shop.end('SIGKILL');
        shop = await start();
      };
      for (const ms of whileCharging) await live((carts) => carts.forEach(lost(charge)), ms, false);
      for (const ms of whileSettling) await live((carts) => carts.forEach(lost(verify)), ms, true);

      // Nobody asks for anything any more: the provider's webhooks and the sweep are all there is.
      const charged = await query<{ id: string }>(
        database,
        `select id from sandbox_objects where type = 'payment_intent' and body ->> 'status' = 'succeeded'`,
      );
      expect(charged.length).toBeGreaterThanOrEqual(whileSettling.length * buyers);
      const ordersOf = () =>
        query<{ intent: string; frames: number; receipts: number }>(
          database,
          `select stripe_payment_intent_id as intent,
            (select count(*)::int from frames where order_id = orders.id) as frames,
            (select count(*)::int from mails where event = 'receipt:' || orders.id and sent_at is not null) as receipts
          from orders`,
        );
      const sorted = (ids: string[]) => ids.toSorted((a, b) => a.localeCompare(b));
      await vi.waitFor(
        async () => expect((await ordersOf()).filter((it) => it.receipts === 1)).toHaveLength(charged.length),
        { timeout: 240_000, interval: 500 },
      );
      const orders = await ordersOf();
      expect(sorted(orders.map((it) => it.intent))).toEqual(sorted(charged.map((it) => it.id)));
      expect(orders.map((it) => [it.frames, it.receipts])).toEqual(orders.map(() => [2, 1]));
      expect(await shop.end('SIGTERM')).toBe(0);
    },
  );
});

interface Cart {
  browser: Browser;
  paymentIntentId: string;
  clientSecret: string;
}
async function startPayment(shop: RunningShop): Promise<Cart> {
  const browser = shop.browser();
  const cart = { productId: 'kinframe', quantity: 2, extraPackages: 0, customerDetails: anna };
  const answer = await browser.post('/api/create-payment-intent', cart);
  expect(answer.status, answer.text).toBe(200);
  return { browser, ...answer.json };
}
const charge = ({ browser, paymentIntentId, clientSecret }: Cart) => confirm(browser, paymentIntentId, clientSecret);
const verify = ({ browser, paymentIntentId }: Cart) => browser.post('/api/verify-payment', { paymentIntentId });
/** An answer that may never come. */
const lost =
  <T>(act: (cart: Cart) => Promise<T>) =>
  (cart: Cart) =>
    void act(cart).catch(() => undefined);

async function query<Row extends pg.QueryResultRow>(url: URL, text: string): Promise<Row[]> {
  const client = new pg.Client({ connectionString: url.href });
  await client.connect();
  try {
    return (await client.query<Row>(text)).rows;
  } finally {
    await client.end();
  }
}
