import { expect, test } from 'vitest';
import { createCompositor, unitsPerPixel, pixelsPerRun } from './compositor.ts';
import { paintColorInBox, convertRgbToYuv, convertPlanesToRgb } from './video-planes.ts';

const size = { width: 16, height: 16 };
const area = size.width * size.height;
/** Draws a picture pixel by pixel from a larger plate. */
function createPlanesOfPicture(pixelAt: (x: number, y: number) => number[]): Uint8Array {
  const sideLength = 24;
  const pixels = Uint8Array.from({ length: 4 * sideLength * sideLength }, (_, at) => {
    const pixelIndex = at >> 2;
    return [...pixelAt(pixelIndex % sideLength, Math.floor(pixelIndex / sideLength)), 255][at % 4]!;
  });
  const { layers, planes } = createCompositor(size, [{ plate: { width: sideLength, height: sideLength, pixels } }]);
  const { places, columns, rise } = layers[0]!;
  for (let at = 0; at < places.length; at += 2) {
    const corner = at / 2;
    places.set(
      [
        (corner % (columns + 1)) * pixelsPerRun * unitsPerPixel,
        Math.floor(corner / (columns + 1)) * rise * unitsPerPixel,
      ],
      at,
    );
  }
  layers[0]!.take();
  return planes;
}
/** BT.709 in limited range, by the formulas of the standard. */
function computeExpectedYuv([red, green, blue]: [number, number, number]) {
  const brightness = 0.2126 * red + 0.7152 * green + 0.0722 * blue;
  return [
    16 + (219 / 255) * brightness,
    128 + ((224 / 255) * (blue - brightness)) / 1.8556,
    128 + ((224 / 255) * (red - brightness)) / 1.5748,
  ];
}
const colors: [number, number, number][] = [
  [0, 0, 0],
  [255, 255, 255],
  [255, 0, 0],
  [0, 255, 0],
  [0, 0, 255],
  [200, 150, 120],
  [17, 99, 201],
];

test.each(colors)('%i, %i, %i is converted to brightness and color, at most half a step off', (...color) => {
  const planes = createPlanesOfPicture(() => color);
  const [bright, blue, red] = computeExpectedYuv(color);
  for (const [from, to, value] of [
    [0, area, bright],
    [area, 1.25 * area, blue],
    [1.25 * area, 1.5 * area, red],
  ] as const)
    for (const planeValue of planes.subarray(from, to)) expect(Math.abs(planeValue - value!)).toBeLessThan(0.51);
});

test('every pixel has its own brightness, and every block of four the mean of their colors', () => {
  const pixelColorAt = (x: number, y: number): [number, number, number] => [
    (x * 16 + y) % 256,
    (y * 60 + x) % 256,
    (x * y * 5) % 256,
  ];
  const planes = createPlanesOfPicture(pixelColorAt);
  for (let y = 0; y < size.height; y++)
    for (let x = 0; x < size.width; x++)
      expect(Math.abs(planes[y * size.width + x]! - computeExpectedYuv(pixelColorAt(x, y))[0]!)).toBeLessThan(0.51);
  for (let y = 0; y < size.height / 2; y++)
    for (let x = 0; x < size.width / 2; x++) {
      const fourPixels = [
        pixelColorAt(2 * x, 2 * y),
        pixelColorAt(2 * x + 1, 2 * y),
        pixelColorAt(2 * x, 2 * y + 1),
        pixelColorAt(2 * x + 1, 2 * y + 1),
      ];
      const meanColor = [0, 1, 2].map((blendPartAt) => fourPixels.reduce((sum, it) => sum + it[blendPartAt]!, 0) / 4);
      const [, blue, red] = computeExpectedYuv(meanColor as [number, number, number]);
      const pixelIndex = (y * size.width) / 2 + x;
      expect(Math.abs(planes[area + pixelIndex]! - blue!)).toBeLessThan(0.51);
      expect(Math.abs(planes[1.25 * area + pixelIndex]! - red!)).toBeLessThan(0.51);
    }
});

test.each(colors)('%i, %i, %i is restored from its planes, within their precision', (...color) => {
  const rgb = convertPlanesToRgb(
    createPlanesOfPicture(() => color),
    size,
  );
  for (const [at, value] of rgb.entries()) expect(Math.abs(value - color[at % 3]!)).toBeLessThan(3);
});

test('paints brightness and color with the given opacity, and nothing outside the picture', () => {
  const planes = new Uint8Array(1.5 * area).fill(100, 0, area).fill(128, area);
  const redYuv = convertRgbToYuv(200, 30, 30);
  const blendPartAt = (x: number, y: number) => (x < 4 ? 1 : x === 4 && y < 2 ? 0.5 : 0);
  paintColorInBox(planes, size, { left: -3, top: -2, width: 9, height: 90 }, redYuv, blendPartAt);
  const readBrightness = (x: number, y: number) => planes[y * size.width + x]!;
  expect([
    readBrightness(0, 0),
    readBrightness(3, 3),
    readBrightness(4, 1),
    readBrightness(4, 2),
    readBrightness(6, 0),
  ]).toEqual([Math.round(redYuv[0]), Math.round(redYuv[0]), Math.round((100 + redYuv[0]) / 2), 100, 100]);
  // Each color value belongs to four pixels. The shape covers half of two of them.
  const readRedDifference = (x: number, y: number) => planes[1.25 * area + ((y / 2) * size.width + x) / 2]!;
  expect([readRedDifference(0, 0), readRedDifference(2, 2), readRedDifference(4, 0), readRedDifference(4, 2)]).toEqual([
    Math.round(redYuv[2]),
    Math.round(redYuv[2]),
    Math.round(128 + (redYuv[2] - 128) / 4),
    128,
  ]);
});
