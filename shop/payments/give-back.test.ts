import { sql } from 'drizzle-orm';
import { expect, test } from 'vitest';
import { anyEngine, onPostgres } from '#test/database.ts';
import { pay, startPayment, sweep } from '#test/paying.ts';
import { buy } from '#test/people.ts';
import { down, meddled } from '#test/provider.ts';
import { countOf, everyRow, queuedMails, waitingJobs } from '#test/rows.ts';
import { openTestShop } from '#test/shop.ts';
import { refundPayment } from './give-back.ts';
import { settle } from './settle.ts';

onPostgres((fresh) => {
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
    const states = settled.map((it2) => it2.state === 'paid' && it2.payment.state);
    expect(new Set(states)).toEqual(new Set(['settled', 'refunding']));
    expect(await countOf(db, 'orders')).toBe(1);

    const jobs = await waitingJobs(db, 'refund-payment');
    expect(jobs).toHaveLength(1);
    const { paymentId } = jobs[0]!.data as { paymentId: string };
    await Promise.all([refundPayment(it.shop, paymentId), refundPayment(it.shop, paymentId)]);
    await refundPayment(it.shop, paymentId);
    const { payments, orders: rows } = await everyRow(db);
    const back = (payments as { id: string; intent_id: string; amount_cents: number; state: string }[]).find(
      (it2) => it2.id === paymentId,
    )!;
    expect(back.state).toBe('refunded');
    expect(rows).not.toMatchObject([{ payment_id: paymentId }]);
    const { rows: refunds } = await db.execute<{ body: { amount: number; payment_intent: string } }>(
      sql`select body from sandbox_objects where type = 'refund'`,
    );
    expect(refunds.map((it2) => it2.body)).toMatchObject([
      { amount: back.amount_cents, payment_intent: back.intent_id },
    ]);
    const told = await queuedMails(db, 'second-payment-refunded:');
    expect(told).toMatchObject([
      {
        to: 'support@kinframe.example',
        content: { kind: 'owner-second-payment-refunded', amountCents: back.amount_cents },
      },
    ]);
    expect(await queuedMails(db, 'receipt:')).toHaveLength(1);
    expect((await sandbox!.listPayments()).length).toBe(2);
    // Told of it again, nothing more happens.
    await settle(it.shop, back.intent_id);
    expect(await waitingJobs(db, 'refund-payment')).toHaveLength(1);
  });
});

anyEngine((fresh) => {
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
    const [payment] = (await everyRow(it.shop.db))['payments'] as { id: string; amount_cents: number }[];
    const { id, amount_cents: amountCents } = payment!;
    await it.shop.provider.refund({ intentId, amountCents, reason: 'duplicate' }, `refund-${id}`);
    await it.shop.db.execute(sql`update payments set state = 'refunding'`);
    await it.shop.db.execute(sql`delete from sandbox_idempotency`); // a provider keeps keys for a day
    await refundPayment(it.shop, id);
    expect((await everyRow(it.shop.db))['payments']).toMatchObject([{ state: 'refunded' }]);
    expect(await it.shop.provider.refundsOf(intentId)).toHaveLength(1);
  });
});
