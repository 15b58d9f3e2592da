import { expect, test } from 'vitest';
import { takeTurns } from './turns.ts';

test('no more than the given number run at once, and all get their turn in order', async () => {
  const inTurn = takeTurns(2);
  let running = 0;
  let most = 0;
  const begun: number[] = [];
  const work = (id: number) =>
    inTurn(async () => {
      begun.push(id);
      running += 1;
      most = Math.max(most, running);
      await new Promise((done) => setImmediate(done));
      running -= 1;
      return id;
    });
  expect(await Promise.all([1, 2, 3, 4, 5].map(work))).toEqual([1, 2, 3, 4, 5]);
  expect(begun).toEqual([1, 2, 3, 4, 5]);
  expect(most).toBe(2);
});

test('work that fails gives its place back', async () => {
  const inTurn = takeTurns(1);
  await expect(inTurn(() => Promise.reject(new Error('no')))).rejects.toThrow('no');
  await expect(inTurn(() => Promise.resolve('yes'))).resolves.toBe('yes');
});
