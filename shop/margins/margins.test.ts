import { eq, sql } from 'drizzle-orm';
import { expect, test } from 'vitest';
import { seedOrders } from '../../bench/seed-orders.ts';
import { toShopDay } from '#contract/calendar.ts';
import type { OrderMargin } from '#contract/owner/margins.ts';
import { describeOnFastestEngine, describeOnEachEngine, describeOnPostgres } from '#test/database.ts';
import { buyAndVerify } from '#test/people.ts';
import { rejectAsUnavailable, createFaultyProvider } from '#test/provider.ts';
import { readAllTables } from '#test/rows.ts';
import { adminPassword, openTestShop, type TestShop } from '#test/shop.ts';
import { orders, type Order } from '../orders/orders.sql.ts';
import { readFees } from '../payments/fees.ts';
import { payments } from '../payments/payments.sql.ts';
import { bookAnimationCost, unbookAnimationCost } from '../production/spending.ts';
import { disputes } from '../refunds/refunds.sql.ts';
import { mergeDayTallies } from '../tallies/day-tallies.ts';
import { spanOfYearUntil } from '../tallies/spans.ts';
import { readMarginsOfMonths, readMarginsOfOrders } from './margins.ts';

const readAll = async (it: TestShop) => {
  const errors: unknown[] = [];
  await readFees(it.shop, { signal: new AbortController().signal, onError: (error) => errors.push(error) });
  return errors;
};
const signInOwner = async (it: TestShop) => {
  const owner = it.browser();
  await owner.post('/api/admin/auth/password', { password: adminPassword });
  return owner;
};
const costs = { frameCents: 6250, parcelCents: 900 };
const emptyMargin: Omit<OrderMargin, 'videos'> = {
  orders: 0,
  paid: 0,
  refunded: 0,
  disputed: 0,
  tax: 0,
  fee: 0,
  unknownFees: 0,
  frames: 0,
  frameCost: 0,
  parcels: 0,
  parcelCost: 0,
  labelCost: 0,
  left: 0,
};

/** Adds up the figures of several margins, without their videos. */
const sumMargins = (all: Omit<OrderMargin, 'videos'>[]) =>
  Object.fromEntries(
    Object.keys(emptyMargin).map((name) => [
      name,
      all.reduce((sum, it) => sum + (it[name as keyof typeof emptyMargin] ?? 0), 0),
    ]),
  );

