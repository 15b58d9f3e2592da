import { and, gte, lte } from 'drizzle-orm';
import type { PgColumn } from 'drizzle-orm/pg-core';
import { dayAfter } from '#contract/calendar.ts';

/** Two days in the shop's calendar, both included. */
export interface DaySpan {
  from: string;
  to: string;
}

/** The condition that a day is in a span. */
export const dayInSpanCondition = (day: PgColumn, { from, to }: DaySpan) => and(gte(day, from), lte(day, to));

/** The span of twelve months that ends on the given day: it begins with the month eleven months earlier. */
export function spanOfYearUntil(to: string): DaySpan {
  const [year, month] = to.split('-').map(Number) as [number, number];
  const firstDay = month === 12 ? `${year}-01-01` : `${year - 1}-${String(month + 1).padStart(2, '0')}-01`;
  return { from: firstDay, to };
}

/** The same days one year earlier. February 29 becomes March 1. */
export const computeSpanYearEarlier = ({ from, to }: DaySpan): DaySpan => ({
  from: dayOfYearBefore(from),
  to: dayOfYearBefore(to),
});
const dayOfYearBefore = (day: string) => dayAfter(`${Number(day.slice(0, 4)) - 1}${day.slice(4)}`, 0);

/** The months of a span, oldest first, such as 2026-12. */
export function listMonths({ from, to }: DaySpan): string[] {
  const months: string[] = [];
  for (let day = from; day <= to; day = dayAfter(`${day.slice(0, 7)}-28`, 4).slice(0, 7) + '-01')
    months.push(day.slice(0, 7));
  return months;
}
