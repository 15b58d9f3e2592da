import { asc, sql } from 'drizzle-orm';
import type { PgColumn } from 'drizzle-orm/pg-core';
import type { Db } from '../ports/database.ts';
import { type DaySpan, dayInSpanCondition } from './spans.ts';
import { labelTallies, marginTallies, videoTallies } from './tallies.sql.ts';

const extractMonth = (day: PgColumn) => sql<string>`to_char(${day}, 'YYYY-MM')`;
const sumOf = (column: PgColumn) => sql<number>`sum(${column})`.mapWith(Number);

/** Revenue and costs of the orders of each month, oldest month first. Months without orders are left out. */
export function selectMarginsByMonth(db: Db, span: DaySpan) {
  const { day, orders, paidCents, refundedCents, disputedCents, taxCents, frames, parcels, fees, feeCents } =
    marginTallies;
  return db
    .select({
      month: extractMonth(day),
      orders: sumOf(orders),
      paidCents: sumOf(paidCents),
      refundedCents: sumOf(refundedCents),
      disputedCents: sumOf(disputedCents),
      taxCents: sumOf(taxCents),
      frames: sumOf(frames),
      parcels: sumOf(parcels),
      fees: sumOf(fees),
      feeCents: sumOf(feeCents),
    })
    .from(marginTallies)
    .where(dayInSpanCondition(day, span))
    .groupBy(extractMonth(day))
    .orderBy(asc(extractMonth(day)));
}

/** The paid videos of each month's orders, by animator. */
export function selectPaidVideosByMonth(db: Db, span: DaySpan) {
  const { day, animator, videos, cents } = videoTallies;
  return db
    .select({ month: extractMonth(day), animator, videos: sumOf(videos), cents: sumOf(cents) })
    .from(videoTallies)
    .where(dayInSpanCondition(day, span))
    .groupBy(extractMonth(day), animator)
    .orderBy(asc(extractMonth(day)), asc(animator));
}

/** The labels of each month's orders. */
export function selectLabelsByMonth(db: Db, span: DaySpan) {
  const { day, labels, cents } = labelTallies;
  return db
    .select({ month: extractMonth(day), labels: sumOf(labels), labelCents: sumOf(cents) })
    .from(labelTallies)
    .where(dayInSpanCondition(day, span))
    .groupBy(extractMonth(day));
}
