import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { spawn } from 'node:child_process';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { listDescendants, isProcessAlive, waitForCondition } from './process-table.ts';
import { ChildStoppedError, runInChild, startChild } from './run-in-child.ts';

let folder = '';
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'children-'));
});
afterAll(() => rmSync(folder, { recursive: true }));

const childSide = new URL('./child-side.ts', import.meta.url).href;
let programCount = 0;

/** Writes a child program that runs this JavaScript for each job. The JavaScript can use `job` and `reportProgress`. */
function writeProgram(work: string): URL {
  const path = join(folder, `child-${(programCount += 1)}.mjs`);
  const source = `import { serveJobsOfParent } from '${childSide}'; serveJobsOfParent(async (job, reportProgress) => { ${work} });`;
  writeFileSync(path, source);
  return pathToFileURL(path);
}

/** Running descendants of this test process. */
const listOwnDescendants = () => listDescendants(process.pid);

test('a child process does its job, reports progress, and gets no environment variables', async () => {
  const progress: number[] = [];
  const childResult = await runInChild<number, unknown>({
    entry: writeProgram(
      'reportProgress(0.5); return { double: job * 2, environment: Object.keys(process.env).filter((name) => !name.startsWith("NODE_CHANNEL")) };',
    ),
    job: 21,
    timeoutMs: 10_000,
    onProgress: (fraction) => progress.push(fraction),
  });
  expect(childResult).toEqual({ double: 42, environment: [] });
  expect(progress).toEqual([0.5]);
});

test('a child process does jobs in order until it is ended, and does no job after a failure', async () => {
  const processesBefore = listOwnDescendants();
  const programUrl = writeProgram(
    'globalThis.sum = (globalThis.sum ?? 0) + job; if (job < 0) throw new Error("no"); return sum;',
  );
  const adder = startChild<number, number>({ entry: programUrl });
  const options = { timeoutMs: 10_000 };
  expect([await adder.do(2, options), await adder.do(3, options)]).toEqual([2, 5]);
  await expect(adder.do(-1, options)).rejects.toMatchObject({ reason: 'died', started: true });
  await expect(adder.do(1, options)).rejects.toMatchObject({ reason: 'died' });
  await adder.end();
  for (const lastProgramLine of ['', 'process.removeAllListeners("message"); setInterval(() => {}, 1000);']) {
    const idleChild = startChild<number, number>({ entry: writeProgram(`${lastProgramLine} return job;`) });
    await idleChild.do(1, options);
    await idleChild.end();
  }
  expect(listOwnDescendants()).toEqual(processesBefore);
});

test('when a child throws an error, the rejection contains the error’s message', async () => {
  const childResult = runInChild({
    entry: writeProgram('throw new Error("the film tore")'),
    job: null,
    timeoutMs: 10_000,
  });
  await expect(childResult).rejects.toMatchObject({ reason: 'died', started: true, message: /the film tore/ });
});

test('rejects with started: false when the program cannot be started', async () => {
  const childResult = runInChild({ entry: pathToFileURL(join(folder, 'missing.mjs')), job: null, timeoutMs: 10_000 });
  await expect(childResult).rejects.toMatchObject({ reason: 'died', started: false });
  const missingProgram = {
    entry: writeProgram(''),
    job: null,
    timeoutMs: 10_000,
    wrap: () => [join(folder, 'no-such-program')],
  };
  await expect(runInChild(missingProgram)).rejects.toMatchObject({ reason: 'died', started: false });
});

const busyWithGrandchild = `
  const { spawn } = await import('node:child_process');
  spawn(process.execPath, ['-e', 'setInterval(() => {}, 1000)'], { stdio: ['ignore', 'ignore', 'inherit'] });
  reportProgress(0.1);
  setImmediate(() => { for (;;); });
  return new Promise(() => {});
`;

test('kills a child that takes too long, with all processes it started', async () => {
  const processesBefore = listOwnDescendants();
  const childResult = runInChild({ entry: writeProgram(busyWithGrandchild), job: null, timeoutMs: 1500 });
  await expect(childResult).rejects.toMatchObject({ reason: 'too-slow' });
  expect(listOwnDescendants()).toEqual(processesBefore);
});

test('stops a job when it is aborted, and does not start a job that is already aborted', async () => {
  const processesBefore = listOwnDescendants();
  const controller = new AbortController();
  const childResult = runInChild({
    entry: writeProgram(busyWithGrandchild),
    job: null,
    timeoutMs: 30_000,
    signal: controller.signal,
    onProgress: () => controller.abort(new Error('the customer left')),
  });
  await expect(childResult).rejects.toMatchObject({ reason: 'aborted', cause: { message: 'the customer left' } });
  await expect(
    runInChild({ entry: writeProgram(''), job: null, timeoutMs: 30_000, signal: controller.signal }),
  ).rejects.toThrow(ChildStoppedError);
  expect(listOwnDescendants()).toEqual(processesBefore);
});

test('a killed parent leaves no child behind', async () => {
  const parentProgramPath = join(folder, 'parent.mjs');
  const childProgramUrl = writeProgram('await new Promise((resolve) => setTimeout(resolve, 60_000))');
  const runnerUrl = new URL('./run-in-child.ts', import.meta.url).href;
  writeFileSync(
    parentProgramPath,
    `import { runInChild } from '${runnerUrl}'; await runInChild({ entry: new URL('${childProgramUrl.href}'), job: null, timeoutMs: 60_000 });`,
  );
  const parentProcess = spawn(globalThis.process.execPath, [parentProgramPath], { stdio: 'ignore' });
  const parentPid = parentProcess.pid ?? 0;
  const [childPid = 0] = await waitForCondition('the child runs', () => {
    const children = listDescendants(parentPid);
    return children.length > 0 && children;
  });
  parentProcess.kill('SIGKILL');
  await waitForCondition('the child is gone', () => !isProcessAlive(childPid));
});
