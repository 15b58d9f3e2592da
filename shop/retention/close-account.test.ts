import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { sql } from 'drizzle-orm';
import { expect, test } from 'vitest';
import { dayAfter, toShopDay } from '#contract/calendar.ts';
import { describeOnFastestEngine, describeOnPostgres } from '#test/database.ts';
import {
  buyAndDeliverAsAnna,
  finishAllErasures,
  openAnnasBrowser,
  signInAgain,
  listCustomerFileKeys,
} from '#test/delivered-order.ts';
import { quickImaging } from '#test/imaging.ts';
import { waitAndReadEmails } from '#test/sent-emails.ts';
import { buyAddon, pay, startAddon, startPayment, requestVerification } from '#test/paying.ts';
import {
  anna,
  buyFramesAsAnna,
  annasPassword,
  buyAndVerify,
  fetchFrames,
  createPhotosForm,
  createSmallPhoto,
} from '#test/people.ts';
import { readAllTables, readQueuedMails, readWaitingJobs } from '#test/rows.ts';
import { adminPassword, openTestShop, type TestShop } from '#test/shop.ts';
import { findFrameById } from '../frames/frames.ts';
import { refundPayment } from '../payments/automatic-refunds.ts';
import { settleIntentById } from '../payments/settle.ts';
import { addPhotoTo, createCustomerTarget } from '../photos/add-photo.ts';
import { startNextFrameStep } from '../production/next-frame-step.ts';
import { refundOrder } from '../refunds/refunds.ts';

