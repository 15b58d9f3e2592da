import { sql } from 'drizzle-orm';
import { expect, test } from 'vitest';
import { describeOnFastestEngine, describeOnPostgres } from '#test/database.ts';
import { runPaymentCancelJobs, pay, startPayment } from '#test/paying.ts';
import { rejectAsUnavailable, createFaultyProvider } from '#test/provider.ts';
import { countRows, readAllTables, readWaitingJobs } from '#test/rows.ts';
import { openTestShop, type TestShop } from '#test/shop.ts';
import { cancelPayment } from './cancel.ts';
import { settleIntentById } from './settle.ts';

async function readStates({ shop: { db } }: TestShop): Promise<Record<string, string>> {
  const { payments } = await readAllTables(db);
  return Object.fromEntries((payments as { intent_id: string; state: string }[]).map((it) => [it.intent_id, it.state]));
}

describeOnPostgres((fresh) => {
  test('leaves one open payment when a browser prices several carts at the same time', async () => {
    const testShop = await openTestShop(fresh);
    const browser = testShop.browser();
    await startPayment(browser);
    await Promise.all([1, 2, 3, 4].map((extraPackages) => startPayment(browser, { extraPackages })));
    await runPaymentCancelJobs(testShop);
    const states = Object.values(await readStates(testShop));
    expect(states.toSorted()).toEqual(['cancelled', 'cancelled', 'cancelled', 'cancelled', 'open']);
  });
});

describeOnFastestEngine((fresh) => {
  test('replaces an unpaid payment while the provider is down, and cancels it after the outage', async () => {
    const { provider, state } = createFaultyProvider(() => ({ cancelIntent: rejectAsUnavailable }));
    const testShop = await openTestShop(fresh, { provider });
    const browser = testShop.browser();
    const firstIntent = await startPayment(browser);
    const secondIntent = await startPayment(browser, { extraPackages: 1 });
    await expect(runPaymentCancelJobs(testShop)).rejects.toMatchObject({ reason: 'unavailable' });
    state.isOn = false;
    await runPaymentCancelJobs(testShop);
    expect(await readStates(testShop)).toEqual({
      [firstIntent.paymentIntentId]: 'cancelled',
      [secondIntent.paymentIntentId]: 'open',
    });
  });

  test('places the order of a replaced payment that was paid first, and refunds the later payment', async () => {
    const testShop = await openTestShop(fresh);
    const { db } = testShop.shop;
    const browser = testShop.browser();
    const firstIntent = await startPayment(browser);
    const secondIntent = await startPayment(browser, { quantity: 3 });
    await pay(browser, firstIntent);
    await pay(browser, secondIntent);
    await runPaymentCancelJobs(testShop);
    await settleIntentById(testShop.shop, secondIntent.paymentIntentId);
    expect(await readStates(testShop)).toEqual({
      [firstIntent.paymentIntentId]: 'settled',
      [secondIntent.paymentIntentId]: 'refunding',
    });
    expect((await readAllTables(db))['orders']).toMatchObject([
      { stripe_payment_intent_id: firstIntent.paymentIntentId },
    ]);
    expect(await readWaitingJobs(db, 'refund-payment')).toHaveLength(1);
  });

  test('checks a payment without an intent again later, and closes a payment with an unknown intent', async () => {
    const { provider } = createFaultyProvider((real) => ({
      createIntent: async (...request) => {
        await real.createIntent(...request);
        throw new Error('the process died here');
      },
    }));
    const testShop = await openTestShop(fresh, { provider });
    const { db } = testShop.shop;
    await testShop.browser().post('/api/create-payment-intent', {
      productId: 'byof',
      quantity: 1,
      extraPackages: 0,
    });
    const [paymentRow] = (await readAllTables(db))['payments'] as { id: string }[];
    await cancelPayment(testShop.shop, paymentRow!.id);
    expect(await countRows(db, 'payments')).toBe(1);
    expect(await readWaitingJobs(db, 'cancel-payment')).toEqual([{ data: { paymentId: paymentRow!.id } }]);
    await db.execute(sql`update payments set state = 'open', intent_id = 'pi_forgotten'`);
    await cancelPayment(testShop.shop, paymentRow!.id);
    expect(await readStates(testShop)).toEqual({ pi_forgotten: 'cancelled' });
  });
});
