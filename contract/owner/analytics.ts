import * as z from 'zod';
import type { Operations } from '#contract/operation.ts';

/** The last days, today included; `12m` is this month and the eleven before it. */
export const analyticsRanges = ['7d', '30d', '90d', '12m'] as const;
export type AnalyticsRange = (typeof analyticsRanges)[number];

/** How many of the last page views are told, and of the most seen pages. */
export const analyticsLimits = { recentViews: 100, pages: 200 } as const;

const day = z.iso.date();
const range = z.enum(analyticsRanges, `Please choose one of these ranges: ${analyticsRanges.join(', ')}.`).optional();

export const PageViewAnalytics = z
  .object({
    totalViews: z.int(),
    /** How many pages were seen at all. */
    uniquePages: z.int(),
    /** The most seen first. */
    viewsByPage: z.array(z.object({ pagePath: z.string(), count: z.int() })),
    /** The last of all, newest first, whatever the range. */
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
    /** Paid on that day, add-ons among them, and what they brought. */
    orders: z.int(),
    revenue: z.int(),
    /** Given back on that day, whenever it was paid. */
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
    /** Every day from the first to the last, the first first. */
    days: z.array(DayFigures),
    /** Of the same days: views, and how far the frames that were paid on them have come by now. */
    funnel: z.object({
      views: z.int(),
      productViews: z.int(),
      checkoutViews: z.int(),
      paid: z.int(),
      finalized: z.int(),
      delivered: z.int(),
    }),
    /** The most used first. */
    codes: z.array(z.object({ code: z.string(), uses: z.int(), discount: z.int() })),
  })
  .meta({ id: 'ShopFigures' });
export type ShopFigures = z.infer<typeof ShopFigures>;

export const ownerAnalytics = {
  'GET /api/admin/stats': {
    summary: 'The four stat cards; revenue in cents',
    who: 'admin',
    response: z.object({ totalOrders: z.int(), totalUsers: z.int(), totalUploads: z.int(), totalRevenue: z.int() }),
  },
  'GET /api/analytics/page-views': {
    summary: 'Pages seen: how often, which, and the last ones; of everything that is kept, or of a range',
    who: 'admin',
    query: z.object({ range }),
    response: PageViewAnalytics,
  },
  'GET /api/analytics/days': {
    summary: 'Views, orders, revenue, refunds and uses of codes by day of the shop’s calendar; 30 days unless said',
    who: 'admin',
    query: z.object({ range }),
    response: ShopFigures,
  },
} satisfies Operations;
