import { Stripe } from 'stripe';
import { expect, test, vi } from 'vitest';
import { cancelPayment } from '../payments/cancel.ts';
import { refundPayment } from '../payments/automatic-refunds.ts';
import { requestRefund } from '../refunds/refunds.ts';
import { startJobs } from '#server/jobs/jobs.ts';
import { describeOnFastestEngine, describeOnEachEngine, describeOnPostgres } from '#test/database.ts';
import {
  buyAddon,
  runPaymentCancelJobs,
  pay,
  startAddon,
  runPaymentSettlement,
  verifyAddon,
  sendPaymentWebhook,
} from '#test/paying.ts';
import { anna, buyFramesAsAnna, buyAndVerify, fetchFrames, uploadTo } from '#test/people.ts';
import { rejectAsUnavailable, createFaultyProvider } from '#test/provider.ts';
import { countRows, readAllTables, readQueuedMails, readWaitingJobs } from '#test/rows.ts';
import { adminPassword, baseUrl, openTestShop, type Browser, type TestShop } from '#test/shop.ts';

const fetchSlots = async (browser: Browser) => {
  const [frame] = (await fetchFrames(browser)) as unknown as Record<string, number | boolean>[];
  const { basePhotos, extraPhotos, laterPhotos, usedPhotos, remainingPhotos, uploadFinalized } = frame!;
  return { basePhotos, extraPhotos, laterPhotos, usedPhotos, remainingPhotos, uploadFinalized };
};
const finalizeFrame = (browser: Browser, deviceId: string) => browser.post('/api/uploads/finalize', { deviceId });
/** Sends the requests of a Stripe client to the provider sandbox of the shop's HTTP server. */
const fetchThroughShop =
  (it: TestShop): typeof fetch =>
  async (url, init) => {
    const { pathname, search } = new URL(url as string);
    const response = await it.app.inject({
      method: init?.method as 'GET',
      url: `/sandbox/stripe${pathname}${search}`,
      headers: Object.fromEntries(new Headers(init?.headers)),
      ...(init?.body && { payload: init.body as string }),
    });
    return new Response(response.body, { status: response.statusCode });
  };

async function signInOwner(it: TestShop) {
  const admin = it.browser();
  await admin.post('/api/admin/auth/password', { password: adminPassword });
  const readOrders = async () => (await admin.get('/api/admin/orders')).json as { id: string; productType: string }[];
  const readAddonOrders = async () => (await readOrders()).filter((order) => order.productType === 'photo-bundle');
  const refundOrder = async (id: string, body: object = {}) => {
    const response = await admin.post(`/api/admin/orders/${id}/refunds`, {
      reason: 'Not needed',
      withdrawPhotos: true,
      ...body,
    });
    for (const { data } of await readWaitingJobs(it.shop.db, 'ask-refund'))
      await requestRefund(it.shop, data['refundId'] as string);
    return response;
  };
  return { admin, orders: readOrders, addonOrders: readAddonOrders, refund: refundOrder };
}

