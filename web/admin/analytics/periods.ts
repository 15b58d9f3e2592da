import { dayText, shortMonthText, shortWeekdayText, monthDayText } from '#contract/calendar.ts';
import { formatCount } from '#contract/count-text.ts';
import type { AnalyticsRange } from '#contract/analytics-ranges.ts';
import type { DayFigures, ShopFigures } from '#contract/owner/analytics.ts';

export const analyticsRangeOptions: readonly { value: Exclude<AnalyticsRange, 'custom'>; label: string }[] = [
  { value: 'today', label: 'Today' },
  { value: 'week', label: 'This week' },
  { value: '7d', label: '7 days' },
  { value: '30d', label: '30 days' },
  { value: '90d', label: '90 days' },
  { value: '12m', label: '12 months' },
];

export type FigureTotals = Omit<DayFigures, 'day'>;
/**
 * A day, or a month in the 12-month range and in long custom ranges. It is a point of the charts and a row of the
 * table.
 */
export interface Period extends FigureTotals {
  key: string;
  /** `label` is the short name, for the axis of a chart. `name` is the full name. */
  label: string;
  name: string;
}

const emptyFigureTotals: FigureTotals = { views: 0, orders: 0, revenue: 0, refunds: 0, codeUses: 0 };
export const sumFigures = (days: readonly FigureTotals[]): FigureTotals =>
  days.reduce<FigureTotals>(
    (sum, it) => ({
      views: sum.views + it.views,
      orders: sum.orders + it.orders,
      revenue: sum.revenue + it.revenue,
      refunds: sum.refunds + it.refunds,
      codeUses: sum.codeUses + it.codeUses,
    }),
    emptyFigureTotals,
  );

/** More days than this are shown by month. */
const maxShownDays = 92;

/** Whether the figures of a range are shown by day or by month. */
export const choosePeriodUnit = ({ days, range }: Pick<ShopFigures, 'days' | 'range'>): 'day' | 'month' =>
  range === '12m' || days.length > maxShownDays ? 'month' : 'day';

export function createPeriods({ days, range }: Pick<ShopFigures, 'days' | 'range'>): Period[] {
  if (choosePeriodUnit({ days, range }) === 'day')
    return days.map((it) => ({
      ...it,
      key: it.day,
      label: monthDayText(it.day),
      name: days.length <= 7 ? shortWeekdayText(it.day) : dayText(it.day),
    }));
  return [...Map.groupBy(days, (it) => it.day.slice(0, 7))].map(([month, its]) => {
    const monthName = shortMonthText(its[0]!.day);
    return { ...sumFigures(its), key: month, label: monthName, name: monthName };
  });
}

/** A part as a percentage of the whole. Undefined if the whole is 0, or if the part is larger than the whole. */
export function percentText(part: number, whole: number): string | undefined {
  if (whole === 0 || part > whole) return undefined;
  const percent = (part / whole) * 100;
  return `${percent > 0 && percent < 10 ? percent.toFixed(1) : Math.round(percent)}%`;
}

/** How a figure changed since the days before: `+12% vs. $790.00`. */
export function changeText(now: number, before: number, format: (value: number) => string): string {
  if (now === before) return 'same as before';
  if (before <= 0) return `vs. ${format(before)}`;
  const percent = Math.round(((now - before) / before) * 100);
  return `${percent < 0 ? '−' : '+'}${formatCount(Math.abs(percent))}% vs. ${format(before)}`;
}

/** Days that follow each other, as a text: `October 1, 2026 to October 30, 2026`. */
export const spanText = ({ from, to }: { from: string; to: string }) =>
  from === to ? dayText(from) : `${dayText(from)} to ${dayText(to)}`;
