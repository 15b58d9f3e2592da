import { sql } from 'drizzle-orm';
import { expect, test } from 'vitest';
import { toShopDay } from '#contract/calendar.ts';
import { systemClock } from '#adapters/database/database.ts';
import { deleteOldData } from '#server/jobs/retention.ts';
import { describeOnFastestEngine, describeOnEachEngine, describeOnPostgres } from '#test/database.ts';
import { waitAndReadEmails } from '#test/sent-emails.ts';
import { runPaymentCancelJobs, pay, startPayment, runPaymentSettlement, requestVerification } from '#test/paying.ts';
import { anna, buyFramesAsAnna, annasPassword, buyAndVerify } from '#test/people.ts';
import { rejectAsUnavailable, createFaultyProvider } from '#test/provider.ts';
import { countRows, readAllTables, readQueuedMails } from '#test/rows.ts';
import { adminPassword, openTestShop, type TestShop } from '#test/shop.ts';
import { customers } from '../accounts/accounts.sql.ts';
import { writeContent } from '../content/content.ts';
import { collectOwnData } from '../retention/own-data.ts';
import { cartReminders } from './cart-reminders.sql.ts';
import { remindOfCarts } from './cart-reminders.ts';

const hourMs = 3_600_000;
const ben = { ...anna, firstName: 'Ben', lastName: 'Ode', email: 'ben@example.com' };
const runReminders = async (it: TestShop, errors: unknown[] = []) => {
  await remindOfCarts(it.shop, { onError: (error) => errors.push(error) });
  return errors;
};
/** A shop whose reminders are already on: carts from before its first run get none. */
async function openShopWithCart(
  fresh: Parameters<typeof openTestShop>[0],
  options: Parameters<typeof openTestShop>[1] = {},
) {
  const testShop = await openTestShop(fresh, options);
  await runReminders(testShop);
  return testShop;
}
async function remindAfterHours(it: TestShop, hours: number) {
  it.clock.advance(hours * hourMs);
  await runReminders(it);
  return readReminders(it);
}
/** For each email: to whom, and whether it is the first or the second. */
const readReminders = async (it: TestShop) =>
  (await readQueuedMails(it.shop.db, 'cart-reminder:')).map((mail) => `${mail.to} ${mail.event.split(':').at(-1)}`);
const readLastReminder = async (it: TestShop) => (await waitAndReadEmails(it, 'cart-reminder:')).at(-1)!.content;
const readTokenFromUrl = (url: string) => new URL(url).pathname.split('/').at(-1)!;
const openLink = (it: TestShop, url: string) => it.browser().post('/api/cart-link', { token: readTokenFromUrl(url) });
async function openOwnersBrowser(it: TestShop) {
  const owner = it.browser();
  await owner.post('/api/admin/auth/password', { password: adminPassword });
  return owner;
}
const readFigures = async (it: TestShop) => (await (await openOwnersBrowser(it)).get('/api/admin/cart-reminders')).json;
const firstReminderText = `${anna.email} 1`;
const bothReminderTexts = [firstReminderText, `${anna.email} 2`];

describeOnEachEngine((fresh) => {
  test('sends a cart reminder two hours and two days after the last payment attempt, and no others', async () => {
    const testShop = await openShopWithCart(fresh);
    await startPayment(testShop.browser(), { extraPackages: 2 });
    expect(await remindAfterHours(testShop, 1.99)).toEqual([]);
    expect(await remindAfterHours(testShop, 0.02)).toEqual([firstReminderText]);
    const message = await readLastReminder(testShop);
    expect(message).toMatchObject({
      firstName: 'Anna',
      isLast: false,
      lines: [
        { quantity: 1, amountCents: 19_900 },
        { quantity: 2, amountCents: 1998 },
      ],
      totalCents: 21_898,
    });
    expect(await remindAfterHours(testShop, 45.9)).toEqual([firstReminderText]);
    expect(await remindAfterHours(testShop, 0.2)).toEqual(bothReminderTexts);
    expect(await readLastReminder(testShop)).toMatchObject({ isLast: true });
    await runReminders(testShop);
    expect(await remindAfterHours(testShop, 200)).toEqual(bothReminderTexts);
  });
});

