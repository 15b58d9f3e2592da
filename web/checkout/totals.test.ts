import { expect, it } from 'vitest';
import { cartOf } from '../data/cart.ts';
import { totalsOf } from './totals.ts';
import type { CheckoutIntent } from './use-payment.ts';

const names = { product: 'Kinframe', extras: '+10 AI Photo Package' };

it('totalsOf uses the price book when the shop has not calculated the amounts yet', () => {
  expect(totalsOf(cartOf({ quantity: 2, extras: 3 }), names)).toEqual({
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

it('totalsOf returns no line for extra packages when the cart has none', () => {
  const { lines, totalCents } = totalsOf(cartOf({ product: 'byof' }), names);
  expect(lines).toHaveLength(1);
  expect(totalCents).toBe(4999);
});

it('totalsOf returns the shop’s amounts when the shop has calculated them', () => {
  const answer = {
    lines: [{ label: 'x', quantity: 1, unitCents: 19_000, amountCents: 19_000 }],
    subtotalAmount: 19_000,
    discountAmount: 1900,
    taxAmount: 1500,
    totalAmount: 18_600,
  } as CheckoutIntent;
  expect(totalsOf(cartOf({}), names, { answer })).toMatchObject({
    lines: [{ amountCents: 19_000 }],
    discountCents: 1900,
    taxCents: 1500,
    totalCents: 18_600,
    giftCards: [],
    dueCents: 18_600,
  });
});

it('totalsOf subtracts the promo code’s discount only until the shop has calculated the amounts', () => {
  const discount = { code: 'GIFT10', cents: 1990 };
  expect(totalsOf(cartOf({}), names, { discount })).toMatchObject({
    subtotalCents: 19_900,
    discountCents: 1990,
    promoCode: 'GIFT10',
    totalCents: 17_910,
    giftCards: [],
    dueCents: 17_910,
  });
  const answer = { lines: [], subtotalAmount: 19_900, discountAmount: 0, taxAmount: 0, totalAmount: 19_900 };
  expect(totalsOf(cartOf({}), names, { discount, answer: answer as unknown as CheckoutIntent })).toMatchObject({
    discountCents: 0,
    promoCode: undefined,
    totalCents: 19_900,
    giftCards: [],
    dueCents: 19_900,
  });
});
