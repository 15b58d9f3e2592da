import { execFile } from 'node:child_process';
import { globSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';

const root = join(import.meta.dirname, '..');

/** Imports that violate the layering or a module boundary, each in a separate file, and the linter's message. */
const wrong = [
  ['contract', '#shop/ports/clock.ts', 'contract/ may not import from other layers'],
  ['shop/orders', '#adapters/database/database.ts', 'shop/ may import ports'],
  ['shop/orders', 'stripe', 'shop/ may not use HTTP'],
  ['shop/orders', '../frames/frames.sql.ts', "A module's tables are private"],
  ['adapters/mail', '#shop/orders/orders.ts', 'adapters/ may import ports'],
  ['server', '../web/router.tsx', 'server/ gets the built pages'],
  ['web', '#shop/orders/orders.ts', 'web/ may import only from contract/'],
  ['web', '../server/app.ts', 'web/ may import only from contract/'],
] as const;
const right = [['shop/orders', '#contract/catalog.ts']] as const;

const fileOf = (folder: string, place: number) => join(folder, `planted-import-${place}.ts`);
const files = [...wrong, ...right].map(([folder, from], place) => ({ path: fileOf(folder, place), from }));
/** Date code that depends on the local clock or time zone. */
const forbiddenDates = [
  'new Date().toLocaleDateString()',
  "new Date().toLocaleString('en-US')",
  'new Date().toLocaleTimeString()',
  'new Intl.DateTimeFormat()',
  'new Date().getDate()',
  'new Date().getFullYear()',
];
const dateFilePath = (place: number) => join('web', `planted-date-${place}.ts`);
let report: { filename: string; message: string; help?: string }[];
const planted = [...files.map((it) => it.path), ...forbiddenDates.map((_, place) => dateFilePath(place))];

beforeAll(async () => {
  for (const { path, from } of files)
    writeFileSync(join(root, path), `import * as planted from '${from}';\n\nexport const used = planted;\n`);
  for (const [place, date] of forbiddenDates.entries())
    writeFileSync(join(root, dateFilePath(place)), `export const date = ${date};\n`);
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

test.each(forbiddenDates.map((date, place) => [date, place] as const))('a page may not use %s', (_date, place) => {
  expect(saidOf(dateFilePath(place))).toContain('contract/calendar.ts');
});

test('allows imports from a lower layer', () => {
  expect(saidOf(fileOf(right[0][0], wrong.length))).toBe('');
});

/**
 * Maps each folder to the folders it imports, with an example import for each. A folder and its subfolders count as
 * one.
 */
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

/** Returns the imports of an import cycle. Undefined if there is none. */
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

test('folders do not import each other in a cycle', () => {
  expect(roundTrip(arrowsBetweenFolders())).toBeUndefined();
});

test('files shared by all modules of shop/ do not import a module', () => {
  const importsWord = (path: string) => /from '\.\/(?!ports\/)[\w-]+\//.test(readFileSync(join(root, path), 'utf8'));
  expect(globSync('shop/*.ts', { cwd: root, exclude: ['**/*.test.ts'] }).filter(importsWord)).toEqual([]);
});
