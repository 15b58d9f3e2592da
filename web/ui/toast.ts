import { keepInTab, takeFromTab } from '../data/tab-memory.ts';

export interface ToastWords {
  title: string;
  description?: string | undefined;
  /** Bad news: coloured, and announced at once. */
  destructive?: boolean | undefined;
}
export interface Toast extends ToastWords {
  id: number;
}

let current: Toast | undefined;
let nextId = 1;
const listeners = new Set<() => void>();
const announce = () => {
  for (const tell of listeners) tell();
};

/** Tell the person something, from anywhere. One shows at a time: a new one replaces the old. */
export function toast(words: ToastWords): void {
  current = { ...words, id: nextId };
  nextId += 1;
  announce();
}

export const currentToast = {
  subscribe: (listener: () => void) => {
    listeners.add(listener);
    return () => listeners.delete(listener);
  },
  get: () => current,
  close: (id: number) => {
    if (current?.id !== id) return;
    current = undefined;
    announce();
  },
};

/** What went wrong is over: somebody tried again, and it went well. */
export function closeBadNews(): void {
  if (current?.destructive) currentToast.close(current.id);
}

/** Keys that a notification has left to the dialog below it: it is what the person is at. */
export const leftToDialog = new WeakSet<Event>();

let expected = false;
let whenExpected: (() => void) | undefined;

/** Pages that may toast say so when they open: the notification's code is then there before it is needed. */
export function expectToasts(): void {
  expected = true;
  whenExpected?.();
}

/** The Toaster's side of expectToasts. */
export function toastsExpected(listener: () => void) {
  whenExpected = listener;
  if (expected) listener();
  return () => {
    whenExpected = undefined;
  };
}

const kept = 'toast';
/** So long a notification stands. */
export const toastMs = 5000;

/** The page goes: what was said a moment ago is said on the next one too. Here it is closed, should one come back. */
export function handToastOver(): void {
  if (!current) return;
  const { id, title, description, destructive } = current;
  keepInTab(kept, JSON.stringify({ words: { title, description, destructive }, at: Date.now() }));
  currentToast.close(id);
}

/** What the page before has said a moment ago, where somebody went on from it to this one. */
export function takeToast(): void {
  const text = takeFromTab(kept);
  if (text === null) return;
  try {
    const { words, at } = JSON.parse(text) as { words: ToastWords; at: number };
    const [way] = performance.getEntriesByType('navigation') as PerformanceNavigationTiming[];
    const isFromHere = way?.type === 'navigate' && document.referrer.startsWith(`${location.origin}/`);
    if (isFromHere && Date.now() - at < toastMs) toast(words);
  } catch {
    // It was not kept by us.
  }
}
