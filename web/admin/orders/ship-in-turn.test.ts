import { expect, test } from 'vitest';
import { ApiError } from '../../data/api.ts';
import { shipInTurn, type ShippingOutcome } from './ship-in-turn.ts';

/** Ships the lines 1 to 4. `failing` is the error of line 2. Returns the final state of each line. */
async function shipWithFailures(failing: unknown) {
  const outcomes = new Map<number, ShippingOutcome['state']>();
  const errors: unknown[] = [];
  await shipInTurn([{ line: 1 }, { line: 2 }, { line: 3 }, { line: 4 }], {
    ship: async ({ line }) => {
      if (line === 2) throw failing;
    },
    note: ({ line }, { state }) => outcomes.set(line, state),
    onError: (error) => errors.push(error),
  });
  expect(errors).toEqual([failing]);
  return [...outcomes];
}

test('continues with the next order after one is refused', async () => {
  const refusedError = new ApiError(409, '{}');
  expect(await shipWithFailures(refusedError)).toEqual([
    [1, 'shipped'],
    [2, 'failed'],
    [3, 'shipped'],
    [4, 'shipped'],
  ]);
});

test.each([
  ['the session has ended', new ApiError(401, '{}')],
  ['the shop cannot be reached', new TypeError('Failed to fetch')],
])('stops when %s, and does not ship the lines after it', async (_, error) => {
  expect(await shipWithFailures(error)).toEqual([
    [1, 'shipped'],
    [2, 'failed'],
  ]);
});
