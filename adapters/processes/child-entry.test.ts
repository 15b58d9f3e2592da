import { expect, test } from 'vitest';
import { childProgramUrl } from './child-entry.ts';

test('finds a child program next to the caller’s source file when the shop runs from source', () => {
  const source = 'file:///shop/adapters/imaging/imaging.ts?t=1';
  expect(childProgramUrl(source, 'develop-child').href).toBe('file:///shop/adapters/imaging/develop-child.ts');
});

test('finds a child program next to the bundle when the shop runs from a bundle', () => {
  expect(childProgramUrl('file:///shop/dist/server/main.js', 'develop-child').href).toBe(
    'file:///shop/dist/server/develop-child.js',
  );
});
