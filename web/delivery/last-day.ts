import { dayWords } from '#contract/calendar.ts';

/** The last day of a link. The link expires at the midnight after it. */
export const lastDayWords = (expiresAt: string) => dayWords(Date.parse(expiresAt) - 60_000);