describeOnFastestEngine((fresh) => {
  test('deleting an account deletes its photos, contact data, sessions and links, and keeps only its bills', async () => {
    const testShop = await openTestShop(fresh);
    const { browser } = await buyAndDeliverAsAnna(testShop);
    await browser.post('/api/auth/confirm-email', {
      token: new URL(
        (await waitAndReadEmails(testShop, 'email-confirmation:'))[0]!.content.confirmUrl,
      ).searchParams.get('token')!,
    });
    const [order] = (await browser.get('/api/order-summary')).json.orders;
    const otherBrowser = testShop.browser();
    await signInAgain(otherBrowser);
    expect((await browser.get('/api/account')).json.unfinished).toEqual([
      { orderNumber: order.orderNumber, words: ['Your package has not shipped yet.'] },
    ]);
    const deletedResponse = await browser.post('/api/account/delete');
    expect(deletedResponse.json, deletedResponse.text).toMatchObject({
      reason: 'account-deleted',
      photos: 1,
      videos: 1,
    });
    expect(browser.cookies.has('sid')).toBe(false);
    expect((await otherBrowser.get('/api/auth/user')).status).toBe(401);
    expect(
      (await testShop.browser().post('/api/auth/login', { email: anna.email, password: annasPassword })).status,
    ).toBe(401);
    expect(await listCustomerFileKeys(testShop)).toEqual([]);
    const { rows } = await testShop.shop.db.execute(
      sql`select first_name, email, phone, customer_id, total_cents, shipping_address from orders`,
    );
    const homeAddress = { line1: '', line2: '', city: 'Portland', state: 'OR', postalCode: '97201', country: 'US' };
    expect(rows).toEqual([
      {
        first_name: 'Deleted',
        email: '',
        phone: null,
        customer_id: null,
        total_cents: 19_900,
        shipping_address: homeAddress,
      },
    ]);
    expect(await readQueuedMails(testShop.shop.db, 'photos-erased:')).toMatchObject([{ to: anna.email }]);
    const erasureEmails = await waitAndReadEmails(testShop, 'photos-erased:');
    expect(erasureEmails).toMatchObject([{ content: { reason: 'account-deleted' } }]);
    const { mails, ...rest } = await readAllTables(testShop.shop.db);
    const tablesWithoutSandbox = Object.entries(rest).filter(([table]) => !table.startsWith('sandbox_')); // leaves out the tables of the payment sandbox, because the provider owns that data
    for (const personal of [anna.email, 'Keller', 'Linden'])
      expect(JSON.stringify(tablesWithoutSandbox)).not.toContain(personal);
    expect(JSON.stringify(mails)).not.toContain(anna.email); // the content of the last mail is deleted after it is sent
    // The same person can register again, and sees no earlier orders.
    const repeatedBrowser = testShop.browser();
    expect((await repeatedBrowser.post('/api/auth/register', { ...anna, password: annasPassword })).status).toBe(200);
    expect((await repeatedBrowser.get('/api/order-summary')).json.orders).toEqual([]);
  });

  test('refunds a payment that settles after its account is deleted, and refuses a photo in progress', async () => {
    const testShop = await openTestShop(fresh);
    const { browser, frames } = await buyFramesAsAnna(testShop);
    const { deviceId } = frames[0]!;
    const intent = await startAddon(browser, deviceId);
    await pay(browser, intent);
    const frame = (await findFrameById(testShop.shop.db, deviceId))!;
    const { rows } = await testShop.shop.db.execute<{ id: string }>(sql`select id from customers`);
    expect((await browser.post('/api/account/delete')).status).toBe(200);
    await settleIntentById(testShop.shop, intent.paymentIntentId);
    const { payments } = await readAllTables(testShop.shop.db);
    expect(payments!.map((payment) => (payment as { state: string }).state).toSorted()).toEqual([
      'refunding',
      'settled',
    ]);
    const path = join(testShop.shop.workFolder, 'late.jpg');
    writeFileSync(path, await createSmallPhoto());
    const file = { path, name: 'late.jpg', sizeBytes: 1000 };
    await expect(addPhotoTo(testShop.shop, createCustomerTarget(frame, rows[0]!.id), file)).rejects.toMatchObject({
      code: 'not-found',
    });
    expect(await listCustomerFileKeys(testShop)).toEqual([]);
  });

  test('a frame’s QR code that is read while the account is being deleted is not stored', async () => {
    const readStarted = Promise.withResolvers<void>();
    const deletedPromise = Promise.withResolvers<void>();
    const readQr = async () => {
      readStarted.resolve();
      await deletedPromise.promise;
      return 'INVITE-7';
    };
    const testShop = await openTestShop(fresh, { imaging: { ...quickImaging, readQr } });
    const { browser, frames } = await buyFramesAsAnna(testShop);
    const otherBrowser = await openAnnasBrowser(testShop);
    const form = new FormData();
    form.append('qrPhoto', new Blob(['a code']), 'qr.jpg');
    const savingRequest = browser.put(`/api/devices/${frames[0]!.deviceId}/connection`, form);
    await readStarted.promise;
    expect((await otherBrowser.post('/api/account/delete')).status).toBe(200);
    deletedPromise.resolve();
    expect((await savingRequest).json.code).toBe('not-found');
    const frame = await findFrameById(testShop.shop.db, frames[0]!.deviceId);
    expect(frame).toMatchObject({ invitationCode: null, qrPhotoKey: null, connectionStatus: 'none' });
    expect(await listCustomerFileKeys(testShop)).toEqual([]);
  });

  test('deleting an account whose email is not proven also deletes the mails about its orders', async () => {
    const testShop = await openTestShop(fresh);
    const { browser } = await buyAndDeliverAsAnna(testShop);
    await waitAndReadEmails(testShop);
    expect((await browser.post('/api/account/delete')).json.reason).toBe('account-deleted');
    const { rows } = await testShop.shop.db.execute(sql`select "to", content from mails where order_id is not null`);
    expect(rows.length).toBeGreaterThan(0);
    for (const row of rows) expect(row).toEqual({ to: '', content: null });
  });

  test('deleting an account removes its data from refunds, invitations and mails to former addresses', async () => {
    const testShop = await openTestShop(fresh, { imaging: quickImaging });
    const browser = testShop.browser();
    const bothIntents = [await startPayment(browser), await startPayment(browser, { extraPackages: 1 })];
    for (const intent of bothIntents) await pay(browser, intent);
    for (const intent of bothIntents) await requestVerification(browser, intent.paymentIntentId);
    await browser.post('/api/complete-registration', { password: annasPassword });
    for (const { data } of await readWaitingJobs(testShop.shop.db, 'refund-payment'))
      await refundPayment(testShop.shop, data['paymentId'] as string);
    const [frame] = await fetchFrames(browser);
    const collectPath = `/api/devices/${frame!.deviceId}/collect-link`;
    await browser.post(collectPath, { name: 'Party', lastDay: dayAfter(toShopDay(testShop.clock.now()), 7) });
    expect((await browser.post(`${collectPath}/invitations`, { email: 'grandma@example.org' })).status).toBe(200);
    await browser.post('/api/account/prove', { password: annasPassword });
    await browser.post('/api/account/email', { email: 'anna.new@example.com' });
    const { confirmUrl } = (await waitAndReadEmails(testShop, 'email-change:')).at(-1)!.content;
    const token = new URL(confirmUrl).searchParams.get('token');
    expect((await browser.post('/api/auth/change-email', { token })).status).toBe(200);
    await testShop.shop.db.execute(sql`update orders set notes = 'Mrs Keller rings at noon'`);
    await waitAndReadEmails(testShop);
    await browser.post('/api/account/prove', { password: annasPassword });
    const deletedResponse = await browser.post('/api/account/delete');
    expect(deletedResponse.status, deletedResponse.text).toBe(200);
    await finishAllErasures(testShop);
    await waitAndReadEmails(testShop);
    const rows = Object.entries(await readAllTables(testShop.shop.db)).filter(
      ([table]) => !table.startsWith('sandbox_'),
    );
    for (const personal of [anna.email, 'anna.new', 'grandma@', 'Keller', 'Linden'])
      for (const [table, those] of rows) expect(JSON.stringify(those), table).not.toContain(personal);
  });
});

