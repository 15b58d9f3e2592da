import { expect, test } from 'vitest';
import { CartBody } from './cart-form.ts';
import {
  distributePackages,
  isPhotoBundle,
  formatDollars,
  photoCountOf,
  calculateCartPrice,
  productTypeOf,
  type Cart,
} from './catalog.ts';

const createKinframeCart = (quantity: number, extraPackages: number): Cart => ({
  productId: 'kinframe',
  quantity,
  extraPackages,
});
const createByofCart = (extraPackages: number): Cart => ({ productId: 'byof', quantity: 1, extraPackages });

test('the subtotal adds 19,900 cents per frame, 4,999 for the service and 999 per extra package', () => {
  expect(calculateCartPrice(createKinframeCart(1, 0)).subtotalCents).toBe(19_900);
  expect(calculateCartPrice(createKinframeCart(3, 7))).toEqual({
    devicesCents: 59_700,
    extrasCents: 6_993,
    subtotalCents: 66_693,
  });
  expect(calculateCartPrice(createByofCart(0)).subtotalCents).toBe(4_999);
  expect(calculateCartPrice(createByofCart(5)).subtotalCents).toBe(9_994);
  expect(calculateCartPrice(createKinframeCart(20, 50)).subtotalCents).toBe(447_950);
});

test('a cart has 20 photos per frame and 10 per package, and distributePackages distributes all packages evenly', () => {
  expect(photoCountOf(createKinframeCart(1, 0))).toBe(20);
  expect(photoCountOf(createByofCart(2))).toBe(40);
  expect(distributePackages(createKinframeCart(2, 3)).map((it) => 20 + it * 10)).toEqual([40, 30]);
  expect(distributePackages(createKinframeCart(3, 1))).toEqual([1, 0, 0]);
  for (let quantity = 1; quantity <= 20; quantity++)
    for (let extraCount = 0; extraCount <= 50; extraCount++) {
      const distributedPackages = distributePackages(createKinframeCart(quantity, extraCount));
      expect(distributedPackages).toHaveLength(quantity);
      expect(distributedPackages.reduce((sum, it) => sum + 20 + it * 10, 0)).toBe(
        photoCountOf(createKinframeCart(quantity, extraCount)),
      );
      expect(distributedPackages).toEqual(distributedPackages.toSorted((a, b) => b - a)); // the first frames get the most packages
      expect(distributedPackages[0]! - distributedPackages.at(-1)!).toBeLessThanOrEqual(1);
    }
});

test('productTypeOf returns the product type of each cart, and isPhotoBundle accepts both ids of the bundle', () => {
  expect(productTypeOf(createKinframeCart(2, 0))).toBe('kinframe');
  expect(productTypeOf(createKinframeCart(1, 1))).toBe('kinframe-with-bundle');
  expect(productTypeOf(createByofCart(3))).toBe('byof');
  expect(['photo2video-10', 'photo-bundle', 'kinframe'].map(isPhotoBundle)).toEqual([true, true, false]);
});

test('money formats cents as dollars with two decimals', () => {
  expect([0, 5, 999, 19_900, 123_456_789, -4_999].map(formatDollars)).toEqual([
    '$0.00',
    '$0.05',
    '$9.99',
    '$199.00',
    '$1,234,567.89',
    '-$49.99',
  ]);
});

test.each([
  [{ quantity: 0 }, 'Quantity must be at least 1.'],
  [{ quantity: -1 }, 'Quantity must be at least 1.'],
  [{ quantity: 21 }, 'Quantity can be at most 20 online. Please contact support for more.'],
  [{ quantity: 1.5 }, 'Quantity must be a whole number.'],
  [{ quantity: '1' }, 'Quantity must be a whole number.'],
  [{ quantity: Number.NaN }, 'Quantity must be a whole number.'],
  [{ quantity: Infinity }, 'Quantity must be a whole number.'],
  [{ extraPackages: -1 }, 'Extra photo packages must be at least 0.'],
  [{ extraPackages: 51 }, 'Extra photo packages can be at most 50 online. Please contact support for more.'],
  [{ productId: '' }, 'Please choose a product.'],
  [{ productId: undefined }, 'Please choose a product.'],
])('refuses a cart with %j with an error message', (wrong, words) => {
  const parseResult = CartBody.safeParse({ productId: 'kinframe', quantity: 1, extraPackages: 0, ...wrong });
  expect(parseResult.error?.issues[0]?.message).toBe(words);
});
