import sharp from 'sharp';
import { expect, test } from 'vitest';
import type { VideoDimensions } from '../motion.ts';
import { computeFraming } from '../framing.ts';
import { createRenderContext } from '../render-context.ts';
import { createFloatingPrintScene } from './floating-print.ts';

const film: VideoDimensions = { width: 640, height: 400, frames: 8 };

async function drawPrintOf(size: { width: number; height: number }, title?: string) {
  const greenPhoto = { ...size, channels: 3, background: '#50b060' } as const;
  const photo = { ...size, pixels: () => sharp({ create: greenPhoto }).png() };
  const pixels = await photo.pixels().toBuffer();
  const stage = await createRenderContext(
    { ...photo, pixels: () => sharp(pixels) },
    film,
    computeFraming(photo, film, {}),
    {},
  );
  return (await createFloatingPrintScene(stage, title))({ phase: 0, frame: 0 });
}
const paper = 200;

/** The rows of paper below the photo, measured left of a short title. */
function findPaperBelowPhoto(planes: Uint8Array, x: number): { top: number; bottom: number } {
  let top = film.height / 2;
  while (planes[top * film.width + x]! < paper) top++;
  let bottom = top;
  while (planes[bottom * film.width + x]! >= paper) bottom++;
  return { top, bottom };
}

test.each([
  { width: 900, height: 600 },
  { width: 600, height: 900 },
])('writes a title in ink on the paper of a print of $width x $height', async (size) => {
  const left = film.width / 2 - (size.width > size.height ? 120 : 80);
  const [plain, titled] = [await drawPrintOf(size), await drawPrintOf(size, 'Bo')];
  const [bare, written] = [findPaperBelowPhoto(plain, left), findPaperBelowPhoto(titled, left)];
  expect(written.bottom - written.top).toBeGreaterThan(bare.bottom - bare.top + 15);
  expect(written.bottom).toBeLessThan(film.height);
  const countInkPixels = (planes: Uint8Array, { top, bottom }: typeof bare) => {
    let count = 0;
    for (let y = top + 2; y < bottom - 2; y++)
      for (let x = left; x < film.width - left; x++) if (planes[y * film.width + x]! < 110) count++;
    return count;
  };
  expect(countInkPixels(plain, bare)).toBe(0);
  expect(countInkPixels(titled, written)).toBeGreaterThan(30);
});

test.each([
  { width: 1, height: 1 },
  { width: 20_000, height: 10 },
  { width: 10, height: 20_000 },
])('draws the print of a photo of $width x $height with a long title', async (size) => {
  const planes = await drawPrintOf(
    size,
    'Grandpa’s boat on the lake at Łódź, summer 1962, with all of the Nguyễn family',
  );
  expect(planes.subarray(0, film.width * film.height).some((it) => it >= paper)).toBe(true);
});

test('the print casts a soft shadow on its backdrop, stronger below than above', async () => {
  const planes = await drawPrintOf({ width: 900, height: 600 });
  const column = film.width / 2;
  const brightnessAtRow = (y: number) => planes[y * film.width + column]!;
  const { bottom } = findPaperBelowPhoto(planes, column);
  let top = 0;
  while (brightnessAtRow(top) < paper) top++;
  const [above, below] = [brightnessAtRow(top - 4), brightnessAtRow(bottom + 4)];
  const backdropBrightness = planes[(film.height / 2) * film.width + 4]!;
  expect(below).toBeLessThan(0.8 * backdropBrightness);
  expect(below).toBeLessThan(above - 4);
  for (let y = bottom + 4; y < film.height - 1; y++)
    expect(Math.abs(brightnessAtRow(y + 1) - brightnessAtRow(y))).toBeLessThanOrEqual(4);
});
