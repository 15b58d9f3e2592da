import { sql } from 'drizzle-orm';
import { expect, test } from 'vitest';
import { describeOnFastestEngine, describeOnPostgres } from '#test/database.ts';
import {
  runPaymentCancelJobs,
  annasCart,
  pay,
  startPayment,
  requestVerification,
  sendPaymentWebhook,
} from '#test/paying.ts';
import { buyAndVerify } from '#test/people.ts';
import { deleteOldData } from '#server/jobs/retention.ts';
import { countRows, readQueuedMails, readWaitingJobs } from '#test/rows.ts';
import { adminPassword, openTestShop, type Browser, type TestShop } from '#test/shop.ts';
import { settleIntentById } from '../payments/settle.ts';
import { requestRefund } from '../refunds/refunds.ts';
import type { Db } from '../ports/database.ts';
import { readFramesLeft, takeFrames } from './stock.ts';
import { deleteWaiter, mailWaiters, waitForFrames, findWaitingSince } from './waiters.ts';

/** Each stranger has a browser with another network address. */
let addressCount = 0;
const openStrangersBrowser = (it: TestShop) =>
  it.browser({ address: `203.0.${Math.floor((addressCount += 1) / 250)}.${addressCount % 250}` });
const requestIntent = (browser: Browser, changed: Record<string, unknown> = {}) =>
  browser.post('/api/create-payment-intent', { ...annasCart, ...changed });
/** A stranger who is about to pay for one frame. */
const startCheckout = async (it: TestShop): Promise<[Browser, Awaited<ReturnType<typeof startPayment>>]> => {
  const buyer = openStrangersBrowser(it);
  return [buyer, await startPayment(buyer)];
};
const readIntentStatus = async (it: TestShop, { paymentIntentId }: { paymentIntentId: string }) =>
  (await it.shop.provider.getIntent(paymentIntentId))!.status;
const setStock = (db: Db, left: number | null) =>
  db.execute(
    sql`insert into frame_stock values ('kinframe', ${left}) on conflict (product_id) do update set frames_left = ${left}`,
  );
const readShownStock = async (it: TestShop) => (await it.browser().get('/data/stock.json')).json;

async function signInOwner(it: TestShop) {
  const admin = it.browser();
  await admin.post('/api/admin/auth/password', { password: adminPassword });
  const readHistory = async (id: string) =>
    (await admin.get(`/api/admin/orders/${id}`)).json.events.map((event: { words: string }) => event.words);
  const readOrders = async () => (await admin.get('/api/admin/orders')).json as { id: string }[];
  const setStockTo = (framesLeft: unknown, seen: number | null) => admin.put('/api/admin/stock', { framesLeft, seen });
  return { admin, history: readHistory, orders: readOrders, set: setStockTo };
}

describeOnPostgres((fresh) => {
  test('gives the last frame to one of two simultaneous payments, in each of a hundred rounds', async () => {
    const { db } = (await openTestShop(fresh)).shop;
    for (let round = 0; round < 100; round++) {
      await setStock(db, 1);
      const takenCounts = await Promise.all([1, 2].map(() => db.transaction((tx) => takeFrames(tx, 1))));
      expect(takenCounts.filter((count) => count === 1).length, `round ${round}`).toBe(1);
      expect(await readFramesLeft(db)).toBe(0);
    }
  });

  test('charges one of two buyers who pay for the last frame at the same time', async () => {
    const testShop = await openTestShop(fresh);
    const { db } = testShop.shop;
    for (let round = 0; round < 10; round++) {
      await setStock(db, 1);
      const startedCheckouts = await Promise.all([startCheckout(testShop), startCheckout(testShop)]);
      await Promise.all(startedCheckouts.map(([buyer, intent]) => pay(buyer, intent)));
      const responses = await Promise.all(
        startedCheckouts.map(([buyer, intent]) => requestVerification(buyer, intent.paymentIntentId)),
      );
      const endStatuses = await Promise.all(startedCheckouts.map(([, intent]) => readIntentStatus(testShop, intent)));
      expect(endStatuses.toSorted(), `round ${round}`).toEqual(['canceled', 'succeeded']);
      const refusedResponses = responses.filter((answer) => answer.status !== 200);
      expect(refusedResponses.map((answer) => answer.json)).toMatchObject([{ code: 'frames-lost' }]);
      expect(await readFramesLeft(db)).toBe(0);
    }
    expect(await countRows(db, 'orders')).toBe(10);
  });

  test('the stock stays correct when two tabs pay, orders are refunded, and the owner sets it at the same time', async () => {
    const testShop = await openTestShop(fresh);
    const { db } = testShop.shop;
    await setStock(db, 5);
    for (let round = 0; round < 5; round++) {
      const browser = openStrangersBrowser(testShop);
      const tabIntents = [await startPayment(browser), await startPayment(browser, { extraPackages: 1 })];
      await Promise.all(tabIntents.map((tab) => pay(browser, tab)));
      await Promise.allSettled([
        ...tabIntents.map((tab) => requestVerification(browser, tab.paymentIntentId)),
        ...tabIntents.map((tab) => sendPaymentWebhook(testShop, tab.paymentIntentId)),
        runPaymentCancelJobs(testShop),
      ]);
      await Promise.all(
        tabIntents.map((tab) => settleIntentById(testShop.shop, tab.paymentIntentId).catch(() => undefined)),
      );
      expect(await readFramesLeft(db)).toBe(4);
      await setStock(db, 5);
    }
    const owner = await signInOwner(testShop);
    const setResponses = await Promise.all([owner.set(1, 5), owner.set(7, 5), owner.set(9, 5)]);
    expect(setResponses.filter((answer) => answer.status === 200).length).toBe(1);
    expect(setResponses.filter((answer) => answer.json.code === 'stock-changed').length).toBe(2);
  }, 60_000);
});

