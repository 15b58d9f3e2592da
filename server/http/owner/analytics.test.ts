import { sql } from 'drizzle-orm';
import { expect, test } from 'vitest';
import { writeContent } from '#shop/content/content.ts';
import { describeOnFastestEngine, type FreshDatabase } from '#test/database.ts';
import { buyAndVerify } from '#test/people.ts';
import { readAllTables } from '#test/rows.ts';
import { adminPassword, openTestShop } from '#test/shop.ts';

const adminKey = 'a-key-of-at-least-thirty-two-characters';
const userAgent = 'Mozilla/5.0 (Macintosh) Safari/605';

/** A shop whose clock shows this moment. */
async function openShopAtMoment(fresh: FreshDatabase, moment: string) {
  const testShop = await openTestShop(fresh, { env: { ADMIN_KEY: adminKey } });
  const setClockTo = (then: string) => testShop.clock.advance(Date.parse(then) - testShop.clock.now().getTime());
  const readAnalytics = async (path: string) => {
    const response = await testShop.browser().get(`/api/analytics/${path}`, { 'x-admin-key': adminKey });
    expect(response.status, response.text).toBe(200);
    return response.json;
  };
  const viewPage = (pagePath: string, referrer: string | null = null) => {
    testShop.clock.advance(1); // so that each view has its own time
    return testShop.browser().post('/api/page-views', { pagePath, referrer, userAgent });
  };
  setClockTo(moment);
  const signIn = async () => {
    const owner = testShop.browser();
    expect((await owner.post('/api/admin/auth/password', { password: adminPassword })).status).toBe(200);
    return owner;
  };
  return { ...testShop, signIn, turnTo: setClockTo, read: readAnalytics, see: viewPage };
}

