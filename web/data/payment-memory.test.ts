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

it('remembers a try until its end is known', () => {
  memory.rememberAttempt(attempt);
  expect(memory.rememberedAttempt()).toEqual(attempt);
  memory.rememberPaid({ next: '/upload', session: 's' });
  expect(memory.rememberedAttempt()).toBeUndefined();
});

it('knows the paid order until a new one begins, which forgets no open try', () => {
  memory.rememberPaid({ next: '/complete-registration', session: 's' });
  memory.rememberAttempt(attempt);
  memory.rememberRegistered();
  expect(memory.paidOrder()).toEqual({ next: '/upload', session: 's' });
  memory.beginNewOrder();
  expect(memory.paidOrder()).toBeUndefined();
  expect(memory.rememberedAttempt()).toEqual(attempt);
});

it('tells other windows that somebody paid after they were opened', () => {
  const opened = Date.now() - 1;
  expect(memory.wasPaidSince(opened)).toBe(false);
  memory.rememberPaid({ next: '/upload' });
  expect(memory.wasPaidSince(opened)).toBe(true);
  expect(memory.wasPaidSince(Date.now() + 1000)).toBe(false);
});

it('believes nothing odd that stands in storage', () => {
  session.setItem('paidOrder', '{"next":"https://evil.example/"}');
  expect(memory.paidOrder()).toBeUndefined();
  for (const text of ['{', 'null', '[]', '{"paymentIntentId":7}']) {
    session.setItem('paymentAttempt', text);
    expect(memory.rememberedAttempt()).toBeUndefined();
  }
});

it('goes on without storage', () => {
  const refusing = new Proxy(
    {},
    {
      get: () => () => {
        throw new Error('denied');
      },
    },
  );
  vi.stubGlobal('sessionStorage', refusing);
  vi.stubGlobal('localStorage', refusing);
  memory.rememberAttempt(attempt);
  memory.rememberPaid({ next: '/upload' });
  expect(memory.rememberedAttempt()).toBeUndefined();
  expect(memory.paidOrder()).toEqual({ next: '/upload' }); // until the page is loaded anew
  expect(memory.wasPaidSince(0)).toBe(false);
});
