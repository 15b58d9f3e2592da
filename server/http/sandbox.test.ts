import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { sql } from 'drizzle-orm';
import { expect, test } from 'vitest';
import type { Mailer } from '#shop/ports/mailer.ts';
import { settleIntentById } from '#shop/payments/settle.ts';
import { describeOnFastestEngine } from '#test/database.ts';
import { waitAndReadEmails } from '#test/sent-emails.ts';
import { anna, buyAndVerify, confirmIntentWithCard } from '#test/people.ts';
import { adminPassword, openTestShop, type Browser, type TestShop } from '#test/shop.ts';

/** The Host header that a browser on this machine sends. */
const localHost = { host: 'localhost:3999' };
const visitSandboxPages = async (browser: Browser, headers: Record<string, string> = localHost) =>
  (await browser.get('/api/sandbox/mails', headers)).status;
const readPayments = async (it: TestShop) => (await it.browser().get('/api/sandbox/payments', localHost)).json;

describeOnFastestEngine((fresh) => {
  test('the sandbox pages are open to anyone on this machine, and to others only as the owner', async () => {
    const testShop = await openTestShop(fresh);
    const visitor = testShop.browser();
    expect(await visitSandboxPages(visitor)).toBe(200);
    expect(await visitSandboxPages(testShop.browser({ address: '::1' }))).toBe(200);
    expect(await visitSandboxPages(testShop.browser({ address: '192.168.1.7' }))).toBe(401);
    // Also refuse a page of another site whose host name points to this machine, and a proxy on this machine.
    expect(await visitSandboxPages(visitor, { host: 'evil.example:3999' })).toBe(401);
    for (const name of ['x-forwarded-for', 'forwarded', 'x-real-ip', 'via'])
      expect(await visitSandboxPages(visitor, { ...localHost, [name]: '127.0.0.1' })).toBe(401);
    for (const path of ['/api/sandbox', '/api/sandbox/payments', '/api/sandbox/letters', '/sandbox/letters/0'])
      expect((await testShop.browser({ address: '192.168.1.7' }).get(path, localHost)).status, path).toBe(401);
    const admin = testShop.browser({ address: '192.168.1.7' });
    await admin.post('/api/admin/auth/password', { password: adminPassword });
    expect(await visitSandboxPages(admin)).toBe(200);
  });

  test('a demo with a public host name shows its sandbox pages only to the owner', async () => {
    const testShop = await openTestShop(fresh, { env: { BASE_URL: 'https://demo.kinframe.example' } });
    expect(await visitSandboxPages(testShop.browser(), { host: 'demo.kinframe.example' })).toBe(401);
  });

  test('a shop that sends real mail has no sandbox pages', async () => {
    const mailer: Mailer = { kind: 'smtp', send: async () => {}, check: async () => {} };
    const testShop = await openTestShop(fresh, { mailer });
    expect(await visitSandboxPages(testShop.browser())).toBe(404);
    expect((await testShop.browser().get('/sandbox/letters/0', localHost)).status).toBe(404);
  });

  test('refuses sandbox actions from pages of other sites', async () => {
    const testShop = await openTestShop(fresh);
    const { paymentIntentId: id } = await buyAndVerify(testShop.browser());
    for (const [path, body] of [
      [`/api/sandbox/payments/${id}/refund`, {}],
      [`/api/sandbox/payments/${id}/dispute`, undefined],
      ['/api/sandbox/settle-delayed', undefined],
      ['/api/sandbox/outage', { seconds: 60 }],
    ] as const) {
      const response = await testShop.browser().post(path, body, { ...localHost, origin: 'https://evil.example' });
      expect([path, response.status, response.json.code]).toEqual([path, 403, 'foreign-origin']);
    }
    expect(await readPayments(testShop)).toMatchObject([{ refundedAmount: 0, isDisputed: false }]);
  });

  test('lists mails newest first, and shows each mail as text and as a page without scripts', async () => {
    const testShop = await openTestShop(fresh);
    const browser = testShop.browser();
    expect((await browser.get('/api/sandbox/mails', localHost)).json).toEqual({ pages: 0, mails: [] });
    await buyAndVerify(browser, { customerDetails: { ...anna, firstName: '<img src=x onerror=alert(1)>' } });
    await waitAndReadEmails(testShop);
    writeFileSync(join(testShop.shop.config.dataDir, 'outbox', 'notes.eml'), 'not of ours');
    const { json } = await browser.get('/api/sandbox/mails', localHost);
    expect(json.pages).toBe(1);
    expect(json.mails).toHaveLength(2);
    const { id } = json.mails.find((mail: { to: string }) => mail.to === anna.email);
    const mailResponse = await browser.get(`/api/sandbox/mails/${id}`, localHost);
    expect(mailResponse.json).toMatchObject({ to: anna.email, subject: expect.stringContaining('KF-') });
    expect(mailResponse.json.text).toContain('http://localhost:3999/purchase-success?session=');
    const pageResponse = await browser.get(mailResponse.json.htmlPath, localHost);
    expect(pageResponse.headers['content-type']).toBe('text/html; charset=utf-8');
    expect(pageResponse.headers['content-security-policy']).toMatch(
      /^default-src 'none';.*frame-ancestors 'self'; sandbox allow-popups/,
    );
    expect(pageResponse.headers['x-frame-options']).toBe('SAMEORIGIN');
    expect(pageResponse.text).not.toContain('<img src=x');
    // The page contains its pictures as data, so the browser loads nothing.
    for (const [, address] of pageResponse.text.matchAll(/<img[^>]* src="([^"]*)"/g))
      expect(address).toMatch(/^data:image\//);
    expect(pageResponse.text.match(/<img/g)).toHaveLength(2);
    expect(pageResponse.text).toContain('<base target="_blank">');
    for (const wrongValue of ['nothing', '..%2F..%2Fsecrets.json', `${id}.eml`, 'notes'])
      expect((await browser.get(`/api/sandbox/mails/${wrongValue}`, localHost)).status, wrongValue).toBe(404);
    expect((await browser.get('/api/sandbox/mails?page=2', localHost)).json.mails).toEqual([]);
    expect((await browser.get('/api/sandbox/mails?page=0', localHost)).status).toBe(400);
  });

  test('shows every sample email', async () => {
    const testShop = await openTestShop(fresh);
    const { json } = await testShop.browser().get('/api/sandbox/letters', localHost);
    expect(json.length).toBeGreaterThan(15);
    for (const message of json) {
      expect(message.text.length, message.name).toBeGreaterThan(50);
      const page = (await testShop.browser().get(message.htmlPath, localHost)).text;
      expect(page, message.name).toContain('<!DOCTYPE html>');
      expect(page, message.name).not.toContain('cid:');
    }
    expect((await testShop.browser().get('/sandbox/letters/999', localHost)).status).toBe(404);
  });

  test('refunds payments in part and in full, and disputes them, as the provider would', async () => {
    const testShop = await openTestShop(fresh);
    const browser = testShop.browser();
    const { paymentIntentId: id } = await buyAndVerify(browser);
    const refundPayment = (body: object, of = id) =>
      browser.post(`/api/sandbox/payments/${of}/refund`, body, localHost);
    const disputePayment = (of = id) => browser.post(`/api/sandbox/payments/${of}/dispute`, undefined, localHost);
    expect((await refundPayment({ amountCents: 100 })).json.success).toBe(true);
    expect(await readPayments(testShop)).toMatchObject([
      { id, status: 'succeeded', amount: 19_900, refundedAmount: 100, card: { brand: 'visa', last4: '4242' } },
    ]);
    expect((await refundPayment({ amountCents: 19_801 })).json.code).toBe('sandbox-refused');
    expect((await disputePayment()).json.success).toBe(true);
    expect((await disputePayment()).json).toMatchObject({
      code: 'sandbox-refused',
      message: expect.stringContaining('disputed already'),
    });
    const { paymentIntentId: other } = await buyAndVerify(testShop.browser());
    expect((await refundPayment({}, other)).status).toBe(200);
    expect((await refundPayment({}, other)).json.message).toBe('This payment has nothing left to refund.');
    expect((await refundPayment({}, 'pi_none')).status).toBe(404);
    expect((await disputePayment('pi_none')).status).toBe(404);
  });

  test('completes delayed payments on request', async () => {
    const testShop = await openTestShop(fresh);
    const browser = testShop.browser();
    const { paymentIntentId, verified } = await buyAndVerify(browser, {}, '4000000000000077');
    expect(verified.json).toMatchObject({ status: 'processing' });
    await browser.post('/api/sandbox/settle-delayed', undefined, localHost);
    expect(await settleIntentById(testShop.shop, paymentIntentId)).toMatchObject({ state: 'paid' });
  });

  test('a full sandbox database answers unavailable, not a provider error, and works again later', async () => {
    const testShop = await openTestShop(fresh);
    const cart = { productId: 'kinframe', quantity: 1, extraPackages: 0, customerDetails: anna };
    // Raise PostgreSQL's error for a full disk.
    await testShop.shop.db.execute(sql`
      create function find_no_room() returns trigger language plpgsql as
        $$ begin raise exception 'could not extend file' using errcode = '53100'; end $$`);
    await testShop.shop.db.execute(sql`
      create trigger no_room before insert on sandbox_objects for each row execute function find_no_room()`);
    const refusedResponse = await testShop.browser().post('/api/create-payment-intent', cart);
    expect([refusedResponse.status, refusedResponse.json.code]).toEqual([503, 'unavailable']);
    expect(refusedResponse.json.message).toMatch(/Part of our shop is not responding right now. Nothing is lost/);
    await testShop.shop.db.execute(sql`drop trigger no_room on sandbox_objects`);
    expect((await testShop.browser().post('/api/create-payment-intent', cart)).status).toBe(200);
  });

  test('a switched-off sandbox provider is unavailable to buyers and to the shop until it is back', async () => {
    const testShop = await openTestShop(fresh);
    const browser = testShop.browser();
    const cart = { productId: 'kinframe', quantity: 1, extraPackages: 0, customerDetails: anna };
    const { json: intent } = await browser.post('/api/create-payment-intent', cart);
    const outageResponse = await browser.post('/api/sandbox/outage', { seconds: 60 }, localHost);
    expect(Date.parse(outageResponse.json.downUntil)).toBeGreaterThan(Date.now());
    const refusedResponse = await confirmIntentWithCard(browser, intent.paymentIntentId, intent.clientSecret);
    expect([refusedResponse.status, refusedResponse.json.error.message]).toEqual([
      503,
      expect.stringContaining('not been charged'),
    ]);
    const createResponse = await testShop.browser().post('/api/create-payment-intent', cart);
    expect([createResponse.status, createResponse.json.code]).toEqual([503, 'payment-provider-unavailable']);
    testShop.clock.advance(61_000);
    expect((await browser.get('/api/sandbox', localHost)).json.downUntil).toBeNull();
    expect((await confirmIntentWithCard(browser, intent.paymentIntentId, intent.clientSecret)).status).toBe(200);
    await browser.post('/api/sandbox/outage', { seconds: 600 }, localHost);
    await browser.post('/api/sandbox/outage', { seconds: 0 }, localHost);
    expect((await browser.post('/api/verify-payment', { paymentIntentId: intent.paymentIntentId })).json.success).toBe(
      true,
    );
  });
});
