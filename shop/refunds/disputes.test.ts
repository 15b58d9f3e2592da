import { sql } from 'drizzle-orm';
import { expect, test, vi } from 'vitest';
import { startJobs } from '#server/jobs/jobs.ts';
import { describeOnFastestEngine, describeOnEachEngine, describeOnPostgres } from '#test/database.ts';
import { anna, buyFramesAsAnna, buyAndVerify, uploadTo } from '#test/people.ts';
import { createFaultyProvider } from '#test/provider.ts';
import { countRows, readQueuedMails, readWaitingJobs } from '#test/rows.ts';
import { adminPassword, openTestShop, type TestShop } from '#test/shop.ts';
import { readDisputesToAnswer, syncDisputes } from './disputes.ts';

async function signInOwner(it: TestShop) {
  const admin = it.browser();
  await admin.post('/api/admin/auth/password', { password: adminPassword });
  const fetchOrder = async () => (await admin.get('/api/admin/orders')).json[0];
  const order = await fetchOrder();
  return { admin, order, orderNow: fetchOrder, intentId: order.stripePaymentIntentId as string };
}

describeOnPostgres((fresh) => {
  test('stores a dispute once and notifies the owner once when ten jobs read it at the same time', async () => {
    const testShop = await openTestShop(fresh);
    await buyFramesAsAnna(testShop);
    const { intentId, orderNow } = await signInOwner(testShop);
    await testShop.shop.sandbox!.dispute(intentId);
    await Promise.all(Array.from({ length: 10 }, () => syncDisputes(testShop.shop, intentId)));
    expect(await countRows(testShop.shop.db, 'disputes')).toBe(1);
    expect(await readQueuedMails(testShop.shop.db, 'owner-dispute:')).toHaveLength(1);
    const { id } = (await orderNow()).disputes[0];
    await Promise.all([
      ...Array.from({ length: 5 }, () => syncDisputes(testShop.shop, intentId)),
      testShop.shop.sandbox!.closeDispute(id, 'lost'),
    ]);
    await Promise.all(Array.from({ length: 5 }, () => syncDisputes(testShop.shop, intentId)));
    const { disputes, events } = await orderNow();
    expect(disputes).toMatchObject([{ status: 'lost', isOpen: false }]);
    expect(events.filter((event: { kind: string }) => event.kind === 'dispute')).toHaveLength(2);
  });
});

describeOnEachEngine((fresh) => {
  test('stores a dispute, its deadline and its end when the webhook reports them', async () => {
    const testShop = await openTestShop(fresh);
    await buyFramesAsAnna(testShop);
    await startJobs(testShop.shop);
    const { intentId, orderNow, order } = await signInOwner(testShop);
    await testShop.shop.sandbox!.dispute(intentId);
    await testShop.shop.sandbox!.runDueTasks();
    await vi.waitFor(async () => expect((await orderNow()).disputes).toHaveLength(1), { timeout: 20_000 });
    const [dispute] = (await orderNow()).disputes;
    expect(dispute).toMatchObject({ amount: 19_900, reason: 'fraudulent', status: 'needs_response', isOpen: true });
    const days = (Date.parse(dispute.respondBy) - testShop.clock.now().getTime()) / 86_400_000;
    expect(Math.round(days)).toBe(7);
    expect(await readQueuedMails(testShop.shop.db, 'owner-dispute:')).toMatchObject([
      {
        to: 'support@kinframe.example',
        content: { orderNumber: order.orderNumber, amountCents: 19_900, respondBy: dispute.respondBy },
      },
    ]);
    await testShop.shop.sandbox!.closeDispute(dispute.id, 'won');
    await testShop.shop.sandbox!.runDueTasks();
    await vi.waitFor(
      async () => expect((await orderNow()).disputes).toMatchObject([{ status: 'won', isOpen: false }]),
      { timeout: 20_000 },
    );
    expect((await orderNow()).events.slice(-2)).toMatchObject([
      { kind: 'dispute', words: 'The customer’s bank disputes $199.00 (fraudulent).' },
      { kind: 'dispute', words: 'Dispute of $199.00: won, you keep the money.' },
    ]);
    expect(await readQueuedMails(testShop.shop.db, 'owner-dispute:')).toHaveLength(1);
  });
});

