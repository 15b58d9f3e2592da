/** `npm test`: all checks and tests, the fastest first. Arguments name the stages to run: `npm test -- unit`. */
import { parseArgs } from 'node:util';
import { build } from './build.ts';
import { findBrowser } from './find-browser.ts';
import { findNginx } from './find-nginx.ts';
import { findMemoryFolder } from './folder-in-memory.ts';
import { runTool } from './run.ts';

type Stages = Record<string, () => Promise<void>>;
/**
 * The entries of the list run one after the other. The stages within one entry run at the same time, because they write
 * nothing and each alone would leave half of the machine idle.
 */
const stagesInOrder: Stages[] = [
  { types: () => runTool('typescript/bin/tsc'), lint: () => runTool('oxlint/bin/oxlint') },
  { unused: () => runTool('knip/bin/knip.js', '--no-config-hints') },
  { format: () => runTool('oxfmt/bin/oxfmt', '--check') },
  { build: () => build() },
  {
    unit: async () => {
      if (!findNginx()) process.stdout.write('No nginx to be had: what is tried behind it is skipped.\n');
      await build(); // build once here, or two test files would build at the same time
      await runTool('vitest/vitest.mjs', 'run');
    },
  },
  {
    browser: () => {
      process.env['CHROMIUM_PATH'] = findBrowser();
      return runTool('@playwright/test/cli.js', 'test');
    },
  },
];

const { positionals } = parseArgs({ allowPositionals: true });
const names = stagesInOrder.flatMap((it) => Object.keys(it));
const unknownPositionals = positionals.filter((it) => !names.includes(it));
if (unknownPositionals.length > 0)
  throw new Error(`no such stage: ${unknownPositionals.join(', ')}; there are ${names.join(', ')}`);
const folder = findMemoryFolder();
if (folder) process.env['TMPDIR'] = folder;
for (const stages of stagesInOrder) {
  const requestedStages = Object.entries(stages).filter(
    ([name]) => positionals.length === 0 || positionals.includes(name),
  );
  const outcomes = await Promise.allSettled(requestedStages.map(([name, stage]) => runStage(name, stage)));
  for (const outcome of outcomes) if (outcome.status === 'rejected') throw outcome.reason;
}

async function runStage(name: string, stage: () => Promise<void>): Promise<void> {
  const startedAt = Date.now();
  process.stdout.write(`\n== ${name}\n`);
  await stage();
  process.stdout.write(`== ${name}: ${Math.round((Date.now() - startedAt) / 1000)} s\n`);
}
