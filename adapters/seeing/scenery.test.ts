import { expect, test } from 'vitest';
import { computeGrid, type Picture } from './grid.ts';
import { computeSceneryFeatures, findSky } from './scenery.ts';

const size = { width: 640, height: 480 };
/** The upper part is near 0 (far), the lower part near 1. */
const nearnessGrid = computeGrid({ width: 224, height: 224 }, (at) => Math.floor(at / 224) / 224);

/** A calm area of this color with soft blotches, above a dark area with much detail. */
function createPictureWithColorAbove(red: number, green: number, blue: number): Picture {
  const rgb = new Uint8Array(3 * size.width * size.height);
  for (let y = 0; y < size.height; y++)
    for (let x = 0; x < size.width; x++) {
      const blotchBrightness = 12 * Math.sin(x / 37) * Math.sin(y / 23);
      const checkerBrightness = (x >> 2) % 2 === (y >> 2) % 2 ? 30 : 90;
      const color =
        y < 260
          ? [red + blotchBrightness, green + blotchBrightness, blue + blotchBrightness]
          : [checkerBrightness, checkerBrightness, checkerBrightness / 2];
      rgb.set(color, 3 * (y * size.width + x));
    }
  return { ...size, rgb };
}

test.each([
  ['a blue sky', [120, 160, 210], true],
  ['a gray sky', [190, 192, 196], true],
  ['a beige wall', [205, 190, 165], false],
] as const)('finds sky only outdoors: %s', async (_, [red, green, blue], isSky) => {
  const picture = createPictureWithColorAbove(red, green, blue);
  const sky = findSky((await computeSceneryFeatures(picture))!, nearnessGrid, picture);
  expect(sky !== undefined).toBe(isSky);
});

/** A blue sky with a white shape that has sharp edges, above dark rocks whose ridge is at this row. */
function createPictureWithWhite(ridge: number, isInShape: (x: number, y: number) => boolean): Picture {
  const rgb = new Uint8Array(3 * size.width * size.height);
  for (let y = 0; y < size.height; y++)
    for (let x = 0; x < size.width; x++) {
      const rock = (x >> 2) % 2 === (y >> 2) % 2 ? 60 : 110;
      const cloudLight = 225 + 20 * Math.sin(x / 11) * Math.sin(y / 7);
      const color = isInShape(x, y)
        ? [cloudLight, cloudLight, cloudLight + 5]
        : y < ridge
          ? [60, 110, 175]
          : [rock, rock, rock];
      rgb.set(color, 3 * (y * size.width + x));
    }
  return { ...size, rgb };
}

test.each([
  ['a cloud in the sky', (x: number, y: number) => Math.hypot((x - 300) / 120, (y - 110) / 50) < 1, true],
  ['a cloud behind a ridge', (x: number, y: number) => y < 240 && Math.hypot((x - 300) / 90, (y - 230) / 90) < 1, true],
  ['snow on a peak', (x: number, y: number) => y > 200 && y < 400 && Math.abs(x - 300) < y - 200, false],
  ['a white cable', (x: number, y: number) => y < 240 && Math.abs(x - 100 - y) < 5, false],
] as const)('moves white clouds with the sky, and nothing else that is white: %s', async (_, isInShape, isCloud) => {
  const picture = createPictureWithWhite(240, isInShape);
  const sky = findSky((await computeSceneryFeatures(picture))!, nearnessGrid, picture)!;
  expect(sky.hasClouds).toBe(isCloud);
  const shapeIndexes = [...sky.matte.at.keys()].filter((at) => isInShape(at % size.width, Math.floor(at / size.width)));
  const movingFraction = shapeIndexes.filter((at) => sky.matte.at[at]! > 0.5).length / shapeIndexes.length;
  if (isCloud) expect(movingFraction).toBeGreaterThan(0.9);
  else expect(movingFraction).toBeLessThan(0.1);
});
