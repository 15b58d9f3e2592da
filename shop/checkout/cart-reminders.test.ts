import { sql } from 'drizzle-orm';
import { expect, test } from 'vitest';
import { toShopDay } from '#contract/calendar.ts';
import { systemClock } from '#adapters/database/database.ts';
import { deleteOldData } from '#server/jobs/retention.ts';
import { describeOnFastestEngine, describeOnEachEngine, describeOnPostgres } from '#test/database.ts';
import { sentLetters } from '#test/letters.ts';
import { runPaymentCancelJobs, pay, startPayment, runPaymentSettlement, requestVerification } from '#test/paying.ts';
import { anna, buyFramesAsAnna, annasPassword, buyAndVerify } from '#test/people.ts';
import { rejectAsUnavailable, faultyProvider } from '#test/provider.ts';
import { countRows, readAllTables, queuedMails } from '#test/rows.ts';
import { adminPassword, openTestShop, type TestShop } from '#test/shop.ts';
import { customers } from '../accounts/accounts.sql.ts';
import { writeContent } from '../content/content.ts';
import { collectOwnData } from '../retention/own-data.ts';
import { cartReminders } from './cart-reminders.sql.ts';
import { remindOfCarts } from './cart-reminders.ts';

const hour = 3_600_000;
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
  const it = await openTestShop(fresh, options);
  await runReminders(it);
  return it;
}
async function afterHours(it: TestShop, hours: number) {
  it.clock.advance(hours * hour);
  await runReminders(it);
  return readReminders(it);
}
/** For each email: to whom, and whether it is the first or the second. */
const readReminders = async (it: TestShop) =>
  (await queuedMails(it.shop.db, 'cart-reminder:')).map((mail) => `${mail.to} ${mail.event.split(':').at(-1)}`);
const lastLetter = async (it: TestShop) => (await sentLetters(it, 'cart-reminder:')).at(-1)!.content;
const tokenOf = (url: string) => new URL(url).pathname.split('/').at(-1)!;
const openLink = (it: TestShop, url: string) => it.browser().post('/api/cart-link', { token: tokenOf(url) });
async function ownersBrowser(it: TestShop) {
  const owner = it.browser();
  await owner.post('/api/admin/auth/password', { password: adminPassword });
  return owner;
}
const readFigures = async (it: TestShop) => (await (await ownersBrowser(it)).get('/api/admin/cart-reminders')).json;
const first = `${anna.email} 1`;
const both = [first, `${anna.email} 2`];

describeOnEachEngine((fresh) => {
  test('sends a cart reminder two hours and two days after the last payment attempt, and no others', async () => {
    const it = await openShopWithCart(fresh);
    await startPayment(it.browser(), { extraPackages: 2 });
    expect(await afterHours(it, 1.99)).toEqual([]);
    expect(await afterHours(it, 0.02)).toEqual([first]);
    const letter = await lastLetter(it);
    expect(letter).toMatchObject({
      firstName: 'Anna',
      isLast: false,
      lines: [
        { quantity: 1, amountCents: 19_900 },
        { quantity: 2, amountCents: 1998 },
      ],
      totalCents: 21_898,
    });
    expect(await afterHours(it, 45.9)).toEqual([first]);
    expect(await afterHours(it, 0.2)).toEqual(both);
    expect(await lastLetter(it)).toMatchObject({ isLast: true });
    await runReminders(it);
    expect(await afterHours(it, 200)).toEqual(both);
  });
});

