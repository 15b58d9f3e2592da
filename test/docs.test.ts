import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { projectFolder } from '#server/project-folder.ts';

test('what the page on security names is there', () => {
  const page = readFileSync(join(projectFolder, 'docs/security.md'), 'utf8');
  const named = Array.from(page.matchAll(/`([\w-]+(?:\/[\w.-]+)*\.(?:tsx?|json|conf))`/g), ([, path]) => path!);
  expect(named.length).toBeGreaterThan(80);
  expect(named.filter((path) => !existsSync(join(projectFolder, path)))).toEqual([]);
});
