import { expect, it } from 'vitest';
import { boughtWords } from './words.ts';

it('boughtWords lists each product of an order once, with its quantity when it is more than one', () => {
  expect(boughtWords({ productType: 'kinframe', quantity: 2, extraPackages: 1 })).toBe(
    '2 frames, 1 extra photo package',
  );
  expect(boughtWords({ productType: 'byof', quantity: 1, extraPackages: 0 })).toBe('Bring Your Own Frame');
  expect(boughtWords({ productType: 'photo-bundle', quantity: 1, extraPackages: 1 })).toBe('Photo package');
  expect(boughtWords({ productType: 'photo-bundle', quantity: 1, extraPackages: 2 })).toBe('2 photo packages');
});
