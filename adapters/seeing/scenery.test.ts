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
