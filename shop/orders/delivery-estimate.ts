import { dayAfter, toShopDay, toWeekday } from '#contract/calendar.ts';
import type { DeliveryTimes } from '#contract/catalog.ts';
import type { DeliveryEstimate } from '#contract/orders.ts';

/** A parcel may arrive up to this many business days before the end of the estimate. */
const estimateRangeDays = 2;

/**
 * Estimates the days between which a frame arrives if the customer finishes the photos by `finishDay` (null: now). If
 * the customer finishes later, the frame arrives `businessDays` after that day. Days are in the shop's calendar, such
 * as `2026-11-30`. `shipOn` is the first day on which the parcel may leave.
 */
export function estimateDelivery(times: DeliveryTimes, now: Date, shipOn = ''): DeliveryEstimate {
  const { handlingDays, transitDays } = times;
  const today = toShopDay(now);
  const computeShippingDayAfter = (finished: string) =>
    computeShippingDayFrom(times, computeHandledDay(times, finished));
  const readyDay = computeShippingDayAfter(today);
  const shippingDay = shipOn > readyDay ? computeShippingDayFrom(times, shipOn) : readyDay;
  const isInTime = (day: string) => computeShippingDayAfter(day) <= shippingDay;
  let finishDay = shipOn > today ? shippingDay : today;
  while (finishDay > today && !isInTime(finishDay)) finishDay = dayAfter(finishDay, -1);
  return {
    ...computeTransitDays(times, shippingDay),
    finishBy: finishDay > today ? finishDay : null,
    businessDays: handlingDays + transitDays,
  };
}

/** Estimates when a parcel that leaves now arrives. */
export const estimateArrival = (times: DeliveryTimes, shippedAt: Date) =>
  computeTransitDays(times, toShopDay(shippedAt));

const computeTransitDays = ({ transitDays }: DeliveryTimes, day: string) => ({
  from: computeBusinessDaysAfter(day, Math.max(1, transitDays - estimateRangeDays)),
  to: computeBusinessDaysAfter(day, transitDays),
});

/** The day on which a package is ready if the photos are finished on `day`. A vacation is no time to handle it. */
function computeHandledDay({ handlingDays, vacation }: DeliveryTimes, day: string): string {
  return computeBusinessDaysAfter(day, handlingDays, (it) => isWithinVacation(it, vacation));
}

/**
 * The first day from `day` on which a package leaves. A package that has to wait does not leave on a holiday, nor on a
 * weekend unless the owner chose its weekday.
 */
export function computeShippingDayFrom({ shipsOn = [], vacation }: DeliveryTimes, day: string): string {
  const isChosen = (it: string) => shipsOn.length === 0 || shipsOn.includes(toWeekday(it));
  const isEveryDay = shipsOn.length % 7 === 0;
  const isClosed = (it: string) => (isEveryDay ? !isBusinessDay(it) : isFederalHoliday(it));
  let leaving = day;
  while (isWithinVacation(leaving, vacation) || !isChosen(leaving) || (leaving !== day && isClosed(leaving)))
    leaving = dayAfter(leaving);
  return leaving;
}

const isWithinVacation = (day: string, vacation: DeliveryTimes['vacation']) =>
  vacation !== undefined && vacation.from <= day && day <= vacation.to;

/** Weekends and US federal holidays are not business days. */
function computeBusinessDaysAfter(start: string, days: number, isLeftOut = (_: string) => false): string {
  let day = start;
  for (let left = days; left > 0;) {
    day = dayAfter(day);
    if (isBusinessDay(day) && !isLeftOut(day)) left -= 1;
  }
  return day;
}

const isBusinessDay = (day: string) => toWeekday(day) % 6 !== 0 && !isFederalHoliday(day);

const fixedHolidays = new Set(['01-01', '06-19', '07-04', '11-11', '12-25']);
/**
 * Holidays that fall on a weekday of a month: the month, the weekday (1: Monday), and which of these weekdays in the
 * month (-1: the last one).
 */
const floatingHolidays = [
  ['01', 1, 3],
  ['02', 1, 3],
  ['05', 1, -1],
  ['09', 1, 1],
  ['10', 1, 2],
  ['11', 4, 4],
] as const;

function isFederalHoliday(day: string): boolean {
  const [month, weekday] = [day.slice(5, 7), toWeekday(day)];
  // A fixed holiday on a Saturday is observed on the Friday before. A fixed holiday on a Sunday is observed on the
  // Monday after.
  const observedDay = weekday === 5 ? dayAfter(day) : weekday === 1 ? dayAfter(day, -1) : day;
  if (fixedHolidays.has(day.slice(5)) || fixedHolidays.has(observedDay.slice(5))) return true;
  const weekOfMonth = Math.ceil(Number(day.slice(8)) / 7);
  const isLast = dayAfter(day, 7).slice(5, 7) !== month;
  return floatingHolidays.some(([m, w, n]) => m === month && w === weekday && (n === -1 ? isLast : n === weekOfMonth));
}
