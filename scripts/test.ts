/**
 * `npm test`: everything there is to know about the shop's health, the quickest answers first. Words after the command
 * name the stages to run alone: `npm test -- unit`.
 */
import { chmodSync, existsSync, mkdtempSync, rmSync, statfsSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { build } from './build.ts';
import { findBrowser } from './find-browser.ts';
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
    await build(); // once, before two test files would at the same time
    await tool('vitest/vitest.mjs', 'run');
  },
  browser: () => {
    process.env['CHROMIUM_PATH'] = findBrowser();
    return tool('@playwright/test/cli.js', 'test');
  },
};

/**
 * Tests make and drop thousands of databases and folders, of small files each: in memory that takes a tenth of the time.
 * Where there is no such folder, or little room in it, they are made on the disk.
 */
function folderInMemory(): string | undefined {
  const memory = '/dev/shm';
  if (!existsSync(memory)) return undefined;
  const { bavail, bsize } = statfsSync(memory);
  if (bavail * bsize < 8e9) return undefined;
  const folder = mkdtempSync(join(memory, 'kinframe-tests-'));
  chmodSync(folder, 0o755); // PostgreSQL's files in it are another user's
  process.once('exit', () => rmSync(folder, { recursive: true, force: true }));
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(1));
  return folder;
}

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
