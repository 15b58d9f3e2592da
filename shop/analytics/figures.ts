import { desc } from 'drizzle-orm';
import { type AnalyticsRange, analyticsLimits } from '#contract/analytics-ranges.ts';
import { dayAfter, toShopDay, toWeekday } from '#contract/calendar.ts';
import { lifetimes } from '#contract/limits.ts';
import type { DayFigures, DaysQuery, PageViewAnalytics, ShopFigures } from '#contract/owner/analytics.ts';
import type { Clock } from '../ports/clock.ts';
import type { Db } from '../ports/database.ts';
import { selectCodeUsesByDay, selectOrdersByDay, selectViewsByDay, viewsByPage } from '../tallies/day-tallies.ts';
import { computeSpanYearEarlier, spanOfYearUntil, type DaySpan } from '../tallies/spans.ts';
import { pageViews } from './analytics.sql.ts';
import { countTrialsInSpan, type CartPaidCondition } from './trial-counts.ts';

type Scope = { db: Db; clock: Clock };
type FigureScope = Scope & {
  /** The condition that the order of a cart is paid. Passed in, because payments are a higher module. */
  isCartPaid: CartPaidCondition;
};

/** Page views in a range of days, or by default all stored page views. The recent views do not depend on the range. */
export async function pageViewAnalytics({ db, clock }: Scope, query: DaysQuery): Promise<PageViewAnalytics> {
  const [{ views, pages, mostSeen }, recent] = await Promise.all([
    viewsByPage(db, analyticsLimits.pages, query.range && computeSpan(query, clock)),
    db
      .select({ pagePath: pageViews.pagePath, referrer: pageViews.referrer, viewedAt: pageViews.viewedAt })
      .from(pageViews)
      .orderBy(desc(pageViews.viewedAt), desc(pageViews.id))
      .limit(analyticsLimits.recentViews),
  ]);
  return {
    totalViews: views,
    uniquePages: pages,
    viewsByPage: mostSeen,
    recentViews: recent.map((it) => ({ ...it, viewedAt: it.viewedAt.toISOString() })),
  };
}

/** Views, payments and refunds day by day, in a range and before it. */
export async function readShopFigures({ db, clock, isCartPaid }: FigureScope, query: DaysQuery): Promise<ShopFigures> {
  const { range = '30d' } = query;
  const span = computeSpan(query, clock);
  const spanBefore = computeSpanBeforeRange(range, span);
  const [{ days, orders, views, uses }, before, trials] = await Promise.all([
    readFiguresByDay(db, span),
    readFiguresByDay(db, spanBefore),
    countTrialsInSpan(db, span, isCartPaid),
  ]);
  const usesOfCode = Map.groupBy(uses, (it) => it.code);
  return {
    range,
    ...span,
    days,
    before: { ...spanBefore, days: before.days, hasViews: spanBefore.from >= computeFirstDayWithViews(clock) },
    funnel: {
      views: sumOf(views, 'views'),
      productViews: sumOf(views, 'productViews'),
      checkoutViews: sumOf(views, 'checkoutViews'),
      paid: sumOf(orders, 'frameOrders'),
      finalized: sumOf(orders, 'finalized'),
      delivered: sumOf(orders, 'delivered'),
    },
    trials,
    codes: [...usesOfCode]
      .map(([code, days]) => ({ code, uses: sumOf(days, 'uses'), discount: sumOf(days, 'discountCents') }))
      .filter((it) => it.uses > 0)
      .toSorted((a, b) => b.uses - a.uses || (a.code < b.code ? -1 : 1)),
  };
}

/** The figures of every day of a span, and the rows from which they were added up. */
async function readFiguresByDay(db: Db, span: DaySpan) {
  const [orders, views, uses] = await Promise.all([
    selectOrdersByDay(db, span),
    selectViewsByDay(db, span, { product: '/product/', checkout: '/checkout' }),
    selectCodeUsesByDay(db, span),
  ]);
  const ordersOn = new Map(orders.map((it) => [it.day, it]));
  const viewsOfDay = new Map(views.map((it) => [it.day, it]));
  const usesByDay = Map.groupBy(uses, (it) => it.day);
  const days = listDays(span).map((day): DayFigures => ({
    day,
    views: viewsOfDay.get(day)?.views ?? 0,
    orders: ordersOn.get(day)?.orders ?? 0,
    revenue: ordersOn.get(day)?.revenueCents ?? 0,
    refunds: ordersOn.get(day)?.refundedCents ?? 0,
    codeUses: sumOf(usesByDay.get(day) ?? [], 'uses'),
  }));
  return { days, orders, views, uses };
}

const daysByRange = { '7d': 7, '30d': 30, '90d': 90 };

/** The days of a range in the shop's calendar. The default is 30 days. */
export function computeSpan({ range = '30d', from = '', to = '' }: DaysQuery, clock: Clock): DaySpan {
  const today = toShopDay(clock.now());
  switch (range) {
    case 'custom':
      return { from, to };
    case 'today':
      return { from: today, to: today };
    case 'week':
      return { from: dayAfter(today, -toWeekday(today)), to: today };
    case '12m':
      return spanOfYearUntil(today);
    default:
      return { from: dayAfter(today, 1 - daysByRange[range]), to: today };
  }
}

/** The first day whose page views are all kept. */
function computeFirstDayWithViews(clock: Clock): string {
  const oldestDay = clock.now();
  oldestDay.setUTCMonth(oldestDay.getUTCMonth() - lifetimes.pageViewMonths);
  return dayAfter(toShopDay(oldestDay));
}

/** The days with which the days of a range are compared. */
function computeSpanBeforeRange(range: AnalyticsRange, span: DaySpan): DaySpan {
  if (range === '12m') return computeSpanYearEarlier(span);
  const distance = range === 'week' ? 7 : listDays(span).length;
  return { from: dayAfter(span.from, -distance), to: dayAfter(span.to, -distance) };
}

function listDays({ from, to }: DaySpan): string[] {
  const days: string[] = [];
  for (let day = from; day <= to; day = dayAfter(day)) days.push(day);
  return days;
}

const sumOf = <Figure extends string>(rows: Record<Figure, number>[], figure: Figure): number =>
  rows.reduce((sum, it) => sum + it[figure], 0);
