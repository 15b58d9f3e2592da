/**
 * The texts that the browser refused to store, because session storage is off or full. They last until the page is
 * reloaded. All other texts are in session storage, where this tab keeps them across pages and reloads.
 */
const unstoredTexts = new Map<string, string | null>();

export function storeInSessionStorage(key: string, text: string | null): void {
  try {
    if (text === null) sessionStorage.removeItem(key);
    else sessionStorage.setItem(key, text);
    unstoredTexts.delete(key);
  } catch {
    unstoredTexts.set(key, text);
  }
}

export function readFromSessionStorage(key: string): string | null {
  const text = unstoredTexts.get(key);
  if (text !== undefined) return text;
  try {
    return sessionStorage.getItem(key);
  } catch {
    return null;
  }
}

/** Returns the kept text and removes it. */
export function takeFromSessionStorage(key: string): string | null {
  const text = readFromSessionStorage(key);
  storeInSessionStorage(key, null);
  return text;
}
