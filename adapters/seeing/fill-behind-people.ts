import type { Picture, Size } from './grid.ts';
import { clamp } from './grid.ts';
import type { Models } from './models.ts';
import { resizePicture, resizeGrayMap } from './pixels.ts';

/**
 * Length of the longer side at which the background is filled. A larger size would only need more memory, because the
 * model works at 512 pixels and the result is shown blurred.
 */
const longestSide = 640;

/**
 * Returns the picture without its people. The background behind them is filled by a model if available, otherwise from
 * the surrounding colors. It becomes visible only at the edges of the people, when they move aside.
 */
export async function fillBehindPeople(
  models: Models,
  picture: Picture,
  people: Uint8Array,
): Promise<{ rgb: Uint8Array; byModel: boolean }> {
  const scale = Math.min(1, longestSide / Math.max(picture.width, picture.height));
  const roundToMultipleOf8 = (length: number) => 8 * Math.max(8, Math.round((length * scale) / 8));
  const smallSize: Size = { width: roundToMultipleOf8(picture.width), height: roundToMultipleOf8(picture.height) };
  const smallPicture = await resizePicture(picture, smallSize);
  // The hole is wider than the people, because their edges and shadows tint the pixels next to them.
  const widenedPeople = await resizeGrayMap(people, picture, smallSize, 3.5);
  const holeMask = widenedPeople.map((part) => (part > 5 ? 0 : 255));
  let isFilledByModel = models.has('fill');
  const paintedPicture = isFilledByModel
    ? await paintHoles(models, smallPicture, holeMask).catch(() => {
        isFilledByModel = false;
        return fillFromNeighbors(smallPicture, holeMask);
      })
    : fillFromNeighbors(smallPicture, holeMask);
  const [large, soft] = [
    await resizePicture({ ...smallSize, rgb: paintedPicture }, picture),
    await resizeGrayMap(holeMask, smallSize, picture, 2),
  ];
  for (let at = 0; at < soft.length; at++) {
    const peopleShare = clamp((2 * soft[at]! - 255) / 255);
    for (let c = 3 * at; c < 3 * at + 3; c++)
      large.rgb[c] = large.rgb[c]! + (picture.rgb[c]! - large.rgb[c]!) * peopleShare + 0.5;
  }
  return { rgb: large.rgb, byModel: isFilledByModel };
}

/** Fills the hole with the model. Its mask `hole` is 0 inside the hole and 255 around it. */
async function paintHoles(models: Models, { rgb, width, height }: Picture, hole: Uint8Array): Promise<Uint8Array> {
  const area = width * height;
  const image = new Uint8Array(3 * area);
  for (let at = 0; at < area; at++) for (let c = 0; c < 3; c++) image[c * area + at] = rgb[3 * at + c]!;
  const { first: result } = await models.useModel('fill', (run) =>
    run({
      image: { type: 'uint8', data: image, shape: [1, 3, height, width] },
      mask: { type: 'uint8', data: hole, shape: [1, 1, height, width] },
    }),
  );
  const paintedPixels = new Uint8Array(3 * area);
  for (let at = 0; at < area; at++) for (let c = 0; c < 3; c++) paintedPixels[3 * at + c] = result![c * area + at]!;
  return paintedPixels;
}

/**
 * Fills the hole without a model: with colors from its edge, coarser toward its middle (pull and push over a pyramid).
 * `keep` is 0 inside the hole and 255 around it.
 */
export function fillFromNeighbors({ rgb, width, height }: Picture, keep: Uint8Array): Uint8Array {
  interface Level extends Size {
    /** For each pixel: red, green and blue, each multiplied by the pixel's weight, and then the weight. */
    sums: Float32Array;
  }
  const levels: Level[] = [{ width, height, sums: new Float32Array(4 * keep.length) }];
  for (let at = 0; at < keep.length; at++) {
    const weight = keep[at]! / 255;
    for (let c = 0; c < 3; c++) levels[0]!.sums[4 * at + c] = weight * rgb[3 * at + c]!;
    levels[0]!.sums[4 * at + 3] = weight;
  }
  for (let last = levels[0]!; last.width > 1 || last.height > 1; last = levels.at(-1)!) {
    const nextLevel: Level = {
      width: Math.ceil(last.width / 2),
      height: Math.ceil(last.height / 2),
      sums: new Float32Array(0),
    };
    nextLevel.sums = new Float32Array(4 * nextLevel.width * nextLevel.height);
    for (let y = 0; y < last.height; y++)
      for (let x = 0; x < last.width; x++)
        for (let c = 0; c < 4; c++)
          nextLevel.sums[4 * ((y >> 1) * nextLevel.width + (x >> 1)) + c]! += last.sums[4 * (y * last.width + x) + c]!;
    levels.push(nextLevel);
  }
  let coarse = levels.at(-1)!;
  let colors = Float32Array.from([0, 1, 2], (c) => coarse.sums[c]! / Math.max(1e-6, coarse.sums[3]!));
  for (const level of levels.slice(0, -1).toReversed()) {
    const finerColors = new Float32Array(3 * level.width * level.height);
    for (let y = 0; y < level.height; y++)
      for (let x = 0; x < level.width; x++) {
        const pixelIndex = y * level.width + x;
        const levelWeight = Math.min(1, level.sums[4 * pixelIndex + 3]!);
        // The most common case: a fully trusted pixel keeps its color.
        if (levelWeight === 1) {
          for (let c = 0; c < 3; c++)
            finerColors[3 * pixelIndex + c] = level.sums[4 * pixelIndex + c]! / level.sums[4 * pixelIndex + 3]!;
          continue;
        }
        const u = clamp(x / 2 - 0.25, 0, coarse.width - 1);
        const v = clamp(y / 2 - 0.25, 0, coarse.height - 1);
        const [left, top] = [Math.floor(u), Math.floor(v)];
        const [right, low] = [Math.min(coarse.width - 1, left + 1), Math.min(coarse.height - 1, top + 1)];
        for (let c = 0; c < 3; c++) {
          const readColorValue = (column: number, row: number) => colors[3 * (row * coarse.width + column) + c]!;
          const upperRowColor =
            readColorValue(left, top) + (readColorValue(right, top) - readColorValue(left, top)) * (u - left);
          const lowerRowColor =
            readColorValue(left, low) + (readColorValue(right, low) - readColorValue(left, low)) * (u - left);
          const interpolatedColor = upperRowColor + (lowerRowColor - upperRowColor) * (v - top);
          finerColors[3 * pixelIndex + c] =
            levelWeight > 0
              ? interpolatedColor +
                levelWeight * (level.sums[4 * pixelIndex + c]! / level.sums[4 * pixelIndex + 3]! - interpolatedColor)
              : interpolatedColor;
        }
      }
    [coarse, colors] = [level, finerColors];
  }
  return Uint8Array.from(colors, (value) => value + 0.5);
}
