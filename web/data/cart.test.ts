import { describe, expect, it } from 'vitest';
import { createCart, isShipped } from './cart.ts';

describe('the cart from the search params of an address', () => {
  it('the cart is one frame without extras when the address has no search params', () => {
    expect(createCart({})).toEqual({ productId: 'kinframe', quantity: 1, extraPackages: 0 });
  });

  it('the cart contains the frame when the address names an unknown product', () => {
    expect(createCart({ product: 'toaster', quantity: 2 })).toEqual({
      productId: 'kinframe',
      quantity: 2,
      extraPackages: 0,
    });
  });

  it('limits the byof service to a quantity of 1, and does not ship it', () => {
    const cart = createCart({ product: 'byof', quantity: 7, extras: 2 });
    expect(cart).toEqual({ productId: 'byof', quantity: 1, extraPackages: 2 });
    expect(isShipped(cart)).toBe(false);
  });

  it.each(['photo-bundle', 'photo2video-10'])('the cart contains a frame when the product is %s', (product) => {
    expect(createCart({ product })).toEqual({ productId: 'kinframe', quantity: 1, extraPackages: 1 });
    expect(createCart({ product, extras: 3 }).extraPackages).toBe(3);
  });

  it.each([
    [-3, -1, 1, 0],
    [0, 0, 1, 0],
    [1.9, 2.9, 1, 2],
    [1e9, 1e9, 20, 50],
    [Number.NaN, Number.POSITIVE_INFINITY, 1, 0],
  ])('limits quantity %d and extras %d to the allowed range', (quantity, extras, q, e) => {
    expect(createCart({ quantity, extras })).toMatchObject({ quantity: q, extraPackages: e });
  });
});
