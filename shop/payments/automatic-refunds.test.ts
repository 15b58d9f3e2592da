import { sql } from 'drizzle-orm';
import { expect, test } from 'vitest';
import type { Refund } from '#shop/ports/card-payments.ts';
import { describeOnFastestEngine, describeOnPostgres } from '#test/database.ts';
import { pay, startPayment, runPaymentSettlement } from '#test/paying.ts';
import { anna, buyAndVerify } from '#test/people.ts';
import { rejectAsUnavailable, createFaultyProvider } from '#test/provider.ts';
import { countRows, readAllTables, readQueuedMails, readWaitingJobs } from '#test/rows.ts';
import { adminPassword, openTestShop, type TestShop } from '#test/shop.ts';
import { syncRefunds } from '../refunds/refunds.ts';
import { closeProblem } from './close-problem.ts';
import { refundPayment } from './automatic-refunds.ts';
import { settleIntentById } from './settle.ts';

/** Makes two payments of one checkout. The shop must refund the second one. */
async function payCheckoutTwice(it: TestShop) {
  const browser = it.browser();
  const [first, second] = [await startPayment(browser), await startPayment(browser, { extraPackages: 1 })];
  for (const intent of [first, second]) await pay(browser, intent);
  for (const { paymentIntentId } of [first, second]) await settleIntentById(it.shop, paymentIntentId);
  const admin = it.browser();
  return {
    owner: admin,
    intentId: second.paymentIntentId,
    giveBack: async () => {
      for (const { data } of await readWaitingJobs(it.shop.db, 'refund-payment'))
        await refundPayment(it.shop, data['paymentId'] as string);
    },
    problems: async () => {
      await admin.post('/api/admin/auth/password', { password: adminPassword });
      return (await admin.get('/api/admin/payment-problems')).json as unknown[];
    },
    failed: () => readQueuedMails(it.shop.db, 'owner-refund-failed:'),
  };
}

describeOnPostgres((fresh) => {
  test('refunds the second of two payments of one checkout once, and notifies the owner', async () => {
    const { provider } = createFaultyProvider(() => ({ cancelIntent: rejectAsUnavailable })); // so that the first payment can still be paid
    const testShop = await openTestShop(fresh, { provider });
    const { db, sandbox } = testShop.shop;
    const browser = testShop.browser();
    const [first, second] = [await startPayment(browser), await startPayment(browser, { extraPackages: 1 })];
    await pay(browser, first);
    await pay(browser, second);
    const ids = [first.paymentIntentId, second.paymentIntentId];
    const settlements = await Promise.all([...ids, ...ids, ...ids].map((id) => settleIntentById(testShop.shop, id)));
    const states = settlements.map((it) => it.state === 'paid' && it.payment.state);
    expect(new Set(states)).toEqual(new Set(['settled', 'refunding']));
    expect(await countRows(db, 'orders')).toBe(1);

    const jobs = await readWaitingJobs(db, 'refund-payment');
    expect(jobs).toHaveLength(1);
    const { paymentId } = jobs[0]!.data as { paymentId: string };
    await Promise.all([refundPayment(testShop.shop, paymentId), refundPayment(testShop.shop, paymentId)]);
    await refundPayment(testShop.shop, paymentId);
    const { payments, orders: rows } = await readAllTables(db);
    const refundedPayments = (
      payments as { id: string; intent_id: string; amount_cents: number; state: string }[]
    ).find((it) => it.id === paymentId)!;
    expect(refundedPayments.state).toBe('refunded');
    expect(rows).not.toMatchObject([{ payment_id: paymentId }]);
    const { rows: refunds } = await db.execute<{ body: { amount: number; payment_intent: string } }>(
      sql`select body from sandbox_objects where type = 'refund'`,
    );
    expect(refunds.map((it) => it.body)).toMatchObject([
      { amount: refundedPayments.amount_cents, payment_intent: refundedPayments.intent_id },
    ]);
    const mails = await readQueuedMails(db, 'second-payment-refunded:');
    expect(mails).toMatchObject([
      {
        to: 'support@kinframe.example',
        content: { kind: 'owner-second-payment-refunded', amountCents: refundedPayments.amount_cents },
      },
    ]);
    expect(await readQueuedMails(db, 'receipt:')).toHaveLength(1);
    expect((await sandbox!.listPayments()).length).toBe(2);
    // Another webhook for the same payment changes nothing.
    await settleIntentById(testShop.shop, refundedPayments.intent_id);
    expect(await readWaitingJobs(db, 'refund-payment')).toHaveLength(1);
  });
});

