import { expect, it } from 'vitest';
import { hintsOf, measure } from './photo-hints.ts';

const fine = { width: 4000, height: 3000 };
const shorts = (...about: Parameters<typeof hintsOf>) => hintsOf(...about).map((it) => it.short);
const picture = (grey: (x: number) => number) =>
  Array.from({ length: 64 * 64 }, (_, at) => [grey(at % 64), grey(at % 64), grey(at % 64), 255]).flat();

it('says what may disappoint, and nothing of a good photo', () => {
  expect(shorts(fine, { light: 0.5, detail: 0.06 })).toEqual([]);
  expect(shorts(fine, undefined)).toEqual([]);
  expect(shorts({ width: 1200, height: 1199 }, undefined)).toEqual(['Small']);
  expect(shorts({ width: 5000, height: 1500 }, undefined)).toEqual(['Long shape']);
  expect(shorts(fine, { light: 0.05, detail: 0.001 })).toEqual(['Dark']); // in the dark nobody can tell
});

it('measures light and detail', () => {
  const stripes = measure(
    picture((x) => (x % 2) * 200),
    64,
  );
  expect(stripes.light).toBeCloseTo(100 / 255);
  expect(shorts(fine, stripes)).toEqual([]);
  expect(
    shorts(
      fine,
      measure(
        picture((x) => 90 + x / 2),
        64,
      ),
    ),
  ).toEqual(['Blurred?']);
  expect(
    shorts(
      fine,
      measure(
        picture(() => 12),
        64,
      ),
    ),
  ).toEqual(['Dark']);
});