describeOnFastestEngine((fresh) => {
  test('the link fills in cart and details on any device, any number of times, until a purchase or for seven days', async () => {
    const testShop = await openShopWithCart(fresh);
    await startPayment(testShop.browser(), { extraPackages: 1, quantity: 2 });
    await startPayment(testShop.browser(), { customerDetails: ben });
    await remindAfterHours(testShop, 2.1);
    const [{ checkoutUrl }, bens] = (await waitAndReadEmails(testShop, 'cart-reminder:')).map(
      (mail) => mail.content,
    ) as [{ checkoutUrl: string }, { checkoutUrl: string; expiresAt: string }];
    expect(checkoutUrl).toMatch(new RegExp(`^${testShop.shop.config.baseUrl}/cart/[\\w-]{43}$`));
    expect(JSON.stringify(await readAllTables(testShop.shop.db))).not.toContain(readTokenFromUrl(checkoutUrl));
    expect(await readFigures(testShop)).toEqual({ isOn: true, reminded: 2, emails: 2, opened: 0, bought: 0 });
    for (let again = 0; again < 2; again++)
      expect((await openLink(testShop, checkoutUrl)).json).toEqual({
        cart: { productId: 'kinframe', quantity: 2, extraPackages: 1 },
        promoCode: null,
        customerDetails: anna,
      });
    expect(await readFigures(testShop)).toMatchObject({ opened: 1, bought: 0 });
    expect((await openLink(testShop, `${checkoutUrl}x`)).json.code).toBe('cart-link-invalid');
    await buyAndVerify(testShop.browser());
    expect((await openLink(testShop, checkoutUrl)).json.code).toBe('cart-link-invalid');
    expect(await readFigures(testShop)).toEqual({ isOn: true, reminded: 2, emails: 2, opened: 1, bought: 1 });
    expect((await openLink(testShop, bens.checkoutUrl)).status).toBe(200);
    expect(Date.parse(bens.expiresAt) - testShop.clock.now().getTime()).toBeLessThanOrEqual(7 * 24 * hourMs);
    await testShop.shop.db.execute(sql`update tokens set expires_at = expires_at - interval '7 days'`);
    expect((await openLink(testShop, bens.checkoutUrl)).json.code).toBe('cart-link-invalid');
    // Anna has bought, so only Ben gets the second email. The purchase has deleted the recipient of the first one.
    expect((await remindAfterHours(testShop, 46)).toSorted()).toEqual([' 1', `${ben.email} 1`, `${ben.email} 2`]);
    testShop.clock.advance(12 * 31 * 24 * hourMs);
    await deleteOldData(testShop.shop);
    expect(await countRows(testShop.shop.db, 'cart_reminders')).toBe(2);
    testShop.clock.advance(31 * 24 * hourMs);
    await deleteOldData(testShop.shop);
    expect(await countRows(testShop.shop.db, 'cart_reminders')).toBe(0);
  });

  test('sends a reminder only for the newest unpaid cart of a buyer who has not bought', async () => {
    const testShop = await openTestShop(fresh);
    const createDetailsOf = (name: string) => ({ customerDetails: { ...anna, email: `${name}@example.com` } });
    const leaveCart = (name: string, more = {}) =>
      startPayment(testShop.browser(), { ...createDetailsOf(name), ...more });
    await leaveCart('before-the-first-run');
    await remindAfterHours(testShop, 0.1);
    await leaveCart('without', { customerDetails: undefined });
    await leaveCart('bought-elsewhere');
    await buyAndVerify(testShop.browser(), { ...createDetailsOf('bought-elsewhere'), productId: 'byof' });
    const correctingBrowser = testShop.browser();
    await startPayment(correctingBrowser, createDetailsOf('mistyped'));
    const replacingBrowser = testShop.browser();
    await startPayment(replacingBrowser, createDetailsOf('replaced'));
    await leaveCart('other-browser');
    await leaveCart('gone');
    await testShop.shop.db.execute(
      sql`update carts set product_id = 'gone' where details ->> 'email' = 'gone@example.com'`,
    );
    await buyAndVerify(testShop.browser(), createDetailsOf('refused'));
    await testShop.shop.db.execute(
      sql`update orders set reminders_ended_at = now(), created_at = now() - interval '1 year' where email = 'refused@example.com'`,
    );
    await leaveCart('refused');
    const unnoticedBrowser = testShop.browser();
    await pay(unnoticedBrowser, await startPayment(unnoticedBrowser, createDetailsOf('unnoticed')));
    testShop.clock.advance(60_000);
    await startPayment(correctingBrowser, createDetailsOf('corrected'));
    await startPayment(replacingBrowser, { ...createDetailsOf('replaced'), extraPackages: 3 });
    await runPaymentCancelJobs(testShop);
    const orderCount = await countRows(testShop.shop.db, 'orders');
    expect((await remindAfterHours(testShop, 2.1)).toSorted()).toEqual(
      ['corrected', 'other-browser', 'replaced'].map((name) => `${name}@example.com 1`),
    );
    expect(await countRows(testShop.shop.db, 'orders')).toBe(orderCount + 1); // the payment that no one had reported
    const emails = await waitAndReadEmails(testShop, 'cart-reminder:');
    expect(emails.find((mail) => mail.to.startsWith('replaced'))!.content.totalCents).toBe(22_897);
    // A buyer who comes back and leaves another cart gets the second email about that cart, two hours later.
    testShop.clock.advance(45 * hourMs);
    await runPaymentSettlement(testShop); // closes the expired payments
    await leaveCart('other-browser', { quantity: 3 });
    await leaveCart('late');
    expect(await remindAfterHours(testShop, 1.5)).toHaveLength(5);
    expect(await remindAfterHours(testShop, 0.6)).toHaveLength(7);
    const { checkoutUrl } = emails.find((mail) => mail.to.startsWith('other'))!.content;
    expect((await openLink(testShop, checkoutUrl)).json.cart.quantity).toBe(3);
    // If the shop is down for a day, no one is surprised by a late email.
    await leaveCart('down');
    expect(await remindAfterHours(testShop, 25)).toHaveLength(7);
    // The next reminders to an address come two weeks after its last ones.
    testShop.clock.advance(10 * 24 * hourMs);
    await leaveCart('replaced');
    expect(await remindAfterHours(testShop, 2.1)).toHaveLength(7);
    testShop.clock.advance(48 * hourMs);
    await leaveCart('replaced');
    expect(await remindAfterHours(testShop, 2.1)).toHaveLength(8);
  });

  test('a purchase ends the reminders to every email address that was entered in its checkout', async () => {
    const testShop = await openShopWithCart(fresh);
    const browser = testShop.browser();
    await startPayment(browser, { customerDetails: ben });
    await remindAfterHours(testShop, 2.1);
    const { checkoutUrl } = await readLastReminder(testShop);
    await buyAndVerify(browser);
    expect((await openLink(testShop, checkoutUrl)).json.code).toBe('cart-link-invalid');
    expect(await remindAfterHours(testShop, 46)).toHaveLength(1);
  });

  test('sends no reminders while the payment provider is down, and sends them afterwards', async () => {
    const { provider, state } = createFaultyProvider(() => ({ getIntent: rejectAsUnavailable }));
    const testShop = await openTestShop(fresh, { provider });
    await runReminders(testShop);
    state.isOn = false;
    await startPayment(testShop.browser());
    await startPayment(testShop.browser(), { customerDetails: ben });
    state.isOn = true;
    testShop.clock.advance(2.1 * hourMs);
    expect(await runReminders(testShop)).toHaveLength(2);
    expect(await readReminders(testShop)).toEqual([]);
    state.isOn = false;
    expect(await runReminders(testShop)).toEqual([]);
    expect(await readReminders(testShop)).toHaveLength(2);
  });

  test('unsubscribing and the owner’s switch stop all further reminders', async () => {
    const testShop = await openShopWithCart(fresh);
    await startPayment(testShop.browser());
    await startPayment(testShop.browser(), { customerDetails: ben });
    await remindAfterHours(testShop, 2.1);
    for (const { content, to } of await waitAndReadEmails(testShop, 'cart-reminder:')) {
      const { pathname, search, searchParams } = new URL(content.unsubscribeUrl);
      expect(pathname).toBe('/unsubscribe');
      const unsubscribeHeaders = {
        origin: 'https://mail.example',
        'content-type': 'application/x-www-form-urlencoded',
      };
      for (let again = 0; again < 2; again++) {
        const unsubscribeResponse =
          to === anna.email
            ? await testShop.browser().post('/api/unsubscribe', { token: searchParams.get('token') })
            : await testShop.browser().post(`${pathname}${search}`, 'List-Unsubscribe=One-Click', unsubscribeHeaders);
        expect(unsubscribeResponse.status, unsubscribeResponse.text).toBe(200);
      }
    }
    expect(await remindAfterHours(testShop, 46)).toHaveLength(2);
    testShop.clock.advance(20 * 24 * hourMs);
    await deleteOldData(testShop.shop);
    await startPayment(testShop.browser());
    const [cara, dan] = ['cara', 'dan'].map((name) => ({ customerDetails: { ...anna, email: `${name}@example.com` } }));
    await startPayment(testShop.browser(), cara);
    expect((await remindAfterHours(testShop, 2.1)).at(-1)).toBe('cara@example.com 1');
    // Off: not even an email that is queued is sent.
    const switchReminders = async (isOn: boolean) =>
      expect((await (await openOwnersBrowser(testShop)).put('/api/admin/cart-reminders', { isOn })).json).toEqual({
        isOn,
      });
    await switchReminders(false);
    expect((await waitAndReadEmails(testShop, 'cart-reminder:')).at(-1)!.content).toBeUndefined();
    await startPayment(testShop.browser(), dan);
    expect(await remindAfterHours(testShop, 2.1)).toHaveLength(3);
    expect(await readFigures(testShop)).toMatchObject({ isOn: false, reminded: 3 });
    // On again: only carts that are left from now on are reminded of.
    await switchReminders(true);
    expect(await remindAfterHours(testShop, 44)).toHaveLength(3);
    await startPayment(testShop.browser(), dan);
    expect((await remindAfterHours(testShop, 2.1)).at(-1)).toBe('dan@example.com 1');
  });

  test('the data download contains the reminders, and deleting the account ends them', async () => {
    const testShop = await openShopWithCart(fresh);
    const { browser } = await buyFramesAsAnna(testShop);
    await testShop.shop.db.execute(sql`update customers set email_proven_at = now()`);
    testShop.clock.advance(20 * 24 * hourMs);
    await startPayment(testShop.browser());
    await remindAfterHours(testShop, 2.1);
    const { checkoutUrl, unsubscribeUrl } = await readLastReminder(testShop);
    await browser.post('/api/auth/login', { email: anna.email, password: annasPassword });
    const [customer] = await testShop.shop.db.select().from(customers);
    expect((await collectOwnData(testShop.shop, customer!)).data.cartReminders).toMatchObject({
      unsubscribedAt: null,
      reminders: [{ totalCents: 19_900, secondSentAt: null, openedAt: null }],
    });
    await startPayment(testShop.browser());
    const deletedResponse = await browser.post('/api/account/delete');
    expect(deletedResponse.status, deletedResponse.text).toBe(200);
    expect((await openLink(testShop, checkoutUrl)).json.code).toBe('cart-link-invalid');
    const token = new URL(unsubscribeUrl).searchParams.get('token');
    expect((await testShop.browser().post('/api/unsubscribe', { token })).json.code).toBe('unsubscribe-link-invalid');
    expect(await remindAfterHours(testShop, 46)).toEqual([' 1']);
    expect(await testShop.shop.db.select().from(cartReminders)).toMatchObject([{ emailHash: null }]);
    testShop.clock.advance(5 * 24 * hourMs);
    await deleteOldData(testShop.shop);
    expect(await countRows(testShop.shop.db, 'cart_reminder_stops')).toBe(0);
  });

  test('a reminder leaves out a discount whose code has expired', async () => {
    const testShop = await openShopWithCart(fresh);
    const createPromoCodeEndingIn = (endsInHours: number) =>
      writeContent(testShop.shop.db, systemClock, 'promos', [
        {
          message: 'Ten percent off',
          startDate: toShopDay(Date.now() - 240 * hourMs),
          endDate: toShopDay(Date.now() + endsInHours * hourMs),
          discountCode: 'Gift10',
          discountPercent: 10,
        },
      ]);
    await createPromoCodeEndingIn(240);
    await startPayment(testShop.browser(), { promoCode: 'GIFT10' });
    await remindAfterHours(testShop, 2.1);
    expect(await readLastReminder(testShop)).toMatchObject({ discountLabel: 'Gift10', totalCents: 17_910 });
    await createPromoCodeEndingIn(-48);
    expect(await remindAfterHours(testShop, 46)).toEqual(bothReminderTexts);
    expect(await readLastReminder(testShop)).toMatchObject({ discountCents: 0, totalCents: 19_900 });
  });
});

