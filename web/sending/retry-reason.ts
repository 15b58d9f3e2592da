import { ApiError } from '../data/api.ts';
import { isOffline, isPartMissing } from '../data/error-text.ts';
import type { RetryReason } from './upload-queue.ts';

/** The response statuses of a server that is busy or restarting: the shop, or a proxy in front of it. */
const busyStatuses = new Set([429, 502, 503, 504]);
const defaultRetrySeconds = 5;
/** Temporary refusals. The photo can be accepted later: when a paused link continues, or when there is room again. */
const temporaryRefusals = new Set<string | undefined>([
  'collect-paused',
  'collect-full',
  'photo-limit-reached',
  'too-many-arrivals',
]);

/** Returns true if the shop will never accept this photo, no matter how often it is sent. */
export const isFinalRefusal = (error: unknown): boolean =>
  error instanceof ApiError &&
  error.status < 500 &&
  ![401, 429].includes(error.status) &&
  !temporaryRefusals.has(error.code) &&
  !retryReasonOf(error);

/** Returns how to retry after a failure. Undefined: do not retry automatically. */
export function retryReasonOf(error: unknown): RetryReason | undefined {
  if (isOffline(error) || isPartMissing(error)) return 'lost';
  if (!(error instanceof ApiError) || error.code === 'photos-too-slow') return undefined;
  // The code piece-out-of-order means that two attempts to send the same photo overlapped.
  if (error.status === 408 || error.code === 'piece-out-of-order') return 'lost';
  if (!busyStatuses.has(error.status)) return undefined;
  return { busyMs: (error.retryAfterSeconds ?? defaultRetrySeconds) * 1000 };
}