describeOnFastestEngine((fresh) => {
  test('the link fills in cart and details on any device, any number of times, until a purchase or for seven days', async () => {
    const it = await openShopWithCart(fresh);
    await startPayment(it.browser(), { extraPackages: 1, quantity: 2 });
    await startPayment(it.browser(), { customerDetails: ben });
    await afterHours(it, 2.1);
    const [{ checkoutUrl }, bens] = (await sentLetters(it, 'cart-reminder:')).map((mail) => mail.content) as [
      { checkoutUrl: string },
      { checkoutUrl: string; expiresAt: string },
    ];
    expect(checkoutUrl).toMatch(new RegExp(`^${it.shop.config.baseUrl}/cart/[\\w-]{43}$`));
    expect(JSON.stringify(await readAllTables(it.shop.db))).not.toContain(tokenOf(checkoutUrl));
    expect(await readFigures(it)).toEqual({ isOn: true, reminded: 2, emails: 2, opened: 0, bought: 0 });
    for (let again = 0; again < 2; again++)
      expect((await openLink(it, checkoutUrl)).json).toEqual({
        cart: { productId: 'kinframe', quantity: 2, extraPackages: 1 },
        promoCode: null,
        customerDetails: anna,
      });
    expect(await readFigures(it)).toMatchObject({ opened: 1, bought: 0 });
    expect((await openLink(it, `${checkoutUrl}x`)).json.code).toBe('cart-link-invalid');
    await buyAndVerify(it.browser());
    expect((await openLink(it, checkoutUrl)).json.code).toBe('cart-link-invalid');
    expect(await readFigures(it)).toEqual({ isOn: true, reminded: 2, emails: 2, opened: 1, bought: 1 });
    expect((await openLink(it, bens.checkoutUrl)).status).toBe(200);
    expect(Date.parse(bens.expiresAt) - it.clock.now().getTime()).toBeLessThanOrEqual(7 * 24 * hour);
    await it.shop.db.execute(sql`update tokens set expires_at = expires_at - interval '7 days'`);
    expect((await openLink(it, bens.checkoutUrl)).json.code).toBe('cart-link-invalid');
    // Anna has bought, so only Ben gets the second email. The purchase has deleted the recipient of the first one.
    expect((await afterHours(it, 46)).toSorted()).toEqual([' 1', `${ben.email} 1`, `${ben.email} 2`]);
    it.clock.advance(12 * 31 * 24 * hour);
    await deleteOldData(it.shop);
    expect(await countRows(it.shop.db, 'cart_reminders')).toBe(2);
    it.clock.advance(31 * 24 * hour);
    await deleteOldData(it.shop);
    expect(await countRows(it.shop.db, 'cart_reminders')).toBe(0);
  });

  test('sends a reminder only for the newest unpaid cart of a buyer who has not bought', async () => {
    const it = await openTestShop(fresh);
    const detailsNamed = (name: string) => ({ customerDetails: { ...anna, email: `${name}@example.com` } });
    const leaveCart = (name: string, more = {}) => startPayment(it.browser(), { ...detailsNamed(name), ...more });
    await leaveCart('before-the-first-run');
    await afterHours(it, 0.1);
    await leaveCart('without', { customerDetails: undefined });
    await leaveCart('bought-elsewhere');
    await buyAndVerify(it.browser(), { ...detailsNamed('bought-elsewhere'), productId: 'byof' });
    const corrects = it.browser();
    await startPayment(corrects, detailsNamed('mistyped'));
    const replaces = it.browser();
    await startPayment(replaces, detailsNamed('replaced'));
    await leaveCart('other-browser');
    await leaveCart('gone');
    await it.shop.db.execute(sql`update carts set product_id = 'gone' where details ->> 'email' = 'gone@example.com'`);
    await buyAndVerify(it.browser(), detailsNamed('refused'));
    await it.shop.db.execute(
      sql`update orders set reminders_ended_at = now(), created_at = now() - interval '1 year' where email = 'refused@example.com'`,
    );
    await leaveCart('refused');
    const unnoticed = it.browser();
    await pay(unnoticed, await startPayment(unnoticed, detailsNamed('unnoticed')));
    it.clock.advance(60_000);
    await startPayment(corrects, detailsNamed('corrected'));
    await startPayment(replaces, { ...detailsNamed('replaced'), extraPackages: 3 });
    await runPaymentCancelJobs(it);
    const orders = await countRows(it.shop.db, 'orders');
    expect((await afterHours(it, 2.1)).toSorted()).toEqual(
      ['corrected', 'other-browser', 'replaced'].map((name) => `${name}@example.com 1`),
    );
    expect(await countRows(it.shop.db, 'orders')).toBe(orders + 1); // the payment that no one had reported
    const letters = await sentLetters(it, 'cart-reminder:');
    expect(letters.find((mail) => mail.to.startsWith('replaced'))!.content.totalCents).toBe(22_897);
    // A buyer who comes back and leaves another cart gets the second email about that cart, two hours later.
    it.clock.advance(45 * hour);
    await runPaymentSettlement(it); // closes the expired payments
    await leaveCart('other-browser', { quantity: 3 });
    await leaveCart('late');
    expect(await afterHours(it, 1.5)).toHaveLength(5);
    expect(await afterHours(it, 0.6)).toHaveLength(7);
    const { checkoutUrl } = letters.find((mail) => mail.to.startsWith('other'))!.content;
    expect((await openLink(it, checkoutUrl)).json.cart.quantity).toBe(3);
    // If the shop is down for a day, no one is surprised by a late email.
    await leaveCart('down');
    expect(await afterHours(it, 25)).toHaveLength(7);
    // The next reminders to an address come two weeks after its last ones.
    it.clock.advance(10 * 24 * hour);
    await leaveCart('replaced');
    expect(await afterHours(it, 2.1)).toHaveLength(7);
    it.clock.advance(48 * hour);
    await leaveCart('replaced');
    expect(await afterHours(it, 2.1)).toHaveLength(8);
  });

  test('a purchase ends the reminders to every email address that was entered in its checkout', async () => {
    const it = await openShopWithCart(fresh);
    const browser = it.browser();
    await startPayment(browser, { customerDetails: ben });
    await afterHours(it, 2.1);
    const { checkoutUrl } = await lastLetter(it);
    await buyAndVerify(browser);
    expect((await openLink(it, checkoutUrl)).json.code).toBe('cart-link-invalid');
    expect(await afterHours(it, 46)).toHaveLength(1);
  });

  test('sends no reminders while the payment provider is down, and sends them afterwards', async () => {
    const { provider, state } = faultyProvider(() => ({ getIntent: rejectAsUnavailable }));
    const it = await openTestShop(fresh, { provider });
    await runReminders(it);
    state.isOn = false;
    await startPayment(it.browser());
    await startPayment(it.browser(), { customerDetails: ben });
    state.isOn = true;
    it.clock.advance(2.1 * hour);
    expect(await runReminders(it)).toHaveLength(2);
    expect(await readReminders(it)).toEqual([]);
    state.isOn = false;
    expect(await runReminders(it)).toEqual([]);
    expect(await readReminders(it)).toHaveLength(2);
  });

  test('unsubscribing and the owner’s switch stop all further reminders', async () => {
    const it = await openShopWithCart(fresh);
    await startPayment(it.browser());
    await startPayment(it.browser(), { customerDetails: ben });
    await afterHours(it, 2.1);
    for (const { content, to } of await sentLetters(it, 'cart-reminder:')) {
      const { pathname, search, searchParams } = new URL(content.unsubscribeUrl);
      expect(pathname).toBe('/unsubscribe');
      const oneClick = { origin: 'https://mail.example', 'content-type': 'application/x-www-form-urlencoded' };
      for (let again = 0; again < 2; again++) {
        const done =
          to === anna.email
            ? await it.browser().post('/api/unsubscribe', { token: searchParams.get('token') })
            : await it.browser().post(`${pathname}${search}`, 'List-Unsubscribe=One-Click', oneClick);
        expect(done.status, done.text).toBe(200);
      }
    }
    expect(await afterHours(it, 46)).toHaveLength(2);
    it.clock.advance(20 * 24 * hour);
    await deleteOldData(it.shop);
    await startPayment(it.browser());
    const [cara, dan] = ['cara', 'dan'].map((name) => ({ customerDetails: { ...anna, email: `${name}@example.com` } }));
    await startPayment(it.browser(), cara);
    expect((await afterHours(it, 2.1)).at(-1)).toBe('cara@example.com 1');
    // Off: not even an email that is queued is sent.
    const turnReminders = async (isOn: boolean) =>
      expect((await (await ownersBrowser(it)).put('/api/admin/cart-reminders', { isOn })).json).toEqual({ isOn });
    await turnReminders(false);
    expect((await sentLetters(it, 'cart-reminder:')).at(-1)!.content).toBeUndefined();
    await startPayment(it.browser(), dan);
    expect(await afterHours(it, 2.1)).toHaveLength(3);
    expect(await readFigures(it)).toMatchObject({ isOn: false, reminded: 3 });
    // On again: only carts that are left from now on are reminded of.
    await turnReminders(true);
    expect(await afterHours(it, 44)).toHaveLength(3);
    await startPayment(it.browser(), dan);
    expect((await afterHours(it, 2.1)).at(-1)).toBe('dan@example.com 1');
  });

  test('the data download contains the reminders, and deleting the account ends them', async () => {
    const it = await openShopWithCart(fresh);
    const { browser } = await buyFramesAsAnna(it);
    await it.shop.db.execute(sql`update customers set email_proven_at = now()`);
    it.clock.advance(20 * 24 * hour);
    await startPayment(it.browser());
    await afterHours(it, 2.1);
    const { checkoutUrl, unsubscribeUrl } = await lastLetter(it);
    await browser.post('/api/auth/login', { email: anna.email, password: annasPassword });
    const [customer] = await it.shop.db.select().from(customers);
    expect((await collectOwnData(it.shop, customer!)).data.cartReminders).toMatchObject({
      unsubscribedAt: null,
      reminders: [{ totalCents: 19_900, secondSentAt: null, openedAt: null }],
    });
    await startPayment(it.browser());
    const deleted = await browser.post('/api/account/delete');
    expect(deleted.status, deleted.text).toBe(200);
    expect((await openLink(it, checkoutUrl)).json.code).toBe('cart-link-invalid');
    const token = new URL(unsubscribeUrl).searchParams.get('token');
    expect((await it.browser().post('/api/unsubscribe', { token })).json.code).toBe('unsubscribe-link-invalid');
    expect(await afterHours(it, 46)).toEqual([' 1']);
    expect(await it.shop.db.select().from(cartReminders)).toMatchObject([{ emailHash: null }]);
    it.clock.advance(5 * 24 * hour);
    await deleteOldData(it.shop);
    expect(await countRows(it.shop.db, 'cart_reminder_stops')).toBe(0);
  });

  test('a reminder leaves out a discount whose code has expired', async () => {
    const it = await openShopWithCart(fresh);
    const promoCodeEndingIn = (endsInHours: number) =>
      writeContent(it.shop.db, systemClock, 'promos', [
        {
          message: 'Ten percent off',
          startDate: toShopDay(Date.now() - 240 * hour),
          endDate: toShopDay(Date.now() + endsInHours * hour),
          discountCode: 'Gift10',
          discountPercent: 10,
        },
      ]);
    await promoCodeEndingIn(240);
    await startPayment(it.browser(), { promoCode: 'GIFT10' });
    await afterHours(it, 2.1);
    expect(await lastLetter(it)).toMatchObject({ discountLabel: 'Gift10', totalCents: 17_910 });
    await promoCodeEndingIn(-48);
    expect(await afterHours(it, 46)).toEqual(both);
    expect(await lastLetter(it)).toMatchObject({ discountCents: 0, totalCents: 19_900 });
  });
});

