import { sql } from 'drizzle-orm';
import { expect, test, vi } from 'vitest';
import { findCustomerByEmail } from '#shop/accounts/accounts.ts';
import { createProvenAccount, markEmailProven } from '#shop/accounts/proven-email.ts';
import { type PaymentIntent } from '#shop/ports/card-payments.ts';
import { startJobs } from '#server/jobs/jobs.ts';
import { describeOnFastestEngine, describeOnEachEngine, describeOnPostgres } from '#test/database.ts';
import {
  annasCart,
  pay,
  startPayment,
  runPaymentSettlement,
  requestVerification,
  sendPaymentWebhook,
} from '#test/paying.ts';
import { anna, annasPassword, buyAndVerify, confirmIntentWithCard } from '#test/people.ts';
import { rejectAsUnavailable, createFaultyProvider } from '#test/provider.ts';
import { countRows, readAllTables, readQueuedMails } from '#test/rows.ts';
import { adminPassword, openTestShop } from '#test/shop.ts';
import { syncRefunds } from '../refunds/refunds.ts';
import { settleIntentById } from './settle.ts';

describeOnPostgres((fresh) => {
  test('places one order and sends one receipt for eight verify requests and eight webhooks', async () => {
    const testShop = await openTestShop(fresh);
    await startJobs(testShop.shop);
    const { db } = testShop.shop;
    const browser = testShop.browser();
    const intent = await startPayment(browser, { quantity: 2, extraPackages: 3 });
    await pay(browser, intent);
    // Send the webhooks first, because a webhook that arrives after settling enqueues no job.
    const webhooks = Array.from({ length: 8 }, () => sendPaymentWebhook(testShop, intent.paymentIntentId));
    const verifyRequests = Array.from({ length: 8 }, () => requestVerification(browser, intent.paymentIntentId));
    for (const response of await Promise.all(verifyRequests))
      expect(response.json).toMatchObject({ success: true, status: 'paid', user: { photoLimit: 70 } });
    for (const webhookResponse of await Promise.all(webhooks)) expect(webhookResponse.statusCode).toBe(200);
    await vi.waitFor(
      async () => {
        const { rows } = await db.execute(sql`select state from jobs.job where name = 'settle-payment'`);
        expect(rows.length).toBeGreaterThan(0);
        expect(rows.every((job) => job['state'] === 'completed')).toBe(true);
      },
      { timeout: 20_000 },
    );
    expect([
      await countRows(db, 'orders'),
      await countRows(db, 'frames'),
      await countRows(db, 'payment_events'),
    ]).toEqual([1, 2, 8]);
    const kinds = (await readQueuedMails(db)).map((mail) => mail.event.split(':')[0]!);
    expect(kinds.toSorted()).toEqual(['owner-sale', 'receipt']);
    const { payments, order_events } = await readAllTables(db);
    expect(payments).toMatchObject([{ state: 'settled' }]);
    expect(order_events).toMatchObject([{ kind: 'paid' }]);
  });

  test('gives an order to the account that confirms its address while the order is placed', async () => {
    const testShop = await openTestShop(fresh);
    const { db } = testShop.shop;
    const guest = testShop.browser();
    const intent = await startPayment(guest);
    await pay(guest, intent);
    const { firstName, lastName, email } = anna;
    await testShop.browser().post('/api/auth/register', { firstName, lastName, email, password: annasPassword });
    const account = (await findCustomerByEmail(db, email))!;
    const settlement = await db.transaction(async (tx) => {
      await markEmailProven(tx, testShop.clock, account.id); // no guest order exists yet
      const verifyResponsePromise = requestVerification(guest, intent.paymentIntentId);
      await new Promise((resolve) => setTimeout(resolve, 300));
      return { settled: verifyResponsePromise };
    });
    expect((await settlement.settled).json).toMatchObject({ success: true });
    expect((await readAllTables(db))['orders']).toMatchObject([{ customer_id: account.id }]);
  });

  test('gives an order to an account that is created while the order is placed, whether or not it replaces another account', async () => {
    const testShop = await openTestShop(fresh);
    const { db } = testShop.shop;
    for (const isTaken of [true, false]) {
      const email = `anna-${isTaken}@example.com`;
      const guest = testShop.browser();
      const intent = await startPayment(guest, { customerDetails: { ...anna, email } });
      await pay(guest, intent);
      const { firstName, lastName } = anna;
      if (isTaken)
        await testShop.browser().post('/api/auth/register', { firstName, lastName, email, password: annasPassword });
      const settlement = await db.transaction(async (tx) => {
        const account = { firstName, lastName, email, passwordHash: 'none' };
        const provenAccount = await createProvenAccount(tx, testShop.shop, account); // no guest order exists yet
        const verifyResponsePromise = requestVerification(guest, intent.paymentIntentId);
        await new Promise((resolve) => setTimeout(resolve, 300));
        return { settled: verifyResponsePromise, made: provenAccount };
      });
      expect((await settlement.settled).json).toMatchObject({ success: true, needsRegistration: false });
      const { rows } = await db.execute(sql`select customer_id from orders where email = ${email}`);
      expect(rows).toEqual([{ customer_id: settlement.made.id }]);
    }
  });
});

