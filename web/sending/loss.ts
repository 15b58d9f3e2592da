import { ApiError } from '../data/api.ts';
import { isOffline, isPartMissing } from '../data/error-words.ts';
import type { Loss } from './sending-line.ts';

/** What a shop, or a proxy before it, answers while it is busy or starts again. */
const busyStatuses = new Set([429, 502, 503, 504]);
const unlessSaidSeconds = 5;
/** What the shop refuses for now: a pause ends, and a place comes free or is bought. */
const forNow = new Set<string | undefined>([
  'collect-paused',
  'collect-full',
  'photo-limit-reached',
  'too-many-arrivals',
]);

/** Whether the shop will not take this photo, however often it is sent: what may change is none of that. */
export const isForGood = (error: unknown): boolean =>
  error instanceof ApiError &&
  error.status < 500 &&
  ![401, 429].includes(error.status) &&
  !forNow.has(error.code) &&
  !lossOf(error);

/** Whether what failed is worth another try by itself; undefined where the shop's no is final for now. */
export function lossOf(error: unknown): Loss | undefined {
  if (isOffline(error) || isPartMissing(error)) return 'lost';
  if (!(error instanceof ApiError) || error.code === 'photos-too-slow') return undefined;
  if (error.status === 408 || error.code === 'piece-out-of-order') return 'lost'; // the latter: two tries of one photo met
  if (!busyStatuses.has(error.status)) return undefined;
  return { busyMs: (error.retryAfterSeconds ?? unlessSaidSeconds) * 1000 };
}
