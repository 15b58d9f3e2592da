import { eq, sql } from 'drizzle-orm';
import { expect, test } from 'vitest';
import { seedOrders } from '../../bench/seed-orders.ts';
import { toShopDay } from '#contract/calendar.ts';
import { pageViews } from '../analytics/analytics.sql.ts';
import { newId } from '../columns.ts';
import { frames } from '../frames/frames.sql.ts';
import { orders } from '../orders/orders.sql.ts';
import type { Db } from '../ports/database.ts';
import { refunds } from '../refunds/refunds.sql.ts';
import { describeOnEachEngine, describeOnPostgres } from '#test/database.ts';
import {
  selectCodeUsesByDay,
  mergeDayTallies,
  selectOrdersByDay,
  selectViewsByDay,
  viewsByPage,
} from './day-tallies.ts';
import { readTallies } from './tallies.ts';

const wholeSpan = { from: '2000-01-01', to: '2100-01-01' };
const paths = { product: '/product/', checkout: '/checkout' };

const filterNonEmptyRows = <Row extends { day: string }>(rows: Row[]) =>
  rows.filter(({ day: _, ...figures }) => Object.values(figures).some((it) => typeof it === 'number' && it !== 0));
const readStored = async (db: Db) => ({
  orders: filterNonEmptyRows(await selectOrdersByDay(db, wholeSpan)),
  views: filterNonEmptyRows(await selectViewsByDay(db, wholeSpan, paths)),
  codes: filterNonEmptyRows(await selectCodeUsesByDay(db, wholeSpan)),
});

/** Computes the expected figures from the orders, refunds and page views. Days are in the shop's calendar. */
async function countFromRows(db: Db): Promise<Awaited<ReturnType<typeof readStored>>> {
  const placedOrders = await db.select().from(orders);
  const production = (
    await db.execute<{ id: string; waits: boolean }>(
      sql`select order_id as id, waiting_since is not null as waits from production_orders`,
    )
  ).rows;
  const waitsByOrder = new Map(production.map((it) => [it.id, it.waits]));
  const countedRefunds = (await db.select().from(refunds)).filter((it) => it.state !== 'failed');
  const seenRows = await db.select().from(pageViews);
  const listDays = (all: { createdAt: Date }[]) => all.map((it) => toShopDay(it.createdAt));
  const sumOf = (all: number[]) => all.reduce((a, b) => a + b, 0);
  const usesWithCodes = Map.groupBy(
    placedOrders.filter((it) => it.promoCode !== null),
    (it) => `${toShopDay(it.createdAt)} ${it.promoCode!.toUpperCase()}`,
  );
  return {
    orders: [...new Set([...listDays(placedOrders), ...listDays(countedRefunds)])].toSorted().map((day) => {
      const ordersOfDay = placedOrders.filter((it) => toShopDay(it.createdAt) === day);
      return {
        day,
        orders: ordersOfDay.length,
        revenueCents: sumOf(ordersOfDay.map((it) => it.totalCents)),
        refundedCents: sumOf(
          countedRefunds.filter((it) => toShopDay(it.createdAt) === day).map((it) => it.amountCents),
        ),
        frameOrders: ordersOfDay.filter((it) => it.frameId === null).length,
        finalized: ordersOfDay.filter((it) => waitsByOrder.has(it.id)).length,
        delivered: ordersOfDay.filter((it) => waitsByOrder.get(it.id) === false).length,
      };
    }),
    views: [...Map.groupBy(seenRows, (it) => toShopDay(it.viewedAt))]
      .map(([day, its]) => ({
        day,
        views: its.length,
        productViews: its.filter((it) => it.pagePath.startsWith('/product/')).length,
        checkoutViews: its.filter((it) => it.pagePath === '/checkout').length,
      }))
      .toSorted((a, b) => (a.day < b.day ? -1 : 1)),
    codes: [...usesWithCodes]
      .map(([key, its]) => {
        const [day, code] = key.split(' ') as [string, string];
        return { day, code, uses: its.length, discountCents: sumOf(its.map((it) => it.discountCents)) };
      })
      .toSorted((a, b) => (a.day + a.code < b.day + b.code ? -1 : 1)),
  };
}

const pageViewRow = (pagePath: string, at: string) => ({
  id: newId(),
  pagePath,
  userAgent: 'Browser',
  viewedAt: new Date(at),
});
const createRefundRow = (n: number, amountCents: number, at: string) => ({
  id: newId(),
  paymentId: `payment-cart-${n}`,
  orderId: '',
  amountCents,
  reason: 'Too late',
  state: 'asking' as const,
  createdAt: new Date(at),
  updatedAt: new Date(at),
});

