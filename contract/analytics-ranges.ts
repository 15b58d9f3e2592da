import { dayAfter } from '#contract/calendar.ts';

/**
 * Ranges of days that end today, and `custom`, which is given by its first and last day. `week` begins on Sunday. `12m`
 * is this month and the eleven months before it.
 */
export const analyticsRanges = ['today', 'week', '7d', '30d', '90d', '12m', 'custom'] as const;
export type AnalyticsRange = (typeof analyticsRanges)[number];

/** How many recent page views and most viewed pages are returned, and how many days a custom range may have. */
export const analyticsLimits = { recentViews: 100, pages: 200, customDays: 1096 } as const;

/** Why a range cannot be read, as a text for the owner; undefined if it can. */
export function findRangeProblem({
  range: named,
  from,
  to,
}: {
  range?: AnalyticsRange | undefined;
  from?: string | undefined;
  to?: string | undefined;
}): string | undefined {
  if (named !== 'custom') return from === undefined && to === undefined ? undefined : 'The days need the range custom.';
  if (!from || !to) return 'Please choose the first and the last day';
  if (from > to) return 'The first day must not be after the last day.';
  return dayAfter(from, analyticsLimits.customDays) > to
    ? undefined
    : `Please choose at most ${analyticsLimits.customDays} days`;
}
