import { existsSync, globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { projectFolder } from '#server/project-folder.ts';

test.each([
  ['security', 80],
  ['growing', 2],
])('what the page on %s names is there', (name, fewest) => {
  const page = readFileSync(join(projectFolder, `docs/${name}.md`), 'utf8');
  const named = Array.from(page.matchAll(/`([\w-]+(?:\/[\w.-]+)*\.(?:tsx?|json|conf))`/g), ([, path]) => path!);
  expect(named.length).toBeGreaterThan(fewest);
  expect(named.filter((path) => !existsSync(join(projectFolder, path)))).toEqual([]);
});

test('the page on the log has every line that is written', () => {
  const page = readFileSync(join(projectFolder, 'docs/logs.md'), 'utf8');
  const sources = ['server', 'adapters', 'shop'].flatMap((folder) =>
    globSync(`${folder}/**/*.ts`, { cwd: projectFolder, exclude: (name) => name.endsWith('.test.ts') }),
  );
  const said = sources.flatMap((path) =>
    Array.from(
      readFileSync(join(projectFolder, path), 'utf8').matchAll(
        /\blog(?:\.(?:info|warn|error|fatal)|\[[^\]]+\])\((?:[^;]*?, )?\s*'([^']+)',?\s*\)/g,
      ),
      ([, words]) => words!,
    ),
  );
  expect(said.length).toBeGreaterThan(25);
  expect(said.filter((words) => !page.includes(`\`${words}\``))).toEqual([]);
});
