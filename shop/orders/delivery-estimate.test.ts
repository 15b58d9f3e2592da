import { expect, test } from 'vitest';
import { dayAfter } from '#contract/calendar.ts';
import * as estimates from './delivery-estimate.ts';

const times = { handlingDays: 3, transitDays: 5 };
const estimateDelivery = (now: Date, shipOn?: string) => estimates.estimateDelivery(times, now, shipOn);
const estimateArrival = (shippedAt: Date) => estimates.estimateArrival(times, shippedAt);

/** The same evening by New York and by the date in UTC, which is a day further. */
const evening = new Date('2026-12-23T01:00:00Z');
const noon = new Date('2026-12-22T17:00:00Z');

test('an estimate counts from the shop’s day, not from the day in UTC', () => {
  expect(estimateDelivery(evening)).toEqual(estimateDelivery(noon));
  expect(estimateArrival(evening)).toEqual(estimateArrival(noon));
});

test('weekends and federal holidays are no business days', () => {
  // After Tuesday the 22nd: 23, 24, then Christmas and a weekend, 28 to 31, then New Year and a weekend, 4, 5.
  expect(estimateDelivery(noon)).toMatchObject({ from: '2026-12-31', to: '2027-01-05' });
  expect(estimateArrival(noon)).toEqual({ from: '2026-12-28', to: '2026-12-30' });
  // Of a gift that leaves on Sunday the 10th of January, or was to leave before it can.
  expect(estimateDelivery(noon, '2027-01-10')).toMatchObject({ from: '2027-01-13', to: '2027-01-15' });
  expect(estimateDelivery(noon, '2026-12-24')).toEqual(estimateDelivery(noon));
  // Independence Day on a Saturday is kept on Friday the 3rd.
  expect(estimateArrival(new Date('2026-07-01T16:00:00Z')).from).toBe('2026-07-07');
  // Memorial Day, the last Monday of May.
  expect(estimateArrival(new Date('2026-05-22T16:00:00Z')).from).toBe('2026-05-28');
});

test('photos are in time for a day to ship as long as three business days lie between', () => {
  expect(estimateDelivery(noon).finishBy).toBeNull();
  expect(estimateDelivery(noon, '2026-12-24').finishBy).toBeNull();
  // Ready on Monday the 28th, over Christmas and a weekend: today is the last day.
  expect(estimateDelivery(noon, '2026-12-28').finishBy).toBeNull();
  expect(estimateDelivery(noon, '2026-12-29').finishBy).toBe('2026-12-23');
  // A Sunday, to which Friday's parcel is kept.
  expect(estimateDelivery(noon, '2027-01-10').finishBy).toBe('2027-01-05');
  for (const shipOn of ['2026-12-29', '2027-01-04', '2027-01-18', '2027-02-16']) {
    const { finishBy, from } = estimateDelivery(noon, shipOn);
    const on = (day: string) => estimateDelivery(new Date(`${day}T17:00:00Z`), shipOn).from;
    expect(on(finishBy!)).toBe(from);
    expect(on(dayAfter(finishBy!)) > from).toBe(true);
  }
});

test('the days are settings', () => {
  const quick = { handlingDays: 0, transitDays: 1 };
  expect(estimates.estimateDelivery(quick, noon)).toEqual({
    from: '2026-12-23',
    to: '2026-12-23',
    finishBy: null,
    businessDays: 1,
  });
  expect(estimates.estimateDelivery(quick, noon, '2026-12-26').finishBy).toBe('2026-12-26');
});
