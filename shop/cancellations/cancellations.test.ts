import { sql } from 'drizzle-orm';
import { expect, test } from 'vitest';
import { dayAfter, toShopDay } from '#contract/calendar.ts';
import { describeOnFastestEngine, describeOnPostgres } from '#test/database.ts';
import { deliverVideos } from '#test/delivered-order.ts';
import { buyAddon, startAddon, pay, verifyAddon } from '#test/paying.ts';
import {
  buyFramesAsAnna,
  buyAndVerify,
  fetchFrames,
  createPhotoForm,
  createSmallPhoto,
  uploadTo,
} from '#test/people.ts';
import { countRows, readQueuedMails, readWaitingJobs } from '#test/rows.ts';
import { adminPassword, openTestShop, type Browser, type TestShop } from '#test/shop.ts';
import { readHistoriesOf } from '../orders/orders.ts';
import { settleIntentById } from '../payments/settle.ts';
import { syncDisputes } from '../refunds/disputes.ts';
import { requestRefund, syncRefunds } from '../refunds/refunds.ts';

async function openOwnersView(it: TestShop) {
  const admin = it.browser();
  await admin.post('/api/admin/auth/password', { password: adminPassword });
  const orders = (await admin.get('/api/admin/orders')).json;
  const order = orders.find((found: { productType: string }) => found.productType !== 'photo-bundle');
  const path = `/api/admin/orders/${order.id}`;
  return {
    admin,
    order,
    path,
    now: async () => (await admin.get(path)).json,
    offer: async () => (await admin.get(`${path}/cancellation`)).json,
    cancel: (body: Record<string, unknown> = {}) =>
      admin.post(`${path}/cancellation`, {
        reason: 'Ordered twice',
        photos: 'keep',
        tellCustomer: true,
        refundAmount: 19_900,
        key: crypto.randomUUID(),
        ...body,
      }),
  };
}
async function requestWaitingRefunds(it: TestShop) {
  for (const { data } of await readWaitingJobs(it.shop.db, 'ask-refund'))
    await requestRefund(it.shop, data['refundId'] as string);
}
async function readRefundedCentsAtProvider(it: TestShop) {
  const { rows } = await it.shop.db.execute<{ amount: number }>(
    sql`select (body ->> 'amount')::integer as amount from sandbox_objects where type = 'refund' order by position`,
  );
  return rows.map((row) => row.amount);
}
/** Delivers a video to Anna, then cancels her order and keeps the video. `before` runs between the two. */
async function cancelOrderWithVideo(it: TestShop, before?: (browser: Browser, deviceId: string) => Promise<unknown>) {
  const { browser, frames } = await buyFramesAsAnna(it);
  const { deviceId } = frames[0]!;
  await uploadTo(browser, deviceId);
  await deliverVideos(it, browser, deviceId);
  await before?.(browser, deviceId);
  const owner = await openOwnersView(it);
  const cancelResponse = await owner.cancel({ refundAmount: (await owner.offer()).refundAmount });
  expect(cancelResponse.status, cancelResponse.text).toBe(200);
  const fetchFrame = async () => (await fetchFrames(browser)).find((frame) => frame.deviceId === deviceId)!;
  expect(await fetchFrame()).toMatchObject({ uploadFinalized: true, videosReadyAt: expect.any(String) });
  return { browser, deviceId, frameNow: fetchFrame, ...owner };
}
const toStatusAndCode = ({ status, json }: { status: number; json: { code: string } }) => [status, json.code];

