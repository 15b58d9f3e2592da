/**
 * `npm run load`: runs heavy load on a shop with PostgreSQL and compares each figure with its limit from the same run.
 * `-- --only orders --seed 7` repeats one part, `--minutes 12` shortens the mixed work, `--share 0.1` does a tenth of
 * everything. docs/load.md keeps the last line of each part that ran without `--share` and `--minutes`.
 */
import { availableParallelism, loadavg } from 'node:os';
import { parseArgs } from 'node:util';
import { isWithinLimit, type MeasuredFigure } from '../test/load/part.ts';
import { writeTableRow, runLongTest, chooseSeed, currentIsoDay } from './long-test.ts';

const { values } = parseArgs({
  options: {
    seed: { type: 'string' },
    only: { type: 'string' },
    minutes: { type: 'string', default: '30' },
    share: { type: 'string', default: '1' },
  },
});
const seed = chooseSeed(values.seed);
const [minutes, share] = [Number(values.minutes), Number(values.share)];
if (!(minutes > 0)) throw new Error('The minutes are a number above 0.');
if (!(share > 0 && share <= 1)) throw new Error('The share is a number above 0, 1 at most.');
process.stdout.write(`seed ${seed}\n`);

/**
 * The load average and the number of cores, read before each part, because other work on the machine slows everything
 * down.
 */
const describeLoad = () => `${loadavg()[0]!.toFixed(1)} on ${availableParallelism()}`;
let loadBefore = describeLoad();

await runLongTest({
  file: 'test/load/all-loads.ts',
  setup: 'test/load/setup.ts',
  provide: { load: { seed, only: values.only, minutes, share } },
  onTest(test) {
    const { measured } = test.meta();
    if (!measured) return void process.stdout.write(`${test.name}: ${test.result().state}\n`);
    const { done, figures, words } = measured;
    process.stdout.write(`${test.name}: ${done}; load before it ${loadBefore}\n`);
    const lines = figures.map(formatFigureLine);
    for (const line of lines) process.stdout.write(`  ${line}\n`);
    for (const line of words) process.stdout.write(`  people read: ${line}\n`);
    if (share === 1 && minutes === 30)
      writeTableRow(
        'docs/load.md',
        [test.name],
        [done, lines.join('<br>'), words.join(' · '), loadBefore, seed, currentIsoDay()],
      );
    loadBefore = describeLoad();
  },
});

/** A measured figure and its limit as text. */
function formatFigureLine(figure: MeasuredFigure): string {
  const { name, value, unit, is, limit } = figure;
  const formatNumber = (it: number) =>
    `${Number.isInteger(it) ? it : it.toFixed(Math.abs(it) < 10 ? 2 : 1)}${unit && ` ${unit}`}`;
  return `${name}: ${formatNumber(value)}, ${is} ${formatNumber(limit)}: ${isWithinLimit(figure) ? 'met' : 'MISSED'}`;
}
