import { sql } from 'drizzle-orm';
import { expect, test, vi } from 'vitest';
import { accountOf, confirmMailbox } from '#shop/accounts/accounts.ts';
import { type PaymentIntent } from '#shop/ports/card-payments.ts';
import { startJobs } from '#server/jobs/jobs.ts';
import { anyEngine, eachEngine, onPostgres } from '#test/database.ts';
import { cart, pay, startPayment, sweep, verify, webhook } from '#test/paying.ts';
import { anna, annasPassword, buy, confirm } from '#test/people.ts';
import { down, meddled } from '#test/provider.ts';
import { countOf, everyRow, queuedMails } from '#test/rows.ts';
import { adminPassword, openTestShop } from '#test/shop.ts';
import { followRefunds } from '../refunds/refunds.ts';
import { settle } from './settle.ts';

onPostgres((fresh) => {
  test('eight verifies and eight webhooks at once make one order, one set of frames and one receipt', async () => {
    const it = await openTestShop(fresh);
    await startJobs(it.shop);
    const { db } = it.shop;
    const browser = it.browser();
    const intent = await startPayment(browser, { quantity: 2, extraPackages: 3 });
    await pay(browser, intent);
    // Who tells begins: one that comes when all is done asks for no job.
    const told = Array.from({ length: 8 }, () => webhook(it, intent.paymentIntentId));
    const verified = Array.from({ length: 8 }, () => verify(browser, intent.paymentIntentId));
    for (const answer of await Promise.all(verified))
      expect(answer.json).toMatchObject({ success: true, status: 'paid', user: { photoLimit: 70 } });
    for (const answer of await Promise.all(told)) expect(answer.statusCode).toBe(200);
    await vi.waitFor(
      async () => {
        const { rows } = await db.execute(sql`select state from jobs.job where name = 'settle-payment'`);
        expect(rows.length).toBeGreaterThan(0);
        expect(rows.every((job) => job['state'] === 'completed')).toBe(true);
      },
      { timeout: 20_000 },
    );
    expect([await countOf(db, 'orders'), await countOf(db, 'frames'), await countOf(db, 'payment_events')]).toEqual([
      1, 2, 8,
    ]);
    const kinds = (await queuedMails(db)).map((mail) => mail.event.split(':')[0]!);
    expect(kinds.toSorted()).toEqual(['owner-sale', 'receipt']);
    const { payments, order_events } = await everyRow(db);
    expect(payments).toMatchObject([{ state: 'settled' }]);
    expect(order_events).toMatchObject([{ kind: 'paid' }]);
  });

  test('an order made while its mailbox is being confirmed belongs to the account', async () => {
    const it = await openTestShop(fresh);
    const { db } = it.shop;
    const guest = it.browser();
    const intent = await startPayment(guest);
    await pay(guest, intent);
    const { firstName, lastName, email } = anna;
    await it.browser().post('/api/auth/register', { firstName, lastName, email, password: annasPassword });
    const account = (await accountOf(db, email))!;
    const settling = await db.transaction(async (tx) => {
      await confirmMailbox(tx, it.clock, account.id); // finds no guest order yet
      const settled = verify(guest, intent.paymentIntentId);
      await new Promise((resolve) => setTimeout(resolve, 300));
      return { settled };
    });
    expect((await settling.settled).json).toMatchObject({ success: true });
    expect((await everyRow(db))['orders']).toMatchObject([{ customer_id: account.id }]);
  });
});

eachEngine((fresh) => {
  test('a bank that takes its time: processing, then an order by webhook alone, with no browser', async () => {
    const it = await openTestShop(fresh);
    await startJobs(it.shop);
    const browser = it.browser();
    const intent = await startPayment(browser);
    await pay(browser, intent, '4000000000000077');
    expect((await verify(browser, intent.paymentIntentId)).json).toEqual({
      success: false,
      status: 'processing',
      needsRegistration: false,
    });
    expect(await countOf(it.shop.db, 'orders')).toBe(0);
    await it.shop.sandbox!.settleDelayedNow();
    await it.shop.sandbox!.tick(); // delivers the webhooks
    await vi.waitFor(async () => expect(await countOf(it.shop.db, 'orders')).toBe(1), { timeout: 20_000 });
  });
});

