import { sql } from 'drizzle-orm';
import { expect, test } from 'vitest';
import { describeOnFastestEngine, describeOnPostgres } from '#test/database.ts';
import { waitAndReadEmails } from '#test/sent-emails.ts';
import { buyFramesAsAnna, annasPassword, buyAndVerify, uploadTo } from '#test/people.ts';
import { readQueuedMails } from '#test/rows.ts';
import { openTestShop, type TestShop } from '#test/shop.ts';
import { remindOfPhotos } from './reminders.ts';

const dayMs = 86_400_000;
/** The day numbers of the reminders that were queued, in the sequence in which they were queued. */
const readReminderDays = async (it: TestShop) =>
  (await readQueuedMails(it.shop.db, 'photo-reminder:')).map((mail) => mail.content.daysOpen as number);
async function runRemindersAfterDays(it: TestShop, days: number) {
  it.clock.advance(days * dayMs);
  await remindOfPhotos(it.shop);
  return readReminderDays(it);
}

describeOnFastestEngine((fresh) => {
  test('reminds the buyer of an open order once each after 1, 3 and 7 days, and then no more', async () => {
    const testShop = await openTestShop(fresh);
    await buyFramesAsAnna(testShop, { quantity: 2 });
    expect(await runRemindersAfterDays(testShop, 0)).toEqual([]);
    expect(await runRemindersAfterDays(testShop, 0.99)).toEqual([]);
    expect(await runRemindersAfterDays(testShop, 0.02)).toEqual([1]);
    expect(await runRemindersAfterDays(testShop, 1.9)).toEqual([1]);
    expect(await runRemindersAfterDays(testShop, 0.1)).toEqual([1, 3]);
    expect(await runRemindersAfterDays(testShop, 3.9)).toEqual([1, 3]);
    expect(await runRemindersAfterDays(testShop, 0.1)).toEqual([1, 3, 7]);
    expect(await runRemindersAfterDays(testShop, 0)).toEqual([1, 3, 7]);
    expect(await runRemindersAfterDays(testShop, 10)).toEqual([1, 3, 7]);
    const emails = await waitAndReadEmails(testShop, 'photo-reminder:');
    expect(emails).toMatchObject(
      emails.map(() => ({
        to: 'anna@example.com',
        content: {
          firstName: 'Anna',
          frameNames: ['Kinframe 1', 'Kinframe 2'],
          uploadUrl: testShop.shop.link('/upload'),
        },
      })),
    );
    expect(emails).toHaveLength(3);
  });

  test('unsubscribing stops the reminders of one order, but not those of other orders', async () => {
    const testShop = await openTestShop(fresh);
    await buyAndVerify(testShop.browser());
    expect(await runRemindersAfterDays(testShop, 1.1)).toEqual([1]);
    const [message] = await waitAndReadEmails(testShop, 'photo-reminder:');
    const token = new URL(message!.content.unsubscribeUrl).searchParams.get('token')!;
    const unsubscribe = (with_: string) => testShop.browser().post('/api/unsubscribe', { token: with_ });
    const unsubscribeOneClick = (address: string) =>
      testShop.browser().post(address, 'List-Unsubscribe=One-Click', {
        origin: 'https://mail.example',
        'content-type': 'application/x-www-form-urlencoded',
      });
    expect((await unsubscribeOneClick('/unsubscribe?token=none')).json.code).toBe('unsubscribe-link-invalid');
    expect((await unsubscribeOneClick(`/unsubscribe?token=${token}`)).status).toBe(200);
    expect((await unsubscribe(`${token}x`)).json.code).toBe('unsubscribe-link-invalid');
    for (let i = 0; i < 2; i++) expect((await unsubscribe(token)).status).toBe(200);
    expect(await runRemindersAfterDays(testShop, 2)).toEqual([1]);
    await buyAndVerify(testShop.browser());
    expect(await runRemindersAfterDays(testShop, 1.1)).toEqual([1, 1]);
  });

  test('sends only the latest reminder after a week of downtime, and none after a month', async () => {
    const testShop = await openTestShop(fresh);
    await buyAndVerify(testShop.browser());
    expect(await runRemindersAfterDays(testShop, 8)).toEqual([7]);
    expect(await runRemindersAfterDays(testShop, 1)).toEqual([7]);
    await buyAndVerify(testShop.browser());
    expect(await runRemindersAfterDays(testShop, 31)).toEqual([7]);
  });

  test('sends no reminder for finalized, withdrawn or refunded frames', async () => {
    const testShop = await openTestShop(fresh);
    const { browser, frames } = await buyFramesAsAnna(testShop, { quantity: 2 });
    await uploadTo(browser, frames[0]!.deviceId);
    await browser.post('/api/uploads/finalize', { deviceId: frames[0]!.deviceId });
    expect(await runRemindersAfterDays(testShop, 1)).toEqual([1]);
    expect((await readQueuedMails(testShop.shop.db, 'photo-reminder:'))[0]!.content.frameNames).toEqual(['Kinframe 2']);
    await testShop.shop.db.execute(sql`update frames set is_active = false where id = ${frames[1]!.deviceId}`);
    expect(await runRemindersAfterDays(testShop, 2)).toEqual([1]);
    await testShop.shop.db.execute(sql`update frames set is_active = true where id = ${frames[1]!.deviceId}`);
    await testShop.shop.db.execute(sql`update orders set refunded_cents = total_cents`);
    expect(await runRemindersAfterDays(testShop, 0.1)).toEqual([1]);
    await testShop.shop.db.execute(sql`update orders set refunded_cents = 100`);
    expect(await runRemindersAfterDays(testShop, 0.1)).toEqual([1, 3]);
    await testShop.shop.db.execute(sql`update frames set finalized_at = now()`);
    expect(await runRemindersAfterDays(testShop, 5)).toEqual([1, 3]);
  });

  test('a guest’s reminder links to the registration until the guest has registered', async () => {
    const testShop = await openTestShop(fresh);
    const buyer = testShop.browser();
    await buyAndVerify(buyer);
    await runRemindersAfterDays(testShop, 1);
    const [first] = await waitAndReadEmails(testShop, 'photo-reminder:');
    const { pathname, searchParams } = new URL(first!.content.uploadUrl);
    expect(pathname).toBe('/complete-registration');
    await runRemindersAfterDays(testShop, 2);
    const token = searchParams.get('token');
    const finishedResponse = await testShop
      .browser()
      .post('/api/complete-registration', { password: annasPassword, token });
    expect(finishedResponse.status, finishedResponse.text).toBe(200);
    expect((await waitAndReadEmails(testShop, 'photo-reminder:'))[1]!.content.uploadUrl).toBe(
      testShop.shop.link('/upload'),
    );
  });
});

describeOnPostgres((fresh) => {
  test('sends one reminder per order when several processes run the reminder job at once', async () => {
    const testShop = await openTestShop(fresh);
    for (let i = 0; i < 3; i++) await buyAndVerify(testShop.browser());
    testShop.clock.advance(dayMs);
    await Promise.all(Array.from({ length: 6 }, () => remindOfPhotos(testShop.shop)));
    expect(await readReminderDays(testShop)).toEqual([1, 1, 1]);
  });
});
