/**
 * `npm test`: everything there is to know about the shop's health, the quickest answers first. Words after the command
 * name the stages to run alone: `npm test -- unit`.
 */
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { build } from './build.ts';
import { findBrowser } from './find-browser.ts';
import { findNginx } from './find-nginx.ts';
import { folderInMemory } from './folder-in-memory.ts';
import { run } from './run.ts';

const root = join(import.meta.dirname, '..');
const tool = (path: string, ...args: string[]) =>
  run(process.execPath, [join(root, 'node_modules', path), ...args], { cwd: root });

const stages: Record<string, () => Promise<void>> = {
  types: () => tool('typescript/bin/tsc'),
  lint: () => tool('oxlint/bin/oxlint'),
  unused: () => tool('knip/bin/knip.js', '--no-config-hints'),
  format: () => tool('oxfmt/bin/oxfmt', '--check'),
  build: () => build(),
  unit: async () => {
    if (!findNginx()) process.stdout.write('No nginx to be had: what is tried behind it is skipped.\n');
    await build(); // once, before two test files would at the same time
    await tool('vitest/vitest.mjs', 'run');
  },
  browser: () => {
    process.env['CHROMIUM_PATH'] = findBrowser();
    return tool('@playwright/test/cli.js', 'test');
  },
};

const { positionals } = parseArgs({ allowPositionals: true });
const unknown = positionals.filter((it) => !(it in stages));
if (unknown.length > 0)
  throw new Error(`no such stage: ${unknown.join(', ')}; there are ${Object.keys(stages).join(', ')}`);
const folder = folderInMemory();
if (folder) process.env['TMPDIR'] = folder;
for (const [name, stage] of Object.entries(stages)) {
  if (positionals.length > 0 && !positionals.includes(name)) continue;
  const started = Date.now();
  process.stdout.write(`\n== ${name}\n`);
  await stage();
  process.stdout.write(`== ${name}: ${Math.round((Date.now() - started) / 1000)} s\n`);
}
