import { sql } from 'drizzle-orm';
import { expect, onTestFinished, test } from 'vitest';
import { rateLimits } from '#contract/limits.ts';
import type { RateLimitName } from '#contract/operation.ts';
import { apiOperationList } from '#test/calls.ts';
import { describeOnFastestEngine } from '#test/database.ts';
import { baseUrl, openTestShop } from '#test/shop.ts';
import { createRawClient, listPathSpellings, type RawResponse } from '#test/spellings.ts';

/** Routes that the contract does not name. */
const outsideTheContract = [
  'GET /api/openapi.json',
  'GET /api/account/my-data.zip',
  'GET /api/admin/auth/replit/callback',
  'GET /api/admin/live',
  'GET /api/no-such-call',
  'POST /api/webhooks/stripe',
  'POST /api/webhooks/animator',
  'POST /unsubscribe',
  'GET /uploads/a.jpg',
  'GET /videos/a.mp4',
  'GET /metrics',
  'GET /health/live',
  'GET /sandbox/stripe/v1/payment_intents/pi_1',
  'POST /sandbox/stripe/v1/payment_intents',
  'GET /robots.txt',
  'GET /.well-known/security.txt',
];

/** Response headers that show which rate limits, guards, and rules for caches and referrers were applied. */
const comparedHeaders = [
  'x-ratelimit-limit',
  'cache-control',
  'content-security-policy',
  'content-type',
  'cross-origin-resource-policy',
  'location',
  'referrer-policy',
  'set-cookie',
  'x-content-type-options',
  'x-frame-options',
];
const pickComparedFields = ({ status, headers, text }: RawResponse) => ({
  status,
  code: readErrorCode(text),
  ...Object.fromEntries(comparedHeaders.map((name) => [name, headers[name]])),
  // A new cookie has a random value. Its name and its attributes must be alike.
  'set-cookie': [headers['set-cookie'] ?? []].flat().map((cookie) => cookie.replace(/=[^;]*/, '=')),
});
/**
 * The code of a refusal. The payment sandbox responds like Stripe: some of its errors have a type instead of a code.
 */
const readErrorCode = (text: string) =>
  (/"code":"([\w-]+)"/.exec(text) ?? /"type":"(invalid_request_error)"/.exec(text))?.[1];
const readRateLimit = ({ headers }: RawResponse) => headers['x-ratelimit-limit'];
const withinParameterPattern = /encoded (back)?slash inside/;
/** True for a refusal that does not reveal the route, is not cached, and can only be read as JSON. */
const isRefused = ({ status, headers, text }: RawResponse) =>
  (status === 400 || status === 404) &&
  ['invalid-request', 'not-found', 'invalid_request_error'].includes(readErrorCode(text)!) &&
  headers['cache-control'] === 'no-store' &&
  headers['x-content-type-options'] === 'nosniff';

