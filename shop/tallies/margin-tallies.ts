import { asc, sql } from 'drizzle-orm';
import type { PgColumn } from 'drizzle-orm/pg-core';
import type { Db } from '../ports/database.ts';
import { type Span, dayInSpanCondition } from './spans.ts';
import { labelTallies, marginTallies, videoTallies } from './tallies.sql.ts';

const monthOf = (day: PgColumn) => sql<string>`to_char(${day}, 'YYYY-MM')`;
const sumOf = (column: PgColumn) => sql<number>`sum(${column})`.mapWith(Number);

/** Revenue and costs of the orders of each month, oldest month first. Months without orders are left out. */
export function selectMarginsByMonth(db: Db, span: Span) {
  const { day, orders, paidCents, refundedCents, disputedCents, taxCents, frames, parcels, fees, feeCents } =
    marginTallies;
  return db
    .select({
      month: monthOf(day),
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
    .groupBy(monthOf(day))
    .orderBy(asc(monthOf(day)));
}

/** The paid videos of each month's orders, by animator. */
export function selectPaidVideosByMonth(db: Db, span: Span) {
  const { day, animator, videos, cents } = videoTallies;
  return db
    .select({ month: monthOf(day), animator, videos: sumOf(videos), cents: sumOf(cents) })
    .from(videoTallies)
    .where(dayInSpanCondition(day, span))
    .groupBy(monthOf(day), animator)
    .orderBy(asc(monthOf(day)), asc(animator));
}

/** The labels of each month's orders. */
export function selectLabelsByMonth(db: Db, span: Span) {
  const { day, labels, cents } = labelTallies;
  return db
    .select({ month: monthOf(day), labels: sumOf(labels), labelCents: sumOf(cents) })
    .from(labelTallies)
    .where(dayInSpanCondition(day, span))
    .groupBy(monthOf(day));
}
