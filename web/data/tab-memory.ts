/**
 * Texts that this tab keeps from page to page and over a reload: session storage. What a browser refuses to store,
 * because storage is switched off or full, lasts until the page is loaded anew.
 */
const refused = new Map<string, string | null>();

export function keepInTab(key: string, text: string | null): void {
  try {
    if (text === null) sessionStorage.removeItem(key);
    else sessionStorage.setItem(key, text);
    refused.delete(key);
  } catch {
    refused.set(key, text);
  }
}

export function keptInTab(key: string): string | null {
  const text = refused.get(key);
  if (text !== undefined) return text;
  try {
    return sessionStorage.getItem(key);
  } catch {
    return null;
  }
}

/** What was kept, once: it is gone afterwards. */
export function takeFromTab(key: string): string | null {
  const text = keptInTab(key);
  keepInTab(key, null);
  return text;
}
