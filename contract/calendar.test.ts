import { afterEach, expect, test, vi } from 'vitest';

import {
  dayAfter,
  toShopDay,
  dayText,
  toShopHour,
  isRealDay,
  momentText,
  spreadsheetTimeText,
  shortDayText,
  shortMomentText,
  shortMonthText,
  shortWeekdayText,
  monthDayText,
  toWeekday,
  weekdayText,
  toShopYear,
} from './calendar.ts';

afterEach(() => vi.unstubAllEnvs());

/** 8 pm in New York on Christmas Eve. */
const evening = '2026-12-25T01:00:00Z';

test.each(['UTC', 'America/New_York', 'America/Los_Angeles', 'Asia/Tokyo', 'Pacific/Kiritimati'])(
  'a moment in the evening in New York has the New York day for a reader in %s',
  (zone) => {
    vi.stubEnv('TZ', zone);
    expect(Intl.DateTimeFormat().resolvedOptions().timeZone).toBe(zone);
    for (const moment of [evening, new Date(evening), Date.parse(evening)]) {
      expect(toShopDay(moment)).toBe('2026-12-24');
      expect(dayText(moment)).toBe('December 24, 2026');
      expect(shortDayText(moment)).toBe('Dec 24, 2026');
      expect(weekdayText(moment)).toBe('Thursday, December 24');
      expect(shortWeekdayText(moment)).toBe('Thu, December 24');
      expect(momentText(moment)).toBe('December 24, 2026 at 8:00 PM EST');
      expect(shortMomentText(moment)).toBe('Dec 24, 2026, 8:00 PM EST');
      expect(spreadsheetTimeText(moment)).toBe('2026-12-24 20:00');
      expect(monthDayText(moment)).toBe('Dec 24');
      expect(shortMonthText(moment)).toBe('Dec 2026');
    }
    expect(toShopYear('2027-01-01T04:59:00Z')).toBe(2026);
    expect([evening, '2026-12-25T05:59:00Z', '2026-07-01T11:00:00Z'].map(toShopHour)).toEqual([20, 0, 7]);
    expect(momentText('2026-07-01T03:00:00Z')).toBe('June 30, 2026 at 11:00 PM EDT');
  },
);

test.each(['UTC', 'America/Los_Angeles', 'Pacific/Kiritimati'])('a day keeps its date for a reader in %s', (zone) => {
  vi.stubEnv('TZ', zone);
  expect(dayText('2026-12-24')).toBe('December 24, 2026');
  expect(weekdayText('2026-12-24')).toBe('Thursday, December 24');
  expect(toWeekday('2026-12-24')).toBe(4);
  expect(dayAfter('2026-12-31')).toBe('2027-01-01');
  expect(dayAfter('2026-03-09', -2)).toBe('2026-03-07'); // daylight saving time starts between these days
});

test('throws RangeError for an invalid moment', () => {
  for (const wrongValue of ['yesterday', Number.NaN, '2026-13-45']) {
    expect(() => dayText(wrongValue)).toThrow(RangeError);
    expect(() => toShopDay(wrongValue)).toThrow(RangeError);
  }
});

test('isRealDay accepts only days that exist', () => {
  for (const day of ['2026-12-24', '2028-02-29']) expect(isRealDay(day), day).toBe(true);
  for (const day of [
    '',
    '2026-12',
    '2026-02-29',
    '2026-02-30',
    '2026-13-01',
    '2026-12-32',
    '2026-12-24T00:00:00Z',
    ' 2026-12-24',
    '26-12-24',
  ])
    expect(isRealDay(day), day).toBe(false);
});
