import { expect, test } from 'vitest';
import { taxChangeText } from './shipping-address.tsx';

test('returns no text when the sales tax stays the same', () => {
  expect(taxChangeText({ paid: 796, now: 796 })).toBeUndefined();
});

test('suggests a refund of the difference when the sales tax is lower at the new address', () => {
  expect(taxChangeText({ paid: 1368, now: 796 })).toBe(
    'Sales tax at the new address is $7.96. The customer paid $13.68. You can refund the difference of $5.72 above.',
  );
});

test('says that the difference is not charged when the sales tax is higher at the new address', () => {
  expect(taxChangeText({ paid: 796, now: 1368 })).toContain('We won’t charge the difference of $5.72.');
});

test('says that the sales tax is unknown when it cannot be calculated', () => {
  expect(taxChangeText({ paid: 796, now: null })).toContain('We couldn’t calculate the sales tax');
});
