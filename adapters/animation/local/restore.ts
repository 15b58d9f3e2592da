import sharp from 'sharp';
import { createGrid, smoothRamp, type Box, type Grid, type Size } from '../../seeing/grid.ts';
import { fillFromNeighbors } from '../../seeing/fill-behind-people.ts';
import { markCurvedScratches } from './curved-scratches.ts';
import { findBlobs, type Blob } from './mark-blobs.ts';
import type { RenderContext } from './render-context.ts';

/**
 * Size of the median filter in pixels. The filter removes structures thinner than half of this size, so that a line can
 * be compared with its surroundings.
 */
const medianFilterSize = 9;
/** Minimum difference of a thin line from its surroundings, 0 to 1, to count as damage. */
const minDamageStep = 0.055;
/** Minimum length of a scratch, as a fraction of the height. Railings and strings are mostly shorter or thicker. */
const minScratchLength = 0.2;
const mostScratches = 16;
/** In pixels: the resolution of a line's distance from the origin, and the largest gap in a scratch. */
const rhoStep = 2;
const mostGap = 24;
/**
 * No damage is detected within this fraction of a face's height around the face, because eyes and teeth have lines too.
 */
const faceRoom = 0.25;

/** The stage's picture with scratches filled from their surroundings and faded tones restored. */
export const restorePicture = (stage: RenderContext): Promise<Uint8Array> =>
  repair(stage, stage.picture, computeTones(stage.picture));

/** The stage with its picture repaired, and with the picture behind the people repaired in the same tones. */
export async function repairStage(stage: RenderContext): Promise<RenderContext> {
  const tones = computeTones(stage.picture);
  const picture = await repair(stage, stage.picture, tones);
  if (!stage.cut?.behind) return { ...stage, picture };
  return { ...stage, picture, cut: { ...stage.cut, behind: await repair(stage, stage.cut.behind, tones) } };
}

async function repair(
  { inner, framing, scale }: RenderContext,
  picture: Uint8Array,
  tones: ToneTable[],
): Promise<Uint8Array> {
  const raw = { raw: { width: inner.width, height: inner.height, channels: 3 } } as const;
  // Restores the tones first, because a scratch is hard to detect on a faded photo.
  const repairedPicture = applyTones(picture, tones);
  // In a photo this narrow, a line cannot be distinguished from its surroundings.
  if (Math.min(inner.width, inner.height) < medianFilterSize) return repairedPicture;
  const calmedPicture = await sharp(repairedPicture, raw).median(medianFilterSize).raw().toBuffer();
  const marks = createGrid(inner);
  for (let at = 0; at < marks.at.length; at++) {
    const step = computeBrightness(repairedPicture, at) - computeBrightness(calmedPicture, at);
    marks.at[at] = Math.abs(step) > minDamageStep ? step : 0;
  }
  for (const face of framing.faces) clearMarksInBox(marks.at, inner, convertFaceBox(face));
  const grey = { raw: { width: inner.width, height: inner.height, channels: 1 } } as const;
  const repairMask = new Uint8Array(marks.at.length);
  for (const isDamage of [isBrightMark, isDarkMark, isAnyMark])
    for (const line of findStraightLines(marks, isDamage)) markScratches(repairMask, marks, line, isDamage);
  markCurvedScratches(repairMask, marks, isBrightMark);
  markDust(repairMask, marks, calmedPicture);
  if (!repairMask.includes(255)) return repairedPicture;
  const softMask = await sharp(repairMask, grey).blur(0.8).extractChannel(0).raw().toBuffer();
  const filledPicture = fillFromNeighbors(
    { ...inner, rgb: repairedPicture },
    repairMask.map((part) => 255 - part),
  );
  for (let at = 0; at < softMask.length; at++) {
    const part = smoothRamp(0, 120, softMask[at]!);
    if (part > 0)
      for (let c = 3 * at; c < 3 * at + 3; c++)
        repairedPicture[c] = repairedPicture[c]! + (filledPicture[c]! - repairedPicture[c]!) * part + 0.5;
  }
  return repairedPicture;

  function convertFaceBox({ left, top, width, height }: Box): Box {
    const faceMargin = faceRoom * height;
    return {
      left: (left - faceMargin) * scale - inner.left,
      top: (top - faceMargin) * scale - inner.top,
      width: (width + 2 * faceMargin) * scale,
      height: (height + 2 * faceMargin) * scale,
    };
  }
}

