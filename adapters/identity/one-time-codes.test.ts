import { expect, test } from 'vitest';
import { generateTotpCode } from '#test/one-time-code.ts';
import { oneTimeCodes } from './one-time-codes.ts';

/**
 * The secret of the test vectors in RFC 6238, appendix B. The RFC's codes have eight digits; `known` has the last six.
 */
const secret = 'GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ';
const known = [
  [59, '287082'],
  [1111111109, '081804'],
  [1111111111, '050471'],
  [1234567890, '005924'],
  [2000000000, '279037'],
  [20000000000, '353130'],
] as const;
const timeAt = (seconds: number) => new Date(seconds * 1000);

test.each(known)('accepts the code that RFC 6238 gives for second %s', (seconds, code) => {
  expect(oneTimeCodes.stepOf(secret, code, timeAt(seconds))).toBe(Math.floor(seconds / 30));
  expect(generateTotpCode(secret, timeAt(seconds))).toBe(code); // the tests' own code generator
});

test('accepts a code up to one 30-second step early or late, and refuses all other codes', () => {
  const [seconds, code] = known[3];
  const step = Math.floor(seconds / 30);
  for (const off of [-30, 0, 30]) expect(oneTimeCodes.stepOf(secret, code, timeAt(seconds + off))).toBe(step);
  for (const off of [-60, 60, 3600]) expect(oneTimeCodes.stepOf(secret, code, timeAt(seconds + off))).toBeUndefined();
  for (const wrong of ['005925', '5924', '', '0059240', 'abcdef', '００５９２４'])
    expect(oneTimeCodes.stepOf(secret, wrong, timeAt(seconds)), wrong).toBeUndefined();
});

test('creates a random secret of 160 bits and an otpauth address with the shop’s name', () => {
  const [one, two] = [oneTimeCodes.newSecret(), oneTimeCodes.newSecret()];
  expect(one).toMatch(/^[A-Z2-7]{32}$/);
  expect(two).not.toBe(one);
  const address = new URL(oneTimeCodes.addressOf(one, 'Frames & more'));
  expect([address.protocol, address.host]).toEqual(['otpauth:', 'totp']);
  expect(decodeURIComponent(address.pathname)).toBe('/Frames & more:Admin panel');
  expect(Object.fromEntries(address.searchParams)).toMatchObject({
    secret: one,
    issuer: 'Frames & more',
    algorithm: 'SHA1',
    digits: '6',
    period: '30',
  });
});
