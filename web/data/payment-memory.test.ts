import { beforeEach, expect, it, vi } from 'vitest';
import * as memory from './payment-memory.ts';

class MemoryStorage {
  readonly #items = new Map<string, string>();
  getItem = (key: string) => this.#items.get(key) ?? null;
  setItem = (key: string, text: string) => void this.#items.set(key, text);
  removeItem = (key: string) => void this.#items.delete(key);
}
let session: MemoryStorage;
beforeEach(() => {
  session = new MemoryStorage();
  vi.stubGlobal('sessionStorage', session);
  vi.stubGlobal('localStorage', new MemoryStorage());
});

const attempt = { paymentIntentId: 'pi_1', cart: { productId: 'byof', quantity: 1, extraPackages: 2 } } as const;

it('remembers a payment attempt until its result is known', () => {
  memory.storePaymentAttempt(attempt);
  expect(memory.readStoredPaymentAttempt()).toEqual({ ...attempt, isConfirmed: false });
  memory.rememberPaidOrder({ next: '/upload', session: 's' });
  expect(memory.readStoredPaymentAttempt()).toBeUndefined();
});

it('forgets the paid order and keeps an open payment attempt when a new order begins', () => {
  memory.rememberPaidOrder({ next: '/complete-registration', session: 's' });
  memory.storePaymentAttempt(attempt);
  memory.rememberRegistration();
  expect(memory.readPaidOrder()).toEqual({ next: '/upload', session: 's' });
  memory.beginNewOrder();
  expect(memory.readPaidOrder()).toBeUndefined();
  expect(memory.readStoredPaymentAttempt()).toEqual({ ...attempt, isConfirmed: false });
});

it('wasPaidSince is true only when a payment is later than the given moment', () => {
  const openedAt = Date.now() - 1;
  expect(memory.wasPaidSince(openedAt)).toBe(false);
  memory.rememberPaidOrder({ next: '/upload' });
  expect(memory.wasPaidSince(openedAt)).toBe(true);
  expect(memory.wasPaidSince(Date.now() + 1000)).toBe(false);
});

it('ignores invalid values in storage', () => {
  session.setItem('paidOrder', '{"next":"https://evil.example/"}');
  expect(memory.readPaidOrder()).toBeUndefined();
  for (const text of ['{', 'null', '[]', '{"paymentIntentId":7}']) {
    session.setItem('paymentAttempt', text);
    expect(memory.readStoredPaymentAttempt()).toBeUndefined();
  }
});

it('keeps the paid order in memory when storage is off', () => {
  const refusingStorage = new Proxy(
    {},
    {
      get: () => () => {
        throw new Error('denied');
      },
    },
  );
  vi.stubGlobal('sessionStorage', refusingStorage);
  vi.stubGlobal('localStorage', refusingStorage);
  memory.storePaymentAttempt(attempt);
  memory.rememberPaidOrder({ next: '/upload' });
  expect(memory.readStoredPaymentAttempt()).toBeUndefined();
  expect(memory.readPaidOrder()).toEqual({ next: '/upload' }); // in memory only, so a reload of the page loses it
  expect(memory.wasPaidSince(0)).toBe(false);
});
