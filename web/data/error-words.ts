import { ApiError } from './api.ts';

const offline = 'We could not reach the shop. Please check your connection and try again.';
export const partMissing =
  'A part of this page could not be loaded: the shop was updated meanwhile, or the connection is lost. Nothing of yours is lost; please load the page again.';
const unexpected = 'Something went wrong on our side. Nothing is lost; please try again.';

/** The one place that turns any failure into words for a person; `fallback` is what this screen says when nobody did. */
export function errorWords(error: unknown, fallback = unexpected): string {
  if (error instanceof ApiError) return error.words ?? fallback;
  if (isPartMissing(error)) return partMissing;
  if (isOffline(error)) return offline;
  return fallback;
}

/** A fetch that never got an answer rejects with a TypeError in every browser. */
export const isOffline = (error: unknown) =>
  error instanceof TypeError && /fetch|network|load/i.test(error.message) && !isPartMissing(error);

/** Whether the shop refused with this name: `isRefusal(error, 'photo-limit-reached')`. */
export const isRefusal = (error: unknown, code: string): error is ApiError =>
  error instanceof ApiError && error.code === code;

/** A module of the page, or its styles, did not come: as each browser says it, and Vite. */
export const isPartMissing = (error: unknown) =>
  error instanceof Error &&
  /dynamically imported module|Importing a module script failed|Unable to preload/i.test(error.message);
