import { describe, expect, it } from 'vitest';
import { safeReturnPath } from './return-path.ts';

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
