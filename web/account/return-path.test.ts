import { afterEach, describe, expect, it, vi } from 'vitest';
import { bringReturnPath, carryReturnPath, rememberReturnPath, safeReturnPath, takeReturnPath } from './return-path.ts';

describe('the page to return to after signing in', () => {
  it.each(['/upload', '/upload?frameId=f1', '/select-frame', '/upload-complete?comeback=true#photos'])(
    'keeps %s, a page of this site',
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
  ])('sends %j to /upload instead', (path) => expect(safeReturnPath(path)).toBe('/upload'));

  it('never leads back to signing in', () => {
    expect(safeReturnPath('/auth?tab=sign-up')).toBe('/upload');
    expect(safeReturnPath('/auth/login')).toBe('/upload');
    expect(safeReturnPath('/authors')).toBe('/authors');
  });
});

describe('the page to return to by a mailed link', () => {
  const opensTab = () => vi.stubGlobal('sessionStorage', storage());
  function storage(): Pick<Storage, 'getItem' | 'setItem' | 'removeItem'> {
    const kept = new Map<string, string>();
    return {
      getItem: (key) => kept.get(key) ?? null,
      setItem: (key, text) => void kept.set(key, text),
      removeItem: (key) => void kept.delete(key),
    };
  }
  afterEach(() => {
    vi.unstubAllGlobals();
    vi.useRealTimers();
  });
  function askForLink(): void {
    vi.useFakeTimers();
    vi.stubGlobal('localStorage', storage());
    opensTab();
    rememberReturnPath('/account#photos');
    carryReturnPath(30);
  }

  it('is known in the tab that the link opens, once', () => {
    askForLink();
    opensTab();
    bringReturnPath();
    expect(takeReturnPath()).toBe('/account#photos');
    opensTab();
    bringReturnPath();
    expect(takeReturnPath()).toBeUndefined();
  });

  it('is forgotten when the link is over, and when nothing was asked for before the next one', () => {
    askForLink();
    vi.advanceTimersByTime(31 * 60_000);
    opensTab();
    bringReturnPath();
    expect(takeReturnPath()).toBeUndefined();
    askForLink();
    opensTab();
    carryReturnPath(30);
    bringReturnPath();
    expect(takeReturnPath()).toBeUndefined();
  });
});
