import { beforeEach, expect, it, vi } from 'vitest';
import { keepInTab, keptInTab, takeFromTab } from './tab-memory.ts';

let kept: Map<string, string>;
/** A storage that takes so many texts, then says that it is full. */
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

it('keeps a text in session storage, and takes it from there once', () => {
  keepInTab('a', '1');
  expect(kept.get('a')).toBe('1');
  expect(keptInTab('a')).toBe('1');
  expect(takeFromTab('a')).toBe('1');
  expect(takeFromTab('a')).toBeNull();
  expect(kept.size).toBe(0);
});

it('remembers what is newest where storage is full, until there is room', () => {
  keepInTab('b', 'old');
  vi.stubGlobal('sessionStorage', storageFor(0));
  keepInTab('b', 'new');
  expect(keptInTab('b')).toBe('new');
  vi.stubGlobal('sessionStorage', storageFor(9));
  keepInTab('b', 'newer');
  expect(kept.get('b')).toBe('newer');
  kept.clear(); // by the browser or its user: what is gone there is gone
  expect(keptInTab('b')).toBeNull();
});

it('lasts as long as the page where storage is switched off', () => {
  vi.stubGlobal('sessionStorage', { getItem: denied, setItem: denied, removeItem: denied });
  expect(keptInTab('c')).toBeNull();
  keepInTab('c', '1');
  expect(keptInTab('c')).toBe('1');
  expect(takeFromTab('c')).toBe('1');
  expect(keptInTab('c')).toBeNull();
});
