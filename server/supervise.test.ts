import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { superviseShopProcess } from './supervise.ts';

/**
 * Supervises a program that counts its starts. The first starts do what the entries of `does` say. Later starts open
 * and wait for a signal.
 */
async function startSupervised(does: string[]) {
  const folder = mkdtempSync(join(tmpdir(), 'kinframe-supervise-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const [program, starts] = [join(folder, 'program.mjs'), join(folder, 'starts')];
  writeFileSync(starts, '');
  writeFileSync(
    program,
    `import { appendFileSync, readFileSync } from 'node:fs';
     appendFileSync(${JSON.stringify(starts)}, 'x');
     const does = ${JSON.stringify(does)}[readFileSync(${JSON.stringify(starts)}).length - 1] ?? 'open wait';
     process.on('SIGTERM', () => process.exit(0));
     if (does.includes('open')) await new Promise((sent) => process.send('open', undefined, undefined, sent));
     if (does.includes('wait')) setInterval(() => {}, 1000);
     if (does.includes('fail')) process.exit(3);
     if (does.includes('die')) process.kill(process.pid, 'SIGKILL');`,
  );
  const printedLines: string[] = [];
  const failures: number[] = [];
  const exitCodePromise = Promise.withResolvers<number>();
  const { stop } = superviseShopProcess([program], {
    say: (words) => void printedLines.push(words),
    pauseMs: (count) => failures.push(count) && 20,
    exit: exitCodePromise.resolve,
  });
  return {
    printed: printedLines,
    failures,
    stop,
    exited: exitCodePromise.promise,
    starts: () => readFileSync(starts).length,
  };
}

test('restarts a shop that exits unexpectedly, with growing pauses and a message, until it is stopped', async () => {
  const supervisedShop = await startSupervised(['open fail', 'open die', 'fail']);
  await expect.poll(supervisedShop.starts, { timeout: 20_000 }).toBe(4);
  expect(supervisedShop.failures).toEqual([1, 2, 3]);
  expect(supervisedShop.printed).toEqual([
    expect.stringMatching(/^The shop ended unexpectedly \(exit code 3\)\. It starts again in \d+ seconds?\.$/),
    expect.stringContaining('(signal SIGKILL)'),
    expect.stringContaining('(exit code 3)'),
  ]);
  await new Promise((resolve) => setTimeout(resolve, 200)); // by now the program handles the signal
  supervisedShop.stop('SIGTERM');
  expect(await supervisedShop.exited).toBe(0);
});

test('does not restart a shop that never opened, and passes on its exit code', async () => {
  const supervisedShop = await startSupervised(['fail']);
  expect(await supervisedShop.exited).toBe(3);
  expect([supervisedShop.starts(), supervisedShop.printed]).toEqual([1, []]);
});

test('does not restart a shop that exits with code 0', async () => {
  const supervisedShop = await startSupervised(['open']);
  expect(await supervisedShop.exited).toBe(0);
  expect([supervisedShop.starts(), supervisedShop.printed]).toEqual([1, []]);
});