describeOnPostgres((fresh) => {
  test('adds ten places only once when verify requests, webhooks and the sweep settle a payment at once', async () => {
    const testShop = await openTestShop(fresh);
    await startJobs(testShop.shop);
    const { browser, frames } = await buyFramesAsAnna(testShop);
    const intent = await startAddon(browser, frames[0]!.deviceId);
    await pay(browser, intent);
    const responses = await Promise.all([
      ...Array.from({ length: 8 }, () => verifyAddon(browser, intent.paymentIntentId)),
      ...Array.from({ length: 8 }, () => sendPaymentWebhook(testShop, intent.paymentIntentId)),
      runPaymentSettlement(testShop),
    ]);
    for (const addonResponse of responses.slice(0, 8))
      expect((addonResponse as { json: unknown }).json).toMatchObject({ success: true, status: 'paid' });
    await vi.waitFor(async () => expect(await readWaitingJobs(testShop.shop.db, 'settle-payment')).toEqual([]), {
      timeout: 20_000,
    });
    expect(await fetchSlots(browser)).toMatchObject({ basePhotos: 20, extraPhotos: 10, remainingPhotos: 30 });
    expect(await countRows(testShop.shop.db, 'orders')).toBe(2);
    expect(await readQueuedMails(testShop.shop.db, 'addon-receipt:')).toHaveLength(1);
  });

  test('reopens a finalized frame for eighty photos when eight add-ons are settled at once', async () => {
    const testShop = await openTestShop(fresh);
    const { browser, frames } = await buyFramesAsAnna(testShop);
    const { deviceId } = frames[0]!;
    await uploadTo(browser, deviceId);
    await finalizeFrame(browser, deviceId);
    const intents = [];
    for (let i = 0; i < 8; i++) {
      const intent = await startAddon(browser, deviceId);
      await pay(browser, intent);
      intents.push(intent);
    }
    const verifyResponses = await Promise.all(intents.map((it) => verifyAddon(browser, it.paymentIntentId)));
    expect(verifyResponses.map((it) => it.status)).toEqual(Array(8).fill(200));
    expect(await fetchSlots(browser)).toMatchObject({ extraPhotos: 80, laterPhotos: 80, remainingPhotos: 80 });
  });

  test('keeps places and photos consistent when uploads, a finalize request and the refund of an add-on run at the same time', async () => {
    const testShop = await openTestShop(fresh);
    const { browser, frames } = await buyFramesAsAnna(testShop);
    const { deviceId } = frames[0]!;
    await uploadTo(browser, deviceId);
    await finalizeFrame(browser, deviceId);
    await buyAddon(browser, deviceId);
    const { addonOrders, refund } = await signInOwner(testShop);
    const [order] = await addonOrders();
    await Promise.all([
      ...Array.from({ length: 4 }, () => uploadTo(browser, deviceId)),
      refund(order!.id),
      finalizeFrame(browser, deviceId),
    ]);
    const { extraPhotos, usedPhotos, remainingPhotos } = (await fetchSlots(browser)) as Record<string, number>;
    expect(remainingPhotos).toBe(1 + extraPhotos! - usedPhotos!); // nineteen places were finalized without a photo
    const { uploads, refunds } = await readAllTables(testShop.shop.db);
    expect(uploads).toHaveLength(usedPhotos!);
    const withdrawnPhotos = (refunds as { photos_withdrawn: number }[])[0]!.photos_withdrawn;
    expect(extraPhotos).toBe(10 - withdrawnPhotos);
  });
});

