import { setImmediate as soon } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { createFairQueue } from './fair-queue.ts';

/** Makes work that records the order of its starts and how many run at the same time. */
function createDiary() {
  const begunWork: string[] = [];
  let running = 0;
  const mostRunning = { concurrency: 0 };
  const recordWork = (name: string) => async () => {
    begunWork.push(name);
    running += 1;
    mostRunning.concurrency = Math.max(mostRunning.concurrency, running);
    await soon();
    running -= 1;
    return name;
  };
  return { begun: begunWork, most: mostRunning, work: recordWork };
}

test('runs at most `places` pieces of work at the same time, in order of arrival', async () => {
  const inTurn = createFairQueue(2);
  const { begun, most, work } = createDiary();
  const names = ['a', 'b', 'c', 'd', 'e'];
  expect(await Promise.all(names.map((name) => inTurn(name, work(name))))).toEqual(names);
  expect(begun).toEqual(names);
  expect(most.concurrency).toBe(2);
});

test('keys take turns when one key has more work than the others', async () => {
  const inTurn = createFairQueue(1);
  const { begun, work } = createDiary();
  const enqueueTasks = (key: string, count: number) =>
    Array.from({ length: count }, (_, i) => inTurn(key, work(`${key}${i + 1}`)));
  await Promise.all([...enqueueTasks('anna', 4), ...enqueueTasks('ben', 2), ...enqueueTasks('carl', 1)]);
  expect(begun).toEqual(['anna1', 'anna2', 'ben1', 'carl1', 'anna3', 'ben2', 'anna4']);
});

test('runs the work of one key one after another, and other keys use the free places', async () => {
  const inTurn = createFairQueue(3);
  const { most, work } = createDiary();
  await Promise.all([1, 2, 3].map((i) => inTurn('anna', work(`${i}`))));
  expect(most.concurrency).toBe(1);
  let end = () => {};
  const longWork = inTurn('anna', () => new Promise<void>((resolve) => (end = resolve)));
  const queuedWork = inTurn('anna', work('queued'));
  await expect(inTurn('ben', work('ben'))).resolves.toBe('ben');
  end();
  await Promise.all([longWork, queuedWork]);
});

test('failed work releases its place', async () => {
  const inTurn = createFairQueue(1);
  await expect(inTurn('anna', () => Promise.reject(new Error('no')))).rejects.toThrow('no');
  await expect(inTurn('anna', () => Promise.resolve('yes'))).resolves.toBe('yes');
});

test('othersWait returns whether another key waits for a place', async () => {
  const inTurn = createFairQueue(1);
  const answers: boolean[] = [];
  const recordWaiting = async (othersWait: () => boolean) => void answers.push(othersWait());
  const firstWork = inTurn('anna', async (othersWait) => {
    await soon();
    await recordWaiting(othersWait);
  });
  await Promise.all([
    firstWork,
    inTurn('anna', recordWaiting),
    inTurn('ben', recordWaiting),
    inTurn('anna', recordWaiting),
  ]);
  expect(answers).toEqual([true, true, true, false]);
});
