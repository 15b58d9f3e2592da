import { dayWords } from '#contract/calendar.ts';

/** The last day of a link that ends with a day: its end is the midnight after it. */
export const lastDayWords = (expiresAt: string) => dayWords(Date.parse(expiresAt) - 60_000);