describeOnEachEngine((fresh) => {
  test('a paid add-on adds places, becomes a separate order, and emails the buyer and the owner', async () => {
    const testShop = await openTestShop(fresh);
    const { browser, frames } = await buyFramesAsAnna(testShop);
    const { deviceId } = frames[0]!;
    const intent = await startAddon(browser, deviceId, 2);
    expect(intent).toMatchObject({
      totalAmount: 1_998,
      subtotalAmount: 1_998,
      taxAmount: 0,
      deviceName: 'Kinframe 1',
      provider: 'sandbox',
    });
    expect((await verifyAddon(browser, intent.paymentIntentId)).json).toMatchObject({ code: 'payment-not-finished' });
    expect((await fetchSlots(browser)).remainingPhotos).toBe(20);
    await pay(browser, intent);
    expect((await verifyAddon(browser, intent.paymentIntentId)).json).toEqual({
      success: true,
      status: 'paid',
      message: 'Added room for 20 more photos to Kinframe 1.',
      deviceId,
    });
    expect(await fetchSlots(browser)).toMatchObject({ basePhotos: 20, extraPhotos: 20, laterPhotos: 20 });
    const summary = (await browser.get('/api/order-summary')).json;
    expect(summary.orders[0]).toMatchObject({
      productType: 'photo-bundle',
      quantity: 2,
      extraPackages: 2,
      status: 'completed',
      totalAmount: 1_998,
    });
    expect(summary.photoSummary).toEqual({ uploadedPhotos: 0, totalCapacity: 40 });
    expect(summary.orderSummary).toMatchObject({
      frameCount: 1,
      totalFramePrice: 199,
      extraPackages: 2,
      extraPackagePrice: 9.99,
      total: 218.98,
    });
    const order = (await browser.get(`/api/orders/${summary.orders[0].orderNumber}`)).json;
    expect(order).toMatchObject({
      frames: [],
      history: [{ kind: 'paid', words: 'Payment received. There is room for your photos.' }],
    });
    const frameOrder = (await browser.get(`/api/orders/${summary.orders[1].orderNumber}`)).json;
    expect(frameOrder.history).toMatchObject([
      { kind: 'paid' },
      { kind: 'add-on', words: `Room for 20 more photos added to Kinframe 1 with order ${order.orderNumber}.` },
    ]);
    expect((await browser.get('/api/customer/frames')).json.frameInfo).toMatchObject({ framesPurchased: 1 });
    expect(await readQueuedMails(testShop.shop.db, 'addon-receipt:')).toMatchObject([
      { to: anna.email, content: { packages: 2, photosAdded: 20, frameNames: ['Kinframe 1'], totalCents: 1_998 } },
    ]);
    expect((await readQueuedMails(testShop.shop.db, 'owner-sale:')).at(-1)).toMatchObject({
      content: { totalCents: 1_998 },
    });
    expect((await (await signInOwner(testShop)).addonOrders())[0]).toMatchObject({
      quantity: 2,
      orderStatus: 'completed',
    });
  });

  test('an add-on opens only the new places of a finalized frame, and its finalized photos stay locked', async () => {
    const testShop = await openTestShop(fresh);
    const { browser, frames } = await buyFramesAsAnna(testShop);
    const { deviceId } = frames[0]!;
    const firstPhoto = (await uploadTo(browser, deviceId)).json;
    await finalizeFrame(browser, deviceId);
    expect((await uploadTo(browser, deviceId)).json).toMatchObject({ code: 'frame-finalized' });
    await buyAddon(browser, deviceId);
    const frame = (await fetchFrames(browser))[0]!;
    expect(frame).toMatchObject({
      uploadFinalized: false,
      usedPhotos: 1,
      remainingPhotos: 10, // not the 19 places that were finalized without a photo
      totalLimit: 30,
      uploads: [{ isLocked: true }],
    });
    expect((await browser.delete(`/api/uploads/${firstPhoto.id}`)).json).toMatchObject({ code: 'frame-finalized' });
    expect((await finalizeFrame(browser, deviceId)).json).toMatchObject({ code: 'no-photos-yet' });

    const secondPhoto = (await uploadTo(browser, deviceId)).json;
    expect((await browser.delete(`/api/uploads/${secondPhoto.id}`)).status).toBe(200);
    const thirdPhoto = (await uploadTo(browser, deviceId)).json;
    expect((await finalizeFrame(browser, deviceId)).status).toBe(200);
    expect((await fetchFrames(browser))[0]).toMatchObject({ uploadFinalized: true, usedPhotos: 2 });
    const { videos } = await readAllTables(testShop.shop.db);
    expect((videos as { upload_id: string; place: number }[]).map((it) => [it.upload_id, it.place])).toEqual(
      expect.arrayContaining([
        [firstPhoto.id, 0],
        [thirdPhoto.id, 1],
      ]),
    );
    expect(videos).toHaveLength(2);
    expect((await readQueuedMails(testShop.shop.db, 'finalized:')).map((mail) => mail.content.photoCount)).toEqual([
      1, 1,
    ]);
    expect((await uploadTo(browser, deviceId)).json).toMatchObject({ code: 'frame-finalized' });
  });

  test('refunds withdraw an add-on’s unused places, and close a frame that only the add-on had reopened', async () => {
    const testShop = await openTestShop(fresh);
    const { browser, frames } = await buyFramesAsAnna(testShop);
    const { deviceId } = frames[0]!;
    await uploadTo(browser, deviceId);
    await finalizeFrame(browser, deviceId);
    await buyAddon(browser, deviceId, 2);
    const { admin, addonOrders, refund } = await signInOwner(testShop);
    const [order] = await addonOrders();
    expect((await admin.get(`/api/admin/orders/${order!.id}/refunds`)).json).toMatchObject({
      remainingAmount: 1_998,
      unusedPhotos: 20,
      unusedPackages: 2,
      packageAmount: 999,
    });
    expect((await refund(order!.id, { amountCents: 999 })).json).toMatchObject({ refunds: [{ photosWithdrawn: 10 }] });
    expect(await fetchSlots(browser)).toMatchObject({ basePhotos: 20, extraPhotos: 10, uploadFinalized: false });
    expect((await refund(order!.id)).json.refunds[1]).toMatchObject({ photosWithdrawn: 10 });
    expect(await fetchSlots(browser)).toMatchObject({ basePhotos: 20, extraPhotos: 0, uploadFinalized: true });
  });

  test('a refund withdraws only its own add-on’s places; photos fill the places of older add-ons first', async () => {
    const testShop = await openTestShop(fresh);
    const { browser, frames } = await buyFramesAsAnna(testShop);
    const { deviceId } = frames[0]!;
    await uploadTo(browser, deviceId);
    await finalizeFrame(browser, deviceId);
    await buyAddon(browser, deviceId);
    await uploadTo(browser, deviceId);
    await finalizeFrame(browser, deviceId); // closes nine places of the first add-on for good
    await buyAddon(browser, deviceId);
    await buyAddon(browser, deviceId, 2);
    await uploadTo(browser, deviceId);
    const { admin, addonOrders, refund } = await signInOwner(testShop);
    const [third, second, first] = await addonOrders();
    const countUnusedPhotos = async (order: { id: string } | undefined) =>
      (await admin.get(`/api/admin/orders/${order!.id}/refunds`)).json.unusedPhotos;
    expect([await countUnusedPhotos(first), await countUnusedPhotos(second), await countUnusedPhotos(third)]).toEqual([
      0, 9, 20,
    ]);
    expect((await refund(first!.id)).json.refunds).toMatchObject([{ photosWithdrawn: 0 }]);
    expect(await fetchSlots(browser)).toMatchObject({ remainingPhotos: 29, uploadFinalized: false });
    expect((await refund(second!.id)).json.refunds).toMatchObject([{ photosWithdrawn: 9 }]);
    expect(await fetchSlots(browser)).toMatchObject({ remainingPhotos: 20, uploadFinalized: false });
    expect((await refund(third!.id)).json.refunds).toMatchObject([{ photosWithdrawn: 20 }]);
    expect(await fetchSlots(browser)).toMatchObject({ remainingPhotos: 0, usedPhotos: 3 });
  });

  test('a refund withdraws an add-on’s unused places even after the customer has deleted the account', async () => {
    const testShop = await openTestShop(fresh);
    const { browser, frames } = await buyFramesAsAnna(testShop);
    await buyAddon(browser, frames[0]!.deviceId, 2);
    expect((await browser.post('/api/account/delete')).status).toBe(200);
    const { addonOrders, refund } = await signInOwner(testShop);
    const [order] = await addonOrders();
    expect((await refund(order!.id)).json.refunds).toMatchObject([{ photosWithdrawn: 20 }]);
  });

  test('keeps the places of an add-on when the frame’s own order is refunded', async () => {
    const testShop = await openTestShop(fresh);
    const { browser, frames } = await buyFramesAsAnna(testShop, { extraPackages: 1 });
    const { deviceId } = frames[0]!;
    await uploadTo(browser, deviceId);
    await buyAddon(browser, deviceId);
    const { orders, addonOrders, refund } = await signInOwner(testShop);
    const frameOrder = (await orders()).find((order) => order.productType !== 'photo-bundle')!;
    expect((await refund(frameOrder.id)).json.refunds).toMatchObject([{ photosWithdrawn: 29 }]);
    expect(await fetchSlots(browser)).toMatchObject({ basePhotos: 1, extraPhotos: 10, remainingPhotos: 10 });
    const [addon] = await addonOrders();
    expect((await refund(addon!.id)).json.refunds).toMatchObject([{ photosWithdrawn: 10 }]);
    expect(await fetchSlots(browser)).toMatchObject({ basePhotos: 1, extraPhotos: 0, remainingPhotos: 0 });
  });

  test('refunds an add-on whose places the owner has removed, and keeps the frame’s own places', async () => {
    const testShop = await openTestShop(fresh);
    const { browser, frames } = await buyFramesAsAnna(testShop);
    const { deviceId } = frames[0]!;
    await buyAddon(browser, deviceId);
    const { admin, addonOrders, refund } = await signInOwner(testShop);
    const [user] = (await admin.get('/api/admin/users')).json;
    expect((await admin.put(`/api/admin/users/${user.id}`, { extraPhotoPackages: 0 })).status).toBe(200);
    const [addon] = await addonOrders();
    expect((await admin.get(`/api/admin/orders/${addon!.id}/refunds`)).json).toMatchObject({
      remainingAmount: 999,
      unusedPhotos: 0,
      unusedPackages: 0,
    });
    expect((await refund(addon!.id)).json.refunds).toMatchObject([{ amount: 999, photosWithdrawn: 0 }]);
    expect(await fetchSlots(browser)).toMatchObject({
      basePhotos: 20,
      extraPhotos: 0,
      laterPhotos: 0,
      remainingPhotos: 20,
    });
  });

  test('refunds of two add-ons withdraw only one package if the owner has removed the other', async () => {
    const testShop = await openTestShop(fresh);
    const { browser, frames } = await buyFramesAsAnna(testShop);
    const { deviceId } = frames[0]!;
    await buyAddon(browser, deviceId);
    await buyAddon(browser, deviceId);
    const { admin, addonOrders, refund } = await signInOwner(testShop);
    const [user] = (await admin.get('/api/admin/users')).json;
    await admin.put(`/api/admin/users/${user.id}`, { extraPhotoPackages: 1 });
    const [second, first] = await addonOrders();
    expect((await refund(first!.id)).json.refunds).toMatchObject([{ photosWithdrawn: 0 }]);
    expect((await refund(second!.id)).json.refunds).toMatchObject([{ photosWithdrawn: 10 }]);
    expect(await fetchSlots(browser)).toMatchObject({ basePhotos: 20, extraPhotos: 0, laterPhotos: 0 });
  });

  test('reports a slow bank payment as processing, and adds the places when only the webhook arrives', async () => {
    const testShop = await openTestShop(fresh);
    await startJobs(testShop.shop);
    const { browser, frames } = await buyFramesAsAnna(testShop);
    const intent = await startAddon(browser, frames[0]!.deviceId);
    await pay(browser, intent, '4000000000000077');
    expect((await verifyAddon(browser, intent.paymentIntentId)).json).toMatchObject({
      success: false,
      status: 'processing',
    });
    expect((await fetchSlots(browser)).remainingPhotos).toBe(20);
    await testShop.shop.sandbox!.settleDelayedNow();
    await testShop.shop.sandbox!.runDueTasks(); // the sandbox delivers the webhooks of the payment
    await vi.waitFor(async () => expect((await fetchSlots(browser)).remainingPhotos).toBe(30), { timeout: 20_000 });
  });
});

