import { expect, test } from 'vitest';
import { computeLastReturnDay } from './window.ts';

const times = { handlingDays: 3, transitDays: 5 };
const shippedAt = new Date('2027-03-01T17:00:00Z'); // expected by Monday, March 8

test('the days for a return count from the end of the estimated delivery', () => {
  expect(computeLastReturnDay(times, { shippedAt: null, deliveredAt: null })).toBeUndefined();
  expect(computeLastReturnDay(times, { shippedAt, deliveredAt: null })).toBe('2027-04-07');
});

test('a delivery that the carrier reports later than estimated extends the days, an earlier one does not shorten them', () => {
  const computeLastDayIfDelivered = (day: string) =>
    computeLastReturnDay(times, { shippedAt, deliveredAt: new Date(`${day}T22:00:00Z`) });
  expect(computeLastDayIfDelivered('2027-03-15')).toBe('2027-04-14');
  expect(computeLastDayIfDelivered('2027-03-03')).toBe('2027-04-07');
});
