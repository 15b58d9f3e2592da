import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { beforeAll, expect, onTestFinished, test, vi } from 'vitest';
import { build } from '../../scripts/build.ts';
import { createDatabase, onPostgres } from '../database.ts';
import { anna, annaOwns, buy, confirm, uploadTo } from '../people.ts';
import type { Answer, TestShop } from '../shop.ts';
import { Cable } from './cable.ts';
import { RunningShop } from './running-shop.ts';

const cuts = 50;
/** What is being said when the wire breaks, in turn: with a photo's key its row is written, with a receipt an order. */
const moments = ['begin', 'originals/', 'commit', 'receipt:'];
const connections = 6;

onPostgres(() => {
  beforeAll(() => build(), 600_000);

  test(
    'the database going away amid transactions ends nothing, leaks nothing and loses nothing that was acknowledged',
    { timeout: 600_000 },
    async () => {
      const url = await createDatabase();
      const direct = new pg.Pool({ connectionString: url.href, max: 1 });
      onTestFinished(() => direct.end());
      const cable = await Cable.to(Number(url.port));
      onTestFinished(() => cable.cut());
      url.port = String(cable.port);
      const dataDir = mkdtempSync(join(tmpdir(), 'kinframe-cut-'));
      onTestFinished(() => rmSync(dataDir, { recursive: true, force: true }));
      const shop = await RunningShop.start(dataDir, {
        DATABASE_URL: url.href,
        DATABASE_POOL: String(connections),
        RATE_LIMITS: 'off',
        LOG_LEVEL: 'warn',
      });
      onTestFinished(() => void shop.end('SIGKILL'));
      await shop.ready();

      const { browser: owner, frames } = await annaOwns({ browser: () => shop.browser() } as unknown as TestShop, {
        extraPackages: 5,
      });
      const { deviceId } = frames[0]!;

      /** What was acknowledged: it must be there in the end, or gone. */
      const paid: string[] = [];
      const uploaded = new Set<string>();
      const deleted = new Set<string>();
      let acknowledged = 0;
      /** Answered, or refused in words because the database is away; never anything else. */
      const asked = (answer: Answer) => {
        if (answer.status === 200) {
          acknowledged += 1;
          return answer.json;
        }
        expect([answer.status, answer.text]).toEqual([503, expect.stringContaining('try again')]);
        return undefined;
      };
      async function pay() {
        const browser = shop.browser();
        const cart = { productId: 'kinframe', quantity: 2, extraPackages: 0, customerDetails: anna };
        const intent = asked(await browser.post('/api/create-payment-intent', cart));
        if (!intent) return;
        await confirm(browser, intent.paymentIntentId, intent.clientSecret);
        const { paymentIntentId } = intent;
        const verified = await browser.post('/api/verify-payment', { paymentIntentId });
        if (verified.status === 200 && verified.json.success) paid.push(paymentIntentId);
      }
      async function uploadAndTidyUp() {
        const photo = asked(await uploadTo(owner, deviceId));
        if (!photo) return;
        uploaded.add(photo.id);
        if (uploaded.size < 8) return;
        uploaded.delete(photo.id); // in doubt, unless it is acknowledged
        if (asked(await owner.delete(`/api/uploads/${photo.id}`))) deleted.add(photo.id);
      }
      let cutsDone = 0;
      const isOver = () => cutsDone === cuts;
      const cutting = async () => {
        for (; !isOver(); cutsDone++) {
          const before = acknowledged;
          await vi.waitFor(() => expect(acknowledged).toBeGreaterThan(before), { timeout: 60_000 });
          await cable.cutAt(moments[cutsDone % moments.length]!, cutsDone % 2 > 0 ? 'after' : 'before');
          await cable.mend();
          await shop.ready();
        }
      };
      const asking = [pay, pay, pay, pay, uploadAndTidyUp, uploadAndTidyUp].map(async (act) => {
        do await act();
        while (!isOver());
      });
      await Promise.all([cutting(), ...asking]);

      await vi.waitFor(async () => expect(await connectionsOf(shop)).toEqual(restful), { timeout: 30_000 });
      // Ten seconds without it: everyone is told, nothing ends.
      await cable.cut();
      for (const until = Date.now() + 10_000; Date.now() < until; await sleep(250)) {
        expect((await shop.browser().get('/health/live')).status).toBe(200);
        await pay();
      }
      await cable.mend();
      await shop.ready();
      await vi.waitFor(async () => expect(await connectionsOf(shop)).toEqual(restful), { timeout: 30_000 });

      const orders = await direct.query('select stripe_payment_intent_id as id from orders');
      expect(paid.length).toBeGreaterThan(0);
      expect(orders.rows.map((it) => it.id)).toEqual(expect.arrayContaining(paid));
      expect(new Set(orders.rows.map((it) => it.id)).size).toBe(orders.rows.length);
      const photos = await direct.query('select id, original_key from uploads');
      expect(uploaded.size).toBeGreaterThan(0);
      expect(photos.rows.map((it) => it.id)).toEqual(expect.arrayContaining([...uploaded]));
      expect(photos.rows.filter((it) => deleted.has(it.id))).toEqual([]);
      for (const { id, original_key } of photos.rows)
        if (uploaded.has(id)) expect(existsSync(join(dataDir, 'files', original_key))).toBe(true);
      expect((await buy(shop.browser())).verified.json).toMatchObject({ success: true });
      expect(await shop.end('SIGTERM')).toBe(0);
    },
  );
});

/** Every connection there is waits to be used, and nobody waits for one. */
const restful = expect.objectContaining({ waiting: 0, used: 0 });
async function connectionsOf(shop: RunningShop) {
  const { text } = await shop.browser().get('/metrics');
  const numberOf = (state: string) =>
    Number(new RegExp(`^database_connections\\{state="${state}"\\} (\\d+)$`, 'm').exec(text)?.[1]);
  return { used: numberOf('used'), idle: numberOf('idle'), waiting: numberOf('waiting') };
}
