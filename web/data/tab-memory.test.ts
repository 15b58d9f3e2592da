import { beforeEach, expect, it, vi } from 'vitest';
import { storeInSessionStorage, readFromSessionStorage, takeFromSessionStorage } from './tab-memory.ts';

let storedTexts: Map<string, string>;
/** A storage that accepts `most` texts and then throws QuotaExceededError. */
const createStorageFor = (most: number) => ({
  getItem: (key: string) => storedTexts.get(key) ?? null,
  setItem(key: string, text: string) {
    if (storedTexts.size >= most) throw new DOMException('full', 'QuotaExceededError');
    storedTexts.set(key, text);
  },
  removeItem: (key: string) => void storedTexts.delete(key),
});
const throwSecurityError = () => {
  throw new DOMException('denied', 'SecurityError');
};

beforeEach(() => {
  storedTexts = new Map();
  vi.stubGlobal('sessionStorage', createStorageFor(9));
});

it('storeInSessionStorage stores a text in session storage, and takeFromSessionStorage returns and removes it', () => {
  storeInSessionStorage('a', '1');
  expect(storedTexts.get('a')).toBe('1');
  expect(readFromSessionStorage('a')).toBe('1');
  expect(takeFromSessionStorage('a')).toBe('1');
  expect(takeFromSessionStorage('a')).toBeNull();
  expect(storedTexts.size).toBe(0);
});

it('keeps the newest text in memory when storage is full, and in storage when there is room again', () => {
  storeInSessionStorage('b', 'old');
  vi.stubGlobal('sessionStorage', createStorageFor(0));
  storeInSessionStorage('b', 'new');
  expect(readFromSessionStorage('b')).toBe('new');
  vi.stubGlobal('sessionStorage', createStorageFor(9));
  storeInSessionStorage('b', 'newer');
  expect(storedTexts.get('b')).toBe('newer');
  storedTexts.clear(); // the browser or its user cleared the storage: the text is gone
  expect(readFromSessionStorage('b')).toBeNull();
});

it('keeps a text until the page is reloaded when storage is off', () => {
  vi.stubGlobal('sessionStorage', {
    getItem: throwSecurityError,
    setItem: throwSecurityError,
    removeItem: throwSecurityError,
  });
  expect(readFromSessionStorage('c')).toBeNull();
  storeInSessionStorage('c', '1');
  expect(readFromSessionStorage('c')).toBe('1');
  expect(takeFromSessionStorage('c')).toBe('1');
  expect(readFromSessionStorage('c')).toBeNull();
});