describeOnFastestEngine((fresh) => {
  test('shows the owner the number of views of each page, and the last views', async () => {
    const { read, see } = await openShopAtMoment(fresh, '2026-11-22T15:00:00Z');
    for (let n = 0; n < 3; n++) await see('/faq');
    await see('/', 'https://search.example/results?q=frames');
    expect(await read('page-views')).toEqual({
      totalViews: 4,
      uniquePages: 2,
      viewsByPage: [
        { pagePath: '/faq', count: 3 },
        { pagePath: '/', count: 1 },
      ],
      recentViews: [
        {
          pagePath: '/',
          referrer: 'https://search.example/results',
          viewedAt: expect.stringMatching(/^2026-11-22T15:/),
        },
        ...['1', '2', '3'].map(() => ({ pagePath: '/faq', referrer: null, viewedAt: expect.any(String) })),
      ],
    });
    for (let n = 0; n < 110; n++) await see(`/${n}`);
    const pageViews = await read('page-views');
    expect([pageViews.totalViews, pageViews.uniquePages, pageViews.recentViews.length]).toEqual([114, 112, 100]);
    expect(pageViews.recentViews[0].pagePath).toBe('/109');
    expect(JSON.stringify(pageViews)).not.toContain('Safari');
  });

  test('counts all pages in any range, also if there are more pages than the list shows', async () => {
    const { shop, read, see } = await openShopAtMoment(fresh, '2026-11-22T15:00:00Z');
    await see('/faq');
    await shop.db.execute(sql`
      insert into page_views (id, page_path, user_agent, viewed_at)
      select n || ' ' || again, '/stranger-' || n, 'Browser', ${shop.clock.now().toISOString()}::timestamptz
      from generate_series(1, 300) n, generate_series(1, 2) again`);
    for (const query of ['', '?range=7d']) {
      const { totalViews, uniquePages, viewsByPage } = await read(`page-views${query}`);
      expect([totalViews, uniquePages, viewsByPage.length]).toEqual([601, 301, 200]);
      expect(viewsByPage[0]).toEqual({ pagePath: '/stranger-1', count: 2 });
    }
  });

  test('a range starts at midnight in the shop’s time zone and ends today, also when the clocks change', async () => {
    // 11:30 p.m. in New York. In UTC it is already the next day.
    const { read, see, turnTo } = await openShopAtMoment(fresh, '2026-10-26T03:30:00Z');
    await see('/too-early'); // Still October 25 in the shop's time zone.
    turnTo('2026-10-26T04:00:00Z');
    await see('/first'); // the first minute of October 26
    turnTo('2026-11-02T04:59:00Z'); // the last minute of November 1, which had 25 hours
    await see('/last');
    const week = await read('days?range=7d');
    expect([week.from, week.to, week.days.length]).toEqual(['2026-10-26', '2026-11-01', 7]);
    expect(week.days.map((it: { views: number }) => it.views)).toEqual([1, 0, 0, 0, 0, 0, 1]);
    expect((await read('page-views?range=7d')).viewsByPage.map((it: { pagePath: string }) => it.pagePath)).toEqual([
      '/first',
      '/last',
    ]);
    turnTo('2026-11-02T05:00:00Z');
    expect((await read('days?range=7d')).days.map((it: { views: number }) => it.views)).toEqual([0, 0, 0, 0, 0, 1, 0]);
    const month = await read('days');
    expect([month.from, month.to, month.days.length]).toEqual(['2026-10-04', '2026-11-02', 30]);
    expect((await read('days?range=90d')).days).toHaveLength(90);
    const year = await read('days?range=12m');
    expect([year.from, year.to]).toEqual(['2025-12-01', '2026-11-02']);
    expect(new Set(year.days.map((it: { day: string }) => it.day)).size).toBe(year.days.length);
    turnTo('2026-12-15T12:00:00Z');
    expect((await read('days?range=12m')).from).toBe('2026-01-01');
  });

  test('compares a range with the days before it, a week with last week, and twelve months with the year before', async () => {
    const { read, see, turnTo } = await openShopAtMoment(fresh, '2026-11-10T15:00:00Z');
    await see('/tuesday');
    turnTo('2026-11-17T15:00:00Z'); // the Tuesday one week later
    await see('/a');
    await see('/b');
    const readSpans = async (query: string) => {
      const { from, to, days, before } = await read(`days?${query}`);
      const sumViews = (some: { views: number }[]) => some.reduce((all, it) => all + it.views, 0);
      return [from, to, sumViews(days), before.from, before.to, sumViews(before.days)];
    };
    expect(await readSpans('range=today')).toEqual(['2026-11-17', '2026-11-17', 2, '2026-11-16', '2026-11-16', 0]);
    expect(await readSpans('range=week')).toEqual(['2026-11-15', '2026-11-17', 2, '2026-11-08', '2026-11-10', 1]);
    expect(await readSpans('range=7d')).toEqual(['2026-11-11', '2026-11-17', 2, '2026-11-04', '2026-11-10', 1]);
    expect(await readSpans('range=12m')).toEqual(['2025-12-01', '2026-11-17', 3, '2024-12-01', '2025-11-17', 0]);
    const customRange = 'range=custom&from=2026-11-09&to=2026-11-10';
    expect(await readSpans(customRange)).toEqual(['2026-11-09', '2026-11-10', 1, '2026-11-07', '2026-11-08', 0]);
    expect(await read(`page-views?${customRange}`)).toMatchObject({ totalViews: 1, uniquePages: 1 });
    expect((await read('days?range=12m')).before.hasViews).toBe(false); // views are deleted after 13 months
    expect((await read('days?range=90d')).before.hasViews).toBe(true);
    expect((await read('days?range=custom&from=2028-02-29&to=2028-02-29')).before.from).toBe('2028-02-28');
  });

  test('refuses a custom range that is incomplete, reversed or too long, and days that do not exist', async () => {
    const { signIn } = await openShopAtMoment(fresh, '2026-11-22T15:00:00Z');
    const owner = await signIn();
    for (const [query, message] of [
      ['range=custom', 'Please choose the first and the last day'],
      ['range=custom&from=2026-11-01', 'Please choose the first and the last day'],
      ['range=custom&from=2026-11-02&to=2026-11-01', 'The first day must not be after the last day.'],
      ['range=custom&from=2020-01-01&to=2026-11-01', 'Please choose at most 1096 days'],
      ['range=custom&from=2026-02-30&to=2026-11-01', 'Please enter a day like 2026-12-24.'],
      ['range=custom&from=yesterday&to=2026-11-01', 'Please enter a day like 2026-12-24.'],
      ['range=7d&from=2026-11-01', 'The days need the range custom.'],
    ])
      for (const path of ['analytics/page-views', 'analytics/days', 'analytics/days.csv', 'admin/cart-reminders']) {
        const response = await owner.get(`/api/${path}?${query}`);
        expect([response.status, response.json?.message], `${path}?${query}`).toEqual([400, message]);
      }
    expect((await owner.get('/api/analytics/days?range=custom&from=2023-11-23&to=2026-11-22')).status).toBe(200);
  });

  test('shows orders, revenue, refunds and codes on their days, and counts paid orders in the funnel', async () => {
    const testShop = await openShopAtMoment(fresh, '2026-11-20T15:00:00Z');
    const promo = { id: 1, message: 'Ten off', discountCode: 'Gift10', discountPercent: 10 };
    await writeContent(testShop.shop.db, testShop.clock, 'promos', [
      { ...promo, startDate: '2026-11-01', endDate: '2026-12-31' },
    ]);
    for (const page of ['/', '/product/kinframe', '/product/byof', '/checkout']) await testShop.see(page);
    await buyAndVerify(testShop.browser(), { extraPackages: 1 });
    await buyAndVerify(testShop.browser(), { promoCode: 'gift10' });
    testShop.turnTo('2026-11-22T15:00:00Z');
    const owner = await testShop.signIn();
    const [order] = (await owner.get('/api/admin/lists/orders?sort=-total')).json.rows;
    const body = { amountCents: 999, reason: 'One package less', withdrawPhotos: true };
    expect((await owner.post(`/api/admin/orders/${order.id}/refunds`, body)).status).toBe(200);
    const { days, funnel, trials, codes } = await testShop.read('days?range=7d');
    expect(days.slice(-3)).toEqual([
      { day: '2026-11-20', views: 4, orders: 2, revenue: 20_899 + 17_910, refunds: 0, codeUses: 1 },
      { day: '2026-11-21', views: 0, orders: 0, revenue: 0, refunds: 0, codeUses: 0 },
      { day: '2026-11-22', views: 0, orders: 0, revenue: 0, refunds: 999, codeUses: 0 },
    ]);
    expect(funnel).toEqual({ views: 4, productViews: 2, checkoutViews: 1, paid: 2, finalized: 0, delivered: 0 });
    expect(trials).toEqual({ tried: 0, bought: 0 });
    expect(codes).toEqual([{ code: 'GIFT10', uses: 1, discount: 1990 }]);
    expect((await owner.get('/api/admin/stats')).json.totalRevenue).toBe(20_899 + 17_910 - 999);
  });

  test('refuses an unknown range with an error message, and refuses everyone except the owner', async () => {
    const { signIn, shop, browser } = await openShopAtMoment(fresh, '2026-11-22T15:00:00Z');
    const owner = await signIn();
    const tablesBefore = await readAllTables(shop.db);
    for (const path of ['page-views', 'days']) {
      for (const range of ['1d', '', '30D', "7d' or 1=1 --", '__proto__']) {
        const response = await owner.get(`/api/analytics/${path}?range=${encodeURIComponent(range)}`);
        expect([response.status, response.json.message], range).toEqual([
          400,
          'Please choose one of these ranges: today, week, 7d, 30d, 90d, 12m, custom.',
        ]);
      }
      expect((await browser().get(`/api/analytics/${path}`)).json).toMatchObject({ code: 'admin-needed' });
    }
    expect(await readAllTables(shop.db)).toEqual(tablesBefore);
    const wrongResponse = await browser().get('/api/analytics/days', { 'x-admin-key': `${adminKey}!` });
    expect(wrongResponse.status).toBe(401);
  });
});
