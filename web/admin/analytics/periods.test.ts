import { expect, it } from 'vitest';
import type { ShopFigures } from '#contract/owner/analytics.ts';
import { percentText, periodsOf } from './periods.ts';

const day = (date: string, views: number) => ({ day: date, views, orders: 1, revenue: 500, refunds: 20, codeUses: 2 });
const days: ShopFigures['days'] = [day('2026-10-31', 1), day('2026-11-01', 2), day('2026-11-02', 4)];

it('periodsOf returns one period for each day, and one for each month in the 12-month range', () => {
  expect(periodsOf({ days, range: '30d' }).map((it2) => [it2.key, it2.label, it2.name, it2.views])).toEqual([
    ['2026-10-31', 'Oct 31', 'October 31, 2026', 1],
    ['2026-11-01', 'Nov 1', 'November 1, 2026', 2],
    ['2026-11-02', 'Nov 2', 'November 2, 2026', 4],
  ]);
  expect(periodsOf({ days, range: '7d' })[1]!.name).toBe('Sun, November 1');
  expect(periodsOf({ days, range: '12m' })).toEqual([
    {
      key: '2026-10',
      label: 'Oct 2026',
      name: 'Oct 2026',
      views: 1,
      orders: 1,
      revenue: 500,
      refunds: 20,
      codeUses: 2,
    },
    {
      key: '2026-11',
      label: 'Nov 2026',
      name: 'Nov 2026',
      views: 6,
      orders: 2,
      revenue: 1000,
      refunds: 40,
      codeUses: 4,
    },
  ]);
});

it('percentWords rounds to whole percent, or to one decimal below 10%, and is undefined without a valid share', () => {
  expect(percentText(1, 3)).toBe('33%');
  expect(percentText(3, 3)).toBe('100%');
  expect(percentText(1, 300)).toBe('0.3%');
  expect(percentText(0, 300)).toBe('0%');
  expect(percentText(0, 0)).toBeUndefined();
  expect(percentText(4, 3)).toBeUndefined();
});
