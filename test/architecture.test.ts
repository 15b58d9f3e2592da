import { execFile } from 'node:child_process';
import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';

const root = join(import.meta.dirname, '..');

/** Imports that go up a floor or through a wall, each in a file of its own, and what the linter says of it. */
const wrong = [
  ['contract', '#shop/ports.ts', 'The contract is the ground floor'],
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
let report: { filename: string; message: string; help?: string }[];

beforeAll(async () => {
  for (const { path, from } of files)
    writeFileSync(join(root, path), `import * as planted from '${from}';\n\nexport const used = planted;\n`);
  const oxlint = join(root, 'node_modules/oxlint/bin/oxlint');
  const output = await new Promise<string>((resolve) => {
    const args = [oxlint, '--format', 'json', ...files.map((it) => it.path)];
    execFile(process.execPath, args, { cwd: root }, (_error, stdout) => resolve(stdout));
  });
  report = JSON.parse(output).diagnostics;
});
afterAll(() => files.forEach(({ path }) => rmSync(join(root, path), { force: true })));

const saidOf = (path: string) =>
  report
    .filter((it) => it.filename.endsWith(path))
    .map((it) => `${it.message} ${it.help ?? ''}`)
    .join('\n');

test.each(wrong.map((it, place) => [...it, place] as const))('%s may not import %s', (folder, _from, words, place) => {
  expect(saidOf(fileOf(folder, place))).toContain(words);
});

test('imports that go down a floor are fine', () => {
  expect(saidOf(fileOf(right[0][0], wrong.length))).toBe('');
});