describeOnEachEngine((fresh) => {
  test('a month’s margin equals the sum of its orders’ margins after each change and each merge of rows', async () => {
    const testShop = await openTestShop(fresh);
    const { db } = testShop.shop;
    await seedOrders(db, { orders: 60, photos: 0 });
    const readAllOrders = () => db.select().from(orders) as Promise<Order[]>;
    const { from } = spanOfYearUntil(toShopDay(testShop.clock.now()));
    const sumVideoCosts = (its: OrderMargin[]) =>
      its.flatMap((one) => one.videos).reduce((sum, one) => sum + one.amount, 0);
    const expectExactMargins = async () => {
      const shownOrders = (await readAllOrders()).filter((order) => toShopDay(order.createdAt) >= from);
      const margins = [...(await readMarginsOfOrders(db, costs, shownOrders)).values()];
      const months = await readMarginsOfMonths(testShop.shop, costs);
      expect(months.length).toBeGreaterThan(10);
      expect(sumMargins(months)).toEqual(sumMargins(margins));
      expect(sumVideoCosts(months)).toBe(sumVideoCosts(margins));
    };
    await expectExactMargins();
    await mergeDayTallies(db);
    await expectExactMargins();
    const [first, second, third] = (await readAllOrders()).toSorted(
      (a, b) => Number(b.createdAt) - Number(a.createdAt),
    ) as [Order, Order, Order];
    const updateOrder = (order: Order, change: Partial<Order>) =>
      db.update(orders).set(change).where(eq(orders.id, order.id));
    await updateOrder(first, { taxCents: 777 });
    await updateOrder(first, { refundedCents: 5001 });
    await expectExactMargins();
    await updateOrder(second, { refundedCents: second.totalCents }); // refunded in full before shipping
    // Refunded in full after shipping.
    await updateOrder(third, { refundedCents: third.totalCents, shippedAt: new Date() });
    await expectExactMargins();
    await updateOrder(second, { shippedAt: new Date() });
    await db.update(payments).set({ feeCents: 607 }).where(eq(payments.id, first.paymentId));
    await db.update(payments).set({ feeCents: 640 }).where(eq(payments.id, second.paymentId));
    await expectExactMargins();
    // A package with a label, one of them refunded before it was sent, and a label that was voided.
    await updateOrder(first, { labelCents: 825 });
    await updateOrder(second, { labelCents: 1040 });
    await updateOrder(third, { labelCents: 555, shippedAt: null });
    await expectExactMargins();
    expect((await readMarginsOfOrders(db, costs, [{ ...first, labelCents: 825 }])).get(first.id)).toMatchObject({
      parcelCost: 825,
      labelCost: 825,
    });
    await updateOrder(second, { labelCents: null });
    await updateOrder(first, { labelCents: 600, refundedCents: 0 });
    await updateOrder(third, { shippedAt: new Date() });
    await expectExactMargins();
    await mergeDayTallies(db);
    await db.update(payments).set({ feeCents: 608 }).where(eq(payments.id, first.paymentId));
    const createVideoCost = (key: string, orderId: string) => ({
      key,
      videoId: key,
      orderId,
      animator: 'hosted',
      priceCents: 35,
    });
    for (const key of ['a', 'b', 'c'])
      await bookAnimationCost(db, testShop.clock, createVideoCost(key, first.id), undefined);
    await unbookAnimationCost(db, 'b');
    const now = new Date();
    const dispute = { orderId: third.id, amountCents: 400, reason: 'fraudulent', createdAt: now, updatedAt: now };
    await db.insert(disputes).values([
      { ...dispute, id: 'dp_1', status: 'warning_needs_response' },
      { ...dispute, id: 'dp_2', status: 'needs_response' },
    ]);
    await expectExactMargins();
    expect((await readMarginsOfOrders(db, costs, [third])).get(third.id)!.disputed).toBe(400);
    for (const status of ['won', 'lost', 'under_review', 'prevented', 'appeal_pending']) {
      await db.update(disputes).set({ status }).where(eq(disputes.id, 'dp_2'));
      await expectExactMargins();
    }
    expect((await readMarginsOfOrders(db, costs, [first])).get(first.id)!.videos).toEqual([
      { animator: 'hosted', videos: 2, amount: 70 },
    ]);
  });
});

