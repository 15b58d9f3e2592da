/** Promotions run by the shop's calendar, not the visitor's. */
export const shopTimeZone = 'America/New_York';

/** The calendar day of a moment in the shop's time zone: 2026-11-27. */
export const dayIn = (moment: number, timeZone = shopTimeZone) =>
  new Intl.DateTimeFormat('en-CA', { timeZone, year: 'numeric', month: '2-digit', day: '2-digit' }).format(moment);

/** Both days included. */
export const isRunning = (promo: { startDate: string; endDate: string }, today: string) =>
  promo.startDate.slice(0, 10) <= today && today <= promo.endDate.slice(0, 10);
