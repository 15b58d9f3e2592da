import { expect, test } from 'vitest';
import { statusChangeWords } from './status-change-words.ts';

const order = { isShippable: true, parcel: null, gift: null };
const giftFor = (shipOn?: string) => ({ ...order, gift: { recipientName: 'Maria', ...(shipOn && { shipOn }) } });
const today = '2026-11-23';

test('many orders at once are sent knowing who is told, and which gift would come before its day', () => {
  const words = (...orders: Parameters<typeof statusChangeWords>[1]) => statusChangeWords('shipped', orders, today);
  expect(words(order, giftFor(), giftFor(today))).toBe(
    '3 customers will be told by mail that the parcel is on its way.',
  );
  expect(words(order, giftFor('2026-11-24'))).toBe(
    '2 customers will be told by mail that the parcel is on its way. 1 gift among them would leave before the day that was asked for.',
  );
  expect(words({ ...order, isShippable: false })).toBe('No mail is sent.');
  expect(statusChangeWords('processing', [giftFor('2026-11-24')], today)).toBe('No mail is sent.');
});
