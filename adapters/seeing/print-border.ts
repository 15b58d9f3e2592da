import type { PhotoArea } from '#shop/ports/photo-analyzer.ts';
import type { Picture } from './grid.ts';
import { computeLuminance, resizePicture } from './pixels.ts';

/** The paper border of an old print: a bright, even band around the whole picture. */

/** The longer side of the copy in which the border is searched, in pixels. */
const searchedLength = 800;
/** The darkest paper, 0 to 1. Old paper is yellow or gray. */
const leastPaperLight = 0.62;
/** How much the brightness of a spot on the paper may differ from the paper's median, 0 to 1. */
const paperDeviation = 0.09;
/** The fraction of the outermost band that must look like paper. */
const leastEvenPart = 0.94;
/** The narrowest and the widest border, as fractions of the shorter side. */
const borderWidth = { least: 0.012, most: 0.24 };
/** A border ends in a straight line: this fraction of its edge lies within `edgeDeviation` of the line. */
const leastStraightPart = 0.8;
/** How far a point of the edge may be from the line, as a fraction of the shorter side. */
const edgeDeviation = 0.012;
/** How far a print may be turned, as the tangent of the angle: 3 degrees. */
const steepestEdge = 0.052;
/** Cut off so much more on each side that no line of paper stays, as a fraction of the shorter side. */
const margin = 0.004;

type Side = 'left' | 'top' | 'right' | 'bottom';

/**
 * Finds the picture inside the paper border of a photographed or scanned print. All four sides must have a border with a
 * straight edge, so that a bright sky or snow is not taken for paper. Undefined if there is no such border.
 */
export async function findPictureInBorder(picture: Picture): Promise<PhotoArea | undefined> {
  const scale = Math.min(1, searchedLength / Math.max(picture.width, picture.height));
  const size = {
    width: Math.max(1, Math.round(picture.width * scale)),
    height: Math.max(1, Math.round(picture.height * scale)),
  };
  const light = computeLuminance(await resizePicture(picture, size));
  const { width, height } = size;
  const shorterSide = Math.min(width, height);
  const band = Math.max(2, Math.round(borderWidth.least * shorterSide));
  if (band * 4 > shorterSide) return undefined;
  const readBrightness = (side: Side, along: number, depth: number): number => {
    if (side === 'left') return light.at[along * width + depth]!;
    if (side === 'right') return light.at[along * width + width - 1 - depth]!;
    if (side === 'top') return light.at[depth * width + along]!;
    return light.at[(height - 1 - depth) * width + along]!;
  };
  const getSideLength = (side: Side) => (side === 'left' || side === 'right' ? height : width);
  const outermost = sides.flatMap((side) =>
    Array.from({ length: getSideLength(side) * band }, (_, at) =>
      readBrightness(side, Math.floor(at / band), at % band),
    ),
  );
  const paperLight = median(outermost);
  const isPaper = (value: number) => Math.abs(value - paperLight) <= paperDeviation;
  if (paperLight < leastPaperLight) return undefined;
  if (outermost.filter(isPaper).length < leastEvenPart * outermost.length) return undefined;

  /** Returns the border's greatest width at this side, in pixels. Undefined if it has no straight edge. */
  const measureBorder = (side: Side): number | undefined => {
    const maxBorderWidth = Math.floor(borderWidth.most * shorterSide);
    const from = Math.round(0.15 * getSideLength(side));
    const to = Math.round(0.85 * getSideLength(side));
    const widths: number[] = [];
    for (let along = from; along < to; along += 1) {
      let depth = band;
      // A single speck is dust on the paper. The picture begins where two of three pixels are not paper.
      while (depth < maxBorderWidth && countPicture(side, along, depth) < 2) depth += 1;
      widths.push(depth);
    }
    return findStraightEdge(widths, {
      from,
      to: getSideLength(side),
      most: maxBorderWidth,
      deviation: edgeDeviation * shorterSide + 1,
    });
  };
  const countPicture = (side: Side, along: number, depth: number) =>
    [0, 1, 2].filter((more) => !isPaper(readBrightness(side, along, depth + more))).length;

  const extra = Math.ceil(margin * shorterSide);
  const [left, top, right, bottom] = sides.map((side) => {
    const found = measureBorder(side);
    return found === undefined ? undefined : found + extra;
  });
  if (left === undefined || top === undefined || right === undefined || bottom === undefined) return undefined;
  return {
    left: roundFraction(left / width),
    top: roundFraction(top / height),
    width: roundFraction((width - left - right) / width),
    height: roundFraction((height - top - bottom) / height),
  };
}
const sides: Side[] = ['left', 'top', 'right', 'bottom'];

interface EdgeLimits {
  /** The position along the side at which the measured widths begin, and the length of the side, in pixels. */
  from: number;
  to: number;
  most: number;
  deviation: number;
}

/** Fits a line to the widths of a border along one side, and returns the greatest width on that line. */
function findStraightEdge(widths: readonly number[], { from, to, most, deviation }: EdgeLimits): number | undefined {
  const half = widths.length >> 1;
  const [early, late] = [median(widths.slice(0, half)), median(widths.slice(half))];
  const slope = (late - early) / half;
  if (Math.abs(slope) > steepestEdge) return undefined;
  const computeLineDepth = (along: number) => early + slope * (along - from - half / 2);
  const straightCount = widths.filter((it, at) => Math.abs(it - computeLineDepth(from + at)) <= deviation).length;
  if (straightCount < leastStraightPart * widths.length) return undefined;
  const greatest = Math.ceil(Math.max(computeLineDepth(0), computeLineDepth(to)));
  return greatest < most ? greatest : undefined;
}

const median = (values: readonly number[]): number => values.toSorted((a, b) => a - b)[values.length >> 1]!;
const roundFraction = (value: number): number => Math.round(value * 1e4) / 1e4;
