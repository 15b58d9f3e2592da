import { afterEach, describe, expect, it, vi } from 'vitest';
import {
  restoreReturnPath,
  shareReturnPathWithTabs,
  rememberReturnPath,
  safeReturnPath,
  takeReturnPath,
} from './return-path.ts';

describe('safeReturnPath', () => {
  it.each(['/upload', '/upload?frameId=f1', '/select-frame', '/upload-complete?comeback=true#photos'])(
    'returns %s unchanged, because it is a page of this site',
    (path) => expect(safeReturnPath(path)).toBe(path),
  );

  it.each([
    'https://evil.example/upload',
    '//evil.example',
    '/\\evil.example',
    '\\\\evil.example',
    '/\t/evil.example',
    '/\n/evil.example',
    '/.//evil.example',
    '/upload/..//evil.example',
    ' /upload',
    'javascript:alert(1)',
    'upload',
    '',
  ])('returns /upload for %j', (path) => expect(safeReturnPath(path)).toBe('/upload'));

  it('returns /upload for the sign-in page and pages below it', () => {
    expect(safeReturnPath('/auth?tab=sign-up')).toBe('/upload');
    expect(safeReturnPath('/auth/login')).toBe('/upload');
    expect(safeReturnPath('/auth/link?token=t')).toBe('/upload');
    expect(safeReturnPath('/auth/confirm-email/x')).toBe('/upload');
    expect(safeReturnPath('/authors')).toBe('/authors');
  });
});

it.each(['/auth/confirm-email?token=t', '/auth/change-email?token=t'])(
  'safeReturnPath returns %s unchanged, because this page asks to sign in first',
  (path) => expect(safeReturnPath(path)).toBe(path),
);

describe('the page that is remembered for an emailed sign-in link', () => {
  const openTab = () => vi.stubGlobal('sessionStorage', createStorage());
  function createStorage(): Pick<Storage, 'getItem' | 'setItem' | 'removeItem'> {
    const storedTexts = new Map<string, string>();
    return {
      getItem: (key) => storedTexts.get(key) ?? null,
      setItem: (key, text) => void storedTexts.set(key, text),
      removeItem: (key) => void storedTexts.delete(key),
    };
  }
  afterEach(() => {
    vi.unstubAllGlobals();
    vi.useRealTimers();
  });
  function requestLink(): void {
    vi.useFakeTimers();
    vi.stubGlobal('localStorage', createStorage());
    openTab();
    rememberReturnPath('/account#photos');
    shareReturnPathWithTabs(30);
  }

  it('the remembered page is available once, in the tab that the link opens', () => {
    requestLink();
    openTab();
    restoreReturnPath();
    expect(takeReturnPath()).toBe('/account#photos');
    openTab();
    restoreReturnPath();
    expect(takeReturnPath()).toBeUndefined();
  });

  it('the remembered page is deleted after the link expires, or when a link without a page is requested', () => {
    requestLink();
    vi.advanceTimersByTime(31 * 60_000);
    openTab();
    restoreReturnPath();
    expect(takeReturnPath()).toBeUndefined();
    requestLink();
    openTab();
    shareReturnPathWithTabs(30);
    restoreReturnPath();
    expect(takeReturnPath()).toBeUndefined();
  });
});