describeOnPostgres((fresh) => {
  /** Adds a trigger that delays each row change by one second, so that the test can act during the change. */
  const closeAccountSlowly = async (it: TestShop, when: string) => {
    await it.shop.db.execute(
      sql`create function slow() returns trigger language plpgsql as $$ begin perform pg_sleep(1); return coalesce(new, old); end $$`,
    );
    await it.shop.db.execute(sql.raw(`create trigger slow ${when} for each row execute function slow()`));
  };
  const wait400Ms = () => new Promise((resolve) => setTimeout(resolve, 400));

  test('an order placed while its account is deleted belongs to no one and contains no personal data', async () => {
    for (const isSignedIn of [true, false]) {
      const testShop = await openTestShop(fresh, { imaging: quickImaging });
      const { browser } = await buyFramesAsAnna(testShop);
      const { confirmUrl } = (await waitAndReadEmails(testShop, 'email-confirmation:'))[0]!.content;
      await browser.post('/api/auth/confirm-email', { token: new URL(confirmUrl).searchParams.get('token') });
      const buyer = isSignedIn ? browser : testShop.browser();
      const intent = await startPayment(buyer, { extraPackages: 2 });
      await pay(buyer, intent);
      await closeAccountSlowly(testShop, 'before insert on orders');
      const settlement = settleIntentById(testShop.shop, intent.paymentIntentId);
      await wait400Ms();
      expect((await browser.post('/api/account/delete')).status).toBe(200);
      expect((await settlement).state).toBe('paid');
      const { orders } = await readAllTables(testShop.shop.db);
      expect(orders).toHaveLength(2);
      for (const order of orders!)
        expect(order).toMatchObject({ customer_id: null, email: '', first_name: 'Deleted', gift: null, phone: null });
    }
  });

  test('a guest order that joins an account during its deletion loses its buyer’s data and its photos', async () => {
    const testShop = await openTestShop(fresh, { imaging: quickImaging });
    await buyAndVerify(testShop.browser());
    const [{ id }] = (await readAllTables(testShop.shop.db))['orders'] as [{ id: string }];
    const owner = testShop.browser();
    await owner.post('/api/admin/auth/password', { password: adminPassword });
    const addedResponse = await owner.post(
      '/api/admin/upload',
      createPhotosForm(id, [['one.jpg', await createSmallPhoto()]]),
    );
    expect(addedResponse.json, addedResponse.text).toMatchObject({ uploadCount: 1 });
    const browser = testShop.browser();
    expect((await browser.post('/api/auth/register', { ...anna, password: annasPassword })).status).toBe(200);
    const { confirmUrl } = (await waitAndReadEmails(testShop, 'email-confirmation:'))[0]!.content;
    const token = new URL(confirmUrl).searchParams.get('token');
    await closeAccountSlowly(testShop, 'before update on customers');
    const confirmRequest = browser.post('/api/auth/confirm-email', { token });
    await wait400Ms();
    expect((await browser.post('/api/account/delete')).json).toMatchObject({ photos: 1 });
    expect((await confirmRequest).status).toBe(200);
    expect((await readAllTables(testShop.shop.db))['orders']).toMatchObject([{ customer_id: null, email: '' }]);
    expect(await listCustomerFileKeys(testShop)).toEqual([]);
  });

  test('a refund of an add-on and the deletion of its account at the same time both succeed', async () => {
    const testShop = await openTestShop(fresh, { imaging: quickImaging });
    const { browser, frames } = await buyFramesAsAnna(testShop);
    await buyAddon(browser, frames[0]!.deviceId);
    const { rows } = await testShop.shop.db.execute<{ id: string }>(
      sql`select id from orders where frame_id is not null`,
    );
    await closeAccountSlowly(testShop, 'before delete on customers');
    const deletion = browser.post('/api/account/delete');
    await wait400Ms();
    const request = { reason: 'A wish', withdrawPhotos: true };
    await refundOrder(testShop.shop, rows[0]!.id, request, { requestId: 'none' });
    expect((await deletion).status).toBe(200);
  });

  test('removes personal data from a ticket that is answered while the account is deleted', async () => {
    const testShop = await openTestShop(fresh, { imaging: quickImaging });
    const { browser } = await buyFramesAsAnna(testShop);
    const { confirmUrl } = (await waitAndReadEmails(testShop, 'email-confirmation:'))[0]!.content;
    await browser.post('/api/auth/confirm-email', { token: new URL(confirmUrl).searchParams.get('token') });
    await browser.post('/api/support-tickets', {
      name: 'Anna Keller',
      email: anna.email,
      subject: 'The swing',
      message: 'Is it not too wild?',
    });
    const owner = testShop.browser();
    await owner.post('/api/admin/auth/password', { password: adminPassword });
    const [{ id }] = (await readAllTables(testShop.shop.db))['tickets'] as [{ id: string }];
    await closeAccountSlowly(testShop, 'after insert on ticket_answers');
    const answer = { answer: 'Dear Anna, hold on.', complete: true };
    const answerRequest = owner.post(`/api/admin/support-tickets/${id}/answers`, answer);
    await wait400Ms();
    expect((await browser.post('/api/account/delete')).status).toBe(200);
    expect((await answerRequest).status).toBe(200);
    await finishAllErasures(testShop);
    await waitAndReadEmails(testShop);
    const { tickets, ticket_answers: answers, mails } = await readAllTables(testShop.shop.db);
    expect(answers).toEqual([]);
    for (const personal of [anna.email, 'Dear Anna', 'wild'])
      expect(JSON.stringify([tickets, mails])).not.toContain(personal);
  });

  test('the links in an email that is sent while the account is deleted are revoked', async () => {
    const testShop = await openTestShop(fresh, { imaging: quickImaging });
    const { browser, frames } = await buyAndDeliverAsAnna(testShop);
    await testShop.shop.db.execute(sql`update frames set videos_ready_at = null`);
    await testShop.shop.db.transaction(async (tx) =>
      startNextFrameStep(tx, testShop.shop, (await findFrameById(tx, frames[0]!))!),
    );
    await closeAccountSlowly(testShop, 'before update on carts');
    const deletion = browser.post('/api/account/delete');
    await wait400Ms();
    const emails = await waitAndReadEmails(testShop);
    expect((await deletion).status).toBe(200);
    const findContent = (kind: string) => emails.find(({ event }) => event.startsWith(kind))!.content;
    const { search } = new URL(findContent('receipt:').orderUrl);
    expect((await testShop.browser().get(`/api/order-summary${search}`)).json.orders).toEqual([]);
    const { pathname } = new URL(findContent('videos-ready:').deliveryUrl);
    expect((await testShop.browser().get(`/api${pathname}`)).json.code).toBe('delivery-link-invalid');
    const { rows } = await testShop.shop.db.execute(
      sql`select purpose from tokens where revoked_at is null and used_at is null`,
    );
    expect(rows).toEqual([]);
  });
});
