import { sql } from 'drizzle-orm';
import { expect, test } from 'vitest';
import { dayAfter, toShopDay } from '#contract/calendar.ts';
import { limits } from '#contract/limits.ts';
import type { DaySheet } from '#contract/owner/day-sheet.ts';
import { customers } from '#shop/accounts/accounts.sql.ts';
import { collectOwnData } from '#shop/retention/own-data.ts';
import { settleIntentById } from '#shop/payments/settle.ts';
import { estimateDelivery } from '#shop/orders/delivery-estimate.ts';
import { describeOnFastestEngine } from '#test/database.ts';
import { annasCart, pay, startPayment, sendPaymentWebhook } from '#test/paying.ts';
import { anna, buyFramesAsAnna, buyAndVerify } from '#test/people.ts';
import { readAllTables, readQueuedMails } from '#test/rows.ts';
import { adminPassword, openTestShop, type TestShop } from '#test/shop.ts';

const gift = { recipientName: 'Maria Keller', from: 'Grandma', message: 'For you,\nwith love' };

async function buyGift(it: TestShop, addonForm: object) {
  const browser = it.browser();
  return { browser, ...(await buyAndVerify(browser, { customerDetails: { ...anna, gift: addonForm } })) };
}

describeOnFastestEngine((fresh) => {
  test('stores a gift’s recipient and shipping day, and emails only the giver and the owner', async () => {
    const testShop = await openTestShop(fresh);
    const shipOn = dayAfter(toShopDay(testShop.clock.now()), 30);
    const { browser, verified, paymentIntentId } = await buyGift(testShop, { ...gift, shipOn });
    const { session } = verified.json;
    const { orders, estimatedDelivery } = (await browser.get(`/api/order-summary?session=${session}`)).json;
    expect(orders).toMatchObject([{ customerFirstName: anna.firstName, gift: { ...gift, shipOn } }]);
    expect(estimatedDelivery).toEqual(
      estimateDelivery(await testShop.shop.deliveryTimes(), testShop.clock.now(), shipOn),
    );
    expect(estimatedDelivery.from > shipOn).toBe(true);
    const estimateResponse = await browser.get(`/api/delivery-estimate?shipOn=${shipOn}`);
    expect(estimateResponse.json).toEqual(estimatedDelivery);
    for (const impossibleDay of ['9999-12-31', dayAfter(toShopDay(testShop.clock.now()), -1), '2026-13-01']) {
      const refusedResponse = await browser.get(`/api/delivery-estimate?shipOn=${impossibleDay}`);
      expect([impossibleDay, refusedResponse.status]).toEqual([impossibleDay, 400]);
    }
    // The bank and the parcel get the recipient's name. Emails go to the giver and the owner.
    const { rows } = await testShop.shop.db.execute<{ name: string }>(
      sql`select body -> 'shipping' ->> 'name' as name from sandbox_objects where id = ${paymentIntentId}`,
    );
    expect(rows).toEqual([{ name: 'Maria Keller' }]);
    const mails = await readQueuedMails(testShop.shop.db);
    expect(new Set(mails.map((mail) => mail.event.split(':')[0]))).toEqual(new Set(['receipt', 'owner-sale']));
    expect(await readQueuedMails(testShop.shop.db, 'receipt:')).toMatchObject([{ to: anna.email }]);
    for (const { content } of mails) expect(content).toMatchObject({ shippingAddress: { name: 'Maria Keller' } });
  });

  test('does not store the empty fields of a gift', async () => {
    const testShop = await openTestShop(fresh);
    await buyGift(testShop, { recipientName: ' Maria ', from: '', message: '  ', shipOn: '' });
    expect((await readAllTables(testShop.shop.db))['orders']).toMatchObject([{ gift: { recipientName: 'Maria' } }]);
  });

  test('refuses a gift that cannot be shipped as requested, and stores no cart', async () => {
    const testShop = await openTestShop(fresh);
    const today = toShopDay(testShop.clock.now());
    const requestIntentWith = (wrong: object, more: object = {}) =>
      testShop.browser().post('/api/create-payment-intent', {
        ...annasCart,
        customerDetails: { ...anna, gift: { ...gift, ...wrong }, ...more },
      });
    const tooLongMessage = 'x'.repeat(limits.giftMessageCharacters + 1);
    for (const wrongValue of [
      { recipientName: ' ' },
      { message: tooLongMessage },
      { from: tooLongMessage },
      { shipOn: '2026-02-30' },
    ]) {
      const { status, json } = await requestIntentWith(wrongValue);
      expect([status, json.code]).toEqual([400, 'invalid-request']);
    }
    for (const days of [-1, limits.giftShipDays + 1]) {
      const { status, json } = await requestIntentWith({ shipOn: dayAfter(today, days) });
      expect([status, json.code]).toEqual([400, 'gift-day-outside']);
    }
    expect((await requestIntentWith({}, { address: undefined })).json.code).toBe('details-needed');
    const service = { productId: 'byof', customerDetails: { ...anna, address: undefined, gift } };
    const refusedResponse = await testShop.browser().post('/api/create-payment-intent', { ...annasCart, ...service });
    expect([refusedResponse.status, refusedResponse.json.code]).toEqual([400, 'gift-needs-parcel']);
    expect((await readAllTables(testShop.shop.db))['carts']).toEqual([]);
    for (const days of [0, limits.giftShipDays])
      expect((await requestIntentWith({ shipOn: dayAfter(today, days) })).status, `${days} days`).toBe(200);
  });

  test('a webhook places a gift order even if the shipping day passed before the bank confirmed', async () => {
    const testShop = await openTestShop(fresh);
    const browser = testShop.browser();
    const shipOn = toShopDay(testShop.clock.now());
    const intent = await startPayment(browser, { customerDetails: { ...anna, gift: { ...gift, shipOn } } });
    await pay(browser, intent);
    testShop.clock.advance(2 * 86_400_000);
    expect((await sendPaymentWebhook(testShop, intent.paymentIntentId)).statusCode).toBe(200);
    await settleIntentById(testShop.shop, intent.paymentIntentId);
    expect((await readAllTables(testShop.shop.db))['orders']).toMatchObject([{ gift: { ...gift, shipOn } }]);
  });

  test('includes the gift in the giver’s data and deletes all of it with the giver’s account', async () => {
    const testShop = await openTestShop(fresh);
    const { db } = testShop.shop;
    const { browser } = await buyFramesAsAnna(testShop, { customerDetails: { ...anna, gift } });
    const [customer] = await db.select().from(customers);
    expect((await collectOwnData(testShop.shop, customer!)).data.orders).toMatchObject([{ gift }]);
    expect((await browser.post('/api/account/delete')).status).toBe(200);
    // The tables of the sandbox represent the data of the payment provider. The shop does not delete them.
    const tablesWithData = Object.entries(await readAllTables(db)).filter(([table]) => !table.startsWith('sandbox_'));
    for (const personal of ['Maria', 'Grandma', 'with love'])
      expect(JSON.stringify(tablesWithData)).not.toContain(personal);
  });

  test('the day sheet lists a gift from its shipping day on; only the giver gets the shipping email', async () => {
    const testShop = await openTestShop(fresh);
    const today = toShopDay(testShop.clock.now());
    const shipOn = dayAfter(today, 3);
    await buyGift(testShop, { ...gift, shipOn });
    await buyAndVerify(testShop.browser()); // an order that is not a gift
    const owner = testShop.browser();
    await owner.post('/api/admin/auth/password', { password: adminPassword });
    const { rows } = (await owner.get('/api/admin/lists/orders?filter=gifts')).json;
    expect(rows).toMatchObject([{ gift: { ...gift, shipOn } }]);
    const readDueGifts = async () => {
      const { lines } = (await owner.get('/api/admin/day-sheet')).json as DaySheet;
      return lines.filter(({ kind }) => kind === 'gifts-to-send');
    };
    const path = `/api/admin/orders/${rows[0].id}`;
    expect((await owner.put(path, { status: 'completed' })).status).toBe(200);
    expect(await readDueGifts()).toEqual([]);
    testShop.clock.advance(3 * 86_400_000);
    await owner.post('/api/admin/auth/password', { password: adminPassword }); // signs in again after three days
    expect(await readDueGifts()).toEqual([{ kind: 'gifts-to-send', count: 1, since: shipOn }]);
    await owner.put(path, { status: 'pending' });
    expect(await readDueGifts()).toEqual([]); // the order still waits for photos
    expect((await owner.post(`${path}/shipment`, { tellAgain: false })).json).toMatchObject({ orderStatus: 'shipped' });
    expect(await readDueGifts()).toEqual([]);
    expect((await owner.get('/api/admin/lists/orders?filter=gifts')).json.rows).toEqual([]);
    expect(await readQueuedMails(testShop.shop.db, 'shipped:')).toMatchObject([
      {
        to: anna.email,
        content: { gift: { recipientName: 'Maria Keller' }, shippingAddress: { name: 'Maria Keller' } },
      },
    ]);
  });

  test('does not use the address of a gift to tax a service that is bought later', async () => {
    const testShop = await openTestShop(fresh, { env: { STRIPE_TAX: 'on' } });
    const { browser, frames } = await buyFramesAsAnna(testShop, { customerDetails: { ...anna, gift } });
    const addonForm = { deviceId: frames[0]!.deviceId, quantity: 1 };
    const { json } = await browser.post('/api/create-addon-payment-intent', addonForm);
    expect(json.code).toBe('tax-location-needed');
    const taxLocation = { country: 'US', postalCode: '10001' };
    const response = await browser.post('/api/create-addon-payment-intent', { ...addonForm, taxLocation });
    expect(response.status, response.text).toBe(200);
  });
});
