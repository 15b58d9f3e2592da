import { sql } from 'drizzle-orm';
import { expect, test } from 'vitest';
import { toShopDay } from '#contract/calendar.ts';
import { runInterleaved, describeOnPostgres } from '#test/database.ts';
import { buyAndDeliverAsAnna } from '#test/delivered-order.ts';
import { waitAndReadEmails } from '#test/sent-emails.ts';
import { createFaultyProvider } from '#test/provider.ts';
import { anna, buyFramesAsAnna } from '#test/people.ts';
import { countRows, readAllTables, readQueuedMails } from '#test/rows.ts';
import { adminPassword, openTestShop, type TestShop } from '#test/shop.ts';
import { mailPasswordReset } from '../accounts/accounts.ts';
import { remindOfPhotos } from '../photos/reminders.ts';
import { syncDisputes } from '../refunds/disputes.ts';
import { syncFraudWarnings } from '../refunds/fraud-warnings.ts';

async function signUpAnnaAndOwner(it: TestShop) {
  const { browser, frames } = await buyFramesAsAnna(it);
  const owner = it.browser();
  await owner.post('/api/admin/auth/password', { password: adminPassword });
  const [{ intent_id: intentId }] = (await readAllTables(it.shop.db))['payments'] as [{ intent_id: string }];
  const { id } = (await browser.get('/api/auth/user')).json;
  const { deviceId } = frames[0]!;
  return { browser, owner, intentId, id: id as string, deviceId, calling: `/api/devices/${deviceId}/collect-link` };
}
type Actors = Awaited<ReturnType<typeof signUpAnnaAndOwner>>;

describeOnPostgres((fresh) => {
  /** Starts `begin` while the account is being deleted. Returns the result of `begin` after the deletion. */
  const runDuringDeletion = async <T>(it: TestShop, table: 'orders' | 'customers', begin: () => Promise<T>) => {
    const lockQuery = sql`select from ${sql.identifier(table)} for update`;
    const finishTaxRequest =
      table === 'orders'
        ? sql`with forgotten as (update mails set content = null, "to" = '')
            update orders set email = '', first_name = 'Deleted', customer_id = null`
        : sql`delete from customers`;
    return runInterleaved(it.shop.db, [lockQuery, finishTaxRequest], `"${table}"`, begin);
  };
  const createCollectForm = (it: TestShop) => ({ name: 'A feast', lastDay: toShopDay(it.clock.now()) });

  const remindIn2Days = (it: TestShop) => {
    it.clock.advance(2 * 86_400_000);
    return remindOfPhotos(it.shop);
  };
  test.each<[what: string, 'orders' | 'customers', kind: string, (it: TestShop, who: Actors) => Promise<unknown>]>([
    ['a dispute', 'orders', 'owner-dispute', (it, { intentId }) => syncDisputes(it.shop, intentId)],
    ['a fraud warning', 'orders', 'owner-fraud-warning', (it, { intentId }) => syncFraudWarnings(it.shop, intentId)],
    ['a reminder', 'orders', 'photo-reminder', remindIn2Days],
    [
      'an invitation',
      'orders',
      'collect-link',
      (_, { browser, calling }) => browser.post(`${calling}/invitations`, { email: anna.email }),
    ],
    [
      'an upload link',
      'customers',
      'upload-link',
      (_, { owner, id }) => owner.post(`/api/admin/customers/${id}/generate-upload-link`),
    ],
    ['a lost password', 'customers', 'password-reset', (it) => mailPasswordReset(it.shop, anna.email)],
  ])('%s while the account is deleted queues no mail to or about its customer', async (_, table, kind, begin) => {
    const testShop = await openTestShop(fresh);
    const annaAndOwner = await signUpAnnaAndOwner(testShop);
    expect((await annaAndOwner.browser.post(annaAndOwner.calling, createCollectForm(testShop))).status).toBe(200);
    await testShop.shop.sandbox!.dispute(annaAndOwner.intentId);
    await testShop.shop.sandbox!.warnOfFraud(annaAndOwner.intentId);
    await runDuringDeletion(testShop, table, () => begin(testShop, annaAndOwner));
    expect(JSON.stringify(await readQueuedMails(testShop.shop.db, `${kind}:`))).not.toMatch(/anna|Keller/i);
  });

  test('refuses to resend a mail to the owner about a customer whose account is being deleted', async () => {
    const testShop = await openTestShop(fresh);
    const { owner } = await signUpAnnaAndOwner(testShop);
    await waitAndReadEmails(testShop);
    const [{ id }] = (
      await testShop.shop.db.execute<{ id: string }>(sql`select id from mails where event like 'owner-sale:%'`)
    ).rows as [{ id: string }];
    const resendResponse = await runDuringDeletion(testShop, 'orders', () =>
      owner.post(`/api/admin/mails/${id}/resend`),
    );
    expect(resendResponse.json.code).toBe('mail-not-resendable');
  });

  test('refuses an email change while the account is being deleted', async () => {
    const testShop = await openTestShop(fresh);
    const { browser } = await signUpAnnaAndOwner(testShop);
    const changeResponse = await runDuringDeletion(testShop, 'customers', () =>
      browser.post('/api/account/email', { email: 'new@example.com' }),
    );
    expect(changeResponse.json.code).toBe('sign-in-needed');
  });

  test('refuses to keep a frame’s photos for years while the account is being deleted', async () => {
    const testShop = await openTestShop(fresh);
    const { browser, frames } = await buyAndDeliverAsAnna(testShop);
    const [first, then] = [sql`select from frames for update`, sql`update orders set customer_id = null`];
    const response = await runInterleaved(testShop.shop.db, [first, then], '"frames"', () =>
      browser.put(`/api/account/frames/${frames[0]}/keep`, { keep: true }),
    );
    expect(response.json.code).toBe('not-found');
  });

  test('refuses an add-on if the account is deleted while the tax is being calculated', async () => {
    let finishTaxRequest = async () => {};
    const { provider } = createFaultyProvider((real) => ({
      calculateTax: async (...asked) => {
        await finishTaxRequest();
        return real.calculateTax(...asked);
      },
    }));
    const testShop = await openTestShop(fresh, { provider, env: { STRIPE_TAX: 'on' } });
    const { browser, deviceId } = await signUpAnnaAndOwner(testShop);
    finishTaxRequest = async () => void (await testShop.shop.db.execute(sql`delete from customers`));
    const startedResponse = await browser.post('/api/create-addon-payment-intent', { deviceId, quantity: 1 });
    expect(startedResponse.json.code).toBe('not-found');
  });

  test('creates no collect link for a frame whose account is being deleted', async () => {
    const testShop = await openTestShop(fresh);
    const { browser, calling } = await signUpAnnaAndOwner(testShop);
    const linkResponse = await runDuringDeletion(testShop, 'orders', () =>
      browser.post(calling, createCollectForm(testShop)),
    );
    expect(linkResponse.json.code).toBe('not-found');
    expect(await countRows(testShop.shop.db, 'collect_links')).toBe(0);
  });
});
