import { storeInSessionStorage, takeFromSessionStorage } from '../data/tab-memory.ts';

export interface ToastContent {
  title: string;
  description?: string | undefined;
  /** For errors: red, and announced at once. */
  destructive?: boolean | undefined;
}
export interface Toast extends ToastContent {
  id: number;
}

let shownToast: Toast | undefined;
let nextId = 1;
const listeners = new Set<() => void>();
const notifyListeners = () => {
  for (const listener of listeners) listener();
};

/** Shows a notification. Only one is visible at a time: a new one replaces the old one. */
export function toast(words: ToastContent): void {
  shownToast = { ...words, id: nextId };
  nextId += 1;
  notifyListeners();
}

export const currentToast = {
  subscribe: (listener: () => void) => {
    listeners.add(listener);
    return () => listeners.delete(listener);
  },
  get: () => shownToast,
  close: (id: number) => {
    if (shownToast?.id !== id) return;
    shownToast = undefined;
    notifyListeners();
  },
};

/** Closes the visible notification if it is an error. Call this when a retry has succeeded. */
export function closeErrorToast(): void {
  if (shownToast?.destructive) currentToast.close(shownToast.id);
}

/**
 * Escape key events that close the dialog with the focus, and not the notification or the other dialog whose Radix
 * listener received them.
 */
export const escapesForDialog = new WeakSet<Event>();

let areToastsExpected = false;
let onExpected: (() => void) | undefined;

/** Call this when a page opens that can show a toast. The code of toasts then loads before the first toast. */
export function expectToasts(): void {
  areToastsExpected = true;
  onExpected?.();
}

/** Calls `listener` after a call of expectToasts, at once if there was one before. Used by the Toaster. */
export function onToastsExpected(listener: () => void) {
  onExpected = listener;
  if (areToastsExpected) listener();
  return () => {
    onExpected = undefined;
  };
}

const storageKey = 'toast';
/** How long a notification is visible. */
export const toastMs = 5000;

/**
 * Stores the visible notification when the visitor leaves the page, so that the next page shows it too. Closes it on
 * this page: otherwise it would appear again when the browser restores the page after Back.
 */
export function storeToastForNextPage(): void {
  if (!shownToast) return;
  const { id, title, description, destructive } = shownToast;
  storeInSessionStorage(storageKey, JSON.stringify({ words: { title, description, destructive }, at: Date.now() }));
  currentToast.close(id);
}

/** Shows the stored notification of the previous page, if the visitor came from a page of this site just now. */
export function showStoredToast(): void {
  const text = takeFromSessionStorage(storageKey);
  if (text === null) return;
  try {
    const { words, at } = JSON.parse(text) as { words: ToastContent; at: number };
    const [way] = performance.getEntriesByType('navigation') as PerformanceNavigationTiming[];
    const isFromThisShop = way?.type === 'navigate' && document.referrer.startsWith(`${location.origin}/`);
    if (isFromThisShop && Date.now() - at < toastMs) toast(words);
  } catch {
    // The stored text was not written by storeToastForNextPage. Ignore it.
  }
}