describeOnPostgres((fresh) => {
  test('cancels once when two tabs, a repeated click, uploads and finalizing arrive at the same time', async () => {
    const testShop = await openTestShop(fresh);
    const { browser, frames } = await buyFramesAsAnna(testShop, { quantity: 2 });
    const [first, second] = frames.map((frame) => frame.deviceId) as [string, string];
    for (const id of [first, second]) await uploadTo(browser, id);
    const { cancel, now } = await openOwnersView(testShop);
    const key = crypto.randomUUID();
    const cancelInTab = (body: object) => cancel({ refundAmount: 39_800, photos: 'erase', ...body });
    const [clicks, others, around] = await Promise.all([
      Promise.all([cancelInTab({ key }), cancelInTab({ key }), cancelInTab({ key })]),
      Promise.all([cancelInTab({}), cancelInTab({})]),
      Promise.all([
        uploadTo(browser, first),
        browser.post('/api/uploads/finalize', { deviceId: second }),
        uploadTo(browser, second),
      ]),
    ]);
    const isByClick = clicks[0].status === 200;
    expect(new Set(clicks.map((it) => it.status))).toEqual(new Set([isByClick ? 200 : 409]));
    expect(others.filter((it) => it.status === 200)).toHaveLength(isByClick ? 0 : 1);
    for (const response of [...clicks, ...others].filter((it) => it.status !== 200))
      expect(toStatusAndCode(response)).toEqual([409, 'order-canceled']);
    for (const response of around.filter((it) => it.status !== 200))
      // A photo for the second frame may also arrive after that frame was finalized.
      expect([409, 'frame-finalized', 'frame-refunded'], response.text).toEqual(
        expect.arrayContaining(toStatusAndCode(response)),
      );
    await Promise.all([requestWaitingRefunds(testShop), requestWaitingRefunds(testShop)]);
    expect(await readRefundedCentsAtProvider(testShop)).toEqual([39_800]);
    expect(await now()).toMatchObject({ refundedAmount: 39_800, canceledAt: expect.any(String) });
    expect(await readQueuedMails(testShop.shop.db, 'order-canceled:')).toHaveLength(1);
    expect([await countRows(testShop.shop.db, 'uploads'), await countRows(testShop.shop.db, 'videos')]).toEqual([0, 0]);
    expect(await uploadTo(browser, first)).toMatchObject({ status: 409, json: { code: 'frame-refunded' } });
  });

  test('either cancels or ships an order when both arrive at the same time', async () => {
    const testShop = await openTestShop(fresh);
    await buyFramesAsAnna(testShop);
    const { admin, path, cancel, now } = await openOwnersView(testShop);
    const [canceled, shipped] = await Promise.all([cancel(), admin.post(`${path}/shipment`, { tellAgain: false })]);
    const stateAfter = await now();
    if (canceled.status === 200) {
      expect(toStatusAndCode(shipped)).toEqual([409, 'order-canceled']);
      expect([stateAfter.parcel, await readQueuedMails(testShop.shop.db, 'shipped:')]).toEqual([null, []]);
    } else {
      expect([shipped.status, ...toStatusAndCode(canceled)]).toEqual([200, 409, 'cancel-shipped']);
      expect([stateAfter.canceledAt, stateAfter.refundedAmount]).toEqual([null, 0]);
    }
  });

  test('an add-on that is paid while its order is canceled is refunded', async () => {
    const testShop = await openTestShop(fresh);
    const { browser, frames } = await buyFramesAsAnna(testShop);
    const intent = await startAddon(browser, frames[0]!.deviceId);
    await pay(browser, intent);
    const { cancel, offer } = await openOwnersView(testShop);
    const [canceled] = await Promise.all([cancel(), settleIntentById(testShop.shop, intent.paymentIntentId)]);
    if (canceled.status === 409) {
      expect(canceled.json.code).toBe('cancel-changed');
      expect((await cancel({ refundAmount: (await offer()).refundAmount })).status).toBe(200);
    }
    const { rows } = await testShop.shop.db.execute<{ open: number }>(
      sql`select count(*)::integer as open from orders where refunded_cents < total_cents`,
    );
    expect(rows[0]!.open).toBe(0);
    const isAddonSold = (await countRows(testShop.shop.db, 'orders')) === 2;
    expect(await readWaitingJobs(testShop.shop.db, 'refund-payment')).toHaveLength(isAddonSold ? 0 : 1);
  });
});

