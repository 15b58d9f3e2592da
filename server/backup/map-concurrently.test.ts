import { setImmediate as turn } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { mapConcurrently } from './map-concurrently.ts';

const twentyItems = Array.from({ length: 20 }, (_, at) => at + 1);

async function* waitOneByOne() {
  yield* twentyItems;
}

test('processes at most `concurrency` items at a time, and yields their results in order', async () => {
  let atWork = 0;
  let most = 0;
  const startedItems: number[] = [];
  const doubleSlowly = async (one: number) => {
    most = Math.max(most, (atWork += 1));
    for (let at = one % 3; at < 3; at++) await turn();
    atWork -= 1;
    return one * 10;
  };
  for await (const { one, made } of mapConcurrently(waitOneByOne(), 4, doubleSlowly)) {
    expect(made).toBe(one * 10);
    startedItems.push(one);
  }
  expect(startedItems).toEqual(twentyItems);
  expect(most).toBe(4);
});

test('after an error, starts no more items, and waits for the started ones before it rejects', async () => {
  const endedItems: number[] = [];
  let begun = 0;
  const failAtTwo = async (one: number) => {
    begun += 1;
    if (one === 2) throw new Error('no room for 2');
    for (let at = 0; at < 5; at++) await turn();
    endedItems.push(one);
  };
  const makingItems = mapConcurrently(waitOneByOne(), 4, failAtTwo);
  await expect(makingItems.next().then(() => makingItems.next())).rejects.toThrow('no room for 2');
  expect(endedItems).toHaveLength(begun - 1);
  expect(begun).toBeLessThan(10);
});