const computeBrightness = (rgb: Uint8Array, at: number) =>
  (0.3 * rgb[3 * at]! + 0.59 * rgb[3 * at + 1]! + 0.11 * rgb[3 * at + 2]!) / 255;

function clearMarksInBox(marks: Float32Array, { width, height }: Size, box: Box): void {
  for (let y = Math.max(0, Math.floor(box.top)); y < Math.min(height, box.top + box.height); y++)
    for (let x = Math.max(0, Math.floor(box.left)); x < Math.min(width, box.left + box.width); x++)
      marks[y * width + x] = 0;
}

/** A straight line: all points where x cos + y sin equals `away`. */
interface Line {
  cos: number;
  sin: number;
  away: number;
}

/** The difference from the surroundings, from -1 to 1, that counts as a part of a scratch. */
type IsDamage = (step: number) => boolean;
/** Most scratches show the white paper under the print. In a photo with leaves or hair, weak marks are everywhere. */
const isBrightMark: IsDamage = (step) => step > 2 * minDamageStep;
const isDarkMark: IsDamage = (step) => step < -2 * minDamageStep;
const isAnyMark: IsDamage = (step) => step !== 0;

/** The straight lines with the most marks (Hough transform), strongest first. */
function findStraightLines({ width, height, at: marks }: Grid, isDamage: IsDamage): Line[] {
  const angles = Array.from({ length: 180 }, (_, degree) => (degree * Math.PI) / 180);
  const [cos, sin] = [Math.cos, Math.sin].map((of) => Float64Array.from(angles, (angle) => of(angle) / rhoStep));
  const farthestRho = Math.ceil(Math.hypot(width, height) / rhoStep);
  const rhoCount = 2 * farthestRho + 1;
  const votes = new Uint16Array(angles.length * rhoCount);
  for (let at = 0; at < marks.length; at++) {
    if (!isDamage(marks[at]!)) continue;
    const [x, y] = [at % width, Math.floor(at / width)];
    for (let index = 0; index < angles.length; index++)
      votes[index * rhoCount + Math.round(x * cos![index]! + y * sin![index]!) + farthestRho]! += 1;
  }
  const leastVotes = minScratchLength * height;
  const foundLines = angles.flatMap((angle, index) => {
    const votesOfAngle = votes.subarray(index * rhoCount, (index + 1) * rhoCount);
    return [...votesOfAngle.keys()]
      .filter((place) => votesOfAngle[place]! >= leastVotes)
      .map((place) => ({ angle, index, place, count: votesOfAngle[place]! }));
  });
  const distinctLines: typeof foundLines = [];
  for (const foundLine of foundLines.toSorted((a, b) => b.count - a.count)) {
    const isKnown = distinctLines.some(
      (other) => Math.abs(other.index - foundLine.index) <= 3 && Math.abs(other.place - foundLine.place) <= 8,
    );
    if (!isKnown) distinctLines.push(foundLine);
    if (distinctLines.length === mostScratches) break;
  }
  return distinctLines.map(({ angle, place }) => ({
    cos: Math.cos(angle),
    sin: Math.sin(angle),
    away: (place - farthestRho) * rhoStep,
  }));
}

/**
 * Marks the scratches along a line for repair. A line is a scratch if marks follow each other along it for long enough,
 * and if few marks as strong are beside it: otherwise it is leaves, hair or grass. A scratch is hardly seen where the
 * photo is as bright as the paper, so shorter parts of the same line are repaired too, including faint ones.
 */
