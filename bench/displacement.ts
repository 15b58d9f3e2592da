/** Finds where parts of a photo are in a frame of its video, by matching small blocks. */
import sharp from 'sharp';
import type { Framing } from '#adapters/animation/local/framing.ts';
import { clamp, type Picture, type Size } from '#adapters/seeing/grid.ts';

export interface GrayImage extends Size {
  at: Uint8Array;
}
/** How far a block is moved in pixels, and how much it differs there, of 255. */
export interface BlockShift {
  x: number;
  y: number;
  dx: number;
  dy: number;
  residual: number;
}
/** Where a photo is in a frame: the photo, scaled to the frame, and the frame's position of its first pixel. */
export interface PhotoRegistration {
  photo: Picture;
  gray: GrayImage;
  /** Frame pixels per pixel of the display copy. */
  scale: number;
  left: number;
  top: number;
}

/** Half the side of a block, and the farthest shift that is found, in pixels. */
const halfBlock = 10;
const farthestShift = 24;
/** Blocks with less contrast than this (the mean difference to their mean, of 255) cannot be found again. */
const leastContrast = 4;

export const computeMean = (values: number[]): number =>
  values.length > 0 ? values.reduce((sum, it) => sum + it, 0) / values.length : 0;

export function convertToGray(rgb: ArrayLike<number>, { width, height }: Size): GrayImage {
  const grayValues = new Uint8Array(width * height);
  for (let i = 0; i < grayValues.length; i++)
    grayValues[i] = 0.3 * rgb[3 * i]! + 0.59 * rgb[3 * i + 1]! + 0.11 * rgb[3 * i + 2]! + 0.5;
  return { width, height, at: grayValues };
}

/** The places of a frame that are `step` pixels apart. */
export const listGridPoints = ({ width, height }: Size, step: number): [number, number][] =>
  Array.from({ length: Math.floor(height / step) }, (_, row) => (row + 0.5) * step).flatMap((y) =>
    Array.from({ length: Math.floor(width / step) }, (_unused, column): [number, number] => [
      Math.round((column + 0.5) * step),
      Math.round(y),
    ]),
  );

/** Finds the photo's block around a place of the frame in the frame. Undefined if it has no contrast. */
export function findShift(
  { gray, left, top }: PhotoRegistration,
  frame: GrayImage,
  x: number,
  y: number,
): BlockShift | undefined {
  const [u, v] = [x - left, y - top];
  const isInside = (of: Size, px: number, py: number, margin: number) =>
    px >= margin && py >= margin && px < of.width - margin && py < of.height - margin;
  if (!isInside(gray, u, v, halfBlock + 1) || !isInside(frame, x, y, halfBlock + 1)) return undefined;
  let sum = 0;
  for (let j = -halfBlock; j < halfBlock; j++)
    for (let i = -halfBlock; i < halfBlock; i++) sum += gray.at[(v + j) * gray.width + u + i]!;
  const meanBrightness = sum / (4 * halfBlock * halfBlock);
  let contrast = 0;
  for (let j = -halfBlock; j < halfBlock; j++)
    for (let i = -halfBlock; i < halfBlock; i++)
      contrast += Math.abs(gray.at[(v + j) * gray.width + u + i]! - meanBrightness);
  if (contrast / (4 * halfBlock * halfBlock) < leastContrast) return undefined;
  const measureDifferenceAt = (dx: number, dy: number, step: number): number => {
    if (!isInside(frame, x + dx, y + dy, halfBlock + 1)) return Infinity;
    let [off, count] = [0, 0];
    for (let j = -halfBlock; j < halfBlock; j += step)
      for (let i = -halfBlock; i < halfBlock; i += step, count++)
        off += Math.abs(gray.at[(v + j) * gray.width + u + i]! - frame.at[(y + dy + j) * frame.width + x + dx + i]!);
    return off / count;
  };
  let best = { dx: 0, dy: 0, off: measureDifferenceAt(0, 0, 3) - 0.5 };
  const tryOffset = (dx: number, dy: number, step: number) => {
    const difference = measureDifferenceAt(dx, dy, step);
    if (difference < best.off) best = { dx, dy, off: difference };
  };
  for (let dy = -farthestShift; dy <= farthestShift; dy += 2)
    for (let dx = -farthestShift; dx <= farthestShift; dx += 2) tryOffset(dx, dy, 3);
  const coarse = best;
  best = { ...coarse, off: measureDifferenceAt(coarse.dx, coarse.dy, 1) };
  for (let dy = -2; dy <= 2; dy++) for (let dx = -2; dx <= 2; dx++) tryOffset(coarse.dx + dx, coarse.dy + dy, 1);
  const { dx, dy, off } = best;
  const findPeakOffset = (before: number, after: number) => {
    const curvature = before + after - 2 * off;
    return Number.isFinite(curvature) && curvature > 1e-6 ? clamp((before - after) / (2 * curvature), -0.5, 0.5) : 0;
  };
  return {
    x,
    y,
    dx: dx + findPeakOffset(measureDifferenceAt(dx - 1, dy, 1), measureDifferenceAt(dx + 1, dy, 1)),
    dy: dy + findPeakOffset(measureDifferenceAt(dx, dy - 1, 1), measureDifferenceAt(dx, dy + 1, 1)),
    residual: off,
  };
}