describeOnFastestEngine((fresh) => {
  test('updates an order’s margin when its fee becomes known and when it is refunded', async () => {
    const testShop = await openTestShop(fresh, { env: { FRAME_COST: '62.50', SHIPPING_COST: '9' } });
    await buyAndVerify(testShop.browser(), { quantity: 2, extraPackages: 1 });
    const owner = await signInOwner(testShop);
    const [order] = (await owner.get('/api/admin/lists/orders')).json.rows;
    const readMargin = async () => (await owner.get(`/api/admin/orders/${order.id}/margin`)).json;
    const base = { ...emptyMargin, orders: 1, paid: 40_799, frames: 2, frameCost: 12_500, parcels: 1, parcelCost: 900 };
    expect(await readMargin()).toEqual({ ...base, unknownFees: 1, videos: [], left: 40_799 - 13_400 });
    expect(await readAll(testShop)).toEqual([]);
    const fee = 1213; // the provider's fee: 2.9% of $407.99, and $0.30
    expect(await readMargin()).toEqual({ ...base, fee, videos: [], left: 40_799 - 13_400 - fee });
    const refund = { amountCents: 999, reason: 'One package less', withdrawPhotos: true };
    await owner.post(`/api/admin/orders/${order.id}/refunds`, refund);
    expect(await readMargin()).toMatchObject({ refunded: 999, fee, left: 40_799 - 13_400 - fee - 999 });
    const { months, isVideoPriceUnknown } = (await owner.get('/api/analytics/margins')).json;
    expect(isVideoPriceUnknown).toBe(false);
    expect(months).toEqual([{ month: expect.stringMatching(/^\d{4}-\d{2}$/), ...(await readMargin()) }]);
    // Refunded in full before anything was shipped: only the fee is lost.
    await owner.post(`/api/admin/orders/${order.id}/refunds`, { reason: 'All of it', withdrawPhotos: false });
    expect(await readMargin()).toMatchObject({ refunded: 40_799, frames: 0, frameCost: 0, parcelCost: 0, left: -fee });
    const { text } = await owner.get('/api/admin/lists/orders.csv');
    const [heading, row] = text.slice(1).trimEnd().split('\r\n') as [string, string];
    const cells = Object.fromEntries(heading.split(',').map((name, at) => [name, row.split(',')[at]]));
    expect(cells).toMatchObject({
      'Provider fee (USD)': '12.13',
      'Videos (USD)': '0.00',
      'Frames (USD)': '0.00',
      'Left of what is known (USD)': '-12.13',
    });
  });

  test('shows a cost that is not configured as null in JSON and as an empty cell in CSV', async () => {
    const testShop = await openTestShop(fresh);
    await buyAndVerify(testShop.browser());
    const owner = await signInOwner(testShop);
    const [order] = (await owner.get('/api/admin/lists/orders')).json.rows;
    const margin = (await owner.get(`/api/admin/orders/${order.id}/margin`)).json;
    expect(margin).toMatchObject({ frames: 1, frameCost: null, parcelCost: null, unknownFees: 1, left: 19_900 });
    const { text } = await owner.get('/api/admin/lists/orders.csv');
    expect(text).toContain(',0.00,,0.00,,,199.00,');
    for (const path of ['orders/none/margin', `orders/${order.id}/margin`]) {
      const expectedStatus = path.includes('none') ? 404 : 401;
      const requester = path.includes('none') ? owner : testShop.browser();
      expect((await requester.get(`/api/admin/${path}`)).status).toBe(expectedStatus);
    }
    expect((await testShop.browser().get('/api/analytics/margins')).status).toBe(401);
  });

  test('requests fees again an hour after an outage, and does not let payments with unknown intents delay others', async () => {
    const { provider, state } = createFaultyProvider(() => ({ readFeeCents: rejectAsUnavailable }));
    const testShop = await openTestShop(fresh, { provider });
    await seedOrders(testShop.shop.db, { orders: 5, photos: 0 }); // the provider does not know their intents
    await buyAndVerify(testShop.browser());
    const readStoredFees = async () =>
      ((await readAllTables(testShop.shop.db))['payments'] as { fee_cents: number | null }[]).flatMap(
        (row) => row.fee_cents ?? [],
      );
    const readPaymentsWithoutFee = async () =>
      ((await readAllTables(testShop.shop.db))['payments'] as { state: string; fee_asked_at: string | null }[]).filter(
        (row) => row.state === 'settled' && row.fee_asked_at === null,
      ).length;
    expect(await readAll(testShop)).toHaveLength(4); // four requests run in parallel, and then the run stops
    expect(await readPaymentsWithoutFee()).toBe(2);
    state.isOn = false;
    expect(await readAll(testShop)).toEqual([]);
    expect([await readPaymentsWithoutFee(), await readStoredFees()]).toEqual([0, []]); // the provider gave no response for Anna’s payment
    testShop.clock.advance(3_600_001);
    expect(await readAll(testShop)).toEqual([]);
    expect(await readStoredFees()).toEqual([607]);
    // A known fee is never requested again.
    state.isOn = true;
    testShop.clock.advance(3_600_001);
    expect(await readAll(testShop)).toHaveLength(4);
    await testShop.shop.db.execute(sql`update payments set state = 'refunded' where fee_cents is null`);
    testShop.clock.advance(3_600_001);
    expect(await readAll(testShop)).toEqual([]);
  });
});

describeOnPostgres((fresh) => {
  test('skips locked payments after an outage, and reads their fees an hour later', async () => {
    const [requested, answered] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    const { provider, state } = createFaultyProvider(() => ({
      readFeeCents: async () => {
        requested.resolve();
        await answered.promise;
        return rejectAsUnavailable();
      },
    }));
    const testShop = await openTestShop(fresh, { provider });
    const { db } = testShop.shop;
    await buyAndVerify(testShop.browser());
    await seedOrders(db, { orders: 5, photos: 0 });
    await db.execute(sql`update payments set created_at = now() - interval '2 years' where account = 'acct_sandbox'`);
    const readPromise = readAll(testShop);
    await requested.promise;
    await db.transaction(async (tx) => {
      await tx.execute(sql`select from payments for update`);
      answered.resolve();
      expect(await readPromise).toHaveLength(4);
    });
    state.isOn = false;
    testShop.clock.advance(3_600_001);
    await readAll(testShop);
    expect((await readAllTables(db))['payments']).toContainEqual(expect.objectContaining({ fee_cents: 607 }));
  });
});