describeOnFastestEngine((fresh) => {
  test('does not overwrite a newer state of a dispute with an older one', async () => {
    let actBeforeUpdate = async () => {};
    const { provider } = createFaultyProvider((real) => ({
      listDisputesOf: async (intentId) => {
        const disputes = await real.listDisputesOf(intentId);
        await actBeforeUpdate();
        return disputes;
      },
    }));
    const testShop = await openTestShop(fresh, { provider });
    await buyFramesAsAnna(testShop);
    const { intentId, orderNow } = await signInOwner(testShop);
    await testShop.shop.sandbox!.dispute(intentId);
    await syncDisputes(testShop.shop, intentId);
    const { id } = (await orderNow()).disputes[0];
    actBeforeUpdate = async () => {
      actBeforeUpdate = async () => {};
      await testShop.shop.sandbox!.closeDispute(id, 'lost');
      await syncDisputes(testShop.shop, intentId);
    };
    await syncDisputes(testShop.shop, intentId);
    expect((await orderNow()).disputes).toMatchObject([{ status: 'lost' }]);
  });

  test('refuses a refund while the bank has the money, but not during an inquiry or after a won dispute', async () => {
    const testShop = await openTestShop(fresh);
    await buyFramesAsAnna(testShop);
    const { admin, intentId, order } = await signInOwner(testShop);
    await testShop.shop.sandbox!.dispute(intentId);
    await syncDisputes(testShop.shop, intentId);
    const refundOrder = () =>
      admin.post(`/api/admin/orders/${order.id}/refunds`, { amountCents: 100, reason: 'A test' });
    for (const [status, answer] of [
      ['needs_response', 409],
      ['under_review', 409],
      ['lost', 409],
      ['won', 200],
      ['warning_needs_response', 200],
    ] as const) {
      await testShop.shop.db.execute(sql`update disputes set status = ${status}`);
      expect((await refundOrder()).status, status).toBe(answer);
    }
  });

  test('marks a disputed order and continues its production', async () => {
    const testShop = await openTestShop(fresh);
    const { browser, frames } = await buyFramesAsAnna(testShop);
    await uploadTo(browser, frames[0]!.deviceId);
    await browser.post('/api/uploads/finalize', { deviceId: frames[0]!.deviceId });
    const { admin, intentId } = await signInOwner(testShop);
    const fetchProductionFrames = async () => (await admin.get('/api/admin/production-orders')).json;
    expect(await fetchProductionFrames()).toMatchObject([{ isDisputed: false }]);
    await testShop.shop.sandbox!.dispute(intentId);
    await syncDisputes(testShop.shop, intentId);
    expect(await fetchProductionFrames()).toMatchObject([{ isDisputed: true }]);
    expect(await readWaitingJobs(testShop.shop.db, 'render-video')).toHaveLength(1);
  });

  test('lists a dispute about a payment without an order on the day sheet until the dispute is closed', async () => {
    const testShop = await openTestShop(fresh);
    const { paymentIntentId } = await buyAndVerify(testShop.browser());
    await testShop.shop.db.execute(sql`update orders set payment_id = 'hidden'`);
    await testShop.shop.db.execute(sql`update payments set state = 'refunded'`);
    const admin = testShop.browser();
    await admin.post('/api/admin/auth/password', { password: adminPassword });
    const readLines = async () =>
      (await admin.get('/api/admin/day-sheet')).json.lines.filter((line: { kind: string }) => line.kind === 'dispute');
    await testShop.shop.sandbox!.dispute(paymentIntentId);
    await Promise.all(Array.from({ length: 3 }, () => syncDisputes(testShop.shop, paymentIntentId)));
    const [dispute] = await testShop.shop.provider.listDisputesOf(paymentIntentId);
    const line = {
      kind: 'dispute',
      orderId: null,
      orderNumber: null,
      paymentIntentId,
      amount: 19_900,
      respondBy: dispute!.respondBy!.toISOString(),
    };
    expect(await readLines()).toEqual([line]);
    await testShop.shop.sandbox!.closeDispute(dispute!.id, 'lost');
    await syncDisputes(testShop.shop, paymentIntentId);
    expect(await readLines()).toEqual([]);
    expect(await readQueuedMails(testShop.shop.db, 'owner-dispute:')).toHaveLength(1);
  });

  test('moves a dispute to the order when its payment becomes an order later', async () => {
    const testShop = await openTestShop(fresh);
    await buyFramesAsAnna(testShop);
    const { order, intentId, orderNow } = await signInOwner(testShop);
    await testShop.shop.db.execute(sql`update orders set payment_id = 'hidden:' || payment_id`);
    await testShop.shop.db.execute(sql`update payments set state = 'mismatched'`);
    await testShop.shop.sandbox!.dispute(intentId);
    await syncDisputes(testShop.shop, intentId);
    expect(await countRows(testShop.shop.db, 'payment_disputes')).toBe(1);
    await testShop.shop.db.execute(sql`update orders set payment_id = substr(payment_id, 8)`);
    await syncDisputes(testShop.shop, intentId);
    expect((await orderNow()).disputes).toMatchObject([{ status: 'needs_response' }]);
    expect(await countRows(testShop.shop.db, 'payment_disputes')).toBe(0);
    expect(await readDisputesToAnswer(testShop.shop.db)).toMatchObject([{ order: { id: order.id }, intentId: null }]);
  });

  test('notifies the owner once about a dispute of a payment without an order, with its deadline', async () => {
    const testShop = await openTestShop(fresh);
    const { paymentIntentId } = await buyAndVerify(testShop.browser());
    await testShop.shop.db.execute(sql`update orders set payment_id = 'hidden'`);
    for (const state of ['refunding', 'refunded', 'mismatched', 'cancelled']) {
      await testShop.shop.db.execute(sql`update payments set state = ${state}`);
      await testShop.shop.db.execute(sql`delete from mails`);
      if (state === 'refunding') await testShop.shop.sandbox!.dispute(paymentIntentId);
      await Promise.all(Array.from({ length: 3 }, () => syncDisputes(testShop.shop, paymentIntentId)));
      const [dispute] = await testShop.shop.provider.listDisputesOf(paymentIntentId);
      expect(await readQueuedMails(testShop.shop.db, 'owner-dispute:'), state).toMatchObject([
        {
          event: `owner-dispute:${dispute!.id}`,
          to: 'support@kinframe.example',
          content: {
            paymentIntentId,
            customerEmail: anna.email,
            amountCents: 19_900,
            reason: 'fraudulent',
            respondBy: dispute!.respondBy!.toISOString(),
          },
        },
      ]);
    }
    expect(await countRows(testShop.shop.db, 'disputes')).toBe(0);
  });

  test('ignores a dispute of another program’s payment, and rejects if the order does not exist yet', async () => {
    const testShop = await openTestShop(fresh);
    await syncDisputes(testShop.shop, 'pi_of_another_program');
    const { paymentIntentId } = await buyAndVerify(testShop.browser());
    await testShop.shop.db.execute(sql`update orders set payment_id = 'hidden'`);
    await testShop.shop.db.execute(sql`update payments set state = 'open'`);
    await expect(syncDisputes(testShop.shop, paymentIntentId)).rejects.toThrow('before the payment became an order');
    expect(await countRows(testShop.shop.db, 'disputes')).toBe(0);
  });
});