describeOnFastestEngine((fresh) => {
  test('without a stock count, sells any number of frames and captures payments immediately', async () => {
    const testShop = await openTestShop(fresh);
    expect(await readShownStock(testShop)).toEqual({ framesLeft: null });
    const { intent } = await buyAndVerify(testShop.browser(), { quantity: 20 });
    expect(await readIntentStatus(testShop, intent)).toBe('succeeded');
    expect(await readFramesLeft(testShop.shop.db)).toBeNull();
    expect(await countRows(testShop.shop.db, 'frame_stock')).toBe(0);
  });

  test('subtracts a paid order once, and refuses a cart with more frames than are left before the payment', async () => {
    const testShop = await openTestShop(fresh);
    const { db } = testShop.shop;
    const owner = await signInOwner(testShop);
    expect((await owner.set(3, null)).json).toMatchObject({ framesLeft: 3 });
    const buyer = openStrangersBrowser(testShop);
    const { intent } = await buyAndVerify(buyer, { quantity: 2 });
    await sendPaymentWebhook(testShop, intent.paymentIntentId);
    await sendPaymentWebhook(testShop, intent.paymentIntentId);
    await requestVerification(buyer, intent.paymentIntentId);
    expect(await readFramesLeft(db)).toBe(1);
    expect(await readShownStock(testShop)).toEqual({ framesLeft: 1 });
    expect((await requestIntent(openStrangersBrowser(testShop), { quantity: 2 })).json).toMatchObject({
      code: 'too-few-frames',
    });
    await buyAndVerify(openStrangersBrowser(testShop));
    const refusedIntentResponse = await requestIntent(openStrangersBrowser(testShop));
    expect(refusedIntentResponse.status).toBe(409);
    expect(refusedIntentResponse.json).toMatchObject({
      code: 'sold-out',
      message: expect.stringContaining('sold out'),
    });
    expect(await countRows(db, 'payments')).toBe(2);
    // The service for an own frame needs no frame.
    await buyAndVerify(openStrangersBrowser(testShop), { productId: 'byof' });
    expect(await readFramesLeft(db)).toBe(0);
  });

  test('keeps an order that was paid before stock was counted, and shows the owner a negative number', async () => {
    const testShop = await openTestShop(fresh);
    const buyer = openStrangersBrowser(testShop);
    const intent = await startPayment(buyer);
    const owner = await signInOwner(testShop);
    await owner.set(0, null);
    await pay(buyer, intent);
    expect((await requestVerification(buyer, intent.paymentIntentId)).json).toMatchObject({ success: true });
    expect((await owner.admin.get('/api/admin/stock')).json).toEqual({ framesLeft: -1, framesToShip: 1, waiting: 0 });
    expect(await readShownStock(testShop)).toEqual({ framesLeft: 0 });
    expect((await owner.admin.get('/api/admin/day-sheet')).json.lines).toContainEqual({ kind: 'oversold', count: 1 });
  });

  test('returns the frames of a canceled or fully refunded order to stock, and takes them out again if the refund fails', async () => {
    const testShop = await openTestShop(fresh);
    const { db } = testShop.shop;
    const owner = await signInOwner(testShop);
    await owner.set(5, null);
    for (const quantity of [1, 2]) await buyAndVerify(openStrangersBrowser(testShop), { quantity });
    expect(await readFramesLeft(db)).toBe(2);
    const [two, one] = await owner.orders();
    const createKey = () => crypto.randomUUID();
    const cancelResponse = await owner.admin.post(`/api/admin/orders/${one!.id}/cancellation`, {
      reason: 'Ordered twice',
      photos: 'keep',
      tellCustomer: false,
      refundAmount: 19_900,
      key: createKey(),
    });
    expect(cancelResponse.status, cancelResponse.text).toBe(200);
    expect(await readFramesLeft(db)).toBe(3);
    expect(await owner.history(one!.id)).toContain('1 frame put back into stock.');
    const refundOrder = (amountCents: number) =>
      owner.admin.post(`/api/admin/orders/${two!.id}/refunds`, {
        amountCents,
        reason: 'Changed her mind',
        withdrawPhotos: false,
        key: createKey(),
      });
    expect((await refundOrder(100)).status).toBe(200);
    expect(await readFramesLeft(db)).toBe(3);
    expect((await refundOrder(39_700)).status).toBe(200);
    expect(await readFramesLeft(db)).toBe(5);
    expect(await owner.history(two!.id)).toContain('2 frames put back into stock.');
    const { provider } = testShop.shop;
    const [, last] = (await readWaitingJobs(db, 'ask-refund')).slice(-2);
    await requestRefund(
      {
        ...testShop.shop,
        provider: { ...provider, refundsOf: async () => [], refund: async () => failedRefund },
      } as never,
      last!.data['refundId'] as string,
    );
    expect(await readFramesLeft(db)).toBe(3);
  });

  test('emails a waiting visitor once when frames are back in stock, and deletes the address', async () => {
    const testShop = await openTestShop(fresh);
    const { db } = testShop.shop;
    const owner = await signInOwner(testShop);
    const joinWaitingList = (body: object) => openStrangersBrowser(testShop).post('/api/stock/waiters', body);
    expect((await joinWaitingList({ email: 'lina@example.com' })).json).toMatchObject({ code: 'frames-back' });
    await owner.set(0, null);
    expect((await joinWaitingList({ email: 'lina@example.com', _honeypot: 'x' })).json).toMatchObject({
      code: 'honeypot-filled',
    });
    expect((await joinWaitingList({ email: 'not an address' })).status).toBe(400);
    for (const email of ['lina@example.com', ' Lina@Example.com', 'ben@example.com'])
      expect((await joinWaitingList({ email })).json).toEqual({ success: true });
    expect((await owner.admin.get('/api/admin/stock')).json).toMatchObject({ waiting: 2 });
    await mailWaiters(testShop.shop);
    expect(await readQueuedMails(db, 'frames-back')).toEqual([]);
    await owner.set(4, 0);
    await Promise.all([mailWaiters(testShop.shop), mailWaiters(testShop.shop)]);
    const mails = await readQueuedMails(db, 'frames-back');
    expect(mails.map((mail) => mail.to).toSorted()).toEqual(['ben@example.com', 'lina@example.com']);
    expect(await countRows(db, 'stock_waiters')).toBe(0);
  });

  test('deletes the address of a visitor who has waited too long, or whose account is deleted', async () => {
    const testShop = await openTestShop(fresh);
    const { db } = testShop.shop;
    await setStock(db, 0);
    await waitForFrames(testShop.shop, { email: 'lina@example.com' });
    await deleteWaiter(db, 'ben@example.com');
    expect(await findWaitingSince(db, 'lina@example.com')).toBeInstanceOf(Date);
    await deleteWaiter(db, 'lina@example.com');
    expect(await findWaitingSince(db, 'lina@example.com')).toBeUndefined();
    await waitForFrames(testShop.shop, { email: 'lina@example.com' });
    testShop.clock.advance(170 * 86_400_000);
    await deleteOldData(testShop.shop);
    expect(await countRows(db, 'stock_waiters')).toBe(1);
    testShop.clock.advance(20 * 86_400_000);
    await deleteOldData(testShop.shop);
    expect(await countRows(db, 'stock_waiters')).toBe(0);
  });

  test('refuses the owner’s number if a frame was sold after the owner loaded the page', async () => {
    const testShop = await openTestShop(fresh);
    const owner = await signInOwner(testShop);
    await owner.set(2, null);
    await buyAndVerify(openStrangersBrowser(testShop));
    const lateResponse = await owner.set(10, 2);
    expect(lateResponse.status).toBe(409);
    expect(lateResponse.json).toMatchObject({ code: 'stock-changed', message: expect.stringContaining('it’s now 1') });
    expect((await owner.set(-1, 1)).status).toBe(400);
    expect((await owner.set(1.5, 1)).status).toBe(400);
    expect((await owner.set(null, 1)).json).toMatchObject({ framesLeft: null });
    expect(await readShownStock(testShop)).toEqual({ framesLeft: null });
  });
});

const failedRefund = {
  status: 'failed',
  failureReason: 'expired card',
  metadata: {},
  amountCents: 39_700,
  id: 're_none',
};
