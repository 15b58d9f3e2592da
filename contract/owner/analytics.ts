import * as z from 'zod';
import { analyticsRanges, findRangeProblem } from '#contract/analytics-ranges.ts';
import { isRealDay } from '#contract/calendar.ts';
import type { Operations } from '#contract/operation.ts';

const day = z.iso.date();
const range = z.enum(analyticsRanges, `Please choose one of these ranges: ${analyticsRanges.join(', ')}.`).optional();
const realDay = z.string().refine(isRealDay, 'Please enter a day like 2026-12-24.').optional();

/** A range of days. `from` and `to` are the first and the last day of a custom range, both included. */
export const daysQuery = z.object({ range, from: realDay, to: realDay }).superRefine((query, context) => {
  const problem = findRangeProblem(query);
  if (problem) context.addIssue({ code: 'custom', message: problem });
});
export type DaysQuery = z.infer<typeof daysQuery>;

/** The month of the accountant's file, in the shop's calendar: 2026-12. */
export const monthFileQuery = z.object({
  month: z.string().regex(/^20\d\d-(0[1-9]|1[0-2])$/, 'Please choose a month like 2026-12.'),
});

export const PageViewAnalytics = z
  .object({
    totalViews: z.int(),
    /** The number of different pages that were viewed. */
    uniquePages: z.int(),
    /** The most viewed first. */
    viewsByPage: z.array(z.object({ pagePath: z.string(), count: z.int() })),
    /** The most recent page views, newest first, regardless of the range. */
    recentViews: z.array(
      z.object({ pagePath: z.string(), referrer: z.string().nullable(), viewedAt: z.iso.datetime() }),
    ),
  })
  .meta({ id: 'PageViewAnalytics' });
export type PageViewAnalytics = z.infer<typeof PageViewAnalytics>;

/** One day of the shop's calendar; amounts in integer cents. */
export const DayFigures = z
  .object({
    day,
    views: z.int(),
    /** Orders that were paid on that day, including add-ons, and their revenue. */
    orders: z.int(),
    revenue: z.int(),
    /** The amount that was refunded on that day, regardless of the order's date. */
    refunds: z.int(),
    codeUses: z.int(),
  })
  .meta({ id: 'DayFigures' });
export type DayFigures = z.infer<typeof DayFigures>;

export const ShopFigures = z
  .object({
    range: z.enum(analyticsRanges),
    from: day,
    to: day,
    /** Every day of the range, oldest first. */
    days: z.array(DayFigures),
    /**
     * The same number of days before the range. For `week` the same days of last week, for `12m` those a year before.
     */
    before: z.object({
      from: day,
      to: day,
      days: z.array(DayFigures),
      /** False if page views of these days are deleted already, so that views cannot be compared. */
      hasViews: z.boolean(),
    }),
    /** Page views on these days, and the current progress of the orders with frames that were paid on these days. */
    funnel: z.object({
      views: z.int(),
      productViews: z.int(),
      checkoutViews: z.int(),
      paid: z.int(),
      finalized: z.int(),
      delivered: z.int(),
    }),
    /** Free videos that were made on these days, and how many of their visitors have paid for an order since. */
    trials: z.object({ tried: z.int(), bought: z.int() }),
    /** Promo codes, the most used first. */
    codes: z.array(z.object({ code: z.string(), uses: z.int(), discount: z.int() })),
  })
  .meta({ id: 'ShopFigures' });
export type ShopFigures = z.infer<typeof ShopFigures>;

export const ownerAnalytics = {
  'GET /api/admin/stats': {
    summary: 'Read the totals of the four stat cards, with the revenue in cents',
    who: 'admin',
    area: 'orders',
    response: z.object({
      totalOrders: z.int(),
      totalUsers: z.int(),
      totalUploads: z.int(),
      /** In cents. Null for a role that may not see the money of the shop. */
      totalRevenue: z.int().nullable(),
    }),
  },
  'GET /api/analytics/page-views': {
    summary: 'Read the page views of a range, or of all stored data: the number, the pages and the last views',
    who: 'admin',
    area: 'analytics',
    query: daysQuery,
    response: PageViewAnalytics,
  },
  'GET /api/analytics/days': {
    summary:
      'Read views, orders, revenue, refunds and code uses per day in the shop’s calendar, also of the days before; default: 30 days',
    who: 'admin',
    area: 'money',
    query: daysQuery,
    response: ShopFigures,
  },
} satisfies Operations;
