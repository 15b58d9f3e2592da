import { expect, test } from 'vitest';
import { maxPastedShipments, readShippingLines } from './shipping-lines.ts';

const firstLine = { line: 1, orderNumber: 'KF-7Q4M-2XPA', trackingNumber: '1Z999AA10123456784', carrier: '' };

test.each([
  ['commas', 'KF-7Q4M-2XPA,1Z999AA10123456784'],
  ['tabs', 'KF-7Q4M-2XPA\t1Z999AA10123456784\t'],
  ['semicolons and quotes', '"KF-7Q4M-2XPA";"1Z999AA10123456784"'],
  ['spaces', '  kf-7q4m-2xpa   1z999aa10123456784 '],
  ['two scans', 'KF-7Q4M-2XPA\r\n1Z999AA10123456784\r\n'],
  ['typographic dashes', '#KF–7Q4M–2XPA, 1Z999AA10123456784'],
])('reads an order number and a tracking number separated by %s', (_, text) => {
  expect(readShippingLines(text)).toEqual({ lines: [firstLine], unread: [] });
});

test('reads the carrier of a line, skips a heading and empty lines, and keeps spaces in a tracking number', () => {
  const text = `Order number,Tracking number,Carrier
KF-7Q4M-2XPA,1Z 999 AA1,ups

KF-2222-3333 1Z 999 AA2 Canada Post
KF-4444-5555\t9400 1\tPigeon`;
  expect(readShippingLines(text)).toEqual({
    lines: [
      { line: 2, orderNumber: 'KF-7Q4M-2XPA', trackingNumber: '1Z 999 AA1', carrier: 'UPS' },
      { line: 4, orderNumber: 'KF-2222-3333', trackingNumber: '1Z 999 AA2', carrier: 'Canada Post' },
      { line: 5, orderNumber: 'KF-4444-5555', trackingNumber: '9400 1', carrier: 'Pigeon' },
    ],
    unread: [],
  });
});

test('names each line that it cannot read', () => {
  expect(readShippingLines('KF-7Q4M-2XPA\nKF-2222-3333\nhello, world\n1Z999')).toEqual({
    lines: [],
    unread: [
      { line: 1, text: 'KF-7Q4M-2XPA', problem: 'The tracking number is missing.' },
      { line: 2, text: 'KF-2222-3333', problem: 'The tracking number is missing.' },
      { line: 3, text: 'hello, world', problem: '“hello” is not an order number.' },
      { line: 4, text: '1Z999', problem: '“1Z999” is not an order number.' },
    ],
  });
});

test('reads at most 100 lines and says which line is the first too many', () => {
  const text = Array.from({ length: maxPastedShipments + 2 }, () => 'KF-7Q4M-2XPA,1Z999').join('\n');
  const { lines, unread } = readShippingLines(text);
  expect([lines.length, unread.map((it) => it.line)]).toEqual([100, [101]]);
  expect(readShippingLines('x'.repeat(1_000_000)).unread).toHaveLength(1);
});

test.each([
  ['a carrier before the tracking number', 'KF-7Q4M-2XPA, UPS, 1Z999AA10123456784'],
  ['a carrier in other letters', 'KF-7Q4M-2XPA\tups\t1z999aa10123456784'],
  ['a carrier before the tracking number, with spaces', 'KF-7Q4M-2XPA UPS 1Z999AA10123456784'],
])('swaps the two columns of %s', (_, text) => {
  expect(readShippingLines(text)).toEqual({ lines: [{ ...firstLine, carrier: 'UPS' }], unread: [] });
});

test.each([
  'KF-7Q4M-2XPA,,1Z999AA10123456784',
  'KF-7Q4M-2XPA,UPS',
  'KF-7Q4M-2XPA UPS',
  'KF-7Q4M-2XPA,UPS,FedEx',
  'KF-7Q4M-2XPA,Pigeon,1Z999AA10123456784',
  'KF-7Q4M-2XPA Jane Doe',
  'KF-7Q4M-2XPA Jane Doe 12 Elm Street',
  'KF-7Q4M-2XPA,no; 1Z999',
])('reads no tracking number from the line “%s”', (text) => {
  const problem = 'The tracking number is missing or not readable.';
  expect(readShippingLines(text)).toEqual({ lines: [], unread: [{ line: 1, text, problem }] });
});

test('reads a tracking number with spaces in the line after a scanned order number', () => {
  const lines = [{ ...firstLine, trackingNumber: '9400 1000 0000', carrier: 'USPS' }];
  for (const text of ['KF-7Q4M-2XPA\n9400 1000 0000 USPS', 'KF-7Q4M-2XPA,\nusps, 9400 1000 0000'])
    expect(readShippingLines(text)).toEqual({ lines, unread: [] });
});
