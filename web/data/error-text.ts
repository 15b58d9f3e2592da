import { ApiError } from './api.ts';

const offlineText = 'We couldn’t reach the shop. Please check your connection and try again.';
export const partMissingText =
  'We couldn’t load part of this page. We may have just updated our shop, or you may have lost your connection. Your data is safe. Please reload the page.';
const unexpectedErrorText = 'Something went wrong on our end. Nothing is lost. Please try again.';

/** Converts any error to a text for the visitor. `fallback` is the text for an error without a message for visitors. */
export function errorText(error: unknown, fallback = unexpectedErrorText): string {
  if (error instanceof ApiError) return error.words ?? fallback;
  if (isPartMissing(error)) return partMissingText;
  if (isOffline(error)) return offlineText;
  return fallback;
}

/** Whether a request got no response. In every browser, fetch then rejects with a TypeError. */
export const isOffline = (error: unknown) =>
  error instanceof TypeError && /fetch|network|load/i.test(error.message) && !isPartMissing(error);

/** Whether the API refused with this code: `isRefusal(error, 'photo-limit-reached')`. */
export const isRefusal = (error: unknown, code: string): error is ApiError =>
  error instanceof ApiError && error.code === code;

/** Whether another try can succeed. It cannot if what was requested does not exist (anymore). */
export const canRetry = (error: unknown) => !isRefusal(error, 'not-found');

/** Whether a module of the page or its styles failed to load. Matches the message of each browser and of Vite. */
export const isPartMissing = (error: unknown) =>
  error instanceof Error &&
  /dynamically imported module|Importing a module script failed|Unable to preload/i.test(error.message);
