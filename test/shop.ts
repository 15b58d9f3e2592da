import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pino from 'pino';
import { onTestFinished } from 'vitest';
import { createApp, type App } from '#server/app.ts';
import { readConfig } from '#server/config.ts';
import { openShop, type Shop, type ShopOverrides } from '#server/shop.ts';
import { fakeAnimator } from './fake-animator.ts';
import { fakePushService } from './fake-push-service.ts';
import { emptyPhotoAnalyzer } from './photo-analysis.ts';
import type { FreshDatabase } from './database.ts';

export const adminPassword = 'correct-horse-battery';
export const baseUrl = 'http://localhost:3999';

/** A clock that tests can move. */
export class TestClock {
  #aheadMs = 0;
  now = () => new Date(Date.now() + this.#aheadMs);
  advance = (ms: number) => (this.#aheadMs += ms);
}

export interface TestShop {
  shop: Shop;
  app: App;
  clock: TestClock;
  /** A visitor with separate cookies. */
  browser: (options?: { address?: string }) => Browser;
}

/** The whole shop behind its HTTP server, on a fresh database, in a temporary folder, without pages. */
export async function openTestShop(
  fresh: FreshDatabase,
  { env = {}, ...overrides }: ShopOverrides & { env?: Record<string, string> } = {},
): Promise<TestShop> {
  const dataDir = mkdtempSync(join(tmpdir(), 'kinframe-shop-'));
  const clock = new TestClock();
  const config = readConfig({
    DATA_DIR: dataDir,
    BASE_URL: baseUrl,
    ADMIN_PASSWORD: adminPassword,
    RATE_LIMITS: 'off',
    LOG_LEVEL: 'silent',
    ...env,
  });
  const database = await fresh();
  const shop = await openShop(config, pino({ level: 'silent' }), {
    clock,
    animator: fakeAnimator,
    seeing: emptyPhotoAnalyzer,
    push: fakePushService(),
    ...overrides,
    database: { ...database, close: async () => {} }, // closed by the caller that opened it
  });
  const app = await createApp(shop);
  onTestFinished(async () => {
    await app.close();
    await shop.close();
    rmSync(dataDir, { recursive: true, force: true });
  });
  return { shop, app, clock, browser: ({ address = '127.0.0.1' } = {}) => new Browser(app, address) };
}

export interface ShopResponse {
  status: number;
  headers: Record<string, unknown>;
  text: string;
  bytes: Buffer;
  // oxlint-disable-next-line typescript/no-explicit-any -- tests read answers freely
  json: any;
}

/** Sends requests to the server like the shop's own pages: keeps cookies and sends the origin. */
export class Browser {
  readonly cookies = new Map<string, string>();
  readonly #app: App;
  readonly #address: string;
  readonly #origin: string;
  constructor(app: App, address: string, origin = baseUrl) {
    this.#app = app;
    this.#address = address;
    this.#origin = origin;
  }

  get = (url: string, headers: Record<string, string> = {}) => this.call('GET', url, undefined, headers);
  post = (url: string, body?: unknown, headers: Record<string, string> = {}) => this.call('POST', url, body, headers);
  put = (url: string, body?: unknown, headers: Record<string, string> = {}) => this.call('PUT', url, body, headers);
  head = (url: string, headers: Record<string, string> = {}) => this.call('HEAD', url, undefined, headers);
  delete = (url: string, headers: Record<string, string> = {}) => this.call('DELETE', url, undefined, headers);

  async call(method: string, url: string, body?: unknown, headers: Record<string, string> = {}): Promise<ShopResponse> {
    const isForm = body instanceof FormData;
    const form = isForm ? new Response(body) : undefined;
    const payload = form
      ? Buffer.from(await form.arrayBuffer())
      : typeof body === 'string' || Buffer.isBuffer(body)
        ? body
        : JSON.stringify(body);
    const injectedResponse = await this.#app.inject({
      method: method as 'GET',
      url,
      remoteAddress: this.#address,
      headers: {
        origin: this.#origin,
        'x-user-id': 'demo-user',
        cookie: [...this.cookies].map(([name, value]) => `${name}=${value}`).join('; '),
        ...(form
          ? { 'content-type': form.headers.get('content-type')! }
          : body !== undefined && { 'content-type': 'application/json' }),
        ...headers,
      },
      ...(body !== undefined && { payload }),
    });
    for (const { name, value, maxAge } of injectedResponse.cookies)
      if (value === '' || maxAge === 0) this.cookies.delete(name);
      else this.cookies.set(name, value);
    const text = injectedResponse.body;
    return {
      status: injectedResponse.statusCode,
      headers: injectedResponse.headers,
      text,
      bytes: injectedResponse.rawPayload,
      json:
        text !== '' && String(injectedResponse.headers['content-type']).includes('json') ? JSON.parse(text) : undefined,
    };
  }
}
