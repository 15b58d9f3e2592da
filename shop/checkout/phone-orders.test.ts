import { sql } from 'drizzle-orm';
import { expect, test } from 'vitest';
import { lifetimes } from '#contract/limits.ts';
import { deleteOldData } from '#server/jobs/retention.ts';
import { describeOnEachEngine, describeOnPostgres } from '#test/database.ts';
import { pay, requestVerification, runPaymentCancelJobs, startPayment } from '#test/paying.ts';
import { anna, annasPassword, buyFramesAsAnna } from '#test/people.ts';
import { countRows, readQueuedMails, readAllTables, readWaitingJobs } from '#test/rows.ts';
import { adminPassword, openTestShop, type Browser, type TestShop } from '#test/shop.ts';

const customerRose = { email: 'Rose@example.com', firstName: 'Rose', lastName: 'Winter', phone: '' };
const address = { line1: '1 Elm Street', city: 'Albany', state: 'NY', postalCode: '12207', country: 'US' };
const phoneOrderForm = (changed: object = {}) => ({
  productId: 'kinframe',
  quantity: 1,
  extraPackages: 2,
  customer: { ...customerRose, address },
  note: 'Call before noon',
  sends: true,
  ...changed,
});
async function signInAsOwner(it: TestShop): Promise<Browser> {
  const admin = it.browser();
  await admin.post('/api/admin/auth/password', { password: adminPassword });
  return admin;
}
async function createPhoneOrder(admin: Browser, changed?: object) {
  const response = await admin.post('/api/admin/phone-orders', phoneOrderForm(changed));
  expect(response.status, response.text).toBe(200);
  const { phoneOrder, payUrl } = response.json;
  return { id: phoneOrder.id as string, token: (payUrl as string).split('/').at(-1)!, phoneOrder };
}
const listPhoneOrders = async (admin: Browser) => (await admin.get('/api/admin/phone-orders')).json;
const openLink = (browser: Browser, token: string) => browser.post('/api/cart-link', { token });
/** Opens the link in a new browser and starts the payment that the checkout page would start. */
async function startFromLink(it: TestShop, token: string) {
  const browser = it.browser();
  const { cart, customerDetails } = (await openLink(browser, token)).json;
  return { browser, intent: await startPayment(browser, { ...cart, customerDetails }) };
}

