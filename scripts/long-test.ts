/** Shared code of `npm run faults` and `npm run load`: tests that take most of an hour and store their results. */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { ProvidedContext } from 'vitest';
import { startVitest, type TestCase } from 'vitest/node';

const root = join(import.meta.dirname, '..');

/** The seed of the random choices: the given one, or a random one. */
export function chooseSeed(seedText = process.env['SEED']): number {
  const seed = Number(seedText ?? Math.floor(Math.random() * 1_000_000));
  if (!Number.isSafeInteger(seed) || seed < 0) throw new Error('The seed is a whole number.');
  return seed;
}

export const currentIsoDay = () => new Date().toISOString().slice(0, 10);

interface Proof {
  /** The file with the tests, and its setup file. */
  file: string;
  setup: string;
  provide: Partial<ProvidedContext>;
  /** Prints the results of a test that has ended. */
  onTest: (test: TestCase) => void;
}

/** Runs the tests, and exits with 1 if one failed. */
export async function runLongTest({ file, setup, provide, onTest }: Proof): Promise<never> {
  const vitest = await startVitest([], {
    root,
    config: false,
    watch: false,
    include: [file],
    globalSetup: [setup],
    provide,
    reporters: [
      {
        onTestCaseResult(test) {
          onTest(test);
          printErrors(test.result().errors ?? []);
        },
        // Errors outside of tests also make the run fail.
        onTestRunEnd: (_files, errors) => printErrors(errors),
      },
    ],
  });
  await vitest.close();
  process.exit(process.exitCode);
}

function printErrors(errors: readonly Pick<Error, 'message' | 'stack'>[]): void {
  for (const { message, stack } of errors) process.stdout.write(`${stack ?? message}\n`);
}

/** Writes a row of a page's table. It replaces the earlier row with the same name. */
export function writeTableRow(page: string, name: readonly unknown[], otherCells: readonly unknown[]): void {
  const path = join(root, page);
  const lines = readFileSync(path, 'utf8').split('\n');
  const createTableRow = (cells: readonly unknown[]) =>
    cells.map((it) => `| ${String(it).replaceAll('|', '\\|')} `).join('');
  const rowIndex = lines.findIndex((line) => line.startsWith(`${createTableRow(name)}|`));
  const line = `${createTableRow([...name, ...otherCells])}|`;
  if (rowIndex < 0) lines.splice(lines.findLastIndex((it) => it.startsWith('|')) + 1, 0, line);
  else lines[rowIndex] = line;
  writeFileSync(path, lines.join('\n'));
}
