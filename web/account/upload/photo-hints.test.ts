import { expect, it } from 'vitest';
import { computeCroppedSize, wholePhotoCrop } from '#contract/crop.ts';
import { listPhotoHints, measurePixels, lowResolutionText } from './photo-hints.ts';

const fineSize = { width: 4000, height: 3000 };
const shortHintsOf = (...about: Parameters<typeof listPhotoHints>) => listPhotoHints(...about).map((it) => it.short);
const createPicture = (grey: (x: number) => number) =>
  Array.from({ length: 64 * 64 }, (_, at) => [grey(at % 64), grey(at % 64), grey(at % 64), 255]).flat();

it('listPhotoHints returns a hint for each possible problem, and none for a good photo', () => {
  expect(shortHintsOf(fineSize, { light: 0.5, detail: 0.06 })).toEqual([]);
  expect(shortHintsOf(fineSize, undefined)).toEqual([]);
  expect(shortHintsOf({ width: 5000, height: 1500 }, undefined)).toEqual(['Long shape']);
  expect(shortHintsOf(fineSize, { light: 0.05, detail: 0.001 })).toEqual(['Dark']); // in a dark photo, blur cannot be detected
});

it.each([
  // [width, height, is small]
  [1280, 800, false],
  [1279, 1000, true],
  [1600, 799, true],
  [1200, 1199, true],
  [1600, 1067, false],
  [1280, 1280, false],
  // An upright photo fills half of the panel.
  [800, 1280, false],
  [640, 800, false],
  [639, 900, true],
  [700, 799, true],
])('a photo of %i x %i pixels gets the hint Small for a panel of 1280 x 800: %s', (width, height, isSmall) => {
  expect(shortHintsOf({ width, height }, undefined)).toEqual(isSmall ? ['Small'] : []);
});

it('a small photo, or a small crop, gets the hint that it will look soft', () => {
  const [hint] = listPhotoHints({ width: 900, height: 600 }, undefined);
  expect(hint!.words).toBe(
    "This photo is small and may look soft on the frame. It’s 900 x 600 pixels. The frame's screen shows 1280 x 800. Do you have a larger copy?",
  );
  const smallCrop = { quarterTurns: 0, area: { left: 0, top: 0, width: 0.3, height: 0.3 } };
  expect(lowResolutionText(computeCroppedSize(fineSize, wholePhotoCrop))).toBeUndefined();
  expect(lowResolutionText(computeCroppedSize(fineSize, smallCrop))).toMatch('It’s 1200 x 900 pixels.');
});

it('a very long photo gets the hint Small only when it must be enlarged to be shown whole', () => {
  expect(shortHintsOf({ width: 2000, height: 600 }, undefined)).toEqual(['Long shape']);
  expect(shortHintsOf({ width: 300, height: 1000 }, undefined)).toEqual(['Long shape']);
  expect(shortHintsOf({ width: 1200, height: 400 }, undefined)).toEqual(['Small', 'Long shape']);
});

it('measurePixels returns values that give the hints Blurred and Dark only to blurred and dark pictures', () => {
  const stripes = measurePixels(
    createPicture((x) => (x % 2) * 200),
    64,
  );
  expect(stripes.light).toBeCloseTo(100 / 255);
  expect(shortHintsOf(fineSize, stripes)).toEqual([]);
  expect(
    shortHintsOf(
      fineSize,
      measurePixels(
        createPicture((x) => 90 + x / 2),
        64,
      ),
    ),
  ).toEqual(['Blurry?']);
  expect(
    shortHintsOf(
      fineSize,
      measurePixels(
        createPicture(() => 12),
        64,
      ),
    ),
  ).toEqual(['Dark']);
});
