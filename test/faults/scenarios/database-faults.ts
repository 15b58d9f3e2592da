import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { expect, onTestFinished, vi } from 'vitest';
import { executeOneStatement } from '../../database.ts';
import { startPostgres, startPostgresPair, type Postgres, type PostgresStandby } from '../../postgres.ts';
import { TcpProxy } from '../tcp-proxy.ts';
import { Customers } from '../customers.ts';
import { ShopInstallation } from '../installation.ts';
import { repeatUntilStopped, RequestRecorder, type Scenario } from '../scenario.ts';
import { findMissingItems, namesWithDeleted, readStoredState } from '../stored-state.ts';

interface DatabaseUnderTest {
  cluster: Postgres;
  /** Present only if the scenario needs a standby. */
  standby: PostgresStandby | undefined;
  cable: TcpProxy;
}
const goesOnWithinMs = 15_000;
/** Causes the fault. Returns a function that repairs it. */
type CauseFault = (reach: DatabaseUnderTest) => Promise<() => Promise<void>>;

/** A separate PostgreSQL has faults repeatedly while people use the shop. */
const waitForUnhealthyDatabase = (
  name: string,
  done: string,
  { times, seconds, hasStandby = false }: { times: number; seconds: number; hasStandby?: boolean },
  harm: CauseFault,
): Scenario => ({
  name,
  engines: ['postgres'],
  async run() {
    const standbyPair = hasStandby ? await startPostgresPair() : undefined;
    const standby = standbyPair?.standby;
    const cluster = standbyPair?.primary ?? (await startPostgres())!;
    onTestFinished(() => cluster.stop());
    onTestFinished(async () => standby?.stop());
    const databaseProxy = await TcpProxy.startTo(cluster.port);
    onTestFinished(() => databaseProxy.cut());
    const url = new URL(cluster.url);
    const proxiedUrl = new URL(url);
    proxiedUrl.port = String(databaseProxy.port);
    // A lost primary cannot be read directly. So the test reads rows through the shop's address, which moves to the
    // standby.
    const installation = await ShopInstallation.open('postgres', {
      url: standby ? proxiedUrl : url,
      settings: { DATABASE_URL: proxiedUrl.href },
    });
    const requestRecorder = new RequestRecorder();
    const customers = await Customers.prepare(installation.browser, requestRecorder);
    const { buy, uploadAndTidyUp, lookAround } = customers;
    await lookAround();
    const stopActivity = repeatUntilStopped([buy, buy, buy, uploadAndTidyUp, uploadAndTidyUp, lookAround]);
    let longestMs = 0;
    for (let time = 0; time < times; time++) {
      await sleep(1_500);
      const repair = await harm({ cluster, standby, cable: databaseProxy });
      await sleep(seconds * 1000);
      const repairStart = performance.now();
      await repair();
      await installation.shop.waitUntilReady();
      const countBefore = requestRecorder.acknowledged.size;
      await vi.waitFor(() => expect(requestRecorder.acknowledged.size).toBeGreaterThan(countBefore), {
        timeout: 60_000,
      });
      longestMs = Math.max(longestMs, performance.now() - repairStart);
    }
    await stopActivity();
    const storedState = await installation.pollUntilComplete(
      (db) => readStoredState(db, installation.files),
      (stored) => findMissingItems(requestRecorder, stored),
    );
    expect(await installation.shop.end('SIGTERM')).toBe(0);
    expect(longestMs).toBeLessThan(goesOnWithinMs);
    return requestRecorder.createResult(
      `${done}, ${times === 1 ? 'once' : `${times} times`}, working again after ${(longestMs / 1000).toFixed(1)} s (limit ${goesOnWithinMs / 1000} s)`,
      namesWithDeleted(requestRecorder, storedState.names),
    );
  },
});

export const databaseRestarted = waitForUnhealthyDatabase(
  'database-restarted',
  'PostgreSQL stopped immediately and started again',
  { times: 5, seconds: 0 },
  async ({ cluster }) => {
    await cluster.restart();
    return async () => {};
  },
);

export const databaseFailoverScenario = waitForUnhealthyDatabase(
  'database-failed-over',
  'PostgreSQL stopped immediately, its standby promoted and the address moved to it two seconds later',
  { times: 1, seconds: 2, hasStandby: true },
  async ({ cluster, standby, cable }) => {
    await cluster.stop();
    return async () => {
      await standby!.promote();
      cable.leadTo(standby!.port);
    };
  },
);

export const databaseReadOnly = waitForUnhealthyDatabase(
  'database-read-only',
  'PostgreSQL read-only for six seconds',
  { times: 3, seconds: 6 },
  async ({ cluster }) => {
    const setReadOnly = async (to: 'on' | 'off') => {
      await executeOneStatement(cluster.url, `alter system set default_transaction_read_only = ${to}`);
      await executeOneStatement(cluster.url, 'select pg_reload_conf()');
    };
    await setReadOnly('on');
    return () => setReadOnly('off');
  },
);

export const databaseConnectionsExhausted = waitForUnhealthyDatabase(
  'database-crowded',
  'all of PostgreSQL’s connections used by other clients for six seconds, and those of the shop closed',
  { times: 3, seconds: 6 },
  async ({ cluster }) => {
    const otherClients: pg.Client[] = [];
    const firstClient = await connectClient(cluster.url);
    for (let isFull = false; !isFull;) {
      const nextClient = await connectClient(cluster.url).catch(() => undefined);
      if (nextClient) otherClients.push(nextClient);
      else isFull = true;
      // Terminates the shop's connections. Once all connections are taken, the shop cannot reconnect.
      if (isFull) {
        const { rows } = await firstClient.query(`select pg_terminate_backend(pid) from pg_stat_activity
          where application_name <> 'others' and backend_type = 'client backend'`);
        isFull = rows.length === 0;
      }
    }
    return async () => void (await Promise.all([firstClient, ...otherClients].map((it) => it.end())));
  },
);
async function connectClient(url: string): Promise<pg.Client> {
  const client = new pg.Client({ connectionString: url, application_name: 'others' }).on('error', () => {});
  await client.connect();
  return client;
}

export const databaseSlow = waitForUnhealthyDatabase(
  'database-slow',
  'every response of PostgreSQL delayed by 200 ms for ten seconds',
  { times: 3, seconds: 10 },
  async ({ cable }) => {
    cable.slowDown(100);
    return async () => cable.slowDown(0);
  },
);