describeOnPostgres((fresh) => {
  test('several runs at the same time send each reminder once', async () => {
    const it = await openShopWithCart(fresh);
    await startPayment(it.browser());
    await startPayment(it.browser()); // the same address in another browser
    await startPayment(it.browser(), { customerDetails: ben });
    for (const hours of [2.1, 46]) {
      it.clock.advance(hours * hour);
      const errors = (await Promise.all(Array.from({ length: 5 }, () => runReminders(it)))).flat();
      expect(errors).toEqual([]);
    }
    expect((await readReminders(it)).toSorted()).toEqual([...both, `${ben.email} 1`, `${ben.email} 2`]);
  });

  test('when a purchase and a reminder run at the same time, no reminder is sent', async () => {
    const it = await openShopWithCart(fresh);
    let queued = 0;
    for (let round = 0; round < 12; round++) {
      const details = { ...anna, email: `buyer-${round}@example.com` };
      const [left, buyer] = [it.browser(), it.browser()];
      await startPayment(left, { customerDetails: details });
      it.clock.advance(2.1 * hour);
      const intent = await startPayment(buyer, { customerDetails: details });
      // The newest cart must be old enough to be reminded of.
      await it.shop.db.execute(sql`update carts set created_at = created_at - interval '126 minutes'`);
      await pay(buyer, intent);
      const [, paid] = await Promise.all([runReminders(it), requestVerification(buyer, intent.paymentIntentId)]);
      expect(paid.json).toMatchObject({ success: true });
      await runReminders(it);
      const mails = await queuedMails(it.shop.db, 'cart-reminder:');
      queued += mails.length;
      expect(mails.every((mail) => mail.content === null && mail.to === '')).toBe(true);
      await it.shop.db.execute(sql`delete from mails where event like 'cart-reminder:%'`);
    }
    expect(queued).toBeLessThanOrEqual(12);
  });

  test('when an erasure and a reminder run at the same time, no reminder is sent', async () => {
    const it = await openShopWithCart(fresh);
    for (let round = 0; round < 3; round++) {
      const { browser } = await buyFramesAsAnna(it);
      await it.shop.db.execute(sql`update customers set email_proven_at = now()`);
      await it.shop.db.execute(sql`update orders set created_at = created_at - interval '20 days'`);
      await it.shop.db.execute(sql`delete from cart_reminder_stops`);
      await startPayment(it.browser());
      it.clock.advance(2.1 * hour);
      await browser.post('/api/auth/login', { email: anna.email, password: annasPassword });
      const [, deleted] = await Promise.all([runReminders(it), browser.post('/api/account/delete')]);
      expect(deleted.status, deleted.text).toBe(200);
      await runReminders(it);
      const unsent = (await queuedMails(it.shop.db, 'cart-reminder:')).filter((mail) => mail.content !== null);
      expect(unsent).toEqual([]);
    }
  });
});