describeOnFastestEngine((fresh) => {
  test('returns 404 for another customer’s frame or payment, and 401 to a browser that is not signed in', async () => {
    const testShop = await openTestShop(fresh);
    const { browser, frames } = await buyFramesAsAnna(testShop);
    const { deviceId } = frames[0]!;
    const ben = testShop.browser();
    await buyAndVerify(ben, { customerDetails: { ...anna, email: 'ben@example.com', firstName: 'Ben' } });
    await ben.post('/api/complete-registration', { password: 'Kite-over-sea-4' });
    const refusalResponse = await ben.post('/api/create-addon-payment-intent', { deviceId, quantity: 1 });
    expect([refusalResponse.status, refusalResponse.json.code]).toEqual([404, 'not-found']);
    const visitor = testShop.browser();
    const signedOutResponse = await visitor.post('/api/create-addon-payment-intent', { deviceId, quantity: 1 });
    expect([signedOutResponse.status, signedOutResponse.json.code]).toEqual([401, 'sign-in-needed']);

    const intent = await startAddon(browser, deviceId);
    await pay(browser, intent);
    const verifyResponse = await verifyAddon(ben, intent.paymentIntentId);
    expect([verifyResponse.status, verifyResponse.json.code]).toEqual([404, 'payment-not-found']);
    // Ben's request has settled the payment: Anna has the places that she paid for.
    expect((await fetchSlots(browser)).remainingPhotos).toBe(30);
    const order = await buyAndVerify(testShop.browser());
    expect((await verifyAddon(browser, order.paymentIntentId)).json).toMatchObject({ code: 'payment-not-found' });
    const asOrderResponse = await browser.post('/api/verify-payment', { paymentIntentId: intent.paymentIntentId });
    expect(asOrderResponse.json).toMatchObject({ code: 'payment-not-found' });
  });

  test.each([
    [{ quantity: 0 }, 'Quantity must be at least 1.'],
    [{ quantity: 11 }, 'Quantity can be at most 10 online. Please contact support for more.'],
    [{ quantity: 1.5 }, 'Quantity must be a whole number.'],
    [{ quantity: '2' }, 'Quantity must be a whole number.'],
    [{ quantity: undefined }, 'Quantity must be a whole number.'],
    [{ deviceId: '' }, 'Please choose a frame.'],
    [{ deviceId: undefined }, 'Please choose a frame.'],
    [{ deviceId: 'x'.repeat(65) }, ''],
    [{ taxLocation: { country: 'DE', postalCode: '10115' } }, 'Please choose United States or Canada'],
  ])('refuses %j with a message and writes nothing', async (change, words) => {
    const testShop = await openTestShop(fresh);
    const { browser, frames } = await buyFramesAsAnna(testShop);
    const tablesBefore = await readAllTables(testShop.shop.db);
    const body = { deviceId: frames[0]!.deviceId, quantity: 1, ...change };
    const response = await browser.post('/api/create-addon-payment-intent', body);
    expect(response.status).toBe(400);
    expect(response.json).toMatchObject({ success: false, code: 'invalid-request' });
    expect(response.json.message).toContain(words);
    expect(await readAllTables(testShop.shop.db)).toEqual(tablesBefore);
  });

  test('adds nothing after a declined card, and accepts another card for the same intent', async () => {
    const testShop = await openTestShop(fresh);
    const { browser, frames } = await buyFramesAsAnna(testShop);
    const intent = await startAddon(browser, frames[0]!.deviceId);
    expect((await pay(browser, intent, '4000000000000002')).status).toBe(402);
    expect((await verifyAddon(browser, intent.paymentIntentId)).json).toMatchObject({ code: 'payment-not-finished' });
    await pay(browser, intent);
    expect((await verifyAddon(browser, intent.paymentIntentId)).json).toMatchObject({ success: true });
    expect((await fetchSlots(browser)).remainingPhotos).toBe(30);
  });

  test('a second payment for a frame cancels an unpaid earlier intent, but settles a paid one', async () => {
    const testShop = await openTestShop(fresh);
    const { browser, frames } = await buyFramesAsAnna(testShop);
    const { deviceId } = frames[0]!;
    const unpaidIntent = await startAddon(browser, deviceId);
    const paidIntent = await startAddon(browser, deviceId);
    await runPaymentCancelJobs(testShop);
    expect((await pay(browser, unpaidIntent)).status).toBe(400);
    await pay(browser, paidIntent);
    await startAddon(browser, deviceId);
    for (const { data } of await readWaitingJobs(testShop.shop.db, 'cancel-payment'))
      await cancelPayment(testShop.shop, data['paymentId'] as string);
    expect((await fetchSlots(browser)).remainingPhotos).toBe(30);
  });

  test('the payment sweep adds the places if the browser never returns after paying', async () => {
    const testShop = await openTestShop(fresh);
    const { browser, frames } = await buyFramesAsAnna(testShop);
    await pay(browser, await startAddon(browser, frames[0]!.deviceId));
    testShop.clock.advance(120_000);
    await runPaymentSettlement(testShop);
    expect((await fetchSlots(browser)).remainingPhotos).toBe(30);
  });

  test('refunds an add-on if its frame was refunded before the settlement, and emails the customer', async () => {
    const testShop = await openTestShop(fresh);
    const { browser, frames } = await buyFramesAsAnna(testShop);
    const { deviceId } = frames[0]!;
    const intent = await startAddon(browser, deviceId);
    await pay(browser, intent);
    const { orders, refund } = await signInOwner(testShop);
    await refund((await orders())[0]!.id);
    const verifyResponse = await verifyAddon(browser, intent.paymentIntentId);
    expect([verifyResponse.status, verifyResponse.json.code]).toEqual([409, 'addon-given-back']);
    for (const { data } of await readWaitingJobs(testShop.shop.db, 'refund-payment'))
      await refundPayment(testShop.shop, data['paymentId'] as string);
    expect(await readQueuedMails(testShop.shop.db, 'addon-given-back:')).toMatchObject([
      { to: anna.email, content: { kind: 'refund', amountCents: 999 } },
    ]);
    const lateResponse = await browser.post('/api/create-addon-payment-intent', { deviceId, quantity: 1 });
    expect([lateResponse.status, lateResponse.json.code]).toEqual([409, 'frame-refunded']);
  });

  test('calculates tax at the frame’s shipping address, shows it before the payment and stores it', async () => {
    const testShop = await openTestShop(fresh, { env: { STRIPE_TAX: 'on' } });
    const address = { ...anna.address, line1: '350 Fifth Avenue', city: 'New York', state: 'NY', postalCode: '10118' };
    const browser = testShop.browser();
    await buyAndVerify(browser, { customerDetails: { ...anna, address } });
    await browser.post('/api/complete-registration', { password: 'Kite-over-sea-4' });
    const [frame] = await fetchFrames(browser);
    const intent = (await startAddon(browser, frame!.deviceId, 10)) as unknown as Record<string, number>;
    expect(intent['taxAmount']).toBeGreaterThan(0);
    expect(intent['totalAmount']).toBe(9_990 + intent['taxAmount']!);
    await pay(browser, intent as never);
    await verifyAddon(browser, intent['paymentIntentId'] as unknown as string);
    const [order] = await (await signInOwner(testShop)).addonOrders();
    expect(order).toMatchObject({ taxAmount: intent['taxAmount'], taxJurisdiction: 'New York' });
  });

  test('requires a tax location when the frame was not shipped', async () => {
    const testShop = await openTestShop(fresh, { env: { STRIPE_TAX: 'on' } });
    const browser = testShop.browser();
    const { firstName, lastName, email } = anna;
    const customerDetails = { firstName, lastName, email, taxLocation: { country: 'US', postalCode: '10118' } };
    await buyAndVerify(browser, { productId: 'byof', customerDetails });
    await browser.post('/api/complete-registration', { password: 'Kite-over-sea-4' });
    const [frame] = await fetchFrames(browser);
    const body = { deviceId: frame!.deviceId, quantity: 1 };
    expect((await browser.post('/api/create-addon-payment-intent', body)).json).toMatchObject({
      code: 'tax-location-needed',
    });
    const bodyWithLocation = { ...body, taxLocation: { country: 'US', postalCode: '10118' } };
    expect((await browser.post('/api/create-addon-payment-intent', bodyWithLocation)).status).toBe(200);
  });

  test('settles after the provider’s checkout page only what the provider itself reports as paid', async () => {
    // The request for the intent fails, so the shop does not know the intent's id. Only the metadata identify the
    // payment.
    const { provider, state } = createFaultyProvider(() => ({ createIntent: rejectAsUnavailable }));
    state.isOn = false;
    const testShop = await openTestShop(fresh, { provider });
    const { browser, frames } = await buyFramesAsAnna(testShop);
    const { deviceId } = frames[0]!;
    state.isOn = true;
    await browser.post('/api/create-addon-payment-intent', { deviceId, quantity: 1 });
    const { payments } = await readAllTables(testShop.shop.db);
    const { id } = (payments as { id: string; purpose: string }[]).find((it) => it.purpose === 'add-on')!;
    const stripe = new Stripe(testShop.shop.sandbox!.secretKey, {
      httpClient: Stripe.createFetchHttpClient(fetchThroughShop(testShop)),
    });
    const product_data = { name: '+10 AI Photo Package' };
    const session = await stripe.checkout.sessions.create({
      mode: 'payment',
      success_url: `${baseUrl}/upload?addon=success&session_id={CHECKOUT_SESSION_ID}`,
      cancel_url: `${baseUrl}/upload?addon=cancelled`,
      line_items: [{ quantity: 1, price_data: { currency: 'usd', unit_amount: 999, product_data } }],
      payment_intent_data: { metadata: { payment_id: id } },
    });
    const verifySession = (sessionId: string, by = browser) => by.post('/api/verify-addon-checkout', { sessionId });
    expect((await verifySession(session.id)).json).toMatchObject({ code: 'payment-not-finished' });
    expect((await verifySession('cs_test_invented')).json).toMatchObject({ code: 'payment-not-found' });
    expect((await verifySession('../payment_intents')).json).toMatchObject({ code: 'payment-not-found' });
    expect((await fetchSlots(browser)).remainingPhotos).toBe(20);

    const paymentIntentId = session.payment_intent as string;
    const intent = await stripe.paymentIntents.retrieve(paymentIntentId);
    await pay(browser, { paymentIntentId, clientSecret: intent.client_secret! });
    expect((await stripe.checkout.sessions.retrieve(session.id)).payment_status).toBe('paid');
    expect((await verifySession(session.id, testShop.browser())).json).toMatchObject({ code: 'sign-in-needed' });
    const bothResponses = await Promise.all([verifySession(session.id), verifySession(session.id)]);
    for (const response of bothResponses) expect(response.json).toMatchObject({ success: true, deviceId });
    expect((await fetchSlots(browser)).remainingPhotos).toBe(30);
  });

  test('returns 503 when the provider is down, and the sweep closes the payment', async () => {
    const { provider, state } = createFaultyProvider(() => ({ createIntent: rejectAsUnavailable }));
    state.isOn = false;
    const testShop = await openTestShop(fresh, { provider });
    const { browser, frames } = await buyFramesAsAnna(testShop);
    state.isOn = true;
    const body = { deviceId: frames[0]!.deviceId, quantity: 1 };
    const response = await browser.post('/api/create-addon-payment-intent', body);
    expect([response.status, response.json.code]).toEqual([503, 'payment-provider-unavailable']);
    testShop.clock.advance(11 * 60_000);
    await runPaymentSettlement(testShop);
    expect((await readAllTables(testShop.shop.db))['payments']).toContainEqual(
      expect.objectContaining({ purpose: 'add-on', state: 'cancelled' }),
    );
  });
});
