import { expect, it } from 'vitest';
import { paymentMeansText, purchaseText } from './purchase-text.ts';

it('purchaseText lists each product of an order once, with its quantity when it is more than one', () => {
  expect(purchaseText({ productType: 'kinframe', quantity: 2, extraPackages: 1 })).toBe(
    '2 frames, 1 extra photo package',
  );
  expect(purchaseText({ productType: 'byof', quantity: 1, extraPackages: 0 })).toBe('Bring Your Own Frame');
  expect(purchaseText({ productType: 'photo-bundle', quantity: 1, extraPackages: 1 })).toBe('Photo package');
  expect(purchaseText({ productType: 'photo-bundle', quantity: 1, extraPackages: 2 })).toBe('2 photo packages');
});

it('paymentMeansText names the gift card only when it paid, and the card only when something was left to pay', () => {
  expect(paymentMeansText({ totalAmount: 17_764, giftCardAmount: 0 })).toBe('card');
  expect(paymentMeansText({ totalAmount: 17_764, giftCardAmount: 5000 })).toBe('gift card and card');
  expect(paymentMeansText({ totalAmount: 17_764, giftCardAmount: 17_764 })).toBe('gift card');
});
