import { expect, test } from 'vitest';
import { childEntry } from './child-entry.ts';

test('a child program is found beside its source', () => {
  const source = 'file:///shop/adapters/imaging/imaging.ts?t=1';
  expect(childEntry(source, 'develop-child').href).toBe('file:///shop/adapters/imaging/develop-child.ts');
});

test('a child program is found beside the bundle', () => {
  expect(childEntry('file:///shop/dist/server/main.js', 'develop-child').href).toBe(
    'file:///shop/dist/server/develop-child.js',
  );
});