describeOnEachEngine((fresh) => {
  test('a payment link opens the filled-in checkout, and its order is marked as made by phone', async () => {
    const testShop = await openTestShop(fresh, { env: { STRIPE_TAX: 'on' } });
    const admin = await signInAsOwner(testShop);
    const { token, phoneOrder } = await createPhoneOrder(admin);
    expect(phoneOrder).toMatchObject({ state: 'open', totalAmount: 21_898, openedAt: null, order: null });
    expect(await readQueuedMails(testShop.shop.db, 'payment-link:')).toMatchObject([
      {
        to: 'rose@example.com',
        content: {
          kind: 'payment-link',
          firstName: 'Rose',
          taxCents: 876,
          totalCents: 22_774,
          taxLabel: 'New York, 4%',
        },
      },
    ]);
    const browser = testShop.browser();
    const openedCart = (await openLink(browser, token)).json;
    expect(openedCart).toMatchObject({
      cart: { productId: 'kinframe', quantity: 1, extraPackages: 2 },
      customerDetails: { firstName: 'Rose', email: 'rose@example.com', address },
    });
    expect(await listPhoneOrders(admin)).toMatchObject([{ state: 'open', openedAt: expect.any(String) }]);
    const intent = await startPayment(browser, { ...openedCart.cart, customerDetails: openedCart.customerDetails });
    expect(intent.totalAmount).toBe(22_774);
    await pay(browser, intent);
    expect((await requestVerification(browser, intent.paymentIntentId)).json).toMatchObject({
      success: true,
      session: expect.any(String),
    });
    const [paid] = await listPhoneOrders(admin);
    expect(paid).toMatchObject({ state: 'paid', order: { orderNumber: expect.stringMatching(/^KF-/) } });
    const order = (await admin.get(`/api/admin/orders/${paid.order.id}`)).json;
    expect(order.notes).toBe('Call before noon');
    expect(order.events.map((event: { words: string }) => event.words).join()).toContain('Ordered by phone on');
    expect((await openLink(testShop.browser(), token)).json).toMatchObject({ code: 'payment-link-paid' });
    expect((await admin.post(`/api/admin/phone-orders/${paid.id}/cancel`)).json.code).toBe('phone-order-ended');
  });

  test('a browser that opens the link again after it started to pay keeps its access to the order', async () => {
    const testShop = await openTestShop(fresh);
    const { token } = await createPhoneOrder(await signInAsOwner(testShop));
    const { browser, intent } = await startFromLink(testShop, token);
    await openLink(browser, token);
    await pay(browser, intent);
    expect((await requestVerification(browser, intent.paymentIntentId)).json).toMatchObject({
      success: true,
      session: expect.any(String),
    });
  });

  test('a payment link with only an email address opens the details form with that address', async () => {
    const testShop = await openTestShop(fresh);
    const admin = await signInAsOwner(testShop);
    const { token } = await createPhoneOrder(admin, { customer: { email: 'rose@example.com' }, sends: false });
    expect(await readQueuedMails(testShop.shop.db, 'payment-link:')).toEqual([]);
    const { json } = await openLink(testShop.browser(), token);
    expect(json.knownDetails).toEqual({ email: 'rose@example.com' });
    expect(json).not.toHaveProperty('customerDetails');
  });

  test('a canceled or old payment link cannot be opened, and the checkout that it opened is refused once', async () => {
    const testShop = await openTestShop(fresh);
    const admin = await signInAsOwner(testShop);
    const { id, token } = await createPhoneOrder(admin);
    const { browser, intent } = await startFromLink(testShop, token);
    expect((await admin.post(`/api/admin/phone-orders/${id}/cancel`)).json).toMatchObject({ state: 'canceled' });
    await runPaymentCancelJobs(testShop);
    expect((await pay(browser, intent)).json.error.payment_intent.status).toBe('canceled');
    expect((await openLink(testShop.browser(), token)).json.code).toBe('payment-link-over');
    const cartForm = { productId: 'kinframe', quantity: 1, extraPackages: 0, customerDetails: anna };
    expect((await browser.post('/api/create-payment-intent', cartForm)).json.code).toBe('payment-link-over');
    await startPayment(browser); // the next attempt is an ordinary purchase

    const oldPhoneOrder = await createPhoneOrder(admin);
    testShop.clock.advance(lifetimes.phoneOrderDays * 86_400_000 + 1000);
    expect((await openLink(testShop.browser(), oldPhoneOrder.token)).json.code).toBe('payment-link-over');
    const laterOwner = await signInAsOwner(testShop);
    expect((await listPhoneOrders(laterOwner)).map((each: { state: string }) => each.state)).toEqual([
      'over',
      'canceled',
    ]);
  });

  test('the owner can send a payment link once a minute and copy it, and the audit trail records both', async () => {
    const testShop = await openTestShop(fresh);
    const admin = await signInAsOwner(testShop);
    const { id, token } = await createPhoneOrder(admin);
    const sendLinkAgain = () => admin.post(`/api/admin/phone-orders/${id}/send`);
    expect((await sendLinkAgain()).json.code).toBe('phone-order-mailed');
    testShop.clock.advance(61_000);
    expect((await sendLinkAgain()).status).toBe(200);
    expect(await readQueuedMails(testShop.shop.db, 'payment-link:')).toHaveLength(2);
    const copiedToken = (await admin.post(`/api/admin/phone-orders/${id}/link`)).json.payUrl.split('/').at(-1);
    for (const linkToken of [token, copiedToken])
      expect((await openLink(testShop.browser(), linkToken)).status).toBe(200);
    const { audit_trail: trail } = await readAllTables(testShop.shop.db);
    const recordedActs = (trail as { act: string; subject_id: string }[]).filter((each) => each.subject_id === id);
    expect(recordedActs.map((each) => each.act).toSorted()).toEqual([
      'copy-phone-order-link',
      'create-phone-order',
      'send-phone-order',
    ]);
    expect(JSON.stringify(recordedActs).toLowerCase()).not.toContain('rose'); // the audit trail contains no customer data
  });

  test('refuses an invalid promo code, an address without a city, and an invalid email address', async () => {
    const testShop = await openTestShop(fresh);
    const admin = await signInAsOwner(testShop);
    const createRefused = async (changed: object) =>
      (await admin.post('/api/admin/phone-orders', phoneOrderForm(changed))).json;
    expect(await createRefused({ promoCode: 'NONE' })).toMatchObject({ code: 'promo-code-unknown' });
    expect(await createRefused({ customer: { ...customerRose, address: { ...address, city: '' } } })).toMatchObject({
      fields: { 'customer.address.city': expect.any(String) },
    });
    expect(await createRefused({ customer: { email: 'rose' } })).toMatchObject({
      fields: { 'customer.email': expect.any(String) },
    });
    expect(await countRows(testShop.shop.db, 'phone_orders')).toBe(0);
  });

  test('deletes unpaid orders by phone when their customer’s account is deleted, or when they are old', async () => {
    const testShop = await openTestShop(fresh);
    const admin = await signInAsOwner(testShop);
    const { browser } = await buyFramesAsAnna(testShop);
    await testShop.shop.db.execute(sql`update customers set email_proven_at = now()`);
    const { token } = await createPhoneOrder(admin, { customer: { email: anna.email, firstName: 'Anna' } });
    const dataResponse = await browser.get('/api/account/data');
    expect(dataResponse.status).toBeLessThan(500);
    await browser.post('/api/auth/login', { email: anna.email, password: annasPassword });
    expect((await browser.post('/api/account/delete')).status).toBe(200);
    const { phone_orders: rows, mails } = await readAllTables(testShop.shop.db);
    expect(rows).toMatchObject([{ customer: null, note: '', canceled_at: expect.anything() }]);
    expect(JSON.stringify(mails)).not.toContain('/cart/');
    expect((await openLink(testShop.browser(), token)).json.code).toBe('cart-link-invalid');
    testShop.clock.advance((lifetimes.phoneOrderDays + lifetimes.phoneOrderKeptDays + 1) * 86_400_000);
    await deleteOldData(testShop.shop);
    expect([
      await countRows(testShop.shop.db, 'phone_orders'),
      await countRows(testShop.shop.db, 'checkout_browsers'),
    ]).toEqual([0, 0]);
  });
});

