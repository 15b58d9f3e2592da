import { setImmediate as soon } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { createFairQueue } from './fair-queue.ts';

/** Makes work that records the order of its starts and how many run at the same time. */
function createWorkLog() {
  const startedWork: string[] = [];
  let running = 0;
  const mostRunning = { concurrency: 0 };
  const createRecordedWork = (name: string) => async () => {
    startedWork.push(name);
    running += 1;
    mostRunning.concurrency = Math.max(mostRunning.concurrency, running);
    await soon();
    running -= 1;
    return name;
  };
  return { begun: startedWork, most: mostRunning, work: createRecordedWork };
}

test('runs at most the given number of tasks at the same time, in order of arrival', async () => {
  const runInTurn = createFairQueue(2);
  const { begun, most, work } = createWorkLog();
  const names = ['a', 'b', 'c', 'd', 'e'];
  expect(await Promise.all(names.map((name) => runInTurn(name, work(name))))).toEqual(names);
  expect(begun).toEqual(names);
  expect(most.concurrency).toBe(2);
});

test('takes tasks from the keys in turn when one key has more tasks than the others', async () => {
  const runInTurn = createFairQueue(1);
  const { begun, work } = createWorkLog();
  const enqueueTasks = (key: string, count: number) =>
    Array.from({ length: count }, (_, i) => runInTurn(key, work(`${key}${i + 1}`)));
  await Promise.all([...enqueueTasks('anna', 4), ...enqueueTasks('ben', 2), ...enqueueTasks('carl', 1)]);
  expect(begun).toEqual(['anna1', 'anna2', 'ben1', 'carl1', 'anna3', 'ben2', 'anna4']);
});

test('runs the tasks of one key one after another, while other keys use the free places', async () => {
  const runInTurn = createFairQueue(3);
  const { most, work } = createWorkLog();
  await Promise.all([1, 2, 3].map((i) => runInTurn('anna', work(`${i}`))));
  expect(most.concurrency).toBe(1);
  let end = () => {};
  const longWork = runInTurn('anna', () => new Promise<void>((resolve) => (end = resolve)));
  const queuedWork = runInTurn('anna', work('queued'));
  await expect(runInTurn('ben', work('ben'))).resolves.toBe('ben');
  end();
  await Promise.all([longWork, queuedWork]);
});

test('a failed task releases its place', async () => {
  const runInTurn = createFairQueue(1);
  await expect(runInTurn('anna', () => Promise.reject(new Error('no')))).rejects.toThrow('no');
  await expect(runInTurn('anna', () => Promise.resolve('yes'))).resolves.toBe('yes');
});

test('othersWait returns whether another key waits for a place', async () => {
  const runInTurn = createFairQueue(1);
  const answers: boolean[] = [];
  const recordWaiting = async (othersWait: () => boolean) => void answers.push(othersWait());
  const firstWork = runInTurn('anna', async (othersWait) => {
    await soon();
    await recordWaiting(othersWait);
  });
  await Promise.all([
    firstWork,
    runInTurn('anna', recordWaiting),
    runInTurn('ben', recordWaiting),
    runInTurn('anna', recordWaiting),
  ]);
  expect(answers).toEqual([true, true, true, false]);
});
