import { expect, it } from 'vitest';
import { ApiError } from '../data/api.ts';
import { isForGood, lossOf } from './loss.ts';

it('sends again what the connection lost, and what a busy shop did not take, when it said', () => {
  expect(lossOf(new TypeError('Failed to fetch'))).toBe('lost');
  // The line was dead before the code that sends was there.
  expect(lossOf(new TypeError('Failed to fetch dynamically imported module: /assets/tus.js'))).toBe('lost');
  expect(lossOf(new ApiError(408, ''))).toBe('lost');
  expect(lossOf(new ApiError(409, '{"code":"piece-out-of-order"}'))).toBe('lost');
  expect(lossOf(new ApiError(503, '{"code":"unavailable"}', '30'))).toEqual({ busyMs: 30_000 });
  expect(lossOf(new ApiError(429, '{"code":"too-many-requests"}', '12'))).toEqual({ busyMs: 12_000 });
  for (const status of [502, 503, 504]) expect(lossOf(new ApiError(status, '<html>'))).toEqual({ busyMs: 5000 });
});
it('takes a no for a no', () => {
  expect(lossOf(new ApiError(415, '{"code":"unsupported-type"}'))).toBeUndefined();
  expect(lossOf(new ApiError(500, '{"code":"unexpected"}'))).toBeUndefined();
  expect(lossOf(new ApiError(507, '{"code":"storage-full"}'))).toBeUndefined();
  // It is these photos that are too slow: they would be so again.
  expect(lossOf(new ApiError(429, '{"code":"photos-too-slow"}', '600'))).toBeUndefined();
});
it('keeps what may yet be taken, and forgets what never will be', () => {
  expect(isForGood(new ApiError(415, '{"code":"unsupported-type"}'))).toBe(true);
  expect(isForGood(new ApiError(409, '{"code":"frame-finalized"}'))).toBe(true);
  for (const status of [401, 408, 429, 500, 503, 507]) expect(isForGood(new ApiError(status, '{}'))).toBe(false);
  expect(isForGood(new TypeError('Failed to fetch'))).toBe(false);
  expect(isForGood(new ApiError(409, '{"code":"collect-ended"}'))).toBe(true);
  // A pause ends; a place comes free, or is bought.
  for (const code of ['collect-paused', 'collect-full', 'photo-limit-reached', 'too-many-arrivals'])
    expect(isForGood(new ApiError(409, JSON.stringify({ code })))).toBe(false);
});
