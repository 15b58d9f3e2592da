import { dayAfter, dayOf, weekdayOf } from '#contract/calendar.ts';

/** Business days of handling, then of transit (specification 3, Orders). */
const handlingDays = 3;
const transitDays = 5;
/** A parcel may come this many business days before the estimate's end. */
const spreadDays = 2;

/**
 * When a frame arrives if the photos are finished now; days of the shop's calendar, as `2026-11-30`. `shipOn`: it leaves
 * on this day at the earliest.
 */
export function estimateDelivery(from: Date, shipOn = ''): { from: string; to: string } {
  const ready = businessDaysAfter(dayOf(from), handlingDays);
  return inTransitFrom(shipOn > ready ? shipOn : ready);
}

/** When a parcel that leaves now arrives. */
export function estimateArrival(shippedAt: Date): { from: string; to: string } {
  return inTransitFrom(dayOf(shippedAt));
}

const inTransitFrom = (day: string) => ({
  from: businessDaysAfter(day, transitDays - spreadDays),
  to: businessDaysAfter(day, transitDays),
});

/** Weekends and US federal holidays do not count. */
function businessDaysAfter(start: string, days: number): string {
  let day = start;
  for (let left = days; left > 0;) {
    day = dayAfter(day);
    if (isBusinessDay(day)) left -= 1;
  }
  return day;
}

const isBusinessDay = (day: string) => weekdayOf(day) % 6 !== 0 && !isFederalHoliday(day);

const fixed = new Set(['01-01', '06-19', '07-04', '11-11', '12-25']);
/** Month, weekday, which one of the month (-1: the last). */
const floating = [
  ['01', 1, 3],
  ['02', 1, 3],
  ['05', 1, -1],
  ['09', 1, 1],
  ['10', 1, 2],
  ['11', 4, 4],
] as const;

function isFederalHoliday(day: string): boolean {
  const [month, weekday] = [day.slice(5, 7), weekdayOf(day)];
  // A fixed one on a Saturday is kept on the Friday before, on a Sunday on the Monday after.
  const kept = weekday === 5 ? dayAfter(day) : weekday === 1 ? dayAfter(day, -1) : day;
  if (fixed.has(day.slice(5)) || fixed.has(kept.slice(5))) return true;
  const which = Math.ceil(Number(day.slice(8)) / 7);
  const isLast = dayAfter(day, 7).slice(5, 7) !== month;
  return floating.some(([m, w, n]) => m === month && w === weekday && (n === -1 ? isLast : n === which));
}
