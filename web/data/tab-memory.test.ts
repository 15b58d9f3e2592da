import { beforeEach, expect, it, vi } from 'vitest';
import { storeInTab, readFromTab, takeFromTab } from './tab-memory.ts';

let stored: Map<string, string>;
/** A storage that accepts `most` texts and then throws QuotaExceededError. */
const storageFor = (most: number) => ({
  getItem: (key: string) => stored.get(key) ?? null,
  setItem(key: string, text: string) {
    if (stored.size >= most) throw new DOMException('full', 'QuotaExceededError');
    stored.set(key, text);
  },
  removeItem: (key: string) => void stored.delete(key),
});
const denied = () => {
  throw new DOMException('denied', 'SecurityError');
};

beforeEach(() => {
  stored = new Map();
  vi.stubGlobal('sessionStorage', storageFor(9));
});

it('keepInTab stores a text in session storage, and takeFromTab returns and removes it', () => {
  storeInTab('a', '1');
  expect(stored.get('a')).toBe('1');
  expect(readFromTab('a')).toBe('1');
  expect(takeFromTab('a')).toBe('1');
  expect(takeFromTab('a')).toBeNull();
  expect(stored.size).toBe(0);
});

it('keeps the newest text in memory when storage is full, and in storage when there is room again', () => {
  storeInTab('b', 'old');
  vi.stubGlobal('sessionStorage', storageFor(0));
  storeInTab('b', 'new');
  expect(readFromTab('b')).toBe('new');
  vi.stubGlobal('sessionStorage', storageFor(9));
  storeInTab('b', 'newer');
  expect(stored.get('b')).toBe('newer');
  stored.clear(); // the browser or its user cleared the storage: the text is gone
  expect(readFromTab('b')).toBeNull();
});

it('keeps a text until the page is reloaded when storage is off', () => {
  vi.stubGlobal('sessionStorage', { getItem: denied, setItem: denied, removeItem: denied });
  expect(readFromTab('c')).toBeNull();
  storeInTab('c', '1');
  expect(readFromTab('c')).toBe('1');
  expect(takeFromTab('c')).toBe('1');
  expect(readFromTab('c')).toBeNull();
});