describeOnPostgres((fresh) => {
  test('several runs at the same time send each reminder once', async () => {
    const testShop = await openShopWithCart(fresh);
    await startPayment(testShop.browser());
    await startPayment(testShop.browser()); // the same address in another browser
    await startPayment(testShop.browser(), { customerDetails: ben });
    for (const hours of [2.1, 46]) {
      testShop.clock.advance(hours * hourMs);
      const errors = (await Promise.all(Array.from({ length: 5 }, () => runReminders(testShop)))).flat();
      expect(errors).toEqual([]);
    }
    expect((await readReminders(testShop)).toSorted()).toEqual([
      ...bothReminderTexts,
      `${ben.email} 1`,
      `${ben.email} 2`,
    ]);
  });

  test('when a purchase and a reminder run at the same time, no reminder is sent', async () => {
    const testShop = await openShopWithCart(fresh);
    let queued = 0;
    for (let round = 0; round < 12; round++) {
      const details = { ...anna, email: `buyer-${round}@example.com` };
      const [left, buyer] = [testShop.browser(), testShop.browser()];
      await startPayment(left, { customerDetails: details });
      testShop.clock.advance(2.1 * hourMs);
      const intent = await startPayment(buyer, { customerDetails: details });
      // The newest cart must be old enough to be reminded of.
      await testShop.shop.db.execute(sql`update carts set created_at = created_at - interval '126 minutes'`);
      await pay(buyer, intent);
      const [, paid] = await Promise.all([runReminders(testShop), requestVerification(buyer, intent.paymentIntentId)]);
      expect(paid.json).toMatchObject({ success: true });
      await runReminders(testShop);
      const mails = await readQueuedMails(testShop.shop.db, 'cart-reminder:');
      queued += mails.length;
      expect(mails.every((mail) => mail.content === null && mail.to === '')).toBe(true);
      await testShop.shop.db.execute(sql`delete from mails where event like 'cart-reminder:%'`);
    }
    expect(queued).toBeLessThanOrEqual(12);
  });

  test('when an erasure and a reminder run at the same time, no reminder is sent', async () => {
    const testShop = await openShopWithCart(fresh);
    for (let round = 0; round < 3; round++) {
      const { browser } = await buyFramesAsAnna(testShop);
      await testShop.shop.db.execute(sql`update customers set email_proven_at = now()`);
      await testShop.shop.db.execute(sql`update orders set created_at = created_at - interval '20 days'`);
      await testShop.shop.db.execute(sql`delete from cart_reminder_stops`);
      await startPayment(testShop.browser());
      testShop.clock.advance(2.1 * hourMs);
      await browser.post('/api/auth/login', { email: anna.email, password: annasPassword });
      const [, deleted] = await Promise.all([runReminders(testShop), browser.post('/api/account/delete')]);
      expect(deleted.status, deleted.text).toBe(200);
      await runReminders(testShop);
      const unsentReminders = (await readQueuedMails(testShop.shop.db, 'cart-reminder:')).filter(
        (mail) => mail.content !== null,
      );
      expect(unsentReminders).toEqual([]);
    }
  });
});