anyEngine((fresh) => {
  test.each([
    ['amount', (intent: PaymentIntent) => ({ ...intent, amountCents: 100, amountReceivedCents: 100 })],
    ['received amount', (intent: PaymentIntent) => ({ ...intent, amountReceivedCents: 100 })],
    ['currency', (intent: PaymentIntent) => ({ ...intent, currency: 'cad' })],
    ['mode', (intent: PaymentIntent) => ({ ...intent, livemode: true })],
  ])('a paid intent of another %s than its frozen cart is refused, until it is right', async (_what, change) => {
    const { provider, state } = meddled((real) => ({
      getIntent: async (id) => {
        const intent = await real.getIntent(id);
        return intent && change(intent);
      },
    }));
    const it = await openTestShop(fresh, { provider });
    const { verified, paymentIntentId } = await buy(it.browser());
    expect(verified.status).toBe(409);
    expect(verified.json).toMatchObject({ success: false, code: 'payment-mismatch' });
    expect(await countOf(it.shop.db, 'orders')).toBe(0);

    // The owner hears of it once, however often anyone asks, and sees it until it is right.
    await verify(it.browser(), paymentIntentId);
    await sweep(it);
    expect(await queuedMails(it.shop.db, 'owner-payment-mismatch:')).toMatchObject([
      {
        to: 'support@kinframe.example',
        content: { paymentIntentId, customerEmail: anna.email, expectedCents: 19_900 },
      },
    ]);
    const problems = async () => {
      const admin = it.browser();
      await admin.post('/api/admin/auth/password', { password: adminPassword });
      return (await admin.get('/api/admin/payment-problems')).json as unknown[];
    };
    expect(await problems()).toMatchObject([{ stripePaymentIntentId: paymentIntentId, expectedAmount: 19_900 }]);
    state.isOn = false;
    expect((await verify(it.browser(), paymentIntentId)).json.success).toBe(true);
    expect(await problems()).toEqual([]);
  });

  test('a mismatched payment that was given back at the provider troubles the owner no more', async () => {
    const { provider } = meddled((real) => ({
      getIntent: async (id) => {
        const intent = await real.getIntent(id);
        return intent && { ...intent, currency: 'cad' };
      },
    }));
    const it = await openTestShop(fresh, { provider });
    const { paymentIntentId } = await buy(it.browser());
    await it.shop.provider.refund({ intentId: paymentIntentId, amountCents: 900 }, 'in-the-dashboard-1');
    await followRefunds(it.shop, paymentIntentId);
    expect((await everyRow(it.shop.db))['payments']).toMatchObject([{ state: 'mismatched' }]);
    await it.shop.provider.refund({ intentId: paymentIntentId, amountCents: 19_000 }, 'in-the-dashboard-2');
    await followRefunds(it.shop, paymentIntentId);
    expect((await everyRow(it.shop.db))['payments']).toMatchObject([{ state: 'refunded' }]);
  });

  test('while the provider is down nothing is charged or lost, in words, and trying again works', async () => {
    const { provider, state } = meddled(() => ({
      createCustomer: down,
      createIntent: down,
      getIntent: down,
      cancelIntent: down,
    }));
    const it = await openTestShop(fresh, { provider });
    const browser = it.browser();
    const refused = await browser.post('/api/create-payment-intent', cart);
    expect(refused.status).toBe(503);
    expect(refused.json).toMatchObject({
      code: 'payment-provider-unavailable',
      message:
        'Our payment provider cannot be reached right now. You have not been charged; please try again in a minute.',
    });
    state.isOn = false;
    const intent = await startPayment(browser);
    await pay(browser, intent);
    state.isOn = true;
    const unseen = await verify(browser, intent.paymentIntentId);
    expect([unseen.status, unseen.json.code]).toEqual([503, 'payment-unconfirmed']);
    expect(unseen.json.message).not.toMatch(/not been charged|try again/); // they have been, and shall not
    state.isOn = false;
    expect((await verify(browser, intent.paymentIntentId)).json.success).toBe(true);
    expect(await countOf(it.shop.db, 'orders')).toBe(1);
  });

  test('a crash between the provider’s answer and our row still ends in exactly one order', async () => {
    const { provider, state } = meddled((real) => ({
      createIntent: async (...request) => {
        await real.createIntent(...request);
        throw new Error('the process died here');
      },
    }));
    const it = await openTestShop(fresh, { provider });
    const { db, provider: open } = it.shop;
    const browser = it.browser();
    expect((await browser.post('/api/create-payment-intent', cart)).status).toBe(500);
    expect((await everyRow(db))['payments']).toMatchObject([{ state: 'asking', intent_id: null }]);
    state.isOn = false;
    const { rows } = await db.execute<{ id: string }>(
      sql`select id from sandbox_objects where type = 'payment_intent'`,
    );
    const intentId = rows[0]!.id;
    const { clientSecret } = (await open.getIntent(intentId))!;
    // The sweep has long given the row up.
    it.clock.advance(11 * 60_000);
    await sweep(it);
    expect((await everyRow(db))['payments']).toMatchObject([{ state: 'cancelled' }]);
    await confirm(browser, intentId, clientSecret);
    await settle(it.shop, intentId);
    expect((await verify(browser, intentId)).json.success).toBe(true);
    expect([await countOf(db, 'orders'), await countOf(db, 'frames')]).toEqual([1, 1]);
    expect((await everyRow(db))['payments']).toMatchObject([{ state: 'settled', intent_id: intentId }]);
  });

  test('an intent that is not ours, or pretends to be another’s, makes nothing', async () => {
    const it = await openTestShop(fresh);
    const { db, provider } = it.shop;
    const browser = it.browser();
    await buy(browser);
    const { payments } = (await everyRow(db)) as unknown as { payments: { id: string; amount_cents: number }[] };
    const ask = (metadata: Record<string, string>) =>
      provider.createIntent(
        { amountCents: payments[0]!.amount_cents, currency: 'usd', description: 'elsewhere', metadata },
        crypto.randomUUID(),
      );
    for (const metadata of [{}, { payment_id: payments[0]!.id }, { payment_id: 'none' }, { order: 'x' }]) {
      const foreign = await ask(metadata);
      await confirm(browser, foreign.id, foreign.clientSecret);
      expect((await verify(browser, foreign.id)).json).toMatchObject({ success: false, code: 'payment-not-found' });
    }
    for (const id of ['pi_none', 'seti_1', '../../v1/refunds', 'pi_1/refund', '{}'])
      expect((await verify(browser, id)).json.code).toBe('payment-not-found');
    expect(await countOf(db, 'orders')).toBe(1);
  });
});
