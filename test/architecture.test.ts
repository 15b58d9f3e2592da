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

const fileOf = (folder: string, index: number) => join(folder, `planted-import-${index}.ts`);
const files = [...wrong, ...right].map(([folder, from], index) => ({ path: fileOf(folder, index), from }));
/** Date code that depends on the local clock or time zone. */
const forbiddenDates = [
  'new Date().toLocaleDateString()',
  "new Date().toLocaleString('en-US')",
  'new Date().toLocaleTimeString()',
  'new Intl.DateTimeFormat()',
  'new Date().getDate()',
  'new Date().getFullYear()',
];
const dateFilePath = (index: number) => join('web', `planted-date-${index}.ts`);
let report: { filename: string; message: string; help?: string }[];
const planted = [...files.map((it) => it.path), ...forbiddenDates.map((_, index) => dateFilePath(index))];

beforeAll(async () => {
  for (const { path, from } of files)
    writeFileSync(join(root, path), `import * as planted from '${from}';\n\nexport const used = planted;\n`);
  for (const [index, date] of forbiddenDates.entries())
    writeFileSync(join(root, dateFilePath(index)), `export const date = ${date};\n`);
  const oxlint = join(root, 'node_modules/oxlint/bin/oxlint');
  const output = await new Promise<string>((resolve) => {
    const args = [oxlint, '--format', 'json', ...planted];
    execFile(process.execPath, args, { cwd: root }, (_error, stdout) => resolve(stdout));
  });
  report = JSON.parse(output).diagnostics;
});
afterAll(() => planted.forEach((path) => rmSync(join(root, path), { force: true })));

const problemsOf = (path: string) =>
  report
    .filter((it) => it.filename.endsWith(path))
    .map((it) => `${it.message} ${it.help ?? ''}`)
    .join('\n');

test.each(wrong.map((it, index) => [...it, index] as const))('%s may not import %s', (folder, _from, words, index) => {
  expect(problemsOf(fileOf(folder, index))).toContain(words);
});

test.each(forbiddenDates.map((date, index) => [date, index] as const))('a page may not use %s', (_date, index) => {
  expect(problemsOf(dateFilePath(index))).toContain('contract/calendar.ts');
});

test('allows imports from a lower layer', () => {
  expect(problemsOf(fileOf(right[0][0], wrong.length))).toBe('');
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
  const importsModule = (path: string) => /from '\.\/(?!ports\/)[\w-]+\//.test(readFileSync(join(root, path), 'utf8'));
  expect(globSync('shop/*.ts', { cwd: root, exclude: ['**/*.test.ts'] }).filter(importsModule)).toEqual([]);
});

test('imports name each file by one path, because another spelling would load it a second time', () => {
  const hasDoubledSlash = (path: string) =>
    /^(?:import|export|\}).* from '[^':\n]*\/\/[^'\n]*'/m.test(readFileSync(join(root, path), 'utf8'));
  const sources = globSync('{adapters,art,bench,contract,db,scripts,server,shop,test,web}/**/*.{ts,tsx}', {
    cwd: root,
  });
  expect(sources.length).toBeGreaterThan(500);
  expect(sources.filter(hasDoubledSlash)).toEqual([]);
});
