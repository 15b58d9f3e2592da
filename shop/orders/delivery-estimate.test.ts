import { expect, test } from 'vitest';
import { estimateArrival, estimateDelivery } from './delivery-estimate.ts';

/** The same evening by New York and by the date in UTC, which is a day further. */
const evening = new Date('2026-12-23T01:00:00Z');
const noon = new Date('2026-12-22T17:00:00Z');

test('an estimate counts from the shop’s day, not from the day in UTC', () => {
  expect(estimateDelivery(evening)).toEqual(estimateDelivery(noon));
  expect(estimateArrival(evening)).toEqual(estimateArrival(noon));
});

test('weekends and federal holidays are no business days', () => {
  // After Tuesday the 22nd: 23, 24, then Christmas and a weekend, 28 to 31, then New Year and a weekend, 4, 5.
  expect(estimateDelivery(noon)).toEqual({ from: '2026-12-31', to: '2027-01-05' });
  expect(estimateArrival(noon)).toEqual({ from: '2026-12-28', to: '2026-12-30' });
  // Of a gift that leaves on Sunday the 10th of January, or was to leave before it can.
  expect(estimateDelivery(noon, '2027-01-10')).toEqual({ from: '2027-01-13', to: '2027-01-15' });
  expect(estimateDelivery(noon, '2026-12-24')).toEqual(estimateDelivery(noon));
  // Independence Day on a Saturday is kept on Friday the 3rd.
  expect(estimateArrival(new Date('2026-07-01T16:00:00Z')).from).toBe('2026-07-07');
  // Memorial Day, the last Monday of May.
  expect(estimateArrival(new Date('2026-05-22T16:00:00Z')).from).toBe('2026-05-28');
});
