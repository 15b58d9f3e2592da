/**
 * `npm run faults`: runs all fault tests of test/faults at full length and prints how many operations were tried,
 * acknowledged, present and lost. `-- --seed 7 --only kill` repeats one test. docs/reliability.md keeps the last line
 * of each.
 */
import { parseArgs } from 'node:util';
import { findMemoryFolder } from './folder-in-memory.ts';
import { writeTableRow, runLongTest, chooseSeed, currentIsoDay } from './long-test.ts';

const { values } = parseArgs({ options: { seed: { type: 'string' }, only: { type: 'string' } } });
const seed = chooseSeed(values.seed);
process.stdout.write(`seed ${seed}\n`);

const folder = findMemoryFolder();
if (folder) process.env['TMPDIR'] = folder;

await runLongTest({
  file: 'test/faults/all-faults.ts',
  setup: 'test/setup.ts',
  provide: { faults: { seed, only: values.only } },
  onTest(test) {
    const { seen } = test.meta();
    if (!seen) return void process.stdout.write(`${test.name}: ${test.result().state}\n`);
    const { done, tried, acknowledged, present, lost, words } = seen;
    process.stdout.write(
      `${test.name}: ${done}: ${tried} tried, ${acknowledged} acknowledged, ${present} present, ${lost} lost\n`,
    );
    for (const line of words) process.stdout.write(`  people read: ${line}\n`);
    const [name, engine] = test.name.split(' ');
    const cells = [done, tried, acknowledged, present, lost, words.join(' · '), seed, currentIsoDay()];
    writeTableRow('docs/reliability.md', [name, engine], cells);
  },
});
