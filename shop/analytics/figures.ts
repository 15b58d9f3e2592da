import { desc } from 'drizzle-orm';
import { dayAfter, toShopDay } from '#contract/calendar.ts';
import {
  analyticsLimits,
  type AnalyticsRange,
  type DayFigures,
  type PageViewAnalytics,
  type ShopFigures,
} from '#contract/owner/analytics.ts';
import type { Clock } from '../ports/clock.ts';
import type { Db } from '../ports/database.ts';
import { codeUsesByDay, ordersByDay, viewsByDay, viewsByPage } from '../tallies/day-tallies.ts';
import { yearUntil, type Span } from '../tallies/spans.ts';
import { pageViews } from './analytics.sql.ts';
import { countTrialsInSpan, type CartPaidCondition } from './trial-counts.ts';

type Scope = { db: Db; clock: Clock };
type FigureScope = Scope & {
  /** The condition that the order of a cart is paid. Passed in, because payments are a higher module. */
  isCartPaid: CartPaidCondition;
};

/** Page views in a range of days, or by default all stored page views. The recent views do not depend on the range. */
export async function pageViewAnalytics({ db, clock }: Scope, range?: AnalyticsRange): Promise<PageViewAnalytics> {
  const [{ views, pages, mostSeen }, recent] = await Promise.all([
    viewsByPage(db, analyticsLimits.pages, range && spanOf(range, clock)),
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

/** Views, payments and refunds day by day. */
export async function shopFigures({ db, clock, isCartPaid }: FigureScope, range: AnalyticsRange): Promise<ShopFigures> {
  const span = spanOf(range, clock);
  const [orders, views, uses, trials] = await Promise.all([
    ordersByDay(db, span),
    viewsByDay(db, span, { product: '/product/', checkout: '/checkout' }),
    codeUsesByDay(db, span),
    countTrialsInSpan(db, span, isCartPaid),
  ]);
  const ordersOn = new Map(orders.map((it) => [it.day, it]));
  const viewsOn = new Map(views.map((it) => [it.day, it]));
  const usesOn = Map.groupBy(uses, (it) => it.day);
  const usesOfCode = Map.groupBy(uses, (it) => it.code);
  return {
    range,
    ...span,
    days: daysOf(span).map((day): DayFigures => ({
      day,
      views: viewsOn.get(day)?.views ?? 0,
      orders: ordersOn.get(day)?.orders ?? 0,
      revenue: ordersOn.get(day)?.revenueCents ?? 0,
      refunds: ordersOn.get(day)?.refundedCents ?? 0,
      codeUses: sumOf(usesOn.get(day) ?? [], 'uses'),
    })),
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

const daysBack: Record<Exclude<AnalyticsRange, '12m'>, number> = { '7d': 7, '30d': 30, '90d': 90 };

/** The days of the range until today, in the shop's calendar. */
export function spanOf(range: AnalyticsRange, clock: Clock): Span {
  const to = toShopDay(clock.now());
  return range === '12m' ? yearUntil(to) : { from: dayAfter(to, 1 - daysBack[range]), to };
}

function daysOf({ from, to }: Span): string[] {
  const days: string[] = [];
  for (let day = from; day <= to; day = dayAfter(day)) days.push(day);
  return days;
}

const sumOf = <Figure extends string>(rows: Record<Figure, number>[], figure: Figure): number =>
  rows.reduce((sum, it) => sum + it[figure], 0);
