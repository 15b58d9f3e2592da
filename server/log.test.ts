import { sql } from 'drizzle-orm';
import { expect, onTestFinished, test, vi } from 'vitest';
import type { Mailer } from '#shop/ports/mailer.ts';
import { describeOnFastestEngine } from '#test/database.ts';
import { anna, buyFramesAsAnna, annasPassword, buyAndVerify, uploadTo } from '#test/people.ts';
import { Browser, openTestShop, type TestShop } from '#test/shop.ts';
import { createApp } from './app.ts';
import { startJobs } from './jobs/jobs.ts';
import { createLog, throttleReports } from './log.ts';

/** A log that keeps its lines in memory. */
function createMemoryLog() {
  const lines: string[] = [];
  return { lines, log: createLog('trace', {}, { write: (line: string) => void lines.push(line) }) };
}
type Line = {
  level: number;
  msg: string;
  reqId?: string;
  route?: string;
  err?: { type: string; code?: string; message: string; stack?: string; cause?: unknown };
};
const adminKey = 'a-key-of-at-least-thirty-two-characters';

describeOnFastestEngine((fresh) => {
  test('logs every request and its result, without personal data or secrets', async () => {
    const refusingMailer: Mailer = {
      kind: 'smtp',
      send: ({ to }) => Promise.reject(new Error(`550 <${to}> is unknown here`)),
      check: async () => {},
    };
    const testShop = await openTestShop(fresh, { mailer: refusingMailer, env: { ADMIN_KEY: adminKey } });
    const { lines, log } = createMemoryLog();
    const shop = { ...testShop.shop, log };
    const app = await createApp(shop);
    await startJobs(shop);
    const shopWithRefusingMailer = {
      ...testShop,
      shop,
      app,
      browser: () => new Browser(app, '192.0.2.77'),
    } as TestShop;

    const { browser, session, frames } = await buyFramesAsAnna(shopWithRefusingMailer);
    await buyAndVerify(browser);
    await uploadTo(browser, frames[0]!.deviceId);
    await browser.get(`/api/order-summary?session=${session}`);
    await browser.get('/api/delivery/a-token-that-opens-nothing-at-all-0123456789');
    await browser.get(`/api/admin/session?admin_key=${adminKey}`);
    await browser.post('/api/auth/login', { email: anna.email, password: 'not-her-password' });
    await browser.post('/api/auth/reset-password', { token: session, password: annasPassword });
    await browser.post('/api/auth/login', '{"email":"anna@example.com", broken');
    const ticket = {
      name: 'Anna Keller',
      email: anna.email,
      phone: '555-0100',
      subject: 'My frame',
      message: 'My mother is in it.',
    };
    await testShop.shop.db.execute(sql`drop table tickets cascade`);
    expect((await browser.post('/api/support-tickets', ticket)).status).toBe(500); // the table of tickets was deleted
    await vi.waitFor(() => expect(lines.join('')).toContain('a job failed'), { timeout: 20_000 });
    await app.close();

    const wholeLog = lines.join('');
    const secrets = [
      'anna@',
      'example.com',
      'Keller',
      'Linden',
      '97201',
      '555-0100',
      'mother',
      annasPassword,
      'not-her-password',
      session,
      adminKey,
      'a-token-that',
      '192.0.2.77',
      'photo.jpg',
      'session=',
      ...browser.cookies.values(),
    ];
    for (const secret of secrets) expect(wholeLog, `the log tells ${secret}`).not.toContain(secret);

    const entries = lines.map((line) => JSON.parse(line) as Line);
    const requestEntries = entries.filter((line) => line.msg === 'request');
    expect(requestEntries.length).toBeGreaterThan(12);
    for (const requestEntry of requestEntries)
      expect(requestEntry).toMatchObject({
        reqId: expect.stringMatching(/^[0-9a-f-]{36}$/),
        method: expect.any(String),
        status: expect.any(Number),
        ms: expect.any(Number),
      });
    expect(requestEntries.map((line) => line.route)).toContain('/api/delivery/:token');
    const failedEntry = entries.find((line) => line.msg === 'unexpected error')!;
    expect(failedEntry.err!.message).toMatch(/^Failed query: insert into "tickets"/);
    expect(failedEntry.err!.stack).toMatch(/support\.ts/);
    expect(JSON.stringify(failedEntry.err!.cause)).toContain('42P01');
    expect(requestEntries.some((line) => line.reqId === failedEntry.reqId && line.level === 50)).toBe(true);
  });

  test('logs an outage of the payment provider with its cause', async () => {
    const testShop = await openTestShop(fresh, {
      provider: ({ payments }) => ({
        ...payments,
        createIntent: () => payments.cancelIntent('no intent of ours'),
      }),
    });
    const { lines, log } = createMemoryLog();
    const app = await createApp({ ...testShop.shop, log });
    const response = await new Browser(app, '127.0.0.1').post('/api/create-payment-intent', {
      productId: 'kinframe',
      quantity: 1,
      extraPackages: 0,
    });
    expect(response.status).toBe(503);
    expect(lines.find((line) => line.includes('payment-provider-unavailable'))).toContain('not an intent id');
    await app.close();
  });
});

