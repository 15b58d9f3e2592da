import { expect, it } from 'vitest';
import { createCart } from '../data/cart.ts';
import { computeTotals } from './totals.ts';
import type { CheckoutIntent } from './use-payment.ts';

const productNames = { product: 'Kinframe', extras: '+10 AI Photo Package' };

it('computeTotals uses the price book when the shop has not calculated the amounts yet', () => {
  expect(computeTotals(createCart({ quantity: 2, extras: 3 }), productNames)).toEqual({
    lines: [
      { label: 'Kinframe', detail: '2 frames', amountCents: 39_800 },
      { label: '+10 AI Photo Package', detail: '3 packages, 30 more photos', amountCents: 2997 },
    ],
    subtotalCents: 42_797,
    discountCents: 0,
    promoCode: undefined,
    taxCents: undefined,
    totalCents: 42_797,
    giftCards: [],
    dueCents: 42_797,
  });
});

it('computeTotals returns no line for extra packages when the cart has none', () => {
  const { lines, totalCents } = computeTotals(createCart({ product: 'byof' }), productNames);
  expect(lines).toHaveLength(1);
  expect(totalCents).toBe(4999);
});

it('computeTotals returns the shop’s amounts when the shop has calculated them', () => {
  const calculatedIntent = {
    lines: [{ label: 'x', quantity: 1, unitCents: 19_000, amountCents: 19_000 }],
    subtotalAmount: 19_000,
    discountAmount: 1900,
    taxAmount: 1500,
    totalAmount: 18_600,
  } as CheckoutIntent;
  expect(computeTotals(createCart({}), productNames, { answer: calculatedIntent })).toMatchObject({
    lines: [{ amountCents: 19_000 }],
    discountCents: 1900,
    taxCents: 1500,
    totalCents: 18_600,
    giftCards: [],
    dueCents: 18_600,
  });
});

it('computeTotals subtracts the promo code’s discount only until the shop has calculated the amounts', () => {
  const discount = { code: 'GIFT10', cents: 1990 };
  expect(computeTotals(createCart({}), productNames, { discount })).toMatchObject({
    subtotalCents: 19_900,
    discountCents: 1990,
    promoCode: 'GIFT10',
    totalCents: 17_910,
    giftCards: [],
    dueCents: 17_910,
  });
  const calculatedIntent = { lines: [], subtotalAmount: 19_900, discountAmount: 0, taxAmount: 0, totalAmount: 19_900 };
  expect(
    computeTotals(createCart({}), productNames, { discount, answer: calculatedIntent as unknown as CheckoutIntent }),
  ).toMatchObject({
    discountCents: 0,
    promoCode: undefined,
    totalCents: 19_900,
    giftCards: [],
    dueCents: 19_900,
  });
});
