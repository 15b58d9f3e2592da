import { expect, test } from 'vitest';
import { statusChangeText } from './status-change-text.ts';

const order = { isShippable: true, parcel: null, gift: null };
const createGiftOrder = (shipOn?: string) => ({
  ...order,
  gift: { recipientName: 'Maria', ...(shipOn && { shipOn }) },
});
const today = '2026-11-23';

test('statusChangeText says how many customers get an email, and how many gifts would ship too early', () => {
  const createTextForOrders = (...orders: Parameters<typeof statusChangeText>[1]) =>
    statusChangeText('shipped', orders, today);
  expect(createTextForOrders(order, createGiftOrder(), createGiftOrder(today))).toBe(
    '3 customers will get an email that the package is on its way.',
  );
  expect(createTextForOrders(order, createGiftOrder('2026-11-24'))).toBe(
    '2 customers will get an email that the package is on its way. 1 gift would ship before the chosen day.',
  );
  expect(createTextForOrders({ ...order, isShippable: false })).toBe('We won’t send an email.');
  expect(statusChangeText('shipped', [order, createGiftOrder('2026-11-24')], today, false)).toBe(
    'We won’t send an email. 1 gift would ship before the chosen day.',
  );
  expect(statusChangeText('processing', [createGiftOrder('2026-11-24')], today)).toBe('We won’t send an email.');
});
