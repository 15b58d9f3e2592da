import { setImmediate as soon } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { takeTurns } from './turns.ts';

/** Work that tells when it began, and how much ran beside it. */
function diary() {
  const begun: string[] = [];
  let running = 0;
  const most = { atOnce: 0 };
  const work = (name: string) => async () => {
    begun.push(name);
    running += 1;
    most.atOnce = Math.max(most.atOnce, running);
    await soon();
    running -= 1;
    return name;
  };
  return { begun, most, work };
}

test('no more than the given number run at once, and all get their turn in order', async () => {
  const inTurn = takeTurns(2);
  const { begun, most, work } = diary();
  const names = ['a', 'b', 'c', 'd', 'e'];
  expect(await Promise.all(names.map((name) => inTurn(name, work(name))))).toEqual(names);
  expect(begun).toEqual(names);
  expect(most.atOnce).toBe(2);
});

test('whoever brings much work waits for themselves: the others are next', async () => {
  const inTurn = takeTurns(1);
  const { begun, work } = diary();
  const bring = (key: string, count: number) =>
    Array.from({ length: count }, (_, i) => inTurn(key, work(`${key}${i + 1}`)));
  await Promise.all([...bring('anna', 4), ...bring('ben', 2), ...bring('carl', 1)]);
  expect(begun).toEqual(['anna1', 'anna2', 'ben1', 'carl1', 'anna3', 'ben2', 'anna4']);
});

test('one key’s work runs one at a time and leaves the other places free', async () => {
  const inTurn = takeTurns(3);
  const { most, work } = diary();
  await Promise.all([1, 2, 3].map((i) => inTurn('anna', work(`${i}`))));
  expect(most.atOnce).toBe(1);
  let end = () => {};
  const long = inTurn('anna', () => new Promise<void>((resolve) => (end = resolve)));
  const queued = inTurn('anna', work('queued'));
  await expect(inTurn('ben', work('ben'))).resolves.toBe('ben');
  end();
  await Promise.all([long, queued]);
});

test('work that fails gives its place back', async () => {
  const inTurn = takeTurns(1);
  await expect(inTurn('anna', () => Promise.reject(new Error('no')))).rejects.toThrow('no');
  await expect(inTurn('anna', () => Promise.resolve('yes'))).resolves.toBe('yes');
});

test('work is told whether anybody else waits for its place', async () => {
  const inTurn = takeTurns(1);
  const told: boolean[] = [];
  const ask = async (othersWait: () => boolean) => void told.push(othersWait());
  const begun = inTurn('anna', async (othersWait) => {
    await soon();
    await ask(othersWait);
  });
  await Promise.all([begun, inTurn('anna', ask), inTurn('ben', ask), inTurn('anna', ask)]);
  expect(told).toEqual([true, true, true, false]);
});
