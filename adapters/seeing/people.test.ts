import { expect, test } from 'vitest';
import type { Models } from './models.ts';
import { findPeople } from './people.ts';

const size = { width: 512, height: 512 };
const picture = { ...size, rgb: new Uint8Array(3 * size.width * size.height).fill(120) };
const face = { left: 200, top: 100, width: 110, height: 150 };

/** Makes a fake model that returns this value for each pixel. */
const createModelsWithMatte = (part: (x: number, y: number) => number) =>
  ({
    useModel: async (_: string, use: (run: () => Promise<object>) => unknown) =>
      await use(async () => ({
        first: Float32Array.from({ length: size.width * size.height }, (_, at) => part(at % size.width, at >> 9)),
      })),
  }) as unknown as Models;
/** Whether a pixel belongs to a person, shown from the shoulders up. */
const isPerson = (x: number, y: number) =>
  Math.hypot((x - 255) / 85, (y - 175) / 110) < 1 || (y > 270 && Math.abs(x - 255) < 190);
const isNear = (x: number, y: number, u: number, v: number, far: number) => Math.hypot(x - u, y - v) < far;

test.each([
  ['an eye in the light', (x: number, y: number) => isNear(x, y, 285, 160, 20)],
  [
    'an eye that hair leads to',
    (x: number, y: number) => isNear(x, y, 282, 160, 11) || (x > 285 && Math.abs(y - 150) < 3),
  ],
])('the matte of a person has no hole where the model misses %s', async (_, isHole) => {
  const matte = await findPeople(
    createModelsWithMatte((x, y) => (isPerson(x, y) && !isHole(x, y) ? 1 : 0)),
    picture,
    [face],
  );
  const readMatte = (x: number, y: number) => matte![y * size.width + x];
  for (let y = 125; y < 225; y += 5)
    for (let x = 225; x < 288; x += 3)
      if (Math.hypot((x - 255) / 36, (y - 175) / 52) < 1) expect(readMatte(x, y), `${x}, ${y}`).toBeGreaterThan(250);
  // Pixels outside the face do not change.
  expect(readMatte(100, 100)).toBe(0);
  expect(readMatte(255, 400)).toBe(255);
});

test('returns undefined when the matte misses one of the faces', async () => {
  const otherFace = { ...face, left: 20, top: 20 };
  const foundPeople = await findPeople(
    createModelsWithMatte((x, y) => (isPerson(x, y) ? 1 : 0)),
    picture,
    [face, otherFace],
  );
  expect(foundPeople).toBeUndefined();
});

test.each([
  ['trusts a matte with soft hair', 12, true],
  ['returns undefined when the model is not sure about a large part of the hair', 60, false],
])('%s', async (_, hair, isTrusted) => {
  const foundPeople = await findPeople(
    createModelsWithMatte((x, y) => {
      if (isPerson(x, y)) return 1;
      return y < 280 && Math.hypot((x - 255) / (85 + hair), (y - 175) / (110 + hair)) < 1 ? 0.5 : 0;
    }),
    picture,
    [face],
  );
  expect(foundPeople !== undefined).toBe(isTrusted);
});

test.each([
  ['uses a matte that covers two thirds of the picture', 340, true],
  ['returns undefined when the matte leaves too little background', 380, false],
])('%s', async (_, width, isUsed) => {
  const foundPeople = await findPeople(
    createModelsWithMatte((x) => (Math.abs(x - 255) < width / 2 ? 1 : 0)),
    picture,
    [face],
  );
  expect(foundPeople !== undefined).toBe(isUsed);
});
