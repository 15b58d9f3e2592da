/** A page with dates in it (a promotion's first day) is never older than this. */
export const freshMs = 60_000;
