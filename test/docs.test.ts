import { existsSync, globSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import { projectFolder } from '#server/project-folder.ts';

test.each([
  ['security', 80],
  ['growing', 2],
])('every file named on the %s page exists', (name, fewest) => {
  const page = readFileSync(join(projectFolder, `docs/${name}.md`), 'utf8');
  const namedFiles = Array.from(page.matchAll(/`([\w-]+(?:\/[\w.-]+)*\.(?:tsx?|json|conf))`/g), ([, path]) => path!);
  expect(namedFiles.length).toBeGreaterThan(fewest);
  expect(namedFiles.filter((path) => !existsSync(join(projectFolder, path)))).toEqual([]);
});

test('the page about logs lists every log message', () => {
  const page = readFileSync(join(projectFolder, 'docs/logs.md'), 'utf8');
  const sources = ['server', 'adapters', 'shop'].flatMap((folder) =>
    globSync(`${folder}/**/*.ts`, { cwd: projectFolder, exclude: (name) => name.endsWith('.test.ts') }),
  );
  const loggedMessages = sources.flatMap((path) =>
    Array.from(
      readFileSync(join(projectFolder, path), 'utf8').matchAll(
        /\blog(?:\.(?:info|warn|error|fatal)|\[[^\]]+\])\((?:[^;]*?, )?\s*'([^']+)',?\s*\)/g,
      ),
      ([, words]) => words!,
    ),
  );
  expect(loggedMessages.length).toBeGreaterThan(25);
  expect(loggedMessages.filter((words) => !page.includes(`\`${words}\``))).toEqual([]);
});

const pages = globSync(['*.md', 'docs/**/*.md', '{deploy,bench,web,art}/**/*.md'], { cwd: projectFolder });
const readPage = (page: string) => readFileSync(join(projectFolder, page), 'utf8');

test('every link between documents leads to an existing file', () => {
  const brokenLinks = pages.flatMap((page) =>
    Array.from(readPage(page).matchAll(/\]\(([^)#:\s]+)(?:#[^)]*)?\)/g), ([, to]) => to!)
      .filter((to) => !existsSync(join(projectFolder, dirname(page), to)))
      .map((to) => `${page}: ${to}`),
  );
  expect(pages.length).toBeGreaterThan(50);
  expect(brokenLinks).toEqual([]);
});

test('every document in docs/ is linked from another document', () => {
  const linkedPages = new Set(
    pages.flatMap((page) =>
      Array.from(readPage(page).matchAll(/\]\(([^)#:\s]+)/g), ([, to]) => join(dirname(page), to!)),
    ),
  );
  const documents = pages.filter((page) => page.startsWith('docs/') && !page.startsWith('docs/decisions/'));
  expect(documents.filter((page) => !linkedPages.has(page))).toEqual([]);
});

test('no document is longer than 1,500 words, except runbooks and the list of threats', () => {
  const mayBeLong = new Set(['docs/reliability.md', 'docs/security.md']);
  const countWords = (page: string) => readPage(page).split(/\s+/).length;
  expect(pages.filter((page) => countWords(page) > 1500 && !mayBeLong.has(page))).toEqual([]);
});

test('the index of decisions lists every record once', () => {
  const listedRecords = Array.from(
    readPage('docs/decisions/README.md').matchAll(/\]\(([\w-]+\.md)\)/g),
    ([, to]) => to!,
  );
  const records = globSync('*.md', { cwd: join(projectFolder, 'docs/decisions'), exclude: ['README.md'] });
  expect(listedRecords.toSorted()).toEqual(records.toSorted());
});

test('every decision record has its number, its date and its status', () => {
  const folder = join(projectFolder, 'docs/decisions');
  const records = globSync('*.md', { cwd: folder, exclude: ['README.md'] }).toSorted();
  const wrongRecords = records.filter((name, at) => {
    const number = Number(name.slice(0, 4));
    const headPattern = new RegExp(
      `^# ${number}\\. .+\\n\\nDate: \\d{4}-\\d\\d-\\d\\d\\. Status: (Accepted|Superseded by .+)\\.\\n\\n`,
    );
    return number !== at + 1 || !headPattern.test(readFileSync(join(folder, name), 'utf8'));
  });
  expect(wrongRecords).toEqual([]);
});