describeOnFastestEngine((fresh) => {
  test('requests a refund again that did not finish within a day, and logs an error', async () => {
    const testShop = await openTestShop(fresh);
    await buyAndVerify(testShop.browser());
    await testShop.shop.db.execute(
      sql`update payments set state = 'refunding', updated_at = now() - interval '25 hours'`,
    );
    const errors: unknown[] = [];
    await runPaymentSettlement(testShop, errors);
    await runPaymentSettlement(testShop, errors);
    expect(errors.map(String)).toEqual(Array(2).fill(expect.stringContaining('has not come through')));
    expect(await readWaitingJobs(testShop.shop.db, 'refund-payment')).toHaveLength(1);
  });

  test('finds a refund that the provider made before a crash, and does not request it again', async () => {
    const testShop = await openTestShop(fresh);
    const { paymentIntentId: intentId } = await buyAndVerify(testShop.browser());
    const [payment] = (await readAllTables(testShop.shop.db))['payments'] as { id: string; amount_cents: number }[];
    const { id, amount_cents: amountCents } = payment!;
    await testShop.shop.provider.refund({ intentId, amountCents, reason: 'duplicate' }, `refund-${id}`);
    await testShop.shop.db.execute(sql`update payments set state = 'refunding'`);
    await testShop.shop.db.execute(sql`delete from sandbox_idempotency`); // the provider forgets idempotency keys after a day
    await refundPayment(testShop.shop, id);
    expect((await readAllTables(testShop.shop.db))['payments']).toMatchObject([{ state: 'refunded' }]);
    expect(await testShop.shop.provider.listRefundsOf(intentId)).toHaveLength(1);
  });

  test('reports a refund that fails later to the owner once, lists it as a problem and never retries it', async () => {
    const testShop = await openTestShop(fresh);
    const { intentId, giveBack, problems, failed } = await payCheckoutTwice(testShop);
    await giveBack();
    expect(await problems()).toEqual([]);
    const [madeRefund] = await testShop.shop.provider.listRefundsOf(intentId);
    await testShop.shop.sandbox!.failRefund(madeRefund!.id);
    for (let i = 0; i < 3; i++) await syncRefunds(testShop.shop, intentId);
    expect(await failed()).toMatchObject([
      {
        event: `owner-refund-failed:${madeRefund!.id}`,
        to: 'support@kinframe.example',
        content: {
          paymentIntentId: intentId,
          customerEmail: anna.email,
          amountCents: 20_899,
          reason: 'expired_or_canceled_card',
        },
      },
    ]);
    expect(await problems()).toMatchObject([{ stripePaymentIntentId: intentId, state: 'refunding' }]);

    testShop.clock.advance(25 * 3_600_000);
    await runPaymentSettlement(testShop);
    await giveBack();
    await runPaymentSettlement(testShop);
    expect(await testShop.shop.provider.listRefundsOf(intentId)).toHaveLength(1);
    expect(await failed()).toHaveLength(1);
    expect(await problems()).toHaveLength(1);

    await testShop.shop.provider.refund({ intentId, amountCents: 20_899 }, 'in-the-dashboard');
    await syncRefunds(testShop.shop, intentId);
    expect(await problems()).toEqual([]);
    expect(await readQueuedMails(testShop.shop.db, 'second-payment-refunded:')).toHaveLength(1);
  });

  test('lists a refund as a problem when it fails before the provider’s response arrives', async () => {
    let actDuringRefund = async (_: Refund) => {};
    const { provider } = createFaultyProvider((real) => ({
      refund: async (...request) => {
        const madeRefund = await real.refund(...request);
        await actDuringRefund(madeRefund);
        return madeRefund;
      },
    }));
    const testShop = await openTestShop(fresh, { provider });
    const { intentId, giveBack, problems, failed } = await payCheckoutTwice(testShop);
    actDuringRefund = async ({ id }) => {
      await testShop.shop.sandbox!.failRefund(id);
      await syncRefunds(testShop.shop, intentId);
    };
    await giveBack();
    expect(await problems()).toMatchObject([{ stripePaymentIntentId: intentId, state: 'refunding' }]);
    expect(await failed()).toHaveLength(1);
    expect(await readQueuedMails(testShop.shop.db, 'second-payment-refunded:')).toEqual([]);
  });

  test('closes a payment problem with the owner’s note, and does not change the revenue figures', async () => {
    const testShop = await openTestShop(fresh);
    const { intentId, giveBack, problems, failed, owner } = await payCheckoutTwice(testShop);
    await giveBack();
    const [madeRefund] = await testShop.shop.provider.listRefundsOf(intentId);
    await testShop.shop.sandbox!.failRefund(madeRefund!.id);
    await syncRefunds(testShop.shop, intentId);
    const [{ id }] = (await problems()) as [{ id: string }];
    const readFigures = async () => (await owner.get('/api/admin/stats')).json;
    const figuresBefore = await readFigures();
    const close = (note: string) => owner.post(`/api/admin/payment-problems/${id}/close`, { note });
    expect((await close(' ')).status).toBe(400);
    expect((await close('Sent back by bank transfer.')).status).toBe(200);
    expect((await close('Again')).json.code).toBe('no-payment-problem');
    expect(await problems()).toEqual([]);
    expect(await readFigures()).toEqual(figuresBefore);
    const { audit_trail: acts, payments } = await readAllTables(testShop.shop.db);
    expect(payments).toContainEqual(expect.objectContaining({ id, state: 'closed' }));
    expect((acts as { act: string }[]).filter((each) => each.act === 'close-payment-problem')).toMatchObject([
      {
        subject_id: id,
        before: { state: 'refunding' },
        after: { state: 'closed', note: 'Sent back by bank transfer.' },
      },
    ]);

    // Neither another webhook nor the sweep reopens the problem.
    await syncRefunds(testShop.shop, intentId);
    testShop.clock.advance(25 * 3_600_000);
    await runPaymentSettlement(testShop);
    await giveBack();
    expect(await problems()).toEqual([]);
    expect(await failed()).toHaveLength(1);
    expect(await testShop.shop.provider.listRefundsOf(intentId)).toHaveLength(1);
    // If the payment is refunded at the provider after that, its state records the refund.
    await testShop.shop.provider.refund({ intentId, amountCents: 20_899 }, 'in-the-dashboard');
    await syncRefunds(testShop.shop, intentId);
    expect((await readAllTables(testShop.shop.db))['payments']).toContainEqual(
      expect.objectContaining({ id, state: 'refunded' }),
    );
  });

  test.each(['answers', 'does not answer'])(
    'marks a payment as refunded and notifies the owner if it is closed while the provider %s',
    async (how) => {
      let actDuringRefund = async () => {};
      const { provider } = createFaultyProvider((real) => ({
        refund: async (...request) => {
          await actDuringRefund();
          const madeRefund = await real.refund(...request);
          return how === 'answers' ? madeRefund : rejectAsUnavailable();
        },
      }));
      const testShop = await openTestShop(fresh, { provider });
      const { intentId, giveBack, problems } = await payCheckoutTwice(testShop);
      const [{ id }] = (await problems()) as [{ id: string }];
      actDuringRefund = () => closeProblem(testShop.shop, id, 'Sent back by bank transfer.', { requestId: 'close' });
      if (how === 'does not answer') await expect(giveBack()).rejects.toThrow('no route');
      await giveBack();
      expect((await readAllTables(testShop.shop.db))['payments']).toContainEqual(
        expect.objectContaining({ id, state: 'refunded' }),
      );
      expect(await testShop.shop.provider.listRefundsOf(intentId)).toHaveLength(1);
      expect(await readQueuedMails(testShop.shop.db, 'second-payment-refunded:')).toHaveLength(1);
    },
  );

  test('refuses to close a payment problem while its refund runs or the provider is unavailable', async () => {
    let isDown = false;
    const { provider } = createFaultyProvider((real) => ({
      listRefundsOf: (intentId) => (isDown ? rejectAsUnavailable() : real.listRefundsOf(intentId)),
    }));
    const testShop = await openTestShop(fresh, { provider });
    const { intentId, problems, owner } = await payCheckoutTwice(testShop);
    const [{ id }] = (await problems()) as [{ id: string }];
    const close = async () =>
      (await owner.post(`/api/admin/payment-problems/${id}/close`, { note: 'Bank transfer' })).json.code;
    isDown = true;
    expect(await close()).toBe('refund-unknown');
    isDown = false;
    await testShop.shop.provider.refund({ intentId, amountCents: 20_899 }, 'in-the-dashboard');
    expect(await close()).toBe('refund-under-way');
    expect(await readWaitingJobs(testShop.shop.db, 'follow-refunds')).toHaveLength(1);
  });

  test.each(['failed', 'canceled'] as const)(
    'keeps a payment in the list of problems when its refund has the status %s',
    async (status) => {
      const { provider } = createFaultyProvider((real) => ({
        refund: async (...request) => ({ ...(await real.refund(...request)), status }),
        listRefundsOf: async () => [],
      }));
      const testShop = await openTestShop(fresh, { provider });
      const { intentId, giveBack, problems, failed } = await payCheckoutTwice(testShop);
      await giveBack();
      await giveBack();
      expect(await failed()).toMatchObject([{ content: { paymentIntentId: intentId, amountCents: 20_899 } }]);
      expect(await problems()).toMatchObject([{ stripePaymentIntentId: intentId, state: 'refunding' }]);
      expect(await readQueuedMails(testShop.shop.db, 'second-payment-refunded:')).toEqual([]);
    },
  );

  test('reports a failed refund of a mismatched payment that was made in the provider’s dashboard', async () => {
    const { provider } = createFaultyProvider((real) => ({
      getIntent: async (id) => {
        const intent = await real.getIntent(id);
        return intent && { ...intent, currency: 'cad' };
      },
    }));
    const testShop = await openTestShop(fresh, { provider });
    const { paymentIntentId: intentId } = await buyAndVerify(testShop.browser());
    const refund = await testShop.shop.provider.refund({ intentId, amountCents: 19_900 }, 'in-the-dashboard');
    await syncRefunds(testShop.shop, intentId);
    await testShop.shop.sandbox!.failRefund(refund.id);
    await syncRefunds(testShop.shop, intentId);
    expect((await readAllTables(testShop.shop.db))['payments']).toMatchObject([{ state: 'mismatched' }]);
    expect(await readQueuedMails(testShop.shop.db, 'owner-refund-failed:')).toHaveLength(1);
  });
});