describeOnEachEngine((fresh) => {
  test('reports a slow bank payment as processing, and places its order when the webhook arrives', async () => {
    const testShop = await openTestShop(fresh);
    await startJobs(testShop.shop);
    const browser = testShop.browser();
    const intent = await startPayment(browser);
    await pay(browser, intent, '4000000000000077');
    expect((await requestVerification(browser, intent.paymentIntentId)).json).toEqual({
      success: false,
      status: 'processing',
      needsRegistration: false,
    });
    expect(await countRows(testShop.shop.db, 'orders')).toBe(0);
    await testShop.shop.sandbox!.settleDelayedNow();
    await testShop.shop.sandbox!.runDueTasks(); // the sandbox delivers the webhooks of the payment
    await vi.waitFor(async () => expect(await countRows(testShop.shop.db, 'orders')).toBe(1), { timeout: 20_000 });
  });
});

describeOnFastestEngine((fresh) => {
  test.each([
    ['amount', (intent: PaymentIntent) => ({ ...intent, amountCents: 100, amountReceivedCents: 100 })],
    ['received amount', (intent: PaymentIntent) => ({ ...intent, amountReceivedCents: 100 })],
    ['currency', (intent: PaymentIntent) => ({ ...intent, currency: 'cad' })],
    ['mode', (intent: PaymentIntent) => ({ ...intent, livemode: true })],
  ])('refuses a paid intent whose %s differs from the stored payment, until it is correct', async (_what, change) => {
    const { provider, state } = createFaultyProvider((real) => ({
      getIntent: async (id) => {
        const intent = await real.getIntent(id);
        return intent && change(intent);
      },
    }));
    const testShop = await openTestShop(fresh, { provider });
    const { verified, paymentIntentId } = await buyAndVerify(testShop.browser());
    expect(verified.status).toBe(409);
    expect(verified.json).toMatchObject({ success: false, code: 'payment-mismatch' });
    expect(await countRows(testShop.shop.db, 'orders')).toBe(0);

    // The owner is notified once, even after several requests. The problem is listed until the intent is correct.
    await requestVerification(testShop.browser(), paymentIntentId);
    await runPaymentSettlement(testShop);
    expect(await readQueuedMails(testShop.shop.db, 'owner-payment-mismatch:')).toMatchObject([
      {
        to: 'support@kinframe.example',
        content: { paymentIntentId, customerEmail: anna.email, expectedCents: 19_900 },
      },
    ]);
    const readProblems = async () => {
      const admin = testShop.browser();
      await admin.post('/api/admin/auth/password', { password: adminPassword });
      return (await admin.get('/api/admin/payment-problems')).json as unknown[];
    };
    expect(await readProblems()).toMatchObject([{ stripePaymentIntentId: paymentIntentId, expectedAmount: 19_900 }]);
    state.isOn = false;
    expect((await requestVerification(testShop.browser(), paymentIntentId)).json.success).toBe(true);
    expect(await readProblems()).toEqual([]);
  });

  test('marks a mismatched payment as refunded after it is fully refunded at the provider', async () => {
    const { provider } = createFaultyProvider((real) => ({
      getIntent: async (id) => {
        const intent = await real.getIntent(id);
        return intent && { ...intent, currency: 'cad' };
      },
    }));
    const testShop = await openTestShop(fresh, { provider });
    const { paymentIntentId } = await buyAndVerify(testShop.browser());
    await testShop.shop.provider.refund({ intentId: paymentIntentId, amountCents: 900 }, 'in-the-dashboard-1');
    await syncRefunds(testShop.shop, paymentIntentId);
    expect((await readAllTables(testShop.shop.db))['payments']).toMatchObject([{ state: 'mismatched' }]);
    await testShop.shop.provider.refund({ intentId: paymentIntentId, amountCents: 19_000 }, 'in-the-dashboard-2');
    await syncRefunds(testShop.shop, paymentIntentId);
    expect((await readAllTables(testShop.shop.db))['payments']).toMatchObject([{ state: 'refunded' }]);
  });

  test('returns 503 while the provider is down, and a retry after the outage succeeds', async () => {
    const { provider, state } = createFaultyProvider(() => ({
      createCustomer: rejectAsUnavailable,
      createIntent: rejectAsUnavailable,
      getIntent: rejectAsUnavailable,
      cancelIntent: rejectAsUnavailable,
    }));
    const testShop = await openTestShop(fresh, { provider });
    const browser = testShop.browser();
    const refusedResponse = await browser.post('/api/create-payment-intent', annasCart);
    expect(refusedResponse.status).toBe(503);
    expect(refusedResponse.json).toMatchObject({
      code: 'payment-provider-unavailable',
      message:
        'We cannot reach our payment provider right now. You have not been charged. Please try again in a minute.',
    });
    state.isOn = false;
    const intent = await startPayment(browser);
    await pay(browser, intent);
    state.isOn = true;
    const firstVerificationResponse = await requestVerification(browser, intent.paymentIntentId);
    expect([firstVerificationResponse.status, firstVerificationResponse.json.code]).toEqual([
      503,
      'payment-unconfirmed',
    ]);
    expect(firstVerificationResponse.json.message).not.toMatch(/not been charged|try again/); // the buyer must not pay twice
    state.isOn = false;
    expect((await requestVerification(browser, intent.paymentIntentId)).json.success).toBe(true);
    expect(await countRows(testShop.shop.db, 'orders')).toBe(1);
  });

  test('places exactly one order after a crash between the provider’s response and its storage', async () => {
    const { provider, state } = createFaultyProvider((real) => ({
      createIntent: async (...request) => {
        await real.createIntent(...request);
        throw new Error('the process died here');
      },
    }));
    const testShop = await openTestShop(fresh, { provider });
    const { db, provider: open } = testShop.shop;
    const browser = testShop.browser();
    expect((await browser.post('/api/create-payment-intent', annasCart)).status).toBe(500);
    expect((await readAllTables(db))['payments']).toMatchObject([{ state: 'asking', intent_id: null }]);
    state.isOn = false;
    const { rows } = await db.execute<{ id: string }>(
      sql`select id from sandbox_objects where type = 'payment_intent'`,
    );
    const intentId = rows[0]!.id;
    const { clientSecret } = (await open.getIntent(intentId))!;
    // The sweep closes the payment without an intent before the buyer pays it.
    testShop.clock.advance(11 * 60_000);
    await runPaymentSettlement(testShop);
    expect((await readAllTables(db))['payments']).toMatchObject([{ state: 'cancelled' }]);
    await confirmIntentWithCard(browser, intentId, clientSecret);
    await settleIntentById(testShop.shop, intentId);
    expect((await requestVerification(browser, intentId)).json.success).toBe(true);
    expect([await countRows(db, 'orders'), await countRows(db, 'frames')]).toEqual([1, 1]);
    expect((await readAllTables(db))['payments']).toMatchObject([{ state: 'settled', intent_id: intentId }]);
  });

  test('places no order for an unknown intent, or for an intent that names another payment’s id', async () => {
    const testShop = await openTestShop(fresh);
    const { db, provider } = testShop.shop;
    const browser = testShop.browser();
    await buyAndVerify(browser);
    const { payments } = (await readAllTables(db)) as unknown as { payments: { id: string; amount_cents: number }[] };
    const createForeignIntent = (metadata: Record<string, string>) =>
      provider.createIntent(
        { amountCents: payments[0]!.amount_cents, currency: 'usd', description: 'elsewhere', metadata },
        crypto.randomUUID(),
      );
    for (const metadata of [{}, { payment_id: payments[0]!.id }, { payment_id: 'none' }, { order: 'x' }]) {
      const foreignIntent = await createForeignIntent(metadata);
      await confirmIntentWithCard(browser, foreignIntent.id, foreignIntent.clientSecret);
      expect((await requestVerification(browser, foreignIntent.id)).json).toMatchObject({
        success: false,
        code: 'payment-not-found',
      });
    }
    for (const id of ['pi_none', 'seti_1', '../../v1/refunds', 'pi_1/refund', '{}'])
      expect((await requestVerification(browser, id)).json.code).toBe('payment-not-found');
    expect(await countRows(db, 'orders')).toBe(1);
  });
});
