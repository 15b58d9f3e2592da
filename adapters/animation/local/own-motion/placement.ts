/**
 * Finds where a film shows the photo that it was recorded with. Phones crop their films in other ways than their
 * photos, and the camera shakes. So each picture of the film is compared with the photo itself: at which size and place
 * do both agree best? The photo is the fixed point, so nothing drifts during the film.
 */
import type { Box, Size } from '../../../seeing/grid.ts';

export interface GrayPicture extends Size {
  at: Uint8Array;
  /** Width by height of what it shows. Its own size is rounded. */
  shape: number;
}

/**
 * Where a picture of the film shows the photo: the width of the whole photo in widths of the film, and the position of
 * its middle, in pixels from the middle of the film.
 */
export interface Placement {
  scale: number;
  x: number;
  y: number;
}

/** Points of the photo, with their distance from the middle of the whole photo in widths of the whole photo. */
export interface PhotoPoints {
  x: Float64Array;
  y: Float64Array;
  gray: Uint8Array;
  /** Width of the whole photo by its height. */
  shape: number;
  /** The part of the whole photo that is shown, in fractions. */
  area: Box;
}

/** @param shown the shown part of the photo, reduced to one pixel for each point */
export function createPhotoPoints(shown: GrayPicture, area: Box): PhotoPoints {
  const { width, at: gray } = shown;
  const shape = (shown.shape * area.height) / area.width;
  const [x, y] = [new Float64Array(gray.length), new Float64Array(gray.length)];
  for (let i = 0; i < gray.length; i++) {
    x[i] = area.left + (area.width * ((i % width) + 0.5)) / width - 0.5;
    y[i] = (area.top + (area.height * (Math.floor(i / width) + 0.5)) / shown.height - 0.5) / shape;
  }
  return { x, y, gray, shape, area };
}

/** The smallest part of the photo that the film must show. 0 to 1. */
const leastOverlap = 0.5;

/**
 * How similar the photo and a picture of the film are at this placement: the correlation of their brightness, from -1
 * to 1. It does not depend on exposure and contrast. Compares every `step`th point.
 */
export function computeSimilarity(photo: PhotoPoints, film: GrayPicture, placement: Placement, step = 1): number {
  const { width, height, at } = film;
  const { x, y, gray } = photo;
  const [across, down] = [placement.scale * width, placement.scale * height * film.shape];
  const [left, top] = [width / 2 + placement.x - 0.5, height / 2 + placement.y - 0.5];
  let [count, sumA, sumB, sumAA, sumBB, sumAB] = [0, 0, 0, 0, 0, 0];
  for (let i = 0; i < gray.length; i += step) {
    const u = left + across * x[i]!;
    const v = top + down * y[i]!;
    if (u < 0 || v < 0 || u >= width - 1 || v >= height - 1) continue;
    const filmValue = interpolateValue(at, width, u, v);
    const photoValue = gray[i]!;
    count += 1;
    sumA += photoValue;
    sumB += filmValue;
    sumAA += photoValue * photoValue;
    sumBB += filmValue * filmValue;
    sumAB += photoValue * filmValue;
  }
  if (count < (leastOverlap * gray.length) / step) return -1;
  const [varianceA, varianceB] = [sumAA - sumA ** 2 / count, sumBB - sumB ** 2 / count];
  // A picture of one brightness has nothing to compare.
  return Math.min(varianceA, varianceB) < count
    ? 0
    : (sumAB - (sumA * sumB) / count) / Math.sqrt(varianceA * varianceB);
}

/** The brightness of the film at every `step`th point; NaN outside of the film. */
export function sampleFilmValues(photo: PhotoPoints, film: GrayPicture, placement: Placement, step: number): number[] {
  const { width, height, at } = film;
  const [across, down] = [placement.scale * width, placement.scale * height * film.shape];
  const values: number[] = [];
  for (let i = 0; i < photo.gray.length; i += step) {
    const u = width / 2 + placement.x - 0.5 + across * photo.x[i]!;
    const v = height / 2 + placement.y - 0.5 + down * photo.y[i]!;
    values.push(u < 0 || v < 0 || u >= width - 1 || v >= height - 1 ? NaN : interpolateValue(at, width, u, v));
  }
  return values;
}