describeOnFastestEngine((fresh) => {
  /** A shop behind a proxy on this machine, which sends the visitor's IP address in a header. */
  async function listenOnPort(env: Record<string, string> = {}) {
    const testShop = await openTestShop(fresh, { env: { RATE_LIMITS: 'on', TRUST_PROXY: '127.0.0.1', ...env } });
    const { requestRaw, close } = createRawClient(await testShop.app.listen({ port: 0, host: '127.0.0.1' }));
    onTestFinished(close);
    let visitorCount = 0;
    const createVisitorAddress = () =>
      `10.${((visitorCount += 1) >> 16) & 255}.${(visitorCount >> 8) & 255}.${visitorCount & 255}`;
    return { ...testShop, requestRaw, newAddress: createVisitorAddress };
  }
  const createHeadersFrom = (address: string) => ({ origin: baseUrl, 'x-forwarded-for': address });

  test('counts, authorizes and answers a call alike for every spelling of its address, or refuses it', async () => {
    const { requestRaw, newAddress, shop } = await listenOnPort({ ADMIN_KEY: 'k'.repeat(40) });
    const routes = [...apiOperationList.map(({ route }) => route), ...outsideTheContract];
    const foundFaults: string[] = [];
    /** By the IP address of a visitor, the IP address of another visitor that must have the same counters. */
    const countedSpellings = new Map<string, { plain: string; sentAs: string }>();
    for (const route of routes) {
      const [method, named] = route.split(' ') as [string, string];
      const path = named.replaceAll(/:\w+/g, 'none');
      const plainAddress = newAddress();
      const plainResponse = await requestRaw(method, path, createHeadersFrom(plainAddress));
      const requestSpelling = async ([spelling, target]: [string, string]) => {
        const address = newAddress();
        const variant = await requestRaw(method, target, createHeadersFrom(address));
        // The response to HEAD has no body, so its code is unknown.
        if (method === 'HEAD' && (variant.status === 400 || variant.status === 404)) return;
        // An encoded slash or backslash is part of a parameter. The address then belongs to another route, which may
        // have another limit.
        if (withinParameterPattern.test(spelling)) {
          if (variant.status < 400 || (target.startsWith('/api/') && readRateLimit(variant) === undefined))
            foundFaults.push(`${method} ${target} (${spelling}) is neither refused nor counted`);
          return;
        }
        // A plain call may be refused by its route, which has counted it. If limit or code differ, the spelling matched
        // no route or another route.
        if (
          isRefused(variant) &&
          (readRateLimit(variant) !== readRateLimit(plainResponse) ||
            readErrorCode(variant.text) !== readErrorCode(plainResponse.text))
        )
          return;
        // Webhooks have no limit, so the refusal of a webhook call does not show whether the spelling matched the
        // route.
        if (isRefused(variant) && readRateLimit(plainResponse) === undefined) return;
        countedSpellings.set(address, { plain: plainAddress, sentAs: `${method} ${target}` });
        const [wanted, seen] = [pickComparedFields(plainResponse), pickComparedFields(variant)].map((it) =>
          JSON.stringify(it),
        );
        if (wanted !== seen)
          foundFaults.push(`${method} ${target} (${spelling})\n  ${seen}\n  instead of\n  ${wanted}`);
      };
      await Promise.all(Object.entries(listPathSpellings(path)).map(requestSpelling));
    }
    const { rows: counters } = await shop.db.execute<{ key: string }>(sql`select key from rate_counters`);
    const countersByAddress = Map.groupBy(counters, ({ key }) => /10\.\d+\.\d+\.\d+/.exec(key)![0]);
    const listCountersOf = (address: string) =>
      (countersByAddress.get(address) ?? []).map(({ key }) => key.replace(address, '')).toSorted();
    for (const [address, { plain, sentAs }] of countedSpellings)
      expect(listCountersOf(address), `${address}: ${sentAs}`).toEqual(listCountersOf(plain));
    expect(foundFaults.slice(0, 20).join('\n')).toBe('');
    expect(foundFaults).toEqual([]);
    expect(countedSpellings.size).toBeGreaterThan(3 * routes.length);
    const { rows } = await shop.db.execute(sql`select count(*)::int as sessions from sessions`);
    expect(rows).toEqual([{ sessions: 0 }]);
  }, 600_000);

  test('the rate limit of a call applies to every spelling of its address', async () => {
    const { requestRaw, newAddress, shop } = await listenOnPort();
    const limitedRoutes: [RateLimitName, string][] = [
      ['admin-password', 'POST /api/admin/auth/password'],
      ['sign-in', 'POST /api/auth/login'],
      ['register', 'POST /api/auth/register'],
      ['forgot-password', 'POST /api/auth/forgot-password'],
      ['sign-in-link', 'POST /api/auth/link'],
      ['promo-code', 'POST /api/check-promo-code'],
      ['support', 'POST /api/support-tickets'],
      ['token-validation', 'GET /api/upload-token/validate/none'],
      ['token-validation', 'POST /unsubscribe?token=none'],
      ['delivery', 'GET /api/play/none'],
    ];
    for (const [name, route] of limitedRoutes) {
      const [method, target] = route.split(' ') as [string, string];
      const [path, search = ''] = target.split(/(?=\?)/) as [string, string?];
      const address = newAddress();
      expect((await requestRaw(method, target, createHeadersFrom(address))).status, route).not.toBe(429);
      const countersAtLimit = sql`update rate_counters set count = ${rateLimits[name].max} where key like ${`%${address}%`}`;
      await shop.db.execute(countersAtLimit);
      expect((await requestRaw(method, target, createHeadersFrom(address))).status, route).toBe(429);
      for (const [spelling, it] of Object.entries(listPathSpellings(path))) {
        const response = await requestRaw(method, it + search, createHeadersFrom(address));
        expect([400, 404, 429], `${method} ${it} (${spelling}): ${response.text}`).toContain(response.status);
      }
      for (const spellingName of ['one letter encoded', 'every letter encoded', 'absolute form'])
        expect(
          (await requestRaw(method, listPathSpellings(path)[spellingName]! + search, createHeadersFrom(address)))
            .status,
          spellingName,
        ).toBe(429);
    }
  });

  test('a header that is sent twice gives no access and avoids no rate limit', async () => {
    const { requestRaw, newAddress } = await listenOnPort({
      ADMIN_KEY: 'k'.repeat(40),
      ADMIN_ALLOWED_IPS: '192.0.2.0/24',
    });
    const sentHeaders = { origin: baseUrl, 'x-forwarded-for': '192.0.2.1' };
    const requestStats = (headers: Record<string, string | string[]>) =>
      requestRaw('GET', '/api/admin/stats', { ...sentHeaders, ...headers });
    expect((await requestStats({ 'x-admin-key': 'k'.repeat(40) })).status).toBe(200);
    expect((await requestStats({ 'x-admin-key': ['k'.repeat(40), 'k'.repeat(40)] })).status).toBe(401);
    // If the header has several addresses, the last one is used, because our own proxy has added it.
    for (const forgedChain of [['192.0.2.1', '198.51.100.1'], ['192.0.2.1, 198.51.100.1']])
      expect((await requestStats({ 'x-admin-key': 'k'.repeat(40), 'x-forwarded-for': forgedChain })).status).toBe(403);
    const sendLogin = (headers: Record<string, string | string[]>) => requestRaw('POST', '/api/auth/login', headers);
    for (const origin of [
      [baseUrl, baseUrl],
      [baseUrl, 'https://evil.example'],
    ])
      expect((await sendLogin({ origin, 'x-forwarded-for': newAddress() })).status, origin.join()).toBe(403);
    const fetchSites = ['same-origin', 'cross-site'];
    for (const doubledSite of [fetchSites, fetchSites.toReversed(), ['same-origin', 'same-origin']])
      expect(
        (await sendLogin({ 'sec-fetch-site': doubledSite, 'x-forwarded-for': newAddress() })).status,
        doubledSite.join(),
      ).toBe(403);
    const address = newAddress();
    for (let i = 0; i < rateLimits['sign-in'].max; i++)
      expect((await sendLogin({ origin: baseUrl, 'x-forwarded-for': [newAddress(), address] })).status).not.toBe(429);
    for (const host of [['a.example', 'b.example'], ['shop.example']])
      expect((await sendLogin({ origin: baseUrl, host, 'x-forwarded-for': [newAddress(), address] })).status).toBe(429);
    for (const internalHeaders of [['x-in-process'], ['x-in-process', 'x-page-request-id']]) {
      const doubledHeaders = Object.fromEntries(internalHeaders.map((name) => [name, ['1', '1']]));
      expect((await sendLogin({ ...createHeadersFrom(address), ...doubledHeaders })).status).toBe(429);
    }
  });

  test('only routes for signed or keyed calls accept other sites, in any spelling of the address', async () => {
    const { requestRaw, newAddress } = await listenOnPort();
    const createForeignHeaders = () => ({ origin: 'https://evil.example', 'x-forwarded-for': newAddress() });
    for (const target of [
      '/api/webhooks/stripe',
      '/%61pi/webhooks/stripe',
      'http://shop.example/unsubscribe?token=none',
    ])
      expect((await requestRaw('POST', target, createForeignHeaders())).status, target).not.toBe(403);
    for (const target of [
      '/api/webhooks/../auth/login',
      '/sandbox/stripe/..%2f../api/auth/login',
      '/unsubscribe?/../api/auth/login',
      '/api/auth/login?/api/webhooks/',
      '/%61pi/auth/login',
      '/api/webhooks/none',
      '/unsubscribe/?token=none',
      '//unsubscribe?/../api',
    ])
      expect([400, 403, 404], target).toContain((await requestRaw('POST', target, createForeignHeaders())).status);
    expect((await requestRaw('POST', '/%61pi/auth/login', createForeignHeaders())).status).toBe(403);
  });
});