/**
 * Compares a frame with the photo, scaled and moved like the frame, where nothing else moves: the difference of colors
 * (of 255), and the contrast of details relative to the photo's (1 is equal). Undefined if nothing rests.
 */
export function compareAtRest(
  registration: PhotoRegistration,
  rgb: ArrayLike<number>,
  gray: GrayImage,
): { color: number; sharpness: number } | undefined {
  const { photo, left, top } = registration;
  let [color, count, own, expected] = [0, 0, 0, 0];
  for (const [x, y] of listGridPoints(gray, 20)) {
    const shift = findShift(registration, gray, x, y);
    if (!shift || Math.hypot(shift.dx, shift.dy) > 0.7) continue;
    const sums = [0, 0, 0];
    for (let v = y - 8; v < y + 8; v++)
      for (let u = x - 8; u < x + 8; u++) {
        const [at, of] = [3 * (v * gray.width + u), 3 * ((v - top) * photo.width + u - left)];
        for (let c = 0; c < 3; c++) sums[c]! += rgb[at + c]! - photo.rgb[of + c]!;
        own += (rgb[at + 4]! - rgb[at + 1]!) ** 2 + (rgb[at + 3 * gray.width + 1]! - rgb[at + 1]!) ** 2;
        expected +=
          (photo.rgb[of + 4]! - photo.rgb[of + 1]!) ** 2 +
          (photo.rgb[of + 3 * photo.width + 1]! - photo.rgb[of + 1]!) ** 2;
      }
    color += sums.reduce((sum, it) => sum + Math.abs(it), 0) / 3 / 256;
    count += 1;
  }
  if (count === 0) return undefined;
  return { color: color / count, sharpness: Math.sqrt(own / expected) };
}

/** Finds the place and scale of the photo in a frame. Parts that move by themselves are left out. */
export async function registerPhoto(
  path: string,
  display: Size,
  framing: Framing,
  frame: GrayImage,
): Promise<PhotoRegistration> {
  const nominalScale = framing.place.width / framing.crop.width;
  const { x, y } = framing.travel?.atFaces ?? { x: 0, y: 0 };
  const [left, top] = [
    framing.place.left - framing.crop.left * nominalScale - x,
    framing.place.top - framing.crop.top * nominalScale - y,
  ];
  let at = await findCoarsePlace(path, display, { scale: nominalScale, left, top }, frame);
  for (let round = 0; ; round++) {
    const registration = await renderPhoto(path, display, at);
    if (round === 3) return registration;
    const shifts = listGridPoints(frame, 56).flatMap(([px, py]) => findShift(registration, frame, px, py) ?? []);
    const { zoom, dx, dy } = fitZoom(shifts);
    at = {
      scale: registration.scale * zoom,
      left: registration.left * zoom + dx,
      top: registration.top * zoom + dy,
    };
  }
}

type PhotoPosition = Pick<PhotoRegistration, 'scale' | 'left' | 'top'>;