describeOnFastestEngine((fresh) => {
  test('the offer lists exactly what a cancellation does, and the cancellation erases photos, videos and links', async () => {
    const testShop = await openTestShop(fresh);
    const { browser, frames } = await buyFramesAsAnna(testShop, { quantity: 2 });
    const [done, open] = frames.map((frame) => frame.deviceId) as [string, string];
    for (const id of [done, open, open]) await uploadTo(browser, id);
    await browser.post('/api/uploads/finalize', { deviceId: done });
    const lastDay = dayAfter(toShopDay(testShop.clock.now()), 3);
    const collectResponse = await browser.post(`/api/devices/${open}/collect-link`, { name: 'Party', lastDay });
    const { admin, order, offer, cancel, now } = await openOwnersView(testShop);
    const linkResponse = await admin.post(`/api/admin/customers/${order.customerId}/generate-upload-link`);
    const token = new URL(linkResponse.json.uploadUrl).searchParams.get('token')!;
    expect(await offer()).toEqual({
      refusal: null,
      refunds: [{ orderNumber: order.orderNumber, amount: 39_800, paidAmount: 39_800, taxAmount: 0, isAddOn: false }],
      refundAmount: 39_800,
      giftCardAmount: 0,
      card: { brand: 'visa', last4: '4242' },
      photos: 3,
      deliveredVideos: 0,
      unfinishedVideos: 1,
      collectLinks: 1,
      uploadLinks: 1,
      endsUploadLinks: true,
    });
    expect(toStatusAndCode(await cancel({ photos: 'erase' }))).toEqual([409, 'cancel-changed']);
    expect(await now()).toMatchObject({ canceledAt: null, refundedAmount: 0, refunds: [] });
    const cancelResponse = await cancel({ photos: 'erase', refundAmount: 39_800 });
    expect(cancelResponse.json, cancelResponse.text).toMatchObject({
      refundedAmount: 39_800,
      canceledAt: expect.any(String),
    });
    await requestWaitingRefunds(testShop);
    expect((await now()).events.map((event: { words: string }) => event.words).slice(-4)).toEqual([
      'Order canceled: Ordered twice.',
      'Photos and videos of Kinframe 1 deleted.',
      'Photos and videos of Kinframe 2 deleted.',
      'Refunded $398.00: Ordered twice.',
    ]);
    expect([await countRows(testShop.shop.db, 'uploads'), await countRows(testShop.shop.db, 'videos')]).toEqual([0, 0]);
    expect((await testShop.browser().get(`/api/upload-token/validate/${token}`)).json.valid).toBe(false);
    expect((await testShop.browser().get(`/api${new URL(collectResponse.json.url).pathname}`)).status).not.toBe(200);
    expect(await readQueuedMails(testShop.shop.db, 'order-canceled:')).toMatchObject([
      { content: { amountCents: 39_800, photos: 'erased', reason: 'Ordered twice' } },
    ]);
    expect(await readQueuedMails(testShop.shop.db, 'refund:')).toEqual([]);
    expect((await offer()).refusal).toBe('order-canceled');
    const listOrders = async (filter: string) =>
      (await admin.get(`/api/admin/lists/orders?filter=${filter}`)).json.rows;
    expect([await listOrders('processing'), await listOrders('pending'), await listOrders('to-ship')]).toEqual([
      [],
      [],
      [],
    ]);
    expect(await listOrders('canceled')).toMatchObject([{ id: order.id }]);
  });

  test('canceling without an email keeps the photos, refuses further changes and refunds the order and its add-on', async () => {
    const testShop = await openTestShop(fresh);
    const { browser, frames } = await buyFramesAsAnna(testShop);
    const { deviceId } = frames[0]!;
    const { cancel, offer, now, admin, path } = await openOwnersView(testShop);
    const intent = await startAddon(browser, deviceId);
    await pay(browser, intent);
    await settleIntentById(testShop.shop, intent.paymentIntentId);
    await uploadTo(browser, deviceId);
    await browser.post('/api/uploads/finalize', { deviceId });
    const { refunds, refundAmount } = await offer();
    expect(refunds).toMatchObject([
      { amount: 19_900, isAddOn: false },
      { amount: 999, isAddOn: true },
    ]);
    const mailCount = await countRows(testShop.shop.db, 'mails');
    expect((await cancel({ refundAmount, tellCustomer: false })).status).toBe(200);
    await requestWaitingRefunds(testShop);
    // The two jobs may run in either order.
    expect((await readRefundedCentsAtProvider(testShop)).toSorted((a, b) => b - a)).toEqual([19_900, 999]);
    expect(await countRows(testShop.shop.db, 'mails')).toBe(mailCount);
    expect([await countRows(testShop.shop.db, 'uploads'), await countRows(testShop.shop.db, 'videos')]).toEqual([1, 0]);
    expect(await countRows(testShop.shop.db, 'production_orders')).toBe(0);
    expect(await fetchFrames(browser)).toEqual([]);
    expect(toStatusAndCode(await browser.post('/api/uploads/finalize', { deviceId }))).toEqual([409, 'frame-refunded']);
    expect((await browser.get('/api/account')).json.unfinished).toEqual([]);
    const eraseResponse = await browser.post('/api/account/erase');
    expect(eraseResponse.json, eraseResponse.text).toMatchObject({ photos: 1 });
    // The owner can no longer change or ship the order, and can still write notes.
    for (const response of [
      await admin.put(path, { status: 'shipped' }),
      await admin.post(`${path}/shipment`, { tellAgain: false }),
    ])
      expect(toStatusAndCode(response)).toEqual([409, 'order-canceled']);
    expect((await admin.put(path, { notes: 'Called her' })).status).toBe(200);
    expect(await now()).toMatchObject({ orderStatus: 'processing', notes: 'Called her' });
  });

  test('refunds the add-ons too after the customer has deleted the account', async () => {
    const testShop = await openTestShop(fresh);
    const { browser, frames } = await buyFramesAsAnna(testShop);
    for (const quantity of [1, 2]) await buyAddon(browser, frames[0]!.deviceId, quantity);
    const { cancel, offer, admin } = await openOwnersView(testShop);
    expect((await browser.post('/api/account/delete')).status).toBe(200);
    const { refunds, refundAmount } = await offer();
    expect(refunds).toMatchObject([
      { amount: 19_900, isAddOn: false },
      { amount: 999, isAddOn: true },
      { amount: 1998, isAddOn: true },
    ]);
    expect(toStatusAndCode(await cancel())).toEqual([409, 'cancel-changed']);
    expect((await cancel({ refundAmount })).status).toBe(200);
    const orders = (await admin.get('/api/admin/orders')).json as { canceledAt: unknown }[];
    expect(orders.map((order) => order.canceledAt)).toEqual([1, 2, 3].map(() => expect.any(String)));
    await requestWaitingRefunds(testShop);
    expect((await readRefundedCentsAtProvider(testShop)).toSorted((a, b) => b - a)).toEqual([19_900, 1998, 999]);
  });

  test('sells no add-on for the kept videos of a canceled order, and refunds one that was paid before', async () => {
    const testShop = await openTestShop(fresh);
    let intent: Awaited<ReturnType<typeof startAddon>>;
    const {
      browser,
      deviceId,
      frameNow: fetchFrame,
    } = await cancelOrderWithVideo(testShop, async (anna, id) => {
      intent = await startAddon(anna, id);
      await pay(anna, intent);
    });
    const frameBefore = await fetchFrame();
    expect(toStatusAndCode(await verifyAddon(browser, intent!.paymentIntentId))).toEqual([409, 'addon-given-back']);
    expect(await readWaitingJobs(testShop.shop.db, 'refund-payment')).toHaveLength(1);
    const lateResponse = await browser.post('/api/create-addon-payment-intent', { deviceId, quantity: 1 });
    expect(toStatusAndCode(lateResponse)).toEqual([409, 'frame-refunded']);
    expect(await fetchFrame()).toEqual(frameBefore);
  });

  test('the limits mark the kept frame of a canceled order, and no other frame', async () => {
    const testShop = await openTestShop(fresh);
    const { browser, deviceId } = await cancelOrderWithVideo(testShop);
    await buyAndVerify(browser);
    const allFrames = await fetchFrames(browser);
    expect(allFrames).toHaveLength(2);
    for (const frame of allFrames) expect(frame.isCanceled).toBe(frame.deviceId === deviceId);
  });

  test('the owner cannot add places to the frames of a canceled order', async () => {
    const testShop = await openTestShop(fresh);
    const { admin, order, browser, deviceId, frameNow: fetchFrame } = await cancelOrderWithVideo(testShop);
    const frameBefore = await fetchFrame();
    const userPath = `/api/admin/users/${order.customerId}`;
    for (const change of [{ extraPhotoPackages: 1 }, { basePhotoLimit: 30 }])
      expect(toStatusAndCode(await admin.put(userPath, change))).toEqual([409, 'order-canceled']);
    expect(await fetchFrame()).toEqual(frameBefore);
    await buyAndVerify(browser);
    expect((await admin.put(userPath, { extraPhotoPackages: 1 })).status).toBe(200);
    expect(await fetchFrame()).toEqual(frameBefore);
    const otherFrames = (await fetchFrames(browser)).filter((frame) => frame.deviceId !== deviceId);
    expect(otherFrames.map((frame) => frame.remainingPhotos)).toEqual([30]);
  });

  test('an erasure frees no places of a canceled order', async () => {
    const testShop = await openTestShop(fresh);
    const {
      browser,
      deviceId,
      frameNow: fetchFrame,
    } = await cancelOrderWithVideo(testShop, async (anna, id) => {
      await buyAddon(anna, id);
      await uploadTo(anna, id);
    });
    expect((await browser.post('/api/account/erase')).status).toBe(200);
    expect(await fetchFrame()).toMatchObject({ uploadFinalized: true, isErased: true });
    expect(toStatusAndCode(await uploadTo(browser, deviceId))).toEqual([409, 'frame-finalized']);
  });

  test('makes no new video for a canceled order, neither for a replacement credit nor for a redo request', async () => {
    const testShop = await openTestShop(fresh);
    const { admin, order, browser, deviceId, frameNow: fetchFrame } = await cancelOrderWithVideo(testShop);
    await admin.put(`/api/admin/users/${order.customerId}`, { reuploadCredits: 1 });
    const { id } = (await fetchFrame()).uploads[0]!;
    const form = createPhotoForm(undefined, await createSmallPhoto(), 'better.jpg');
    expect(toStatusAndCode(await browser.post(`/api/uploads/${id}/replacement`, form))).toEqual([
      409,
      'frame-refunded',
    ]);
    expect((await browser.get('/api/frame-photo-limits')).json.reuploadCredits).toBe(1);
    const deliveryPath = `/api${(await browser.post(`/api/devices/${deviceId}/delivery-link`)).json.path}`;
    const { redosLeft, videos } = (await browser.get(deliveryPath)).json;
    expect(redosLeft).toBe(0);
    const wish = { style: 'drift', why: 'It is too quick.', take: 1 };
    expect(toStatusAndCode(await browser.post(`${deliveryPath}/videos/${videos[0].id}/again`, wish))).toEqual([
      409,
      'no-redos-left',
    ]);
    expect(await readWaitingJobs(testShop.shop.db, 'render-video')).toHaveLength(1); // the job of the first video
  });

  test('another refund of a canceled order leaves its status pending and records no change of the status', async () => {
    const testShop = await openTestShop(fresh);
    const { browser, frames } = await buyFramesAsAnna(testShop, { quantity: 2 });
    await uploadTo(browser, frames[0]!.deviceId);
    await deliverVideos(testShop, browser, frames[0]!.deviceId);
    const { order, cancel, now, admin, path } = await openOwnersView(testShop);
    expect((await cancel({ refundAmount: 39_800 })).status).toBe(200);
    await requestWaitingRefunds(testShop);
    await testShop.shop.db.execute(
      sql`update sandbox_objects set body = jsonb_set(body, '{status}', '"failed"') where type = 'refund'`,
    );
    await syncRefunds(testShop.shop, order.stripePaymentIntentId);
    expect((await admin.post(`${path}/refunds`, { reason: 'Again' })).status).toBe(200);
    expect(await now()).toMatchObject({ orderStatus: 'pending' });
    const history = (await readHistoriesOf(testShop.shop.db, [order.id])).get(order.id)!;
    expect(history.filter((event) => event.kind === 'status')).toEqual([]);
  });

  test('a canceled order stays canceled when its refund fails, and the owner can refund it again', async () => {
    const testShop = await openTestShop(fresh);
    const { browser, frames } = await buyFramesAsAnna(testShop);
    await uploadTo(browser, frames[0]!.deviceId);
    const { order, cancel, now, admin, path } = await openOwnersView(testShop);
    expect((await cancel()).status).toBe(200);
    await requestWaitingRefunds(testShop);
    await testShop.shop.db.execute(
      sql`update sandbox_objects set body = jsonb_set(body, '{status}', '"failed"') where type = 'refund'`,
    );
    await syncRefunds(testShop.shop, order.stripePaymentIntentId);
    expect(await now()).toMatchObject({
      refundedAmount: 0,
      canceledAt: expect.any(String),
      refunds: [{ state: 'failed' }],
    });
    expect(await uploadTo(browser, frames[0]!.deviceId)).toMatchObject({ json: { code: 'frame-refunded' } });
    expect((await admin.get('/api/admin/lists/orders?filter=to-ship')).json.rows).toEqual([]);
    expect((await admin.post(`${path}/refunds`, { reason: 'Again' })).status).toBe(200);
  });

  test('refuses an order that is shipped, complete, refunded or disputed', async () => {
    const testShop = await openTestShop(fresh);
    await buyFramesAsAnna(testShop);
    const { cancel, offer, order } = await openOwnersView(testShop);
    const { db } = testShop.shop;
    const readRefusal = async () => {
      const [status, code] = toStatusAndCode(await cancel());
      expect([status, (await offer()).refusal]).toEqual([409, code]);
      return code;
    };
    const restoreStatement = sql`update orders set status = 'pending', shipped_at = null, refunded_cents = 0`;
    await db.execute(sql`update orders set status = 'shipped', shipped_at = now()`);
    expect(await readRefusal()).toBe('cancel-shipped');
    await db.execute(restoreStatement);
    await db.execute(sql`update orders set refunded_cents = total_cents`);
    expect(await readRefusal()).toBe('nothing-to-refund');
    await db.execute(restoreStatement);
    await testShop.shop.sandbox!.dispute(order.stripePaymentIntentId);
    await syncDisputes(testShop.shop, order.stripePaymentIntentId);
    expect(await readRefusal()).toBe('payment-disputed');
    await db.execute(sql`update orders set status = 'completed', shipping_address = null, gift = null`);
    expect(await readRefusal()).toBe('cancel-complete');
  });
});