describeOnPostgres((fresh) => {
  test('when two people pay the same link at once, one order is placed and the second payment is refunded', async () => {
    const testShop = await openTestShop(fresh);
    const admin = await signInAsOwner(testShop);
    const { token } = await createPhoneOrder(admin);
    const startedPayments = [await startFromLink(testShop, token), await startFromLink(testShop, token)];
    // Neither intent is canceled yet, because the job has not run.
    await Promise.all(startedPayments.map(({ browser, intent }) => pay(browser, intent)));
    const verify = ({ browser, intent }: (typeof startedPayments)[number]) =>
      requestVerification(browser, intent.paymentIntentId);
    const responses = await Promise.all([...startedPayments, ...startedPayments, ...startedPayments].map(verify));
    for (const { json } of responses) expect(json).toMatchObject({ success: true });
    // Only the browser that started its payment last gets access to the order.
    expect(responses.map(({ json }) => json.session !== undefined)).toEqual([false, true, false, true, false, true]);
    const cartForm = { productId: 'kinframe', quantity: 1, extraPackages: 2, customerDetails: anna };
    const lateResponse = await startedPayments[0]!.browser.post('/api/create-payment-intent', cartForm);
    expect(lateResponse.json.code).toBe('payment-link-paid'); // the page that is still open does not buy it again
    expect(await countRows(testShop.shop.db, 'orders')).toBe(1);
    const { payments } = await readAllTables(testShop.shop.db);
    const states = (payments as { state: string }[]).map((each) => each.state).toSorted();
    expect(states).toEqual(['refunding', 'settled']);
    expect(await readWaitingJobs(testShop.shop.db, 'refund-payment')).toHaveLength(1);
  });

  test('a link that is canceled while a customer pays is paid or canceled, never both', async () => {
    const testShop = await openTestShop(fresh);
    const admin = await signInAsOwner(testShop);
    for (let round = 0; round < 6; round++) {
      const { id, token } = await createPhoneOrder(admin, { sends: false });
      const { browser } = await startFromLink(testShop, token);
      const body = { productId: 'kinframe', quantity: 1, extraPackages: 0, customerDetails: anna };
      const [canceled, started] = await Promise.all([
        admin.post(`/api/admin/phone-orders/${id}/cancel`),
        browser.post('/api/create-payment-intent', body),
      ]);
      expect(canceled.json).toMatchObject({ state: 'canceled' });
      await runPaymentCancelJobs(testShop);
      if (started.status === 200)
        expect(await testShop.shop.provider.getIntent(started.json.paymentIntentId)).toMatchObject({
          status: 'canceled',
        });
      else expect(started.json.code).toBe('payment-link-over');
    }
  });
});
