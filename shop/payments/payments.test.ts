import { sql } from 'drizzle-orm';
import { Stripe } from 'stripe';
import { expect, test, vi } from 'vitest';
import { lifetimes } from '#contract/limits.ts';
import { accountOf, confirmMailbox } from '#shop/accounts/accounts.ts';
import { PaymentProviderError, type PaymentIntent } from '#shop/ports.ts';
import { readSecrets } from '#server/secrets.ts';
import { startJobs } from '#server/jobs/jobs.ts';
import { anyEngine, eachEngine, onPostgres } from '#test/database.ts';
import { anna, annaOwns, annasPassword, buy, confirm, framesOf } from '#test/people.ts';
import { down, meddled } from '#test/provider.ts';
import { countOf, everyRow, queuedMails, waitingJobs } from '#test/rows.ts';
import { adminPassword, openTestShop, type Browser, type TestShop } from '#test/shop.ts';
import { followRefunds } from './refunds.ts';
import { refundPayment, settle, settleOpenPayments } from './settle.ts';

const cart = { productId: 'kinframe', quantity: 1, extraPackages: 0, customerDetails: anna };
const startPayment = async (browser: Browser, changed: Record<string, unknown> = {}) => {
  const answer = await browser.post('/api/create-payment-intent', { ...cart, ...changed });
  expect(answer.status, answer.text).toBe(200);
  return answer.json as { paymentIntentId: string; clientSecret: string; totalAmount: number };
};
const pay = (
  browser: Browser,
  { paymentIntentId, clientSecret }: { paymentIntentId: string; clientSecret: string },
  card?: string,
) => confirm(browser, paymentIntentId, clientSecret, card);
const verify = (browser: Browser, paymentIntentId: string) => browser.post('/api/verify-payment', { paymentIntentId });
const sweep = (it: TestShop, errors: unknown[] = []) => settleOpenPayments(it.shop, (error) => errors.push(error));

/** The provider's webhook about an intent, as signed as a real one. */
function webhook(
  it: TestShop,
  intentId: string,
  spoil: { body?: string; header?: string; secret?: string; at?: number } = {},
) {
  const object = { id: intentId, object: 'payment_intent' };
  const payload = JSON.stringify({
    id: `evt_${crypto.randomUUID()}`,
    object: 'event',
    type: 'payment_intent.succeeded',
    livemode: false,
    data: { object },
  });
  const secret = spoil.secret ?? readSecrets(it.shop.config.dataDir).sandboxWebhookSecret;
  const timestamp = Math.floor((spoil.at ?? it.clock.now().getTime()) / 1000);
  const header = spoil.header ?? Stripe.webhooks.generateTestHeaderString({ payload, secret, timestamp });
  return it.app.inject({
    method: 'POST',
    url: '/api/webhooks/stripe',
    headers: { 'content-type': 'application/json', 'stripe-signature': header },
    payload: spoil.body ?? payload,
  });
}

