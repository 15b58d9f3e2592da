import { storeInSessionStorage, readFromSessionStorage, takeFromSessionStorage } from '../data/tab-memory.ts';
import { paths } from '../paths.ts';

const key = 'returnPath';
/** Pages that a link in an email opens, and that ask the customer to sign in first. */
const pagesForSignedIn = new Set(['/auth/confirm-email', '/auth/change-email']);

/**
 * Returns the remembered path with its search and hash if it is on this site, otherwise /upload (docs/security.md,
 * 3.7). Browsers read `//host`, `/\host` and control characters as another site. So check the resolved address, not the
 * text.
 */
export function safeReturnPath(remembered: string): string {
  if (!/^\/(?![/\\])/.test(remembered)) return paths.upload;
  const placeholderOrigin = 'https://here.invalid';
  const url = URL.canParse(remembered, placeholderOrigin) ? new URL(remembered, placeholderOrigin) : undefined;
  if (url?.origin !== placeholderOrigin || url.pathname.startsWith('//')) return paths.upload;
  // Do not return to the sign-in page: it redirects a signed-in customer to the remembered page again.
  const isSignIn = url.pathname === paths.signIn || url.pathname.startsWith(`${paths.signIn}/`);
  if (isSignIn && !pagesForSignedIn.has(url.pathname)) return paths.upload;
  return url.pathname + url.search + url.hash;
}

export const rememberReturnPath = (path: string): void => storeInSessionStorage(key, path);

/** Returns the remembered page and forgets it. Undefined if none was remembered. */
export function takeReturnPath(): string | undefined {
  const rememberedPath = takeFromSessionStorage(key);
  return rememberedPath === null ? undefined : safeReturnPath(rememberedPath);
}

const sharedStorageKey = 'kinframeReturnPath';
interface StoredReturnPath {
  path: string;
  /** When the path expires, in ms. */
  until: number;
}

/**
 * Call it when a link is requested by email. The link opens in a new tab, so store the remembered page for all tabs of
 * this browser, for as long as the link works.
 */
export function shareReturnPathWithTabs(minutes: number): void {
  const path = readFromSessionStorage(key);
  try {
    if (path === null) localStorage.removeItem(sharedStorageKey);
    else localStorage.setItem(sharedStorageKey, JSON.stringify({ path, until: Date.now() + minutes * 60_000 }));
  } catch {
    // The browser's storage is disabled. After the sign-in, the customer gets the default page.
  }
}

/** Call it in the tab that the emailed link opened. Takes over the stored page, if this tab remembers none. */
export function restoreReturnPath(): void {
  try {
    const { path, until } = JSON.parse(localStorage.getItem(sharedStorageKey) ?? '{}') as Partial<StoredReturnPath>;
    localStorage.removeItem(sharedStorageKey);
    if (typeof path === 'string' && until! > Date.now() && readFromSessionStorage(key) === null)
      rememberReturnPath(path);
  } catch {
    // Storage is disabled.
  }
}
