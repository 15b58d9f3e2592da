import { execFile } from 'node:child_process';
import { globSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';

const root = join(import.meta.dirname, '..');

/** Imports that go up a floor or through a wall, each in a file of its own, and what the linter says of it. */
const wrong = [
  ['contract', '#shop/ports/clock.ts', 'The contract is the ground floor'],
  ['shop/orders', '#adapters/database/database.ts', 'The business knows ports'],
  ['shop/orders', 'stripe', "No HTTP, no React, no vendor's SDK"],
  ['shop/orders', '../frames/frames.sql.ts', "A word's tables are its own"],
  ['adapters/mail', '#shop/orders/orders.ts', 'Adapters know ports'],
  ['server', '../web/router.tsx', 'The server is given the built pages'],
  ['web', '#shop/orders/orders.ts', 'Pages know only the contract'],
  ['web', '../server/app.ts', 'Pages know only the contract'],
] as const;
const right = [['shop/orders', '#contract/catalog.ts']] as const;

const fileOf = (folder: string, place: number) => join(folder, `planted-import-${place}.ts`);
const files = [...wrong, ...right].map(([folder, from], place) => ({ path: fileOf(folder, place), from }));
/** Dates told by somebody's own clock or time zone. */
const astray = [
  'new Date().toLocaleDateString()',
  "new Date().toLocaleString('en-US')",
  'new Date().toLocaleTimeString()',
  'new Intl.DateTimeFormat()',
  'new Date().getDate()',
  'new Date().getFullYear()',
];
const astrayPath = (place: number) => join('web', `planted-date-${place}.ts`);
let report: { filename: string; message: string; help?: string }[];
const planted = [...files.map((it) => it.path), ...astray.map((_, place) => astrayPath(place))];

beforeAll(async () => {
  for (const { path, from } of files)
    writeFileSync(join(root, path), `import * as planted from '${from}';\n\nexport const used = planted;\n`);
  for (const [place, told] of astray.entries())
    writeFileSync(join(root, astrayPath(place)), `export const told = ${told};\n`);
  const oxlint = join(root, 'node_modules/oxlint/bin/oxlint');
  const output = await new Promise<string>((resolve) => {
    const args = [oxlint, '--format', 'json', ...planted];
    execFile(process.execPath, args, { cwd: root }, (_error, stdout) => resolve(stdout));
  });
  report = JSON.parse(output).diagnostics;
});
afterAll(() => planted.forEach((path) => rmSync(join(root, path), { force: true })));

const saidOf = (path: string) =>
  report
    .filter((it) => it.filename.endsWith(path))
    .map((it) => `${it.message} ${it.help ?? ''}`)
    .join('\n');

test.each(wrong.map((it, place) => [...it, place] as const))('%s may not import %s', (folder, _from, words, place) => {
  expect(saidOf(fileOf(folder, place))).toContain(words);
});

test.each(astray.map((told, place) => [told, place] as const))('a page may not tell %s', (_told, place) => {
  expect(saidOf(astrayPath(place))).toContain('contract/calendar.ts');
});

test('imports that go down a floor are fine', () => {
  expect(saidOf(fileOf(right[0][0], wrong.length))).toBe('');
});

/** Folder to folder, with an import that makes it so. A room and what lies inside it are one house. */
function arrowsBetweenFolders(): Map<string, Map<string, string>> {
  const arrows = new Map<string, Map<string, string>>();
  const files = globSync('{shop,adapters,server,web}/**/*.{ts,tsx}', { cwd: root }).filter(
    (path) => !/\.(test|suite)\.tsx?$|\/test-|planted-|routeTree\.gen/.test(path),
  );
  for (const path of files) {
    const from = dirname(path);
    for (const [, name = ''] of readFileSync(join(root, path), 'utf8').matchAll(/(?:from|import\() ?'([.#][^']+)'/g)) {
      const to = dirname(name.startsWith('#') ? name.slice(1) : normalize(join(from, name)));
      const isOneHouse = `${to}/`.startsWith(`${from}/`) || `${from}/`.startsWith(`${to}/`);
      if (isOneHouse || to === '.') continue;
      const ways = arrows.get(from) ?? new Map<string, string>();
      arrows.set(from, ways.set(to, `${path} imports ${name}`));
    }
  }
  return arrows;
}

/** The imports of a way that comes back to where it began; undefined when there is none. */
function roundTrip(arrows: Map<string, Map<string, string>>): string[] | undefined {
  const isDone = new Set<string>();
  const search = (folder: string, way: { folder: string; why: string }[]): string[] | undefined => {
    const begin = way.findIndex((it) => it.folder === folder);
    if (begin >= 0) return way.slice(begin).map((it) => it.why);
    if (isDone.has(folder)) return undefined;
    for (const [next, why] of arrows.get(folder) ?? []) {
      const found = search(next, [...way, { folder, why }]);
      if (found) return found;
    }
    isDone.add(folder);
    return undefined;
  };
  for (const folder of arrows.keys()) {
    const found = search(folder, []);
    if (found) return found;
  }
  return undefined;
}

test('no folder is imported by what it imports, on whatever way round', () => {
  expect(roundTrip(arrowsBetweenFolders())).toBeUndefined();
});

test('what all words share imports none of them', () => {
  const importsWord = (path: string) => /from '\.\/(?!ports\/)[\w-]+\//.test(readFileSync(join(root, path), 'utf8'));
  expect(globSync('shop/*.ts', { cwd: root, exclude: ['**/*.test.ts'] }).filter(importsWord)).toEqual([]);
});
