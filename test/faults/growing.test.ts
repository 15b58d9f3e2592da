import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { inspect } from 'node:util';
import pg from 'pg';
import { beforeAll, describe, expect, inject, onTestFinished, test, vi } from 'vitest';
import { build } from '../../scripts/build.ts';
import { nginxProgram, startNginx } from '../nginx.ts';
import { buyFramesAsAnna, buyAndVerify, confirmIntentWithCard, createPhotoForm, createSmallPhoto } from '../people.ts';
import { annasCart } from '../paying.ts';
import { startPostgresPair } from '../postgres.ts';
import type { ShopResponse, Browser, TestShop } from '../shop.ts';
import { createFreshBucket } from '../stores.ts';
import { findFreePort } from '../free-port.ts';
import { TcpProxy } from './tcp-proxy.ts';
import { createNetworkBrowser, RunningShop } from './running-shop.ts';

/** Responses that are allowed while the database is lost. The payment sandbox responds like Stripe. */
const messagesWithoutDatabase = {
  // The shop also responds like this if the provider fails, because the sandbox uses the same database.
  shop: [503, expect.stringMatching(/try again|do not pay again/)],
  provider: [500, expect.stringContaining('api_error')],
};
const publicPages = ['/', '/faq', '/gallery', '/data/faqs.json'];

/**
 * The limit from the loss of the database until the shop works again. It includes promoting the standby and moving the
 * address.
 */
const goesOnWithinMs = 15_000;
const waitOptions = { timeout: 60_000 };

describe.skipIf(!inject('postgresUrl'))('a shop on two machines that share a database and a file store', () => {
  beforeAll(() => build(), 600_000);

  test.skipIf(!nginxProgram)('behind nginx, a rolling restart under load fails no request', async () => {
    const { webs, workers, doors, errors } = await startTwoMachines();
    const load = await Load.start(doors);
    for (const processes of [webs, workers])
      for (const processIndex of processes.keys())
        processes[processIndex] = await restartProcess(processes[processIndex]!);
    const { seen, orders, photos } = await load.end();
    expect(orders.length).toBeGreaterThan(0);
    expect(photos.length).toBeGreaterThan(0);
    const failedResponses = seen.filter((it) => it.status !== 200);
    expect(failedResponses, errors()).toEqual([]);
  });

  test('after a database failover under load, nothing is lost and the shop works again within 15 s', async () => {
    const { webs, workers, doors, primary, standby, address } = await startTwoMachines();
    const load = await Load.start(doors);
    await vi.waitFor(() => {
      expect(load.orders.length).toBeGreaterThan(0);
      expect(load.photos.length).toBeGreaterThan(0);
      expect(load.seen.filter((it) => it.isPublic).length).toBeGreaterThan(10 * publicPages.length);
    }, waitOptions);

    const lostAt = performance.now();
    await primary.stop();
    for (const { shop } of webs)
      await vi.waitFor(async () => {
        const readyResponse = await shop.browser().get('/health/ready');
        expect([readyResponse.status, readyResponse.json]).toEqual([
          503,
          { status: 'unavailable', problems: [expect.stringMatching(/^The database does not answer\. Public pages/)] },
        ]);
      }, waitOptions);
    load.seen.splice(0);
    await sleep(1_500);
    const lostRequests = load.seen.splice(0);
    expect(new Set(lostRequests.filter((it) => it.isPublic).map((it) => it.status))).toEqual(new Set([200]));
    expect(lostRequests.some((it) => it.status === 503)).toBe(true);

    await standby.promote();
    address.leadTo(standby.port);
    const mailCountsBefore = workers.map((it) => it.mails());
    const photoCount = load.photos.length;
    const expectPurchaseWorks = async ({ shop }: Process) =>
      expect((await buyAndVerify(shop.browser())).verified.status).toBe(200);
    await Promise.all([
      ...webs.map((it) => vi.waitFor(() => expectPurchaseWorks(it), waitOptions)),
      ...workers.map((it, i) =>
        vi.waitFor(() => expect(it.mails()).toBeGreaterThan(mailCountsBefore[i]!), waitOptions),
      ),
      vi.waitFor(() => expect(load.photos.length).toBeGreaterThan(photoCount), waitOptions),
    ]);
    expect(performance.now() - lostAt).toBeLessThan(goesOnWithinMs);

    const { seen, orders, ...sentPhoto } = await load.end();
    for (const lostRequest of [...lostRequests, ...seen])
      if (lostRequest.status !== 200)
        expect([lostRequest.status, lostRequest.words]).toEqual(
          lostRequest.isPublic ? [] : messagesWithoutDatabase[lostRequest.by],
        );
    const replicatedIntentIds = new Set(await readPaidIntents(standby.url));
    expect(orders.filter((it) => !replicatedIntentIds.has(it))).toEqual([]);
    for (const url of sentPhoto.photos) expect((await load.anna.get(url)).status, url).toBe(200);
    for (const { shop } of [...webs, ...workers]) expect(shop.child.exitCode).toBeNull();
  });
});

async function restartProcess(process: Process): Promise<Process> {
  expect(await process.shop.end('SIGTERM')).toBe(0);
  return process.again();
}

/** Returns the payments that have become orders. */
async function readPaidIntents(url: string): Promise<string[]> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  const { rows } = await client.query<{ id: string }>('select stripe_payment_intent_id as id from orders');
  await client.end();
  return rows.map((it) => it.id);
}

/**
 * Two machines with a web process and a worker each, one bucket, and one database address whose server has a standby.
 */
