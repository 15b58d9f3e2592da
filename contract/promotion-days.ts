/** Promotions run by the shop's calendar, not the visitor's. */
export const shopTimeZone = 'America/New_York';

/** The calendar day of a moment in the shop's time zone: 2026-11-27. */
export function dayIn(moment: number): string {
  const hour = Math.floor(moment / 3_600_000);
  if (hour !== known.hour) known = { hour, day: shopCalendar.format(moment) };
  return known.day;
}
// A day begins with an hour.
let known = { hour: Number.NaN, day: '' };
// Made once: making one takes longer than everything else a promotion does to a page.
const shopCalendar = new Intl.DateTimeFormat('en-CA', {
  timeZone: shopTimeZone,
  year: 'numeric',
  month: '2-digit',
  day: '2-digit',
});

/** A day in words: November 27, 2026. */
export const dayInWords = (day: string) =>
  new Date(`${day.slice(0, 10)}T12:00:00Z`).toLocaleDateString('en-US', { dateStyle: 'long', timeZone: 'UTC' });

/** Both days included. */
export const isRunning = (promo: { startDate: string; endDate: string }, today: string) =>
  promo.startDate.slice(0, 10) <= today && today <= promo.endDate.slice(0, 10);