function markScratches(
  repairMask: Uint8Array,
  { width, height, at: marks }: Grid,
  { cos, sin, away }: Line,
  isDamage: IsDamage,
): void {
  const halfLineWidth = 4;
  const widths = Array.from({ length: 2 * halfLineWidth + 1 }, (_, at) => at - halfLineWidth);
  const diagonalLength = Math.ceil(Math.hypot(width, height));
  const pixelIndexOf = (along: number, aside: number): number => {
    const [x, y] = [Math.round((away + aside) * cos - along * sin), Math.round((away + aside) * sin + along * cos)];
    return x < 0 || y < 0 || x >= width || y >= height ? -1 : y * width + x;
  };
  const findStrongestMark = (along: number, from: number, to: number): number => {
    let strongest = 0;
    for (let aside = from; aside <= to; aside++) {
      const step = marks[pixelIndexOf(along, aside)] ?? 0;
      if (isDamage(step)) strongest = Math.max(strongest, Math.abs(step));
    }
    return strongest;
  };
  interface Run {
    from: number;
    last: number;
    count: number;
    /** The number of its marks that are alone: at most one side has a mark half as strong. */
    alone: number;
  }
  const runs: Run[] = [];
  for (let along = -diagonalLength; along <= diagonalLength; along++) {
    const strength = findStrongestMark(along, -halfLineWidth, halfLineWidth);
    if (strength === 0) continue;
    let run = runs.at(-1);
    if (!run || along - run.last > mostGap) runs.push((run = { from: along, last: along, count: 0, alone: 0 }));
    run.last = along;
    run.count += 1;
    const beside = Math.max(
      findStrongestMark(along, -2 * halfLineWidth - 8, -halfLineWidth - 4),
      findStrongestMark(along, halfLineWidth + 4, 2 * halfLineWidth + 8),
    );
    if (beside < 0.5 * strength) run.alone += 1;
  }
  const isLong = ({ from, last, count, alone }: Run, least: number) =>
    last - from > least && count > 0.5 * (last - from) && alone > 0.6 * count;
  if (!runs.some((run) => isLong(run, minScratchLength * height))) return;
  for (const run of runs.filter((it) => isLong(it, 0.05 * height)))
    for (let along = run.from; along <= run.last; along += 0.5) {
      // Where the scratch cannot be seen, its place is only nearly known.
      const seen = widths.filter((aside) => isDamage(marks[pixelIndexOf(along, aside)] ?? 0));
      const [from, to] = seen.length > 0 ? [seen[0]! - 2, seen.at(-1)! + 2] : [-3, 3];
      for (let aside = from; aside <= to; aside++) {
        const pixelIndex = pixelIndexOf(along, aside);
        if (pixelIndex >= 0) repairMask[pixelIndex] = 255;
      }
    }
}

/** Area of a speck of dust in pixels. A larger one is a part of the photo, and a smaller one is its grain. */
const speckArea = { least: 3, most: 70 };
/** In pixels around a speck: how far it is repaired, and how far the photo must be free of other marks. */
const speckReach = { repair: 3, alone: 10 };
/** Fewer specks than this are buttons, pearls or lights of the photo. */
const fewestSpecks = 20;

/**
 * Marks bright specks of dust for repair: small marks without other marks around them. Specks on a dark background stay,
 * because they are stars or lights.
 */
