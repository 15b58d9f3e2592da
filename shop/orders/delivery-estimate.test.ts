import { expect, test } from 'vitest';
import { dayAfter } from '#contract/calendar.ts';
import * as estimates from './delivery-estimate.ts';

const times = { handlingDays: 3, transitDays: 5 };
const estimateDelivery = (now: Date, shipOn?: string) => estimates.estimateDelivery(times, now, shipOn);
const estimateArrival = (shippedAt: Date) => estimates.estimateArrival(times, shippedAt);

/** Two times of one day in New York, December 22. In UTC, `evening` is already December 23. */
const evening = new Date('2026-12-23T01:00:00Z');
const noon = new Date('2026-12-22T17:00:00Z');

test('an estimate begins with the day in the shop’s time zone, not with the day in UTC', () => {
  expect(estimateDelivery(evening)).toEqual(estimateDelivery(noon));
  expect(estimateArrival(evening)).toEqual(estimateArrival(noon));
});

test('does not count weekends and federal holidays as business days', () => {
  // The eight business days after Tuesday, December 22: 23, 24, 28, 29, 30, 31, January 4 and 5. Christmas, New Year's
  // Day and the weekends do not count.
  expect(estimateDelivery(noon)).toMatchObject({ from: '2026-12-31', to: '2027-01-05' });
  expect(estimateArrival(noon)).toEqual({ from: '2026-12-28', to: '2026-12-30' });
  // A gift with the shipping day Sunday, January 10, and a gift whose shipping day is before the parcel is ready.
  expect(estimateDelivery(noon, '2027-01-10')).toMatchObject({ from: '2027-01-13', to: '2027-01-15' });
  expect(estimateDelivery(noon, '2026-12-24')).toEqual(estimateDelivery(noon));
  // Independence Day on a Saturday is observed on Friday the 3rd.
  expect(estimateArrival(new Date('2026-07-01T16:00:00Z')).from).toBe('2026-07-07');
  // Memorial Day, on the last Monday of May, is not a business day.
  expect(estimateArrival(new Date('2026-05-22T16:00:00Z')).from).toBe('2026-05-28');
});

test('returns the last day to finish photos in time for a shipping day: three business days before it', () => {
  expect(estimateDelivery(noon).finishBy).toBeNull();
  expect(estimateDelivery(noon, '2026-12-24').finishBy).toBeNull();
  // Photos that are finished today make the parcel ready on Monday the 28th, after Christmas and a weekend. Today is
  // therefore the last day.
  expect(estimateDelivery(noon, '2026-12-28').finishBy).toBeNull();
  expect(estimateDelivery(noon, '2026-12-29').finishBy).toBe('2026-12-23');
  // The shipping day is a Sunday. The parcel is ready on Friday and waits until Sunday.
  expect(estimateDelivery(noon, '2027-01-10').finishBy).toBe('2027-01-05');
  for (const shipOn of ['2026-12-29', '2027-01-04', '2027-01-18', '2027-02-16']) {
    const { finishBy, from } = estimateDelivery(noon, shipOn);
    const estimateFirstDay = (day: string) => estimateDelivery(new Date(`${day}T17:00:00Z`), shipOn).from;
    expect(estimateFirstDay(finishBy!)).toBe(from);
    expect(estimateFirstDay(dayAfter(finishBy!)) > from).toBe(true);
  }
});

test('uses the handling and transit days from the settings', () => {
  const quickTimes = { handlingDays: 0, transitDays: 1 };
  expect(estimates.estimateDelivery(quickTimes, noon)).toEqual({
    from: '2026-12-23',
    to: '2026-12-23',
    finishBy: null,
    businessDays: 1,
  });
  expect(estimates.estimateDelivery(quickTimes, noon, '2026-12-26').finishBy).toBe('2026-12-26');
});

test('counts no handling day and no shipping day during a vacation', () => {
  const vacation = { from: '2026-12-24', to: '2027-01-03' };
  const timesWithVacation = { ...times, vacation };
  // December 23 is the first of three business days. January 4 and 5 are the others.
  expect(estimates.estimateDelivery(timesWithVacation, noon)).toMatchObject({ from: '2027-01-08', to: '2027-01-12' });
  // Every day of the vacation has the same estimate, and a vacation that is over changes nothing.
  const estimateDuringVacation = estimates.estimateDelivery(timesWithVacation, new Date('2026-12-28T17:00:00Z'));
  expect(estimates.estimateDelivery(timesWithVacation, new Date('2027-01-02T17:00:00Z'))).toEqual(
    estimateDuringVacation,
  );
  expect(estimates.estimateDelivery({ ...times, vacation: { from: '2026-12-01', to: '2026-12-21' } }, noon)).toEqual(
    estimateDelivery(noon),
  );
  // A gift whose shipping day is in the vacation leaves on the day after it.
  const gift = estimates.estimateDelivery({ ...timesWithVacation, handlingDays: 0 }, noon, '2026-12-28');
  expect(gift).toMatchObject({ from: '2027-01-07', finishBy: '2027-01-04' });
  expect(estimates.computeShippingDayFrom(timesWithVacation, '2026-12-24')).toBe('2027-01-04');
  // The day after this vacation is a Saturday, and Monday, January 18, is a holiday.
  const vacationUntilFriday = { from: '2027-01-11', to: '2027-01-15' };
  expect(estimates.computeShippingDayFrom({ ...times, vacation: vacationUntilFriday }, '2027-01-12')).toBe(
    '2027-01-19',
  );
});

test('a package that is ready leaves on the next of the owner’s shipping days', () => {
  const tuesdays = { handlingDays: 1, transitDays: 1, shipsOn: [2] };
  // Ready on Wednesday, December 23. The next Tuesday is the 29th.
  expect(estimates.estimateDelivery(tuesdays, noon)).toMatchObject({ from: '2026-12-30', to: '2026-12-30' });
  expect(estimates.estimateDelivery(tuesdays, noon, '2026-12-30').finishBy).toBe('2027-01-04');
  expect(estimates.estimateDelivery({ ...tuesdays, shipsOn: [] }, noon)).toMatchObject({ from: '2026-12-24' });
});
