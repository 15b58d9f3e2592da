import { expect, it } from 'vitest';
import { dayAfter } from '#contract/calendar.ts';
import type { ShopFigures } from '#contract/owner/analytics.ts';
import { changeText, percentText, createPeriods, spanText } from './periods.ts';

const createDay = (date: string, views: number) => ({
  day: date,
  views,
  orders: 1,
  revenue: 500,
  refunds: 20,
  codeUses: 2,
});
const days: ShopFigures['days'] = [createDay('2026-10-31', 1), createDay('2026-11-01', 2), createDay('2026-11-02', 4)];

it('createPeriods returns one period for each day, and one for each month in the 12-month range', () => {
  expect(createPeriods({ days, range: 'custom' }).map((it) => [it.key, it.label, it.name, it.views])).toEqual([
    ['2026-10-31', 'Oct 31', 'Sat, October 31', 1],
    ['2026-11-01', 'Nov 1', 'Sun, November 1', 2],
    ['2026-11-02', 'Nov 2', 'Mon, November 2', 4],
  ]);
  const month = Array.from({ length: 30 }, (_, at) => createDay(dayAfter('2026-11-01', at), 1));
  expect(createPeriods({ days: month, range: '30d' })[0]!.name).toBe('November 1, 2026');
  const year = Array.from({ length: 365 }, (_, at) => createDay(dayAfter('2025-11-01', at), 1));
  expect(createPeriods({ days: year, range: 'custom' }).map((it) => it.key)).toHaveLength(12);
  expect(createPeriods({ days, range: '12m' })).toEqual([
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

it('percentText rounds to whole percent, or to one decimal below 10%, and is undefined without a valid share', () => {
  expect(percentText(1, 3)).toBe('33%');
  expect(percentText(3, 3)).toBe('100%');
  expect(percentText(1, 300)).toBe('0.3%');
  expect(percentText(0, 300)).toBe('0%');
  expect(percentText(0, 0)).toBeUndefined();
  expect(percentText(4, 3)).toBeUndefined();
});

it('changeText compares with the days before, and shows no percentage if they had nothing', () => {
  const format = (value: number) => `$${value}`;
  expect(changeText(112, 100, format)).toBe('+12% vs. $100');
  expect(changeText(50, 200, format)).toBe('−75% vs. $200');
  expect(changeText(5, 0, format)).toBe('vs. $0');
  expect(changeText(7, 7, format)).toBe('same as before');
  expect(spanText({ from: '2026-10-01', to: '2026-10-30' })).toBe('October 1, 2026 to October 30, 2026');
  expect(spanText({ from: '2026-10-01', to: '2026-10-01' })).toBe('October 1, 2026');
});