function markDust(repairMask: Uint8Array, { width, height, at: marks }: Grid, calmedPicture: Uint8Array): void {
  const specks = findBlobs({ width, height, at: marks }, isBrightMark).filter((blob) => {
    const isRound = Math.max(blob.right - blob.left, blob.bottom - blob.top) < 12;
    const area = blob.pixels.length;
    if (area < speckArea.least || area > speckArea.most || !isRound) return false;
    return computeBrightness(calmedPicture, blob.pixels[0]!) >= 0.2 && countMarksAround(blob) <= area * 0.5;
  });
  if (specks.length < fewestSpecks) return;
  for (const box of specks)
    forEachPixel(box, speckReach.repair, (at) => {
      repairMask[at] = 255;
    });

  /** The number of bright marks around a box, without those in it and at its edge. */
  function countMarksAround(box: Blob): number {
    let count = 0;
    forEachPixel(box, speckReach.alone, (at) => (count += isBrightMark(marks[at]!) ? 1 : 0));
    forEachPixel(box, 1, (at) => (count -= isBrightMark(marks[at]!) ? 1 : 0));
    return count;
  }
  function forEachPixel(box: Blob, margin: number, use: (at: number) => void): void {
    for (let y = Math.max(0, box.top - margin); y <= Math.min(height - 1, box.bottom + margin); y++)
      for (let x = Math.max(0, box.left - margin); x <= Math.min(width - 1, box.right + margin); x++)
        use(y * width + x);
  }
}

/** The new value of each value of one color. */
type ToneTable = Uint8ClampedArray;

/**
 * Stretches each color's darkest and brightest values to nearly black and white, because the dyes of old photos fade
 * unevenly. The stretch is only as strong as the whole photo is faded. A photo of a yellow wall lacks blue but still
 * has black and bright parts, so it does not change.
 */
function computeTones(rgb: Uint8Array): ToneTable[] {
  const rangesByColor = [0, 1, 2].map((c) => computeValueRange(rgb, c));
  // A gray photo stays gray. Its paper border may be yellow, which would tint the photo blue.
  const ranges = isGray(rgb)
    ? rangesByColor.map(() => ({
        low: Math.min(...rangesByColor.map((it) => it.low)),
        high: Math.max(...rangesByColor.map((it) => it.high)),
      }))
    : rangesByColor;
  const [lows, highs] = [ranges.map((it) => it.low), ranges.map((it) => it.high)];
  const faded = Math.max(0, Math.min(...lows) - black) + Math.max(0, white - Math.max(...highs));
  const restoreStrength = 0.85 * smoothRamp(8, 45, faded);
  return ranges.map(({ low, high }) => {
    if (high - low < 60) return Uint8ClampedArray.from({ length: 256 }, (_, value) => value);
    const [to0, to1] = [low + restoreStrength * (black - low), high + restoreStrength * (white - high)];
    return Uint8ClampedArray.from({ length: 256 }, (_, value) => to0 + ((value - low) / (high - low)) * (to1 - to0));
  });
}

const applyTones = (rgb: Uint8Array, tones: readonly ToneTable[]): Uint8Array =>
  rgb.map((value, at) => tones[at % 3]![value]!);
const [black, white] = [10, 246];

/** Whether most pixels have almost no color. */
function isGray(rgb: Uint8Array): boolean {
  let count = 0;
  for (let at = 0; at < rgb.length; at += 3) {
    const [r, g, b] = [rgb[at]!, rgb[at + 1]!, rgb[at + 2]!];
    if (Math.max(r, g, b) - Math.min(r, g, b) <= mostGrayDifference) count += 1;
  }
  return count > (leastGrayPart * rgb.length) / 3;
}
/** The largest difference between the colors of a gray pixel, 0 to 255. */
const mostGrayDifference = 10;
/** The fraction of a gray photo that has no color, 0 to 1. The rest is its paper. */
const leastGrayPart = 0.6;

/** The range that contains nearly all values of one color. */
function computeValueRange(rgb: Uint8Array, color: number): { low: number; high: number } {
  const counts = new Uint32Array(256);
  for (let at = color; at < rgb.length; at += 3) counts[rgb[at]!]!++;
  const valueAtShare = (share: number) => {
    let [sum, value] = [0, 0];
    for (; value < 255 && (sum += counts[value]!) < (share * rgb.length) / 3; value++);
    return value;
  };
  return { low: valueAtShare(0.005), high: valueAtShare(0.995) };
}
