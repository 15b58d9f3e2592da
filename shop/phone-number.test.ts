import { expect, test } from 'vitest';
import { toInternationalPhone } from './phone-number.ts';

test.each([
  ['(207) 555-0142', '+12075550142'],
  ['207.555.0142', '+12075550142'],
  ['207–555–0142', '+12075550142'],
  ['1 207 555 0142', '+12075550142'],
  ['+1 207 555 0142 ext. 5', '+12075550142'],
  ['2075550142', '+12075550142'],
  ['２０７－５５５－０１４２', '+12075550142'],
  ['＋１ ２０７ ５５５ ０１４２', '+12075550142'],
  ['tel:+1-207-555-0142', '+12075550142'],
  ['416-555-0142', '+14165550142'],
  ['+49 (0)89 1234567', '+49891234567'],
  ['011 49 89 1234567', '+49891234567'],
])('reads the phone number %s as %s', (typed, kept) => {
  expect(toInternationalPhone(typed)).toBe(kept);
});

test.each(['', 'call me in the evening', '555-0142', '12', '+1 2', '1'.repeat(40), null, undefined])(
  'returns null for %s, which is not a possible phone number',
  (typed) => expect(toInternationalPhone(typed)).toBeNull(),
);
