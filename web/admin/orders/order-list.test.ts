import { describe, expect, it } from 'vitest';
import type { OrderStatus } from '#contract/orders.ts';
import { listOrders, neighbour, turnedSort } from './order-list.ts';

const order = (
  orderNumber: string,
  name: string,
  orderStatus: OrderStatus,
  totalAmount: number,
  createdAt: string,
) => ({
  orderNumber,
  customerFirstName: name,
  customerLastName: 'Miller',
  customerEmail: `${name.toLowerCase()}@example.com`,
  stripePaymentIntentId: `pi_${orderNumber}`,
  orderStatus,
  totalAmount,
  createdAt,
});
const orders = [
  order('K1', 'Rose', 'pending', 19_900, '2026-03-01T10:00:00Z'),
  order('K2', 'Ben', 'shipped', 39_800, '2026-03-03T10:00:00Z'),
  order('K3', 'Ada', 'pending', 19_900, '2026-03-02T10:00:00Z'),
];
const numbers = (...input: Parameters<typeof listOrders>[1][]) =>
  listOrders(orders, input[0]!).map((it) => it.orderNumber);

describe('the order list', () => {
  it('shows the newest first', () => expect(numbers({})).toEqual(['K2', 'K3', 'K1']));
  it('finds by number, name, e-mail and payment intent, every word of it', () => {
    expect(numbers({ q: 'k1' })).toEqual(['K1']);
    expect(numbers({ q: '  miller BEN ' })).toEqual(['K2']);
    expect(numbers({ q: 'ada@example' })).toEqual(['K3']);
    expect(numbers({ q: 'pi_K2' })).toEqual(['K2']);
    expect(numbers({ q: 'rose ben' })).toEqual([]);
  });
  it('keeps to one status', () => expect(numbers({ status: 'pending' })).toEqual(['K3', 'K1']));
  it('sorts, and leaves equals newest first', () => {
    expect(numbers({ sort: 'total' })).toEqual(['K3', 'K1', 'K2']);
    expect(numbers({ sort: '-total' })).toEqual(['K2', 'K3', 'K1']);
    expect(numbers({ sort: 'customer' })).toEqual(['K3', 'K2', 'K1']);
    expect(numbers({ sort: '-status' })).toEqual(['K2', 'K3', 'K1']);
  });
});

it('turns a column round on the second click', () => {
  expect(turnedSort('-date', 'total')).toBe('-total');
  expect(turnedSort('-total', 'total')).toBe('total');
  expect(turnedSort('total', 'total')).toBe('-total');
  expect(turnedSort('-date', 'customer')).toBe('customer');
});

it('walks the list and stops at its ends', () => {
  expect(neighbour(['a', 'b', 'c'], 'b', 1)).toBe('c');
  expect(neighbour(['a', 'b', 'c'], 'c', 1)).toBe('c');
  expect(neighbour(['a', 'b', 'c'], 'a', -1)).toBe('a');
  expect(neighbour(['a', 'b', 'c'], undefined, 1)).toBe('a');
  expect(neighbour([], 'a', 1)).toBeUndefined();
});