test('logs an error with its stack and causes, without personal data, links or parameters', () => {
  const { lines, log } = createMemoryLog();
  const cause = Object.assign(new Error('Key (email)=(anna@example.com) already exists.'), {
    code: '23505',
    detail: 'anna@example.com',
  });
  const error = Object.assign(
    new Error('Failed query: insert into "customers"\nparams: anna@example.com,Anna\n,Keller', { cause }),
    {
      params: ['anna@example.com'],
      url: '/api/user?session=abc',
    },
  );
  log.error({ err: error }, 'failed');
  log.error({
    err: new Error(`GET https://x.example/a?token=abc&b=c for "Anna" <anna@example.com> with ${'x'.repeat(43)}`),
  });
  log.error({ err: 'anna@example.com said no' });
  log.error(cause);
  log.error(error, 'with words');
  // The job queue reports an error as a plain object with extra fields.
  const { message, stack, code } = cause;
  log.error({ err: { code, message, stack, queue: 'send-mail' } }, 'of the queue');
  expect(lines.map((line) => (JSON.parse(line) as Line).err!.message)).toEqual([
    'Failed query: insert into "customers"',
    'GET https://x.example/a?[query] for "Anna" <[email]> with [secret]',
    '[email] said no',
    'Key (email)=([email]) already exists.',
    'Failed query: insert into "customers"',
    'Key (email)=([email]) already exists.',
  ]);
  expect(lines.join('')).not.toMatch(/anna@|Keller|session=|token=/);
  expect(lines.map((line) => (JSON.parse(line) as Line).msg)).toEqual([
    'failed',
    'error',
    'error',
    'error',
    'with words',
    'of the queue',
  ]);
  expect(JSON.parse(lines[0]!).err).toMatchObject({
    type: 'Error',
    cause: { code: '23505', message: 'Key (email)=([email]) already exists.' },
  });
  expect(JSON.parse(lines.at(-1)!).err).toEqual({
    type: 'Error',
    code: '23505',
    message: 'Key (email)=([email]) already exists.',
    stack: expect.stringMatching(/^\s+at .*log\.test\.ts/),
  });
});

test('logs a repeated error at once, then once a minute with the number of repeats', () => {
  vi.useFakeTimers({ toFake: ['performance'] });
  onTestFinished(() => void vi.useRealTimers());
  const reportedErrors: [string, number][] = [];
  const report = throttleReports((error, suppressed) => reportedErrors.push([(error as Error).message, suppressed]));
  const reportOutage = () => report(Object.assign(new Error('connect ECONNREFUSED'), { code: 'ECONNREFUSED' }));
  for (let second = 0; second < 150; second += 1) {
    reportOutage();
    if (second === 70) report(new Error('another'));
    vi.advanceTimersByTime(1_000);
  }
  expect(reportedErrors).toEqual([
    ['connect ECONNREFUSED', 0],
    ['connect ECONNREFUSED', 59],
    ['another', 0],
    ['connect ECONNREFUSED', 59],
  ]);
  vi.advanceTimersByTime(2 * 3_600_000);
  reportOutage();
  expect(reportedErrors.at(-1)).toEqual(['connect ECONNREFUSED', 0]);
});
