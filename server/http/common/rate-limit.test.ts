import { sql } from 'drizzle-orm';
import { expect, test } from 'vitest';
import { toJSONSchema } from 'zod';
import { api } from '#contract/api.ts';
import { toShopDay } from '#contract/calendar.ts';
import { rateLimits } from '#contract/limits.ts';
import type { Operation } from '#contract/operation.ts';
import { createApp } from '#server/app.ts';
import { inProcessHeader, inProcessKey } from './in-process.ts';
import { createRateLimitStore } from './rate-limit.ts';
import { describeOnFastestEngine } from '#test/database.ts';
import { makeRecordable, recordStatements } from '#test/statements.ts';
import { countRows } from '#test/rows.ts';
import { anna, buyFramesAsAnna, uploadTo } from '#test/people.ts';
import { Browser, openTestShop } from '#test/shop.ts';

const limitedOptions = { env: { RATE_LIMITS: 'on' } };
const wrongCredentials = { email: 'unknown@example.com', password: 'not-a-password' };

describeOnFastestEngine((fresh) => {
  test('refuses the 11th sign-in in 15 minutes with a message, also if several processes share the shop', async () => {
    const testShop = await openTestShop(fresh, limitedOptions);
    const secondApp = await createApp(testShop.shop);
    const [one, two] = [testShop.browser({ address: '192.0.2.1' }), new Browser(secondApp, '192.0.2.1')];
    // Calls are counted before the form is checked. Use invalid forms, because they are fast.
    for (let i = 0; i < 10; i++)
      expect((await (i % 2 ? one : two).post('/api/auth/login', { email: 'x' })).status).toBe(400);
    for (const browser of [one, two]) {
      const response = await browser.post('/api/auth/login', wrongCredentials);
      expect(response.status).toBe(429);
      expect(response.json).toMatchObject({
        success: false,
        code: 'too-many-requests',
        message: 'Too many tries in a short time. Please wait a little and try again.',
      });
      expect(Number(response.headers['retry-after'])).toBeGreaterThan(800);
      expect(Number(response.headers['retry-after'])).toBeLessThanOrEqual(900);
    }
    expect((await testShop.browser({ address: '192.0.2.2' }).post('/api/auth/login', wrongCredentials)).status).toBe(
      401,
    ); // another IP address has its own limit
    expect((await one.post('/api/auth/forgot-password', { email: anna.email })).status).toBe(200); // another call has its own limit
    await testShop.shop.db.execute(sql`update rate_counters set ends_at = now()`);
    testShop.clock.advance(900_000);
    expect((await one.post('/api/auth/login', wrongCredentials)).status).toBe(401); // the limit's window has ended
    await secondApp.close();
  });

  test('refuses calls over the limit without a database query until the window ends', async () => {
    const testShop = await openTestShop(makeRecordable(fresh), limitedOptions);
    const browser = testShop.browser({ address: '198.51.100.1' });
    expect((await browser.get('/api/user')).status).toBe(200);
    await testShop.shop.db.execute(sql`update rate_counters set count = ${rateLimits.other.max}`);
    expect((await browser.get('/api/user')).status).toBe(429);
    const statements = await recordStatements(testShop.shop.db, async () => {
      for (let second = 0; second < 60; second += 20) {
        const response = await browser.get('/api/user');
        expect([response.status, response.json.code]).toEqual([429, 'too-many-requests']);
        const retryAfterSeconds = Number(response.headers['retry-after']);
        expect(retryAfterSeconds).toBeGreaterThan(50 - second);
        expect(retryAfterSeconds).toBeLessThanOrEqual(60 - second);
        testShop.clock.advance(20_000);
      }
    });
    expect(statements).toEqual([]);
    const { rows } = await testShop.shop.db.execute(sql`select count from rate_counters`);
    expect(rows).toEqual([{ count: rateLimits.other.max + 1 }]);
    expect((await browser.get('/api/user')).status).toBe(429); // the counter in the database is also over the limit
    await testShop.shop.db.execute(sql`update rate_counters set ends_at = now()`);
    testShop.clock.advance(60_000);
    expect((await browser.get('/api/user')).status).toBe(200);
  });

  test('remembers only a limited number of refused addresses in memory', async () => {
    const testShop = await openTestShop(makeRecordable(fresh), limitedOptions);
    const { db, clock } = testShop.shop;
    const counterStore = new (createRateLimitStore(db, clock, 5))();
    const countAddress = (address: string) =>
      new Promise<void>((resolve, reject) =>
        counterStore.incr(address, (error) => (error ? reject(error) : resolve()), 60_000, 0),
      );
    const doesQueryDatabase = async (address: string) =>
      (await recordStatements(db, () => countAddress(address))).length > 0;
    await countAddress('the first');
    expect(await doesQueryDatabase('the first')).toBe(false);
    for (let i = 0; i < 5; i++) await countAddress(`another ${i}`);
    expect(await doesQueryDatabase('the first')).toBe(true);
    expect(await doesQueryDatabase('another 4')).toBe(false);
  });

  test('each kind of call has its own limit', async () => {
    const testShop = await openTestShop(fresh, limitedOptions);
    let address = 0;
    const expectLimitOfCalls = async (
      name: keyof typeof rateLimits,
      call: (browser: Browser) => Promise<{ status: number }>,
    ) => {
      const browser = testShop.browser({ address: `198.51.100.${(address += 1)}` });
      for (let i = 0; i < rateLimits[name].max; i++) expect((await call(browser)).status, `${name} ${i}`).not.toBe(429);
      expect((await call(browser)).status, name).toBe(429);
    };
    await expectLimitOfCalls('register', (it) => it.post('/api/auth/register', {}));
    await expectLimitOfCalls('forgot-password', (it) => it.post('/api/auth/forgot-password', {}));
    await expectLimitOfCalls('reset-password', (it) => it.post('/api/auth/reset-password', {}));
    await expectLimitOfCalls('admin-password', (it) => it.post('/api/admin/auth/password', {}));
    await expectLimitOfCalls('admin-code', (it) => it.post('/api/admin/auth/code', {}));
    await expectLimitOfCalls('token-validation', (it) => it.get('/api/delivery/none'));
    await expectLimitOfCalls('page', (it) => it.get('/play/none'));
    await expectLimitOfCalls('collect', (it) => it.get('/api/collect/none'));
    await expectLimitOfCalls('payment-intent', (it) => it.post('/api/create-payment-intent', {}));
    await expectLimitOfCalls('verify-payment', (it) => it.post('/api/verify-payment', {}));
    await expectLimitOfCalls('support', (it) => it.post('/api/support-tickets', {}));
    await expectLimitOfCalls('page-view', (it) => it.post('/api/page-views', {}));
    await expectLimitOfCalls('other', (it) => it.get('/api/user'));
  });

  test('calls that allow guessing, send mail or start payments have their own limits with fixed values', () => {
    const secondsPerMinute = 60;
    const tokenFieldPattern = /"token":/;
    const inputSchemaOptions = { io: 'input', unrepresentable: 'any' } as const;
    expect(rateLimits).toMatchObject({
      'sign-in': { max: 10, seconds: 15 * secondsPerMinute },
      register: { max: 5, seconds: 60 * secondsPerMinute },
      'forgot-password': { max: 5, seconds: 60 * secondsPerMinute },
      'reset-password': { max: 10, seconds: 60 * secondsPerMinute },
      'admin-password': { max: 5, seconds: 15 * secondsPerMinute },
      'admin-code': { max: 20, seconds: 15 * secondsPerMinute },
      'admin-key': { max: 10, seconds: 15 * secondsPerMinute },
      'token-validation': { max: 20, seconds: secondsPerMinute },
      delivery: { max: 60, seconds: secondsPerMinute },
      collect: { max: 120, seconds: secondsPerMinute },
      'payment-intent': { max: 20, seconds: 10 * secondsPerMinute },
      'gift-card': { max: 10, seconds: 10 * secondsPerMinute },
      'verify-payment': { max: 60, seconds: 10 * secondsPerMinute },
      support: { max: 5, seconds: 60 * secondsPerMinute },
      'page-view': { max: 60, seconds: secondsPerMinute },
      upload: { max: 120, seconds: secondsPerMinute },
      other: { max: 300, seconds: secondsPerMinute },
    });
    const operations = Object.entries(api as Record<string, Operation>);
    const takesToken = ({ params, query, body }: Operation) =>
      [params, query, body].some(
        (schema) => schema && tokenFieldPattern.test(JSON.stringify(toJSONSchema(schema, inputSchemaOptions))),
      );
    expect(operations.filter(([, operation]) => takesToken(operation)).length).toBeGreaterThanOrEqual(5);
    for (const [route, operation] of operations)
      if (takesToken(operation))
        // Pieces have a high limit, but an unknown sender has only the limit of uploads, as the next test shows.
        expect(operation.rate, route).toMatch(
          /^(token-validation|delivery|collect|upload|piece|reset-password|register|gift-card|admin-password)$/,
        );
    const rateOfRoute = Object.fromEntries(operations.map(([route, { rate }]) => [route, rate]));
    expect(rateOfRoute).toMatchObject({
      'POST /api/auth/login': 'sign-in',
      'POST /api/auth/register': 'register',
      'POST /api/complete-registration': 'register',
      'POST /api/auth/forgot-password': 'forgot-password',
      'POST /api/auth/reset-password': 'reset-password',
      'POST /api/admin/auth/password': 'admin-password',
      'POST /api/admin/auth/code': 'admin-code',
      'POST /api/create-payment-intent': 'payment-intent',
      'POST /api/verify-payment': 'verify-payment',
      'POST /api/support-tickets': 'support',
      'POST /api/page-views': 'page-view',
      'POST /api/upload': 'upload',
      'POST /api/customer-upload': 'upload',
      'POST /api/collect/:token/photos': 'upload',
      'GET /api/upload-token/validate/:token': 'token-validation',
    });
  });

  test('counts calls that a guard refuses, so that sessions and keys cannot be guessed without a limit', async () => {
    const testShop = await openTestShop(fresh, { env: { ...limitedOptions.env, ADMIN_KEY: 'k'.repeat(40) } });
    const guessSecret = async (path: string, address: string, name: keyof typeof rateLimits, method = 'GET') => {
      const browser = testShop.browser({ address });
      await browser.call(method, path, undefined, { 'x-admin-key': 'a guess', cookie: 'sid=guess' });
      const countersAtLimit = sql`update rate_counters set count = ${rateLimits[name].max} where key like ${`%${address}%`}`;
      await testShop.shop.db.execute(countersAtLimit);
      return (await browser.call(method, path, undefined, { 'x-admin-key': 'another', cookie: 'sid=another' })).status;
    };
    expect(await guessSecret('/api/admin/stats', '198.51.100.1', 'other')).toBe(429);
    expect(await guessSecret('/api/auth/user', '198.51.100.2', 'other')).toBe(429);
    expect(await guessSecret('/api/upload', '198.51.100.3', 'upload', 'POST')).toBe(429);
    expect(await guessSecret('/api/sandbox/mails', '198.51.100.4', 'other')).toBe(429);
    const [link, family] = ['/api/customer-upload/arrivals/one?token=a-guess', '/api/collect/a-guess/arrivals/one'];
    for (const [at, [path, method]] of [
      [link, 'HEAD'],
      [link, 'DELETE'],
      [family, 'HEAD'],
      [family, 'DELETE'],
    ].entries())
      expect(await guessSecret(path!, `198.51.100.${10 + at}`, 'upload', method), `${method} ${path}`).toBe(429);
  });

  test('counts uploads by customer, so that a family behind one address does not share a limit', async () => {
    const testShop = await openTestShop(fresh, limitedOptions);
    const { browser, frames } = await buyFramesAsAnna(testShop);
    await uploadTo(browser, frames[0]!.deviceId, Buffer.from('no photo'));
    const { rows } = await testShop.shop.db.execute<{ key: string }>(
      sql`select key from rate_counters where key like 'upload:%'`,
    );
    const { id } = (await browser.get('/api/auth/user')).json;
    expect(rows.map((row) => row.key)).toEqual([expect.stringContaining(id)]);
    await testShop.shop.db.execute(
      sql`update rate_counters set count = ${rateLimits.upload.max} where key like 'upload:%'`,
    );
    expect((await uploadTo(browser, frames[0]!.deviceId, Buffer.from('no photo'))).status).toBe(429);
    // Uploads of contributors are counted for each contributor.
    const lastDay = toShopDay(testShop.clock.now());
    const { url } = (
      await browser.post(`/api/devices/${frames[0]!.deviceId}/collect-link`, { name: 'A feast', lastDay })
    ).json;
    const collectPath = `/api${new URL(url).pathname}`;
    for (const firstName of ['Lina', 'Tom']) {
      const contributorBrowser = testShop.browser();
      await contributorBrowser.post(`${collectPath}/contributors`, { firstName });
      expect((await contributorBrowser.post(`${collectPath}/photos`, new FormData())).status).toBe(400);
    }
    expect(await countRows(testShop.shop.db, 'contributors')).toBe(2);
    const counterRows = await testShop.shop.db.execute(sql`select key from rate_counters where key like 'upload:%'`);
    expect(counterRows.rows).toHaveLength(3);
  });

  test('counts an IPv4-mapped address as IPv4, and all IPv6 addresses of one network as one address', async () => {
    const testShop = await openTestShop(fresh, limitedOptions);
    for (const address of ['192.0.2.1', '::ffff:192.0.2.1', '2001:db8::1', '2001:db8::2', '2001:db8:0:1::1'])
      await testShop.browser({ address }).get('/api/user');
    const { rows } = await testShop.shop.db.execute<{ count: number }>(
      sql`select count from rate_counters order by count`,
    );
    expect(rows.map((row) => row.count)).toEqual([1, 2, 2]);
  });

  test('does not count API calls that a page makes, and counts calls of visitors who claim to be a page', async () => {
    const testShop = await openTestShop(fresh, limitedOptions);
    const readCounters = async () =>
      (await testShop.shop.db.execute(sql`select coalesce(sum(count), 0)::int as sum from rate_counters`)).rows[0]![
        'sum'
      ];
    await testShop.browser().get('/api/user', { [inProcessHeader]: inProcessKey });
    await testShop.browser().get('/data/faqs.json');
    expect(await readCounters()).toBe(0);
    for (const wrongKey of ['', 'true', '1', inProcessKey.slice(1), inProcessKey.toUpperCase()])
      await testShop.browser().get('/api/user', { [inProcessHeader]: wrongKey });
    expect(await readCounters()).toBe(5);
  });
});
