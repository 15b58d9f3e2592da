import { beforeEach, expect, it, vi } from 'vitest';
import { keepInTab, keptInTab, takeFromTab } from './tab-memory.ts';

let kept: Map<string, string>;
/** A storage that accepts `most` texts and then throws QuotaExceededError. */
const storageFor = (most: number) => ({
  getItem: (key: string) => kept.get(key) ?? null,
  setItem(key: string, text: string) {
    if (kept.size >= most) throw new DOMException('full', 'QuotaExceededError');
    kept.set(key, text);
  },
  removeItem: (key: string) => void kept.delete(key),
});
const denied = () => {
  throw new DOMException('denied', 'SecurityError');
};

beforeEach(() => {
  kept = new Map();
  vi.stubGlobal('sessionStorage', storageFor(9));
});

it('keepInTab stores a text in session storage, and takeFromTab returns and removes it', () => {
  keepInTab('a', '1');
  expect(kept.get('a')).toBe('1');
  expect(keptInTab('a')).toBe('1');
  expect(takeFromTab('a')).toBe('1');
  expect(takeFromTab('a')).toBeNull();
  expect(kept.size).toBe(0);
});

it('keeps the newest text in memory when storage is full, and in storage when there is room again', () => {
  keepInTab('b', 'old');
  vi.stubGlobal('sessionStorage', storageFor(0));
  keepInTab('b', 'new');
  expect(keptInTab('b')).toBe('new');
  vi.stubGlobal('sessionStorage', storageFor(9));
  keepInTab('b', 'newer');
  expect(kept.get('b')).toBe('newer');
  kept.clear(); // the browser or its user cleared the storage: the text is gone
  expect(keptInTab('b')).toBeNull();
});

it('keeps a text until the page is reloaded when storage is off', () => {
  vi.stubGlobal('sessionStorage', { getItem: denied, setItem: denied, removeItem: denied });
  expect(keptInTab('c')).toBeNull();
  keepInTab('c', '1');
  expect(keptInTab('c')).toBe('1');
  expect(takeFromTab('c')).toBe('1');
  expect(keptInTab('c')).toBeNull();
});
