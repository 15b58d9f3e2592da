/**
 * Changes the colors of a film so that they agree with the photo. Phones process photos and films in different ways.
 * The picture of the film that shows the moment of the photo is compared with the photo; all pictures are then changed
 * alike.
 */
import { clamp } from '../../../seeing/grid.ts';

/** For each value of a plane, the value that replaces it. */
export type ValueMap = Uint8Array;

/** The fractions of the pixels at which the brightness of both pictures is compared. */
const fractions = [0.005, 0.02, 0.05, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 0.95, 0.98, 0.995];
/** How much brightness may be stretched or compressed between two of these fractions. */
const slopeLimits = { least: 0.4, most: 2.5 };

/** A map of brightness that gives the film's picture the distribution of the photo's. */
export function matchBrightness(film: Uint8Array, photo: Uint8Array): ValueMap {
  const [from, to] = [computeQuantiles(film), computeQuantiles(photo)];
  const points: [number, number][] = [[from[0]!, to[0]!]];
  for (let at = 1; at < fractions.length; at++) {
    const [x, y] = points.at(-1)!;
    // Values that are too close together have no meaningful slope.
    if (from[at]! - x < 2) continue;
    const distanceX = from[at]! - x;
    points.push([from[at]!, y + clamp(to[at]! - y, slopeLimits.least * distanceX, slopeLimits.most * distanceX)]);
  }
  return createValueMap((value) => {
    const nextPointIndex = points.findIndex(([x]) => x >= value);
    if (nextPointIndex === 0 || points.length === 1) return points[0]![1] + (value - points[0]![0]);
    const [a, b] =
      nextPointIndex < 0 ? [points.at(-2)!, points.at(-1)!] : [points[nextPointIndex - 1]!, points[nextPointIndex]!];
    // Beyond the last point, brightness continues with slope 1.
    const segmentSlope = nextPointIndex < 0 ? 1 : (b[1] - a[1]) / (b[0] - a[0]);
    return nextPointIndex < 0 ? b[1] + (value - b[0]) * segmentSlope : a[1] + (value - a[0]) * segmentSlope;
  });
}

/** A map of a color plane that gives the film's picture the mean and the spread of the photo's. */
export function matchColor(film: Uint8Array, photo: Uint8Array): ValueMap {
  const [from, to] = [meanAndSpread(film), meanAndSpread(photo)];
  // Nearly gray pictures have no spread to compare.
  const gain = Math.min(from.spread, to.spread) < 1.5 ? 1 : clamp(to.spread / from.spread, 0.6, 1.7);
  const shift = clamp(to.mean - from.mean, -24, 24);
  return createValueMap((value) => from.mean + shift + (value - from.mean) * gain);
}

const createValueMap = (value: (from: number) => number): ValueMap =>
  Uint8Array.from({ length: 256 }, (_, from) => clamp(Math.round(value(from)), 0, 255));

export function applyMap(plane: Uint8Array, map: ValueMap): void {
  for (let at = 0; at < plane.length; at++) plane[at] = map[plane[at]!]!;
}

function computeQuantiles(plane: Uint8Array): number[] {
  const counts = new Uint32Array(256);
  for (const value of plane) counts[value]! += 1;
  let [value, below] = [0, counts[0]!];
  return fractions.map((fraction) => {
    while (below < fraction * plane.length && value < 255) below += counts[++value]!;
    return value;
  });
}

function meanAndSpread(plane: Uint8Array): { mean: number; spread: number } {
  let [sum, squares] = [0, 0];
  for (const value of plane) {
    sum += value;
    squares += value * value;
  }
  const meanValue = sum / plane.length;
  return { mean: meanValue, spread: Math.sqrt(Math.max(0, squares / plane.length - meanValue * meanValue)) };
}
