import { expect, test } from 'vitest';
import { blinkTimes, eyelidClosureAt } from './blink.ts';

const frames = 200;

test.each([1, 2, 3, 5, 6, 10])(
  'with %i people, no two of them blink at the same time, even across the seam of the loop',
  (people) => {
    const times = blinkTimes(people, frames);
    for (let frame = 0; frame < frames; frame++) {
      const closed = times.filter((starts) => eyelidClosureAt(starts, frame, frames) > 0);
      expect(closed.length, `frame ${frame}`).toBeLessThanOrEqual(1);
    }
  },
);

test.each([1, 2, 3, 5, 6, 10])('each of %i people blinks at least once in a loop', (people) => {
  for (const starts of blinkTimes(people, frames)) {
    const closures = Array.from({ length: frames }, (_, frame) => eyelidClosureAt(starts, frame, frames));
    expect(Math.max(...closures)).toBe(1);
  }
});

test('an eyelid closes within 120 to 160 ms and opens more slowly', () => {
  const closures = Array.from({ length: 12 }, (_, frame) => eyelidClosureAt([0], frame, frames));
  const down = closures.indexOf(1) + 1;
  const up = closures.findIndex((part, frame) => frame > down && part === 0) - down;
  expect(down * 40).toBeGreaterThanOrEqual(120);
  expect(down * 40).toBeLessThanOrEqual(160);
  expect(up).toBeGreaterThan(down);
});

test('a single person sometimes blinks twice in a row', () => {
  const [starts] = blinkTimes(1, frames);
  const gaps = starts!.slice(1).map((start, at) => start - starts![at]!);
  expect(Math.min(...gaps) * 40).toBeLessThan(600);
  expect(Math.max(...gaps) * 40).toBeGreaterThan(1_500);
});
