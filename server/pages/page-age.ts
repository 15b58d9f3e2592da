/**
 * The maximum age of a cached page. A page may show content that depends on the date, such as a promotion from its
 * first day.
 */
export const maxPageAgeMs = 60_000;