async function startTwoMachines() {
  const { primary, standby } = (await startPostgresPair())!;
  onTestFinished(() => standby.stop());
  onTestFinished(() => primary.stop());
  const databaseProxy = await TcpProxy.startTo(primary.port);
  onTestFinished(() => databaseProxy.cut());
  const url = new URL(primary.url);
  url.port = String(databaseProxy.port);
  const sharedSettings = {
    ...(await createFreshBucket()),
    DATABASE_URL: url.href,
    RATE_LIMITS: 'off',
    TRUST_PROXY: '127.0.0.1',
  };
  const folders = ['one', 'two'].map((it) => mkdtempSync(join(tmpdir(), `kinframe-machine-${it}-`)));
  const startProcess = async (dataDir: string, role: string, port: number): Promise<Process> => {
    const shop = await RunningShop.start(dataDir, { ...sharedSettings, ROLE: role }, port);
    onTestFinished(() => void shop.end('SIGKILL'));
    await shop.waitUntilReady();
    return {
      shop,
      again: () => startProcess(dataDir, role, port),
      mails: () => readdirSync(join(dataDir, 'outbox')).length,
    };
  };
  onTestFinished(() => folders.forEach((it) => rmSync(it, { recursive: true, force: true })));
  const ports = [await findFreePort(), await findFreePort()];
  const webs = await Promise.all(folders.map((it, i) => startProcess(it, 'web', ports[i]!)));
  const workers = await Promise.all(folders.map(async (it) => startProcess(it, 'worker', await findFreePort())));
  const nginx = nginxProgram === undefined ? undefined : await startNginx(nginxProgram, ports);
  onTestFinished(async () => nginx?.stop());
  return {
    webs,
    workers,
    /** The addresses for clients: nginx, or the web processes if there is no nginx. */
    doors: nginx ? [nginx.origin] : webs.map((it) => it.shop.origin),
    errors: () => nginx?.errors(),
    primary,
    standby,
    address: databaseProxy,
  };
}
interface Process {
  shop: RunningShop;
  again: () => Promise<Process>;
  /** Emails sent by this machine's worker. */
  mails: () => number;
}

interface ReceivedResponse {
  status: number;
  isPublic: boolean;
  by: 'shop' | 'provider';
  /** The text of a response other than 200. */
  words: string;
}

/** Clients that browse, buy and send photos without pauses. */
class Load {
  readonly seen: ReceivedResponse[] = [];
  /** Acknowledged payments of orders, and addresses of photos. */
  readonly orders: string[] = [];
  readonly photos: string[] = [];
  readonly anna: Browser;
  readonly #doors: readonly string[];
  #came = 0;
  #isOver = false;
  readonly #loops: Promise<void>[];

  static async start(doors: readonly string[]): Promise<Load> {
    const { browser, frames } = await buyFramesAsAnna(
      { browser: () => createNetworkBrowser(doors[0]!) } as unknown as TestShop,
      {
        extraPackages: 20,
      },
    );
    return new Load(doors, browser, frames[0]!.deviceId);
  }
  private constructor(doors: readonly string[], anna: Browser, deviceId: string) {
    this.#doors = doors;
    this.anna = anna;
    this.#loops = [
      this.#repeatUntilStopped(() => this.#browsePublicPages()),
      this.#repeatUntilStopped(() => this.#browsePublicPages()),
      this.#repeatUntilStopped(() => this.#buyFrame()),
      this.#repeatUntilStopped(() => this.#buyFrame()),
      this.#repeatUntilStopped(() => this.#sendPhoto(deviceId)),
    ];
  }
  /** A new visitor, alternating between the addresses. */
  #newcomer = (): Browser => createNetworkBrowser(this.#doors[this.#came++ % this.#doors.length]!);
  async end(): Promise<this> {
    this.#isOver = true;
    await Promise.all(this.#loops);
    return this;
  }

  async #repeatUntilStopped(act: () => Promise<void>): Promise<void> {
    while (!this.#isOver) {
      await act();
      await sleep(50);
    }
  }

  async #browsePublicPages(): Promise<void> {
    for (const page of publicPages) await this.#recordResponse(this.#newcomer().get(page), { isPublic: true });
  }
  async #buyFrame(): Promise<void> {
    const browser = this.#newcomer();
    const startResult = await this.#recordResponse(browser.post('/api/create-payment-intent', annasCart));
    if (startResult?.status !== 200) return;
    const { paymentIntentId, clientSecret } = startResult.json;
    const confirmResponse = await this.#recordResponse(confirmIntentWithCard(browser, paymentIntentId, clientSecret), {
      by: 'provider',
    });
    if (confirmResponse?.status !== 200) return;
    const verifyResponse = await this.#recordResponse(browser.post('/api/verify-payment', { paymentIntentId }));
    if (verifyResponse?.status === 200) this.orders.push(paymentIntentId);
  }
  async #sendPhoto(deviceId: string): Promise<void> {
    const sentPhoto = await this.#recordResponse(
      this.anna.post('/api/upload', createPhotoForm(deviceId, await createSmallPhoto())),
    );
    if (sentPhoto?.status === 200) this.photos.push(sentPhoto.json.url);
  }

  async #recordResponse(
    sentRequest: Promise<ShopResponse>,
    { isPublic = false, by = 'shop' }: Partial<Pick<ReceivedResponse, 'isPublic' | 'by'>> = {},
  ): Promise<ShopResponse | undefined> {
    const responseOrError = await sentRequest.catch((error: Error) => error);
    const isError = responseOrError instanceof Error;
    const text = isError ? inspect(responseOrError) : responseOrError.status === 200 ? '' : responseOrError.text;
    this.seen.push({ status: isError ? 0 : responseOrError.status, isPublic, by, words: text });
    return isError ? undefined : responseOrError;
  }
}