async function renderPhoto(
  path: string,
  display: Size,
  { scale, left, top }: PhotoPosition,
): Promise<PhotoRegistration> {
  const size = { width: Math.round(display.width * scale), height: Math.round(display.height * scale) };
  const rgb = await sharp(path)
    .resize({ ...size, fit: 'fill' })
    .removeAlpha()
    .toColourspace('srgb')
    .raw()
    .toBuffer();
  return {
    photo: { ...size, rgb },
    gray: convertToGray(rgb, size),
    scale,
    left: Math.round(left),
    top: Math.round(top),
  };
}

/** The photo is first searched for in pictures that are smaller by this factor. */
const searchReduction = 16;

async function findCoarsePlace(
  path: string,
  display: Size,
  nominal: PhotoPosition,
  frame: GrayImage,
): Promise<PhotoPosition> {
  const shrunkFrame = await sharp(frame.at, { raw: { width: frame.width, height: frame.height, channels: 1 } })
    .resize(frame.width / searchReduction, frame.height / searchReduction, { fit: 'fill' })
    .extractChannel(0)
    .raw()
    .toBuffer({ resolveWithObject: true });
  const shrunkGrayFrame = { ...shrunkFrame.info, at: shrunkFrame.data };
  let best = { ...nominal, off: Infinity };
  for (let zoom = 1; zoom < 1.5; zoom *= 1.02) {
    const scale = (nominal.scale * zoom) / searchReduction;
    const { gray } = await renderPhoto(path, display, { scale, left: 0, top: 0 });
    // The camera zooms toward a point in the frame, and may go a little along the photo.
    const computeDisplacement = (length: number) => (length * (zoom - 1)) / searchReduction;
    const [left, top] = [nominal.left, nominal.top].map((it) => (it * zoom) / searchReduction) as [number, number];
    for (let v = Math.round(top - computeDisplacement(frame.height)) - 3; v <= top + 3; v++)
      for (let u = Math.round(left - computeDisplacement(frame.width)) - 3; u <= left + 3; u++) {
        let [off, count] = [0, 0];
        for (let y = 2; y < shrunkGrayFrame.height - 2; y += 2)
          for (let x = 2; x < shrunkGrayFrame.width - 2; x++) {
            const [px, py] = [x - u, y - v];
            if (px < 0 || py < 0 || px >= gray.width || py >= gray.height) continue;
            off += Math.abs(gray.at[py * gray.width + px]! - shrunkGrayFrame.at[y * shrunkGrayFrame.width + x]!);
            count += 1;
          }
        if (count > 0.15 * shrunkGrayFrame.width * shrunkGrayFrame.height && off / count < best.off)
          best = { scale: nominal.scale * zoom, left: u * searchReduction, top: v * searchReduction, off: off / count };
      }
  }
  return best;
}

/** The zoom about the frame's first pixel and the shift that most blocks follow. */
function fitZoom(shifts: BlockShift[]): { zoom: number; dx: number; dy: number } {
  let keptShifts = shifts;
  let zoomFit = { zoom: 1, dx: 0, dy: 0 };
  for (let round = 0; round < 6 && keptShifts.length >= 8; round++) {
    const [mx, my] = [computeMean(keptShifts.map((it) => it.x)), computeMean(keptShifts.map((it) => it.y))];
    const [mu, mv] = [computeMean(keptShifts.map((it) => it.dx)), computeMean(keptShifts.map((it) => it.dy))];
    let [over, under] = [0, 0];
    for (const { x, y, dx, dy } of keptShifts) {
      over += (x - mx) * (dx - mu) + (y - my) * (dy - mv);
      under += (x - mx) ** 2 + (y - my) ** 2;
    }
    const growthRatio = over / Math.max(1, under);
    zoomFit = { zoom: 1 + growthRatio, dx: mu - growthRatio * mx, dy: mv - growthRatio * my };
    const computeErrorOfShift = (it: BlockShift) =>
      Math.hypot(it.dx - growthRatio * it.x - zoomFit.dx, it.dy - growthRatio * it.y - zoomFit.dy);
    const median = keptShifts.map(computeErrorOfShift).toSorted((a, b) => a - b)[keptShifts.length >> 1]!;
    keptShifts = shifts.filter((it) => computeErrorOfShift(it) <= Math.max(0.6, 2 * median));
  }
  return zoomFit;
}
