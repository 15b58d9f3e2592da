import { sql } from 'drizzle-orm';
import { expect, test, vi } from 'vitest';
import type { Db } from '#shop/ports/database.ts';
import { describeOnFastestEngine } from '#test/database.ts';
import { pay, startPayment, runPaymentSettlement, requestVerification } from '#test/paying.ts';
import { createFaultyProvider } from '#test/provider.ts';
import { countRows, readAllTables, readQueuedMails } from '#test/rows.ts';
import { openTestShop } from '#test/shop.ts';
import { settleOpenPayments } from './sweep.ts';

/**
 * Adds `count` abandoned payments, each of another browser, created `minutesAgo`. Their intent ids begin with
 * `pi_left`.
 */
const insertAbandonedPayments = (db: Db, count: number, minutesAgo: number) => {
  const createdTime = sql`now() - ${`${minutesAgo} minutes`}::interval - n * interval '1 millisecond'`;
  return db.execute(sql`
    insert into payments select (jsonb_populate_record(p, jsonb_build_object(
      'id', 'left-' || n, 'purpose_id', 'left-' || n, 'idempotency_key', 'left-' || n, 'intent_id', 'pi_left_' || n,
      'state', 'open', 'created_at', ${createdTime}, 'asked_at', ${createdTime}, 'updated_at', ${createdTime}
    ))).* from payments p, generate_series(1, ${count}::int) n`);
};

describeOnFastestEngine((fresh) => {
  test('settles a paid intent that neither the browser nor the webhook reported', async () => {
    const testShop = await openTestShop(fresh);
    const { db } = testShop.shop;
    const browser = testShop.browser();
    const intent = await startPayment(browser);
    await pay(browser, intent);
    testShop.shop.clock.now = testShop.clock.now;
    testShop.clock.advance(2 * 60_000);
    // Many unpaid payments must not keep the sweep from the paid one.
    await db.execute(
      sql`insert into payments select (jsonb_populate_record(p, jsonb_build_object('id', 'unpaid-' || n, 'intent_id', null, 'idempotency_key', 'key-' || n, 'state', 'asking', 'created_at', p.created_at - n * interval '1 millisecond'))).* from payments p, generate_series(1, 450) n`,
    );
    const errors: unknown[] = [];
    await runPaymentSettlement(testShop, errors);
    await runPaymentSettlement(testShop, errors);
    expect(errors).toEqual([]);
    expect(await countRows(db, 'orders')).toBe(1);
    expect(await readQueuedMails(db, 'receipt:')).toHaveLength(1);
  });

  test('closes unpaid payments after a day, but places the order of a payment paid at the last moment', async () => {
    const testShop = await openTestShop(fresh);
    const { db } = testShop.shop;
    const browser = testShop.browser();
    const abandonedIntent = await startPayment(browser);
    const otherBrowser = testShop.browser();
    const latePayment = await startPayment(otherBrowser);
    testShop.clock.advance(25 * 3_600_000);
    await pay(otherBrowser, latePayment);
    await runPaymentSettlement(testShop);
    const { payments } = await readAllTables(db);
    const states = (payments as { intent_id: string; state: string }[]).map((it) => [it.intent_id, it.state]);
    expect(Object.fromEntries(states)).toEqual({
      [abandonedIntent.paymentIntentId]: 'cancelled',
      [latePayment.paymentIntentId]: 'settled',
    });
    expect((await pay(browser, abandonedIntent)).status).toBe(400); // the provider refuses to charge a canceled intent
    expect((await requestVerification(browser, abandonedIntent.paymentIntentId)).json.code).toBe(
      'payment-not-finished',
    );
  });

  test('settles a recent payment before ten thousand abandoned ones when the provider is slow', async () => {
    let at = Date.now();
    const requestedIds: string[] = [];
    let runningReads = 0;
    let most = 0;
    let openGate = () => {};
    const gateOpened = new Promise<void>((resolve) => (openGate = resolve));
    const { provider } = createFaultyProvider((real) => ({
      getIntent: async (id) => {
        if (!id.startsWith('pi_left')) return real.getIntent(id);
        requestedIds.push(id);
        most = Math.max(most, ++runningReads);
        await gateOpened;
        runningReads--;
        at += 60; // 300 ms per response and five requests in parallel: 60 ms per payment
        return { ...waitingIntent!, id };
      },
    }));
    const testShop = await openTestShop(fresh, { provider, clock: { now: () => new Date(at) } });
    const { db } = testShop.shop;
    const browser = testShop.browser();
    const intent = await startPayment(browser);
    const waitingIntent = await testShop.shop.provider.getIntent(intent.paymentIntentId);
    await insertAbandonedPayments(db, 10_000, 180);
    await pay(browser, intent);
    at += 2 * 60_000;

    const stopController = new AbortController();
    const onError = (error: unknown) => {
      throw error;
    };
    const firstSweep = settleOpenPayments(testShop.shop, { signal: stopController.signal, onError });
    await vi.waitFor(() => expect(requestedIds).toHaveLength(5), { timeout: 20_000 });
    expect(await countRows(db, 'orders')).toBe(1); // before the provider responds for any abandoned payment
    stopController.abort();
    openGate();
    await firstSweep;
    expect([requestedIds.length, most]).toEqual([5, 5]);

    // Each later run continues where the run before stopped, until its own time is over.
    for (let run = 0; run < 2; run++) {
      const requestCountBefore = requestedIds.length;
      at += 3 * 60_000;
      await settleOpenPayments(testShop.shop, { signal: new AbortController().signal, onError });
      expect(requestedIds.length - requestCountBefore).toBe(1000);
    }
    expect(new Set(requestedIds).size).toBe(requestedIds.length);
    expect([most, runningReads]).toEqual([5, 0]);
  });

  test('closes a payment that the provider does not know, and settles it if the intent appears later', async () => {
    const { provider, state } = createFaultyProvider(() => ({ getIntent: () => Promise.resolve(undefined) }));
    const testShop = await openTestShop(fresh, { provider });
    const browser = testShop.browser();
    const intent = await startPayment(browser);
    await pay(browser, intent);
    const errors: unknown[] = [];
    for (let run = 0; run < 3; run++) {
      testShop.clock.advance(3 * 60_000);
      await runPaymentSettlement(testShop, errors);
    }
    expect(errors).toEqual([]);
    expect((await readAllTables(testShop.shop.db))['payments']).toMatchObject([{ state: 'cancelled' }]);
    state.isOn = false;
    expect((await requestVerification(browser, intent.paymentIntentId)).json).toMatchObject({ success: true });
  });

  test.each([
    ['mode', sql`mode = 'live'`],
    ['account', sql`account = 'acct_of_before'`],
  ])('does not read payments that were made in another %s from the provider', async (_what, change) => {
    const requestedIds: string[] = [];
    const { provider } = createFaultyProvider((real) => ({
      getIntent: (id) => {
        requestedIds.push(id);
        return real.getIntent(id);
      },
    }));
    const testShop = await openTestShop(fresh, { provider });
    await startPayment(testShop.browser());
    const ourPayment = await startPayment(testShop.browser());
    await testShop.shop.db.execute(sql`update payments set ${change} where intent_id <> ${ourPayment.paymentIntentId}`);
    testShop.clock.advance(2 * 60_000);
    await runPaymentSettlement(testShop);
    expect(requestedIds).toEqual([ourPayment.paymentIntentId]);
  });
});
