import { describe, expect, it } from 'vitest';
import { cartOf, isShipped } from './cart.ts';

describe('the cart an address asks for', () => {
  it('is one frame without extras when the address says nothing', () => {
    expect(cartOf({})).toEqual({ productId: 'kinframe', quantity: 1, extraPackages: 0 });
  });

  it('falls back to the frame for a product we do not sell', () => {
    expect(cartOf({ product: 'toaster', quantity: 2 })).toEqual({
      productId: 'kinframe',
      quantity: 2,
      extraPackages: 0,
    });
  });

  it('holds one service however many are asked for, and ships nothing', () => {
    const cart = cartOf({ product: 'byof', quantity: 7, extras: 2 });
    expect(cart).toEqual({ productId: 'byof', quantity: 1, extraPackages: 2 });
    expect(isShipped(cart)).toBe(false);
  });

  it.each(['photo-bundle', 'photo2video-10'])('takes %s with the frame it needs', (product) => {
    expect(cartOf({ product })).toEqual({ productId: 'kinframe', quantity: 1, extraPackages: 1 });
    expect(cartOf({ product, extras: 3 }).extraPackages).toBe(3);
  });

  it.each([
    [-3, -1, 1, 0],
    [0, 0, 1, 0],
    [1.9, 2.9, 1, 2],
    [1e9, 1e9, 20, 50],
    [Number.NaN, Number.POSITIVE_INFINITY, 1, 0],
  ])('keeps quantity %d and extras %d within what can be bought', (quantity, extras, q, e) => {
    expect(cartOf({ quantity, extras })).toMatchObject({ quantity: q, extraPackages: e });
  });
});
