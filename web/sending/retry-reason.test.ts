import { expect, it } from 'vitest';
import { ApiError } from '../data/api.ts';
import { isFinalRefusal, retryReasonOf } from './retry-reason.ts';

it('retries after a lost connection, and after the requested delay if the shop is busy', () => {
  expect(retryReasonOf(new TypeError('Failed to fetch'))).toBe('lost');
  // The connection was lost before the upload code was loaded.
  expect(retryReasonOf(new TypeError('Failed to fetch dynamically imported module: /assets/tus.js'))).toBe('lost');
  expect(retryReasonOf(new ApiError(408, ''))).toBe('lost');
  expect(retryReasonOf(new ApiError(409, '{"code":"piece-out-of-order"}'))).toBe('lost');
  expect(retryReasonOf(new ApiError(503, '{"code":"unavailable"}', '30'))).toEqual({ busyMs: 30_000 });
  expect(retryReasonOf(new ApiError(429, '{"code":"too-many-requests"}', '12'))).toEqual({ busyMs: 12_000 });
  for (const status of [502, 503, 504]) expect(retryReasonOf(new ApiError(status, '<html>'))).toEqual({ busyMs: 5000 });
});
it('does not retry after a refusal', () => {
  expect(retryReasonOf(new ApiError(415, '{"code":"unsupported-type"}'))).toBeUndefined();
  expect(retryReasonOf(new ApiError(500, '{"code":"unexpected"}'))).toBeUndefined();
  expect(retryReasonOf(new ApiError(507, '{"code":"storage-full"}'))).toBeUndefined();
  // These photos take too long to process. A retry would take too long again.
  expect(retryReasonOf(new ApiError(429, '{"code":"photos-too-slow"}', '600'))).toBeUndefined();
});
it('isFinalRefusal is true only when the shop will never accept the file', () => {
  expect(isFinalRefusal(new ApiError(415, '{"code":"unsupported-type"}'))).toBe(true);
  expect(isFinalRefusal(new ApiError(409, '{"code":"frame-finalized"}'))).toBe(true);
  for (const status of [401, 408, 429, 500, 503, 507]) expect(isFinalRefusal(new ApiError(status, '{}'))).toBe(false);
  expect(isFinalRefusal(new TypeError('Failed to fetch'))).toBe(false);
  expect(isFinalRefusal(new ApiError(409, '{"code":"collect-ended"}'))).toBe(true);
  // These refusals are temporary: a pause ends, and room becomes free or is bought.
  for (const code of ['collect-paused', 'collect-full', 'photo-limit-reached', 'too-many-arrivals'])
    expect(isFinalRefusal(new ApiError(409, JSON.stringify({ code })))).toBe(false);
});
