/**
 * `npm run faults`: every fault that is done to a shop in test/faults, at full length, and what was tried, acknowledged,
 * present and lost. `-- --seed 7 --only kill` repeats one; docs/reliability.md keeps the last line of each.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { startVitest, type TestCase } from 'vitest/node';
import { folderInMemory } from './folder-in-memory.ts';

const root = join(import.meta.dirname, '..');
const page = join(root, 'docs/reliability.md');

const { values } = parseArgs({ options: { seed: { type: 'string' }, only: { type: 'string' } } });
const seed = Number(values.seed ?? process.env['SEED'] ?? Math.floor(Math.random() * 1_000_000));
if (!Number.isSafeInteger(seed) || seed < 0) throw new Error('The seed is a whole number.');
const today = new Date().toISOString().slice(0, 10);
process.stdout.write(`seed ${seed}\n`);

const folder = folderInMemory();
if (folder) process.env['TMPDIR'] = folder;

const reporter = {
  onTestCaseResult(test: TestCase) {
    const { state, errors } = test.result();
    const { seen } = test.meta();
    if (seen) {
      const { done, tried, acknowledged, present, lost, words } = seen;
      process.stdout.write(
        `${test.name}: ${done}: ${tried} tried, ${acknowledged} acknowledged, ${present} present, ${lost} lost\n`,
      );
      for (const line of words) process.stdout.write(`  people read: ${line}\n`);
      const [name, engine] = test.name.split(' ');
      keep([name, engine, done, tried, acknowledged, present, lost, words.join(' · '), seed, today].map(String));
    } else process.stdout.write(`${test.name}: ${state}\n`);
    for (const error of errors ?? []) process.stdout.write(`${error.stack ?? error.message}\n`);
  },
};

/** Put a line in the place of the one before of the same fault on the same engine. */
function keep(cells: string[]): void {
  const text = readFileSync(page, 'utf8');
  const lines = text.split('\n');
  const isSame = (line: string) => line.startsWith(`| ${cells[0]} | ${cells[1]} |`);
  const line = `| ${cells.map((it) => it.replaceAll('|', '\\|')).join(' | ')} |`;
  const at = lines.findIndex(isSame);
  if (at < 0) lines.splice(lines.findLastIndex((it) => it.startsWith('|')) + 1, 0, line);
  else lines[at] = line;
  writeFileSync(page, lines.join('\n'));
}

const vitest = await startVitest([], {
  root,
  config: false,
  watch: false,
  include: ['test/faults/every.ts'],
  globalSetup: ['test/setup.ts'],
  provide: { faults: { seed, only: values.only } },
  reporters: [reporter],
});
await vitest.close();
process.exit(process.exitCode);