describeOnEachEngine((fresh) => {
  test('the tallies of each day equal a count of all rows after every change, before and after rows are merged', async () => {
    const { db } = await fresh();
    const expectExactTallies = async () => {
      const exactCounts = await countFromRows(db);
      expect(await readStored(db)).toEqual(exactCounts);
      await mergeDayTallies(db);
      expect(await readStored(db)).toEqual(exactCounts);
      const { rows } = await db.execute<{ most: number }>(sql`
        select coalesce(max(count), 0)::int as most from (
          select count(*) from day_tallies group by day
          union all select count(*) from page_tallies group by day, page_path
          union all select count(*) from code_tallies group by day, code) counts`);
      expect(rows[0]!.most).toBeLessThanOrEqual(1);
    };
    await expectExactTallies();
    await seedOrders(db, { orders: 60, photos: 1 });
    await expectExactTallies();
    // The revenue of all days equals the revenue on the stat cards.
    const readNetRevenue = async () => {
      const days = await selectOrdersByDay(db, wholeSpan);
      return days.reduce((sum, it) => sum + it.revenueCents - it.refundedCents, 0);
    };
    expect(await readNetRevenue()).toBe((await readTallies(db)).revenueCents);

    const [first] = await db.select().from(orders).where(eq(orders.email, 'customer7@example.com'));
    const newRefund = createRefundRow(7, 500, '2026-03-08T12:00:00Z');
    await db.insert(refunds).values({ ...newRefund, orderId: first!.id });
    await db.update(orders).set({ refundedCents: 500 }).where(eq(orders.id, first!.id));
    await expectExactTallies();
    expect(await readNetRevenue()).toBe((await readTallies(db)).revenueCents);
    await db.update(refunds).set({ state: 'pending' });
    await expectExactTallies();
    await db.update(refunds).set({ state: 'failed' });
    await expectExactTallies();

    // A frame is finalized, then delivered, then no longer delivered.
    const moveFrame = (id: string, finalizedAt: Date | null, videosReadyAt: Date | null) =>
      db.update(frames).set({ finalizedAt, videosReadyAt }).where(eq(frames.id, id));
    const now = new Date();
    await moveFrame('frame-60', now, null);
    await expectExactTallies();
    await moveFrame('frame-60', now, now);
    await expectExactTallies();
    await moveFrame('frame-60', now, null);
    await moveFrame('frame-3', null, null);
    await expectExactTallies();

    // Page views that the retention job deletes are subtracted from the figures.
    await db.execute(sql`delete from page_views where id in (select id from page_views limit 20)`);
    await expectExactTallies();
  });

  test('assigns views to days in the shop’s time zone, even when daylight saving time begins or ends', async () => {
    const { db } = await fresh();
    await db.insert(pageViews).values([
      pageViewRow('/', '2026-03-08T04:59:59.999Z'), // the last moment of March 7
      pageViewRow('/', '2026-03-08T05:00:00Z'), // March 8, which has 23 hours
      pageViewRow('/product/byof', '2026-03-09T03:59:59.999Z'),
      pageViewRow('/', '2026-03-09T04:00:00Z'),
      pageViewRow('/', '2026-11-01T03:59:59.999Z'), // still October 31 in the shop's time zone
      pageViewRow('/', '2026-11-01T04:00:00Z'), // November 1, which has 25 hours
      pageViewRow('/checkout', '2026-11-02T04:59:59.999Z'),
      pageViewRow('/', '2026-11-02T05:00:00Z'),
    ]);
    const days = await selectViewsByDay(db, wholeSpan, paths);
    expect(days.map(({ day, views }) => [day, views])).toEqual([
      ['2026-03-07', 1],
      ['2026-03-08', 2],
      ['2026-03-09', 1],
      ['2026-10-31', 1],
      ['2026-11-01', 2],
      ['2026-11-02', 1],
    ]);
    expect(days.map((it) => it.productViews + it.checkoutViews)).toEqual([0, 1, 0, 0, 1, 0]);
    const viewsInNovember = await selectViewsByDay(db, { from: '2026-11-01', to: '2026-11-01' }, paths);
    expect(viewsInNovember).toEqual([{ day: '2026-11-01', views: 2, productViews: 0, checkoutViews: 1 }]);
    expect(await readStored(db)).toEqual(await countFromRows(db));
  });

  test('lists only the most viewed pages, but counts all pages that visitors request', async () => {
    const { db } = await fresh();
    expect(await viewsByPage(db, 2)).toEqual({ pages: 0, views: 0, mostSeen: [] });
    const viewedAt = '2026-11-22T12:00:00Z';
    const pages = ['/faq', '/', '/faq', '/', '/faq', '/a', '/b', '/forgotten'];
    await db.insert(pageViews).values(pages.map((page) => pageViewRow(page, viewedAt)));
    await db.delete(pageViews).where(eq(pageViews.pagePath, '/forgotten'));
    await db.insert(pageViews).values(pageViewRow('/long-ago', '2026-01-01T12:00:00Z'));
    const mostSeen = [
      { pagePath: '/faq', count: 3 },
      { pagePath: '/', count: 2 },
    ];
    expect(await viewsByPage(db, 2, { from: '2026-11-01', to: '2026-11-30' })).toEqual({
      pages: 4,
      views: 7,
      mostSeen,
    });
    expect(await viewsByPage(db, 2)).toEqual({ pages: 5, views: 8, mostSeen });
  });
});

describeOnPostgres((fresh) => {
  test('loses no page view when views are counted while rows are merged', async () => {
    const { db } = await fresh();
    const insertPageView = (n: number) =>
      db.insert(pageViews).values(pageViewRow(`/${n % 3}`, `2026-11-0${1 + (n % 5)}T12:00:00Z`));
    await Promise.all(Array.from({ length: 200 }, (_, n) => (n % 10 === 0 ? mergeDayTallies(db) : insertPageView(n))));
    expect(await readStored(db)).toEqual(await countFromRows(db));
  });
});
