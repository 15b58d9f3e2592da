/**
 * The shop's calendar. All conversions from a moment to a day or to text happen here. They never use the time zone of
 * the server, the browser or the reader, so rendered, hydrated and mailed text is identical. A moment is an ISO 8601
 * string with a zone, a Date or milliseconds; a day is `2026-12-24`.
 */

export type DateLike = string | number | Date;
const timeZone = 'America/New_York';

/** Returns the day of a moment: 2026-12-24. */
export function toShopDay(moment: DateLike): string {
  const date = new Date(moment);
  const hour = Math.floor(date.getTime() / 3_600_000);
  if (hour !== cachedHour.hour) cachedHour = { hour, day: formatIsoDay(date) };
  return cachedHour.day;
}
// The cache key is the hour, because a day always starts at a full hour.
let cachedHour = { hour: Number.NaN, day: '' };

export const toShopYear = (moment: DateLike) => Number(toShopDay(moment).slice(0, 4));
/** 1 is January. */
export const toShopMonth = (moment: DateLike) => Number(toShopDay(moment).slice(5, 7));

/** A moment or a day in words: December 24, 2026. */
export const dayText = (moment: DateLike) => formatLongDay(toNoon(moment));
/** For tables: Dec 24, 2026. */
export const shortDayText = (moment: DateLike) => formatShortDay(toNoon(moment));
/** For lists with many dates in a row: Dec 24. */
export const monthDayText = (moment: DateLike) => formatMonthDay(toNoon(moment));
/** The month of a day: Dec 2026. */
export const shortMonthText = (moment: DateLike) => formatShortMonth(toNoon(moment));
/** For days in the near future: Thursday, December 24. */
export const weekdayText = (moment: DateLike) => formatWeekday(toNoon(moment));
/** The short form where space is limited: Thu, December 24. */
export const shortWeekdayText = (moment: DateLike) => formatShortWeekday(toNoon(moment));
/** December 24, 2026 at 8:00 PM EST. */
export const momentText = (moment: DateLike) => formatLongMoment(new Date(moment));
/** For tables: Dec 24, 2026, 8:00 PM EST. */
export const shortMomentText = (moment: DateLike) => formatShortMoment(new Date(moment));

/** For spreadsheets, in a form that they can sort and calculate with: 2026-12-24 20:00. */
export const spreadsheetTimeText = (moment: DateLike) => formatIsoMinute(new Date(moment)).replace(', ', ' ');

/** The day that is `days` days after `day`, or before it if negative. */
export function dayAfter(day: string, days = 1): string {
  return new Date(toNoon(day).getTime() + days * 86_400_000).toISOString().slice(0, 10);
}
/** The moment when a day ends. */
export function endOfDay(day: string): Date {
  const nextDay = dayAfter(day);
  const midnights = ['04', '05'].map((hour) => new Date(`${nextDay}T${hour}:00:00Z`)); // midnight in New York is one of these, in summer or in winter time
  return midnights.find((it) => toShopDay(it) === nextDay)!;
}
/** The hour of the day, 0 to 23. */
export const toShopHour = (moment: DateLike) => Number(hourOfDay(new Date(moment)));
/** 0 is Sunday. */
export const toWeekday = (day: string) => toNoon(day).getUTCDay();

/** Represents a day by noon UTC, which is the same day in New York. */
function toNoon(moment: DateLike): Date {
  return new Date(isDay(moment) ? `${moment}T12:00:00Z` : moment);
}
/** Whether the text is a day that exists: 2026-02-30 does not. */
export const isRealDay = (text: string) =>
  isDay(text) && !Number.isNaN(toNoon(text).getTime()) && dayAfter(text, 0) === text;
const isDay = (moment: DateLike): moment is string => typeof moment === 'string' && /^\d{4}-\d\d-\d\d$/.test(moment);

const formatIsoDay = createFormatter({ year: 'numeric', month: '2-digit', day: '2-digit' }, 'en-CA');
const formatIsoMinute = createFormatter(
  { year: 'numeric', month: '2-digit', day: '2-digit', hour: '2-digit', minute: '2-digit', hourCycle: 'h23' },
  'en-CA',
);
const formatLongDay = createFormatter({ year: 'numeric', month: 'long', day: 'numeric' });
const formatShortDay = createFormatter({ year: 'numeric', month: 'short', day: 'numeric' });
const formatMonthDay = createFormatter({ month: 'short', day: 'numeric' });
const formatShortMonth = createFormatter({ year: 'numeric', month: 'short' });
const formatWeekday = createFormatter({ weekday: 'long', month: 'long', day: 'numeric' });
const formatShortWeekday = createFormatter({ weekday: 'short', month: 'long', day: 'numeric' });
const hourOfDay = createFormatter({ hour: '2-digit', hourCycle: 'h23' });
const timeOfDay = { hour: 'numeric', minute: '2-digit', timeZoneName: 'short' } as const;
const formatLongMoment = createFormatter({ year: 'numeric', month: 'long', day: 'numeric', ...timeOfDay });
const formatShortMoment = createFormatter({ year: 'numeric', month: 'short', day: 'numeric', ...timeOfDay });

/**
 * Creates the formatter on first use and reuses it, because creating one takes longer than all other date work of a
 * page.
 */
function createFormatter(options: Intl.DateTimeFormatOptions, locale = 'en-US'): (date: Date) => string {
  let format: Intl.DateTimeFormat | undefined;
  return (date) => {
    format ??= new Intl.DateTimeFormat(locale, { timeZone, ...options });
    // Some readers' fonts lack the narrow space before PM.
    return format.format(date).replaceAll('\u202f', ' ');
  };
}
