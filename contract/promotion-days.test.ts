import { expect, test } from 'vitest';
import { dayIn, isRunning } from './promotion-days.ts';

const promo = { startDate: '2026-11-27', endDate: '2026-11-30' };

test('a promotion runs on its first and on its last day, and on no other', () => {
  expect(isRunning(promo, '2026-11-26')).toBe(false);
  expect(isRunning(promo, '2026-11-27')).toBe(true);
  expect(isRunning(promo, '2026-11-30')).toBe(true);
  expect(isRunning(promo, '2026-12-01')).toBe(false);
});

test('days are the shop’s, wherever the visitor is', () => {
  expect(dayIn(Date.parse('2026-11-27T03:00:00Z'))).toBe('2026-11-26');
  expect(dayIn(Date.parse('2026-11-27T06:00:00Z'))).toBe('2026-11-27');
});
