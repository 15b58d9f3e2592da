import { keepInTab, keptInTab, takeFromTab } from '../data/tab-memory.ts';
import { paths } from '../paths.ts';

const key = 'returnPath';

/**
 * Where a remembered page really leads: a path of this very site, with its search and hash, else /upload (security
 * decision 8). Browsers read `//host`, `/\host` and control characters as another site, so what counts is how the
 * address resolves, not how it looks.
 */
export function safeReturnPath(remembered: string): string {
  if (!/^\/(?![/\\])/.test(remembered)) return paths.upload;
  const here = 'https://here.invalid';
  const url = URL.canParse(remembered, here) ? new URL(remembered, here) : undefined;
  if (url?.origin !== here || url.pathname.startsWith('//')) return paths.upload;
  // Coming back to the sign-in page would send a signed-in customer round in a circle.
  if (url.pathname === paths.signIn || url.pathname.startsWith(`${paths.signIn}/`)) return paths.upload;
  return url.pathname + url.search + url.hash;
}

export const rememberReturnPath = (path: string): void => keepInTab(key, path);

/** The page to return to, once; undefined when none was remembered. */
export function takeReturnPath(): string | undefined {
  const remembered = takeFromTab(key);
  return remembered === null ? undefined : safeReturnPath(remembered);
}

const carriedKey = 'kinframeReturnPath';
interface Carried {
  path: string;
  /** In ms. */
  until: number;
}

/** A mailed link opens in a tab of its own: in this browser the page is remembered for it as long as it works. */
export function carryReturnPath(minutes: number): void {
  const path = keptInTab(key);
  try {
    if (path === null) localStorage.removeItem(carriedKey);
    else localStorage.setItem(carriedKey, JSON.stringify({ path, until: Date.now() + minutes * 60_000 }));
  } catch {
    // Storage is switched off: signing in leads to the photos.
  }
}

/** In the tab of the mailed link, which may be the one that asked for it. */
export function bringReturnPath(): void {
  try {
    const { path, until } = JSON.parse(localStorage.getItem(carriedKey) ?? '{}') as Partial<Carried>;
    localStorage.removeItem(carriedKey);
    if (typeof path === 'string' && until! > Date.now() && keptInTab(key) === null) rememberReturnPath(path);
  } catch {
    // As above.
  }
}
