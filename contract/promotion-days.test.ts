import { expect, test } from 'vitest';
import { isPromotionRunning } from './promotion-days.ts';

const promo = { startDate: '2026-11-27', endDate: '2026-11-30' };

test('a promotion runs from its first to its last day, both inclusive, and on no other day', () => {
  expect(isPromotionRunning(promo, '2026-11-26')).toBe(false);
  expect(isPromotionRunning(promo, '2026-11-27')).toBe(true);
  expect(isPromotionRunning(promo, '2026-11-30')).toBe(true);
  expect(isPromotionRunning(promo, '2026-12-01')).toBe(false);
});
