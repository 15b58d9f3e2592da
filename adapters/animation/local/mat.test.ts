import { expect, test } from 'vitest';
import { drawMat } from './mat.ts';

const size = { width: 300, height: 200 };
const photoBox = { left: 100, top: 20, width: 100, height: 160 };

function readMatColorAround(color: readonly [number, number, number]) {
  const pixels = new Uint8Array(4 * size.width * size.height);
  const picture = Uint8Array.from({ length: 3 * photoBox.width * photoBox.height }, (_, at) => color[at % 3]!);
  drawMat(pixels, size, [photoBox], [picture]);
  return {
    at: (x: number, y: number) => [...pixels.subarray(4 * (y * size.width + x), 4 * (y * size.width + x) + 4)],
    pixels,
  };
}

test('the mat covers everything around the photo and nothing of the photo', () => {
  const { at } = readMatColorAround([120, 90, 60]);
  for (let y = 0; y < size.height; y++)
    for (let x = 0; x < size.width; x++) {
      const isPhoto =
        x >= photoBox.left &&
        x < photoBox.left + photoBox.width &&
        y >= photoBox.top &&
        y < photoBox.top + photoBox.height;
      expect(at(x, y)[3], `${x},${y}`).toBe(isPhoto ? 0 : 255);
    }
});

test('far from the photo, the mat has one color that does not depend on the photo’s edges', () => {
  const { at } = readMatColorAround([120, 90, 60]);
  expect(at(5, 5)).toEqual(at(5, 190));
  expect(at(5, 5)).toEqual(at(295, 100));
});

test('a bright photo has a light mat, a dark photo a dark one', () => {
  expect(Math.min(...readMatColorAround([150, 140, 130]).at(5, 5).slice(0, 3))).toBeGreaterThan(200);
  expect(Math.max(...readMatColorAround([20, 25, 30]).at(5, 5).slice(0, 3))).toBeLessThan(90);
});

test('the beveled edge is brighter below than above, because light comes from above', () => {
  const { at } = readMatColorAround([120, 90, 60]);
  const photoCenterX = photoBox.left + photoBox.width / 2;
  expect(at(photoCenterX, photoBox.top + photoBox.height)[0]).toBeGreaterThan(at(photoCenterX, photoBox.top - 1)[0]!);
});
