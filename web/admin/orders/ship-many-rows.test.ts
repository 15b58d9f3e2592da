import { expect, test } from 'vitest';
import type { AdminOrder } from '#contract/owner/orders.ts';
import { checkShippingLines } from './ship-many-rows.ts';

const checkWithoutWarnings = { isEmailProven: true, frames: [] };
const createOrder = (changed: Partial<AdminOrder>) =>
  ({
    orderNumber: 'KF-A',
    customerEmail: 'anna@example.com',
    isShippable: true,
    parcel: null,
    canceledAt: null,
    gift: null,
    disputes: [],
    refundedAmount: 0,
    totalAmount: 19_900,
    ...changed,
  }) as unknown as AdminOrder;
const createLine = (lineNumber: number, orderNumber: string, trackingNumber = `1Z${lineNumber}`, carrier = '') => ({
  line: lineNumber,
  orderNumber,
  trackingNumber,
  carrier,
});
const listShownRows = (rows: ReturnType<typeof checkShippingLines>) =>
  rows.map(({ problem, warnings }) => problem ?? warnings);

test('says for each line whether it can be shipped, and if not, why', () => {
  const shippedAt = '2026-11-20T15:00:00.000Z';
  const foundOrders = [
    createOrder({}),
    createOrder({
      orderNumber: 'KF-B',
      parcel: { shippedAt, carrier: 'UPS', trackingNumber: '1Z0', deliveredAt: null },
    }),
    createOrder({ orderNumber: 'KF-C', isShippable: false }),
    createOrder({ orderNumber: 'KF-D', canceledAt: shippedAt }),
    createOrder({ orderNumber: 'KF-E' }),
  ].map((order) => ({ order, check: checkWithoutWarnings }));
  const lines = ['KF-A', 'KF-B', 'KF-C', 'KF-D', 'KF-X', 'KF-A'].map((number, at) => createLine(at + 1, number));
  expect(
    listShownRows(
      checkShippingLines([...lines, createLine(7, 'KF-E', 'no; script')], foundOrders, 'UPS', '2026-11-29'),
    ),
  ).toEqual([
    [],
    'Already shipped on Nov 20, 2026 with 1Z0.',
    'This order is for a service, so there’s nothing to ship.',
    'This order is canceled. Please don’t ship it.',
    'There’s no order with this number.',
    'This is the same order as on line 1.',
    'Please use only letters, digits, spaces and hyphens.',
  ]);
});

test('asks for a carrier if neither the line nor the field names one', () => {
  const foundOrders = [{ order: createOrder({}), check: checkWithoutWarnings }];
  expect(listShownRows(checkShippingLines([createLine(1, 'KF-A')], foundOrders, '', '2026-11-29'))).toEqual([
    'Please choose the carrier for this tracking number.',
  ]);
  expect(checkShippingLines([createLine(1, 'KF-A', '1Z', 'FedEx')], foundOrders, 'UPS', '2026-11-29')[0]).toMatchObject(
    {
      carrier: 'FedEx',
    },
  );
});

test('warns of unfinished photos, refunds, disputes, gifts before their date, and a tracking number used twice', () => {
  const frame = { name: 'Kinframe 1', photos: 3, mostPhotos: 20, isFinalized: false, videos: 0, openVideos: 0 };
  const gift = { recipientName: 'Lina', shipOn: '2026-12-20' };
  const foundOrders = [
    { order: createOrder({}), check: { isEmailProven: true, frames: [frame] } },
    { order: createOrder({ orderNumber: 'KF-B', refundedAmount: 19_900 }), check: checkWithoutWarnings },
    { order: createOrder({ orderNumber: 'KF-C', gift }), check: checkWithoutWarnings },
  ];
  const lines = [createLine(1, 'KF-A'), createLine(2, 'KF-B', '1Z1'), createLine(3, 'KF-C')];
  expect(listShownRows(checkShippingLines(lines, foundOrders, 'UPS', '2026-11-29'))).toEqual([
    ['Kinframe 1: the customer isn’t done adding photos (3 of 20).'],
    ['The whole order was refunded.', 'This is the same tracking number as on line 1.'],
    ['This is a gift. Please don’t ship it before Sunday, December 20.'],
  ]);
});