onPostgres((fresh) => {
  test('eight verifies and eight webhooks at once make one order, one set of frames and one receipt', async () => {
    const it = await openTestShop(fresh);
    await startJobs(it.shop);
    const { db } = it.shop;
    const browser = it.browser();
    const intent = await startPayment(browser, { quantity: 2, extraPackages: 3 });
    await pay(browser, intent);
    const calls = Array.from(
      { length: 8 },
      () => [verify(browser, intent.paymentIntentId), webhook(it, intent.paymentIntentId)] as const,
    );
    for (const [verified, heard] of calls) {
      expect((await verified).json).toMatchObject({ success: true, status: 'paid', user: { photoLimit: 70 } });
      expect((await heard).statusCode).toBe(200);
    }
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

  test('of two payments of one checkout the second goes back, once, and the owner is told', async () => {
    const { provider } = meddled(() => ({ cancelIntent: down })); // so the first can still be paid
    const it = await openTestShop(fresh, { provider });
    const { db, sandbox } = it.shop;
    const browser = it.browser();
    const [first, second] = [await startPayment(browser), await startPayment(browser, { extraPackages: 1 })];
    await pay(browser, first);
    await pay(browser, second);
    const ids = [first.paymentIntentId, second.paymentIntentId];
    const settled = await Promise.all([...ids, ...ids, ...ids].map((id) => settle(it.shop, id)));
    const orders = new Set(settled.map((it2) => it2.state === 'paid' && it2.order.id));
    expect(orders.size).toBe(1);
    expect(await countOf(db, 'orders')).toBe(1);

    const jobs = await waitingJobs(db, 'refund-payment');
    expect(jobs).toHaveLength(1);
    const { paymentId } = jobs[0]!.data as { paymentId: string };
    await Promise.all([refundPayment(it.shop, paymentId), refundPayment(it.shop, paymentId)]);
    await refundPayment(it.shop, paymentId);
    const { payments, orders: rows } = await everyRow(db);
    const back = (payments as { id: string; intent_id: string; total_cents: number; state: string }[]).find(
      (it2) => it2.id === paymentId,
    )!;
    expect(back.state).toBe('refunded');
    expect(rows).not.toMatchObject([{ payment_id: paymentId }]);
    const { rows: refunds } = await db.execute<{ body: { amount: number; payment_intent: string } }>(
      sql`select body from sandbox_objects where type = 'refund'`,
    );
    expect(refunds.map((it2) => it2.body)).toMatchObject([
      { amount: back.total_cents, payment_intent: back.intent_id },
    ]);
    const told = await queuedMails(db, 'second-payment-refunded:');
    expect(told).toMatchObject([
      {
        to: 'support@kinframe.example',
        content: { kind: 'owner-second-payment-refunded', amountCents: back.total_cents },
      },
    ]);
    expect(await queuedMails(db, 'receipt:')).toHaveLength(1);
    expect((await sandbox!.listPayments()).length).toBe(2);
    // Told of it again, nothing more happens.
    await settle(it.shop, back.intent_id);
    expect(await waitingJobs(db, 'refund-payment')).toHaveLength(1);
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
  test('a paid intent becomes its order by the sweep, though neither browser nor webhook told', async () => {
    const it = await openTestShop(fresh);
    const { db } = it.shop;
    const browser = it.browser();
    const intent = await startPayment(browser);
    await pay(browser, intent);
    it.shop.clock.now = it.clock.now;
    it.clock.advance(2 * 60_000);
    // Even behind many carts that nobody paid.
    await db.execute(
      sql`insert into payments select (jsonb_populate_record(p, jsonb_build_object('id', 'unpaid-' || n, 'intent_id', null, 'idempotency_key', 'key-' || n, 'state', 'asking', 'created_at', p.created_at - n * interval '1 millisecond'))).* from payments p, generate_series(1, 450) n`,
    );
    const errors: unknown[] = [];
    await sweep(it, errors);
    await sweep(it, errors);
    expect(errors).toEqual([]);
    expect(await countOf(db, 'orders')).toBe(1);
    expect(await queuedMails(db, 'receipt:')).toHaveLength(1);
  });

  test('carts nobody pays are closed after a day, and paying one at the last moment still makes its order', async () => {
    const it = await openTestShop(fresh);
    const { db } = it.shop;
    const browser = it.browser();
    const abandoned = await startPayment(browser);
    const other = it.browser();
    const late = await startPayment(other);
    it.clock.advance(25 * 3_600_000);
    await pay(other, late);
    await sweep(it);
    const { payments } = await everyRow(db);
    const states = (payments as { intent_id: string; state: string }[]).map((it2) => [it2.intent_id, it2.state]);
    expect(Object.fromEntries(states)).toEqual({
      [abandoned.paymentIntentId]: 'cancelled',
      [late.paymentIntentId]: 'settled',
    });
    expect((await pay(browser, abandoned)).status).toBe(400); // the provider knows it is closed
    expect((await verify(browser, abandoned.paymentIntentId)).json.code).toBe('payment-not-finished');
  });

  test('a refund that never came through is tried anew', async () => {
    const it = await openTestShop(fresh);
    await buy(it.browser());
    await it.shop.db.execute(sql`update payments set state = 'refunding', updated_at = now() - interval '25 hours'`);
    const errors: unknown[] = [];
    await sweep(it, errors);
    await sweep(it, errors);
    expect(errors.map(String)).toEqual(Array(2).fill(expect.stringContaining('has not come through')));
    expect(await waitingJobs(it.shop.db, 'refund-payment')).toHaveLength(1);
  });

  test('a refund the provider has made days ago, before a crash, is found there and not asked for again', async () => {
    const it = await openTestShop(fresh);
    const { paymentIntentId: intentId } = await buy(it.browser());
    const [payment] = (await everyRow(it.shop.db))['payments'] as { id: string; total_cents: number }[];
    const { id, total_cents: amountCents } = payment!;
    await it.shop.provider.refund({ intentId, amountCents, reason: 'duplicate' }, `refund-${id}`);
    await it.shop.db.execute(sql`update payments set state = 'refunding'`);
    await it.shop.db.execute(sql`delete from sandbox_idempotency`); // a provider keeps keys for a day
    await refundPayment(it.shop, id);
    expect((await everyRow(it.shop.db))['payments']).toMatchObject([{ state: 'refunded' }]);
    expect(await it.shop.provider.refundsOf(intentId)).toHaveLength(1);
  });

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

  test('a buyer is one customer at the provider, from the first cart to the account', async () => {
    const made: string[] = [];
    const { provider } = meddled((real) => ({
      createCustomer: async (...buyer) => {
        const id = await real.createCustomer(...buyer);
        made.push(id);
        return id;
      },
    }));
    const it = await openTestShop(fresh, { provider });
    const browser = it.browser();
    await startPayment(browser, { quantity: 2 });
    await buy(browser); // another cart of the same checkout
    expect((await browser.post('/api/complete-registration', { password: annasPassword })).status).toBe(200);
    await buy(browser, { productId: 'byof', customerDetails: { ...anna, address: undefined } }); // signed in
    expect(made).toHaveLength(1);
    const rows = await everyRow(it.shop.db);
    expect(rows['customers']).toMatchObject([{ stripe_customer_id: made[0] }]);
    expect(new Set(rows['payments']!.map((row) => (row as Record<string, unknown>)['provider_customer_id']))).toEqual(
      new Set(made),
    );
  });

  test.each(['rejected', 'not-found'] as const)(
    'a customer the provider has %s keeps nobody from paying',
    async (reason) => {
      const refuse = () => Promise.reject(new PaymentProviderError(reason, 'no such customer'));
      const { provider } = meddled((real) =>
        reason === 'rejected'
          ? { createCustomer: refuse }
          : { createIntent: (request, key) => (request.customerId ? refuse() : real.createIntent(request, key)) },
      );
      const it = await openTestShop(fresh, { provider });
      const { verified } = await buy(it.browser());
      expect(verified.json).toMatchObject({ success: true });
      expect((await everyRow(it.shop.db))['payments']).toMatchObject([{ provider_customer_id: null }]);
    },
  );

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
    expect((await verify(browser, intent.paymentIntentId)).json.code).toBe('payment-provider-unavailable');
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
    const { payments } = (await everyRow(db)) as unknown as { payments: { id: string; total_cents: number }[] };
    const ask = (metadata: Record<string, string>) =>
      provider.createIntent(
        { amountCents: payments[0]!.total_cents, currency: 'usd', description: 'elsewhere', metadata },
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

  test('a webhook is believed by its signature alone, and one of a stranger’s payment fails no job', async () => {
    const it = await openTestShop(fresh);
    const { db } = it.shop;
    const intent = await startPayment(it.browser());
    const spoilt = [
      { secret: 'whsec_another' },
      { header: '' },
      { header: 't=1,v1=00' },
      { header: 'nonsense' },
      { body: '{"id":"evt_1","type":"payment_intent.succeeded"}' },
      { body: '' },
      { at: it.clock.now().getTime() - 3_600_000 },
    ];
    for (const how of spoilt) {
      const answer = await webhook(it, intent.paymentIntentId, how);
      expect([answer.statusCode, answer.json().code], JSON.stringify(how)).toEqual([400, 'invalid-request']);
    }
    expect(await countOf(db, 'payment_events')).toBe(0);
    await startJobs(it.shop);
    expect((await webhook(it, 'pi_of_another_program')).statusCode).toBe(200);
    await vi.waitFor(
      async () => {
        const { rows } = await db.execute(sql`select state from jobs.job where name = 'settle-payment'`);
        expect(rows).toEqual([{ state: 'completed' }]);
      },
      { timeout: 20_000 },
    );
  });

  test('the order-access token goes to the browser that paid, not to whoever knows the intent', async () => {
    const it = await openTestShop(fresh);
    const browser = it.browser();
    const { verified, paymentIntentId } = await buy(browser);
    expect(verified.json.session).toMatch(/^[\w-]{43}$/);
    expect((await verify(it.browser(), paymentIntentId)).json.session).toBeUndefined();
  });

  test('a checkout belongs to its browser for a day, whatever cookies are kept', async () => {
    const it = await openTestShop(fresh);
    const browser = it.browser();
    const { paymentIntentId } = await buy(browser);
    it.clock.advance(lifetimes.checkoutCookieHours * 3_600_000 - 60_000);
    expect((await verify(browser, paymentIntentId)).json.session).toMatch(/^[\w-]{43}$/);
    it.clock.advance(120_000);
    expect((await verify(browser, paymentIntentId)).json).toMatchObject({ success: true });
    expect((await verify(browser, paymentIntentId)).json.session).toBeUndefined();
    expect((await browser.get('/api/registration/context')).status).not.toBe(200);
  });

  test('the price is the server’s, and a changed cart closes the intent before it', async () => {
    const it = await openTestShop(fresh);
    const browser = it.browser();
    const first = await startPayment(browser, { total: 1, totalAmount: 1, price: 0, amount: 1 });
    expect(first.totalAmount).toBe(19_900);
    const second = await startPayment(browser, { quantity: 3, extraPackages: 2 });
    expect(second.totalAmount).toBe(61_698);
    expect((await it.shop.provider.getIntent(first.paymentIntentId))!.status).toBe('canceled');
    expect((await it.shop.provider.getIntent(second.paymentIntentId))!.amountCents).toBe(61_698);
    for (const [wrong, code] of [
      [{ productId: 'photo-bundle' }, 'bundle-needs-frame'],
      [{ productId: 'photo2video-10' }, 'bundle-needs-frame'],
      [{ productId: 'toaster' }, 'unknown-product'],
      [{ productId: 'byof', quantity: 2 }, 'one-service'],
      [{ customerDetails: { ...anna, address: undefined } }, 'details-needed'],
    ] as const)
      expect((await browser.post('/api/create-payment-intent', { ...cart, ...wrong })).json).toMatchObject({
        success: false,
        code,
      });
    expect(
      (
        await it.browser().post('/api/create-payment-intent', {
          ...cart,
          productId: 'byof',
          customerDetails: { ...anna, address: undefined },
        })
      ).status,
    ).toBe(200);
  });

  test('paid without details: the signed-in customer is the buyer, and a guest’s order waits for no account', async () => {
    const it = await openTestShop(fresh);
    const { browser } = await annaOwns(it);
    await buy(browser, { customerDetails: undefined });
    expect((await browser.get('/api/order-summary')).json.orders[0]).toMatchObject({
      email: anna.email,
      customerFirstName: 'Anna',
    });
    expect(await queuedMails(it.shop.db, 'receipt:')).toHaveLength(2);
    expect(await framesOf(browser)).toHaveLength(2);

    for (const guest of [it.browser(), it.browser()]) {
      const { verified } = await buy(guest, { customerDetails: undefined });
      expect(verified.json).toMatchObject({ success: true, needsRegistration: false, session: expect.any(String) });
      expect((await guest.get(`/api/order-summary?session=${verified.json.session}`)).json.orders).toHaveLength(1);
      expect((await guest.get('/api/registration/context')).status).toBe(404);
      expect((await guest.post('/api/complete-registration', { password: 'Sunflower-Field-7' })).status).toBe(404);
    }
    expect(await countOf(it.shop.db, 'customers')).toBe(1);
    expect((await queuedMails(it.shop.db)).filter((mail) => mail.to === '')).toEqual([]);
  });
});
