import { expect, test } from 'vitest';
import { statusChangeWords } from './status-change-words.ts';

const order = { isShippable: true, parcel: null, gift: null };
const giftFor = (shipOn?: string) => ({ ...order, gift: { recipientName: 'Maria', ...(shipOn && { shipOn }) } });
const today = '2026-11-23';

test('statusChangeWords says how many customers get an email, and how many gifts would ship too early', () => {
  const words = (...orders: Parameters<typeof statusChangeWords>[1]) => statusChangeWords('shipped', orders, today);
  expect(words(order, giftFor(), giftFor(today))).toBe('3 customers will get an email that the package is on its way.');
  expect(words(order, giftFor('2026-11-24'))).toBe(
    '2 customers will get an email that the package is on its way. 1 gift would ship before the chosen day.',
  );
  expect(words({ ...order, isShippable: false })).toBe('No email is sent.');
  expect(statusChangeWords('processing', [giftFor('2026-11-24')], today)).toBe('No email is sent.');
});
