import { and, gte, lte } from 'drizzle-orm';
import type { PgColumn } from 'drizzle-orm/pg-core';
import { dayAfter } from '#contract/calendar.ts';

/** Two days of the shop's calendar, both included. */
export interface Span {
  from: string;
  to: string;
}

/** The days of a span, as a condition. */
export const within = (day: PgColumn, { from, to }: Span) => and(gte(day, from), lte(day, to));

/** The month of a day and the eleven before it, until that day. */
export function yearUntil(to: string): Span {
  const [year, month] = to.split('-').map(Number) as [number, number];
  const from = month === 12 ? `${year}-01-01` : `${year - 1}-${String(month + 1).padStart(2, '0')}-01`;
  return { from, to };
}

/** Its months, oldest first: 2026-12. */
export function monthsOf({ from, to }: Span): string[] {
  const months: string[] = [];
  for (let day = from; day <= to; day = dayAfter(`${day.slice(0, 7)}-28`, 4).slice(0, 7) + '-01')
    months.push(day.slice(0, 7));
  return months;
}
