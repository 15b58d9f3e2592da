import { sql } from 'drizzle-orm';
import { expect, test, vi } from 'vitest';
import { startJobs } from '#server/jobs/jobs.ts';
import { describeOnFastestEngine, describeOnEachEngine } from '#test/database.ts';
import { anna, buyFramesAsAnna, buyAndVerify } from '#test/people.ts';
import { countRows, readQueuedMails } from '#test/rows.ts';
import { adminPassword, openTestShop, type TestShop } from '#test/shop.ts';
import { syncFraudWarnings } from './fraud-warnings.ts';

async function signInOwner(it: TestShop) {
  const admin = it.browser();
  await admin.post('/api/admin/auth/password', { password: adminPassword });
  const fetchOrder = async () => (await admin.get('/api/admin/orders')).json[0];
  return { orderNow: fetchOrder, intentId: (await fetchOrder()).stripePaymentIntentId as string };
}

describeOnEachEngine((fresh) => {
  test('stores a fraud warning that the webhook reports, and notifies only the owner, once', async () => {
    const testShop = await openTestShop(fresh);
    const { browser } = await buyFramesAsAnna(testShop);
    await startJobs(testShop.shop);
    const { intentId, orderNow } = await signInOwner(testShop);
    await testShop.shop.sandbox!.warnOfFraud(intentId);
    await testShop.shop.sandbox!.runDueTasks();
    await vi.waitFor(async () => expect((await orderNow()).fraudWarnings).toHaveLength(1), { timeout: 20_000 });
    const order = await orderNow();
    expect(order.fraudWarnings).toMatchObject([{ fraudType: 'made_with_stolen_card' }]);
    expect(order.events.at(-1)).toMatchObject({
      kind: 'fraud-warning',
      words: 'The card’s issuer suspects fraud (made with stolen card).',
    });
    await Promise.all(Array.from({ length: 5 }, () => syncFraudWarnings(testShop.shop, intentId)));
    expect(await countRows(testShop.shop.db, 'fraud_warnings')).toBe(1);
    expect(await readQueuedMails(testShop.shop.db, 'owner-fraud-warning:')).toMatchObject([
      {
        to: 'support@kinframe.example',
        content: { orderNumber: order.orderNumber, amountCents: 19_900, reason: 'made with stolen card' },
      },
    ]);
    const { json } = await browser.get(`/api/orders/${order.orderNumber}`);
    expect(JSON.stringify(json)).not.toMatch(/fraud/i);
  });
});

describeOnFastestEngine((fresh) => {
  test('notifies the owner once about a fraud warning for a payment without an order', async () => {
    const testShop = await openTestShop(fresh);
    const { paymentIntentId } = await buyAndVerify(testShop.browser());
    await testShop.shop.db.execute(sql`update orders set payment_id = 'hidden'`);
    await testShop.shop.db.execute(sql`update payments set state = 'refunding'`);
    await testShop.shop.sandbox!.warnOfFraud(paymentIntentId);
    await Promise.all(Array.from({ length: 3 }, () => syncFraudWarnings(testShop.shop, paymentIntentId)));
    expect(await readQueuedMails(testShop.shop.db, 'owner-fraud-warning:')).toMatchObject([
      {
        to: 'support@kinframe.example',
        content: {
          paymentIntentId,
          customerEmail: anna.email,
          amountCents: 19_900,
          reason: 'made with stolen card',
        },
      },
    ]);
    expect(await countRows(testShop.shop.db, 'fraud_warnings')).toBe(0);
  });

  test('ignores a warning for another program’s payment, and rejects if the order does not exist yet', async () => {
    const testShop = await openTestShop(fresh);
    await syncFraudWarnings(testShop.shop, 'pi_of_another_program');
    const { paymentIntentId } = await buyAndVerify(testShop.browser());
    await testShop.shop.db.execute(sql`update orders set payment_id = 'hidden'`);
    await testShop.shop.db.execute(sql`update payments set state = 'open'`);
    await expect(syncFraudWarnings(testShop.shop, paymentIntentId)).rejects.toThrow(
      'before the payment became an order',
    );
    expect(await countRows(testShop.shop.db, 'fraud_warnings')).toBe(0);
  });
});
