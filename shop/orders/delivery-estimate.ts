/** Business days of handling, then of transit (specification 3, Orders). */
const handlingDays = 3;
const transitDays = 5;
/** A parcel may come this many business days before the estimate's end. */
const spreadDays = 2;

/** When a frame arrives if the photos are finished today; days as `2026-11-30`. */
export function estimateDelivery(from: Date): { from: string; to: string } {
  return {
    from: dayOf(addBusinessDays(from, handlingDays + transitDays - spreadDays)),
    to: dayOf(addBusinessDays(from, handlingDays + transitDays)),
  };
}

/** When a parcel that leaves today arrives. */
export function estimateArrival(shippedAt: Date): { from: string; to: string } {
  return {
    from: dayOf(addBusinessDays(shippedAt, transitDays - spreadDays)),
    to: dayOf(addBusinessDays(shippedAt, transitDays)),
  };
}

const dayOf = (date: Date) => date.toISOString().slice(0, 10);

/** Weekends and US federal holidays do not count. */
export function addBusinessDays(from: Date, days: number): Date {
  const date = new Date(Date.UTC(from.getUTCFullYear(), from.getUTCMonth(), from.getUTCDate()));
  for (let left = days; left > 0;) {
    date.setUTCDate(date.getUTCDate() + 1);
    if (isBusinessDay(date)) left -= 1;
  }
  return date;
}

const isBusinessDay = (date: Date) => date.getUTCDay() % 6 !== 0 && !isFederalHoliday(date);

/** Fixed days are observed on the Friday before or the Monday after a weekend. */
const fixed = [
  [0, 1],
  [5, 19],
  [6, 4],
  [10, 11],
  [11, 25],
] as const;
/** Month, weekday, which one of the month (-1: the last). */
const floating = [
  [0, 1, 3],
  [1, 1, 3],
  [4, 1, -1],
  [8, 1, 1],
  [9, 1, 2],
  [10, 4, 4],
] as const;

function isFederalHoliday(date: Date): boolean {
  const [year, month, day] = [date.getUTCFullYear(), date.getUTCMonth(), date.getUTCDate()];
  const observed = [...fixed.map(([m, d]) => observedOn(year, m, d)), observedOn(year + 1, 0, 1)];
  if (observed.includes(date.getTime())) return true;
  return floating.some(([m, weekday, which]) => {
    if (m !== month || date.getUTCDay() !== weekday) return false;
    const isLast = new Date(Date.UTC(year, month, day + 7)).getUTCMonth() !== month;
    return which === -1 ? isLast : Math.ceil(day / 7) === which;
  });
}

function observedOn(year: number, month: number, day: number): number {
  const date = new Date(Date.UTC(year, month, day));
  if (date.getUTCDay() === 6) date.setUTCDate(day - 1);
  if (date.getUTCDay() === 0) date.setUTCDate(day + 1);
  return date.getTime();
}
