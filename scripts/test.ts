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

type Stages = Record<string, () => Promise<void>>;
/** One turn after the other. What takes its turn together writes nothing, and leaves half of the machine idle alone. */
const turns: Stages[] = [
  { types: () => tool('typescript/bin/tsc'), lint: () => tool('oxlint/bin/oxlint') },
  { unused: () => tool('knip/bin/knip.js', '--no-config-hints') },
  { format: () => tool('oxfmt/bin/oxfmt', '--check') },
  { build: () => build() },
  {
    unit: async () => {
      if (!findNginx()) process.stdout.write('No nginx to be had: what is tried behind it is skipped.\n');
      await build(); // once, before two test files would at the same time
      await tool('vitest/vitest.mjs', 'run');
    },
  },
  {
    browser: () => {
      process.env['CHROMIUM_PATH'] = findBrowser();
      return tool('@playwright/test/cli.js', 'test');
    },
  },
];

const { positionals } = parseArgs({ allowPositionals: true });
const names = turns.flatMap((it) => Object.keys(it));
const unknown = positionals.filter((it) => !names.includes(it));
if (unknown.length > 0) throw new Error(`no such stage: ${unknown.join(', ')}; there are ${names.join(', ')}`);
const folder = folderInMemory();
if (folder) process.env['TMPDIR'] = folder;
for (const turn of turns) {
  const asked = Object.entries(turn).filter(([name]) => positionals.length === 0 || positionals.includes(name));
  const outcomes = await Promise.allSettled(asked.map(([name, stage]) => timed(name, stage)));
  for (const outcome of outcomes) if (outcome.status === 'rejected') throw outcome.reason;
}

async function timed(name: string, stage: () => Promise<void>): Promise<void> {
  const started = Date.now();
  process.stdout.write(`\n== ${name}\n`);
  await stage();
  process.stdout.write(`== ${name}: ${Math.round((Date.now() - started) / 1000)} s\n`);
}