/** The brightness of a film's picture at a position between its pixels. */
function interpolateValue(at: Uint8Array, width: number, u: number, v: number): number {
  const pixelIndex = (v | 0) * width + (u | 0);
  const [right, down] = [u - (u | 0), v - (v | 0)];
  const upperRowValue = at[pixelIndex]! + (at[pixelIndex + 1]! - at[pixelIndex]!) * right;
  const valueInRowBelow = at[pixelIndex + width]! + (at[pixelIndex + width + 1]! - at[pixelIndex + width]!) * right;
  return upperRowValue + (valueInRowBelow - upperRowValue) * down;
}

export interface PlacedPicture {
  placement: Placement;
  similarity: number;
}

/** Searches sizes and places in large steps. Both pictures have the same middle, more or less. */
export function searchPlacement(photo: PhotoPoints, film: GrayPicture): PlacedPicture {
  const { shape } = film;
  // Between the size at which both widths agree, and the size at which both heights agree.
  const [least, most] = [Math.min(1, photo.shape / shape) * 0.9, Math.max(1, photo.shape / shape) * 1.3];
  const searchRadius = 0.1 * film.width;
  const step = Math.max(1, film.width / 64);
  let best: PlacedPicture = { placement: { scale: 1, x: 0, y: 0 }, similarity: -1 };
  for (let scale = least; scale <= most; scale *= 1.03)
    for (let y = -searchRadius; y <= searchRadius; y += step)
      for (let x = -searchRadius; x <= searchRadius; x += step) {
        const placement = { scale, x, y };
        const similarity = computeSimilarity(photo, film, placement, 11);
        if (similarity > best.similarity) best = { placement, similarity };
      }
  return best;
}

/** Improves a placement in ever smaller steps, from `pixels` on: its place, and with `mayScale` its size. */
export function refinePlacement(
  photo: PhotoPoints,
  film: GrayPicture,
  start: Placement,
  { pixels, mayScale = false }: { pixels: number; mayScale?: boolean },
): PlacedPicture {
  let best: PlacedPicture = { placement: start, similarity: computeSimilarity(photo, film, start) };
  for (let step = pixels; step >= finestPixels; step /= 2)
    for (let tryCount = 0, isBetter = true; isBetter && tryCount < mostTries; tryCount++) {
      const { scale, x, y } = best.placement;
      const scaleStep = (2 * step) / film.width;
      const neighbors = [
        { scale, x: x - step, y },
        { scale, x: x + step, y },
        { scale, x, y: y - step },
        { scale, x, y: y + step },
        ...(mayScale
          ? [scale * (1 - scaleStep), scale * (1 + scaleStep)].map((other) => ({ scale: other, x, y }))
          : []),
      ];
      isBetter = false;
      for (const placement of neighbors) {
        const similarity = computeSimilarity(photo, film, placement);
        if (similarity <= best.similarity) continue;
        best = { placement, similarity };
        isBetter = true;
      }
    }
  return best;
}
const finestPixels = 0.05;
const mostTries = 40;

/** The part of the shown photo that a film of this size covers at a placement, in fractions. May exceed 0 to 1. */
export function computeCoveredArea({ area, shape }: PhotoPoints, film: GrayPicture, { scale, x, y }: Placement): Box {
  const [width, height] = [1 / scale, shape / (scale * film.shape)];
  const left = 0.5 - (0.5 + x / film.width) * width;
  const top = 0.5 - (0.5 + y / film.height) * height;
  return {
    left: (left - area.left) / area.width,
    top: (top - area.top) / area.height,
    width: width / area.width,
    height: height / area.height,
  };
}
