import { setTimeout as sleep } from 'node:timers/promises';
import { expect, onTestFinished, vi } from 'vitest';
import { createDatabase } from '../../database.ts';
import { TcpProxy } from '../tcp-proxy.ts';
import { Customers } from '../customers.ts';
import { ShopInstallation } from '../installation.ts';
import type { RunningShop } from '../running-shop.ts';
import { repeatUntilStopped, RequestRecorder, type Scenario } from '../scenario.ts';
import { findMissingItems, namesWithDeleted, readStoredState } from '../stored-state.ts';

/**
 * The statements at which the connection breaks: `originals/` is part of inserting a photo, `receipt:` of inserting an
 * order.
 */
const cutPoints = ['begin', 'originals/', 'commit', 'receipt:'];
const poolSize = 6;

/** The connection to PostgreSQL breaks in the middle of transactions, and stays down for a while. */
export const cutTransactions: Scenario = {
  name: 'cut-transactions',
  engines: ['postgres'],
  async run({ random, isShort }) {
    const cutCount = isShort ? 50 : 200;
    const url = await createDatabase();
    const databaseProxy = await TcpProxy.startTo(Number(url.port));
    onTestFinished(() => databaseProxy.cut());
    const proxiedUrl = new URL(url);
    proxiedUrl.port = String(databaseProxy.port);
    const installation = await ShopInstallation.open('postgres', {
      url,
      settings: { DATABASE_URL: proxiedUrl.href, DATABASE_POOL: String(poolSize) },
    });
    const { shop } = installation;
    const requestRecorder = new RequestRecorder();
    const customers = await Customers.prepare(installation.browser, requestRecorder);
    const { buy, uploadAndTidyUp } = customers;
    const stopActivity = repeatUntilStopped([buy, buy, buy, buy, uploadAndTidyUp, uploadAndTidyUp], 0);
    const remainingCutPoints = cutPoints.values();
    for (let cut = 0; cut < cutCount; cut++) {
      const countBefore = requestRecorder.yeses;
      await vi.waitFor(() => expect(requestRecorder.yeses).toBeGreaterThan(countBefore), { timeout: 60_000 });
      // Use each moment once, then choose at random.
      const statement = remainingCutPoints.next().value ?? random.oneOf(cutPoints);
      await databaseProxy.cutAtMessage(statement, random.oneOf(['before', 'after']));
      await databaseProxy.repair();
      await shop.waitUntilReady();
    }
    await stopActivity();
    await vi.waitFor(async () => expect(await readConnections(shop)).toEqual(idleConnections), { timeout: 30_000 });

    // Without the database for ten seconds, every request gets a response and the process keeps running.
    await databaseProxy.cut();
    for (const deadline = Date.now() + 10_000; Date.now() < deadline; await sleep(250)) {
      expect((await shop.browser().get('/health/live')).status).toBe(200);
      await buy();
    }
    await databaseProxy.repair();
    await shop.waitUntilReady();
    await vi.waitFor(async () => expect(await readConnections(shop)).toEqual(idleConnections), { timeout: 30_000 });

    const successCount = requestRecorder.yeses;
    await buy();
    expect(requestRecorder.yeses).toBeGreaterThan(successCount + 1);
    const storedState = await installation.pollUntilComplete(
      (db) => readStoredState(db, installation.files),
      (stored) => findMissingItems(requestRecorder, stored),
    );
    expect(await shop.end('SIGTERM')).toBe(0);
    return requestRecorder.createResult(
      `connections to the database were cut ${cutCount} times during transactions, then for ten seconds`,
      namesWithDeleted(requestRecorder, storedState.names),
    );
  },
};

/** All connections are idle, and no query waits for one. */
const idleConnections = expect.objectContaining({ waiting: 0, used: 0 });
async function readConnections(shop: RunningShop) {
  const { text } = await shop.browser().get('/metrics');
  const countConnections = (state: string) =>
    Number(new RegExp(`^database_connections\\{state="${state}"\\} (\\d+)$`, 'm').exec(text)?.[1]);
  return { used: countConnections('used'), idle: countConnections('idle'), waiting: countConnections('waiting') };
}
