import { expect, test } from 'vitest';
import { parseDollarsToCents, countRefundedPackages, refundFormSchema } from './refund-forms.ts';

test('converts typed dollars to exact cents, and other text to NaN', () => {
  for (const [typed, cents] of [
    ['199', 19_900],
    ['199.9', 19_990],
    [' $9.99 ', 999],
    ['1,250.05', 125_005],
    ['0.01', 1],
    ['0.29', 29],
    ['1.1', 110],
  ] as const)
    expect(parseDollarsToCents(typed), typed).toBe(cents);
  for (const invalidAmount of [
    '',
    '-1',
    '1.005',
    '1e3',
    '1.',
    '.5',
    '12,50',
    '1,00',
    'NaN',
    'Infinity',
    '٣',
    '10 USD',
    '0x10',
  ])
    expect(parseDollarsToCents(invalidAmount), invalidAmount).toBeNaN();
});

test('the form refuses more than the remaining amount, and requires a reason', () => {
  const form = refundFormSchema(1_000, '$10.00');
  const findProblems = (dollars: string, reason = 'Bought twice') => {
    const { error } = form.safeParse({ dollars, reason, withdrawPhotos: true, tellCustomer: true, endLinks: false });
    return error?.issues.map((it) => it.message) ?? [];
  };
  expect(findProblems('10.00')).toEqual([]);
  expect(findProblems('10.01')).toEqual(['You can still refund up to $10.00']);
  expect(findProblems('0')).toEqual(['Please enter an amount in dollars and cents, such as 12.50']);
  expect(findProblems('ten')).toEqual(['Please enter an amount in dollars and cents, such as 12.50']);
  expect(findProblems('1', '  ')).toEqual(['Please enter a reason for the refund']);
});

test('a partial refund takes back the packages that it covers, but no more than are unused', () => {
  expect(countRefundedPackages(998, 999, 5)).toBe(0);
  expect(countRefundedPackages(999, 999, 5)).toBe(1);
  expect(countRefundedPackages(2_997, 999, 5)).toBe(3);
  expect(countRefundedPackages(19_900, 999, 2)).toBe(2);
});
