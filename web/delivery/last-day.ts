import { dayText } from '#contract/calendar.ts';

/** The last day of a link. The link expires at the midnight after it. */
export const lastDayText = (expiresAt: string) => dayText(Date.parse(expiresAt) - 60_000);
