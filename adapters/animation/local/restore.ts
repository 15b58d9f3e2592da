import sharp from 'sharp';
import { createGrid, smoothRamp, type Box, type Grid, type Size } from '../../seeing/grid.ts';
import { fillWithoutModel } from '../../seeing/fill-behind-people.ts';
import type { RenderContext } from './render-context.ts';

/**
 * Size of the median filter in pixels. The filter removes structures thinner than half of this size, so that a line can
 * be compared with its surroundings.
 */
const calmOver = 9;
/** Minimum difference of a thin line from its surroundings, 0 to 1, to count as damage. */
const leastStep = 0.055;
/** Minimum length of a scratch, as a fraction of the height. Railings and strings are mostly shorter or thicker. */
const scratchLength = 0.2;
const mostScratches = 16;
/** In pixels: the resolution of a line's distance from the origin, and the largest gap in a scratch. */
const rhoStep = 2;
const mostGap = 24;
/**
 * No damage is detected within this fraction of a face's height around the face, because eyes and teeth have lines too.
 */
const faceRoom = 0.25;

/** The stage's picture with scratches filled from their surroundings and faded tones restored. */
export async function restorePicture({ inner, picture, framing, scale }: RenderContext): Promise<Uint8Array> {
  const raw = { raw: { width: inner.width, height: inner.height, channels: 3 } } as const;
  // Restores the tones first, because a scratch is hard to detect on a faded photo.
  const repairedPicture = Uint8Array.from(picture);
  spreadTones(repairedPicture);
  // In a photo this narrow, a line cannot be distinguished from its surroundings.
  if (Math.min(inner.width, inner.height) < calmOver) return repairedPicture;
  const calm = await sharp(repairedPicture, raw).median(calmOver).raw().toBuffer();
  const marks = createGrid(inner);
  for (let at = 0; at < marks.at.length; at++) {
    const step = Math.abs(lightAt(repairedPicture, at) - lightAt(calm, at));
    marks.at[at] = step > leastStep ? 1 : 0;
  }
  for (const face of framing.faces) clearMarksInBox(marks.at, inner, onInner(face));
  const grey = { raw: { width: inner.width, height: inner.height, channels: 1 } } as const;
  const repairMask = new Uint8Array(marks.at.length);
  for (const line of linesIn(marks)) markScratches(repairMask, marks, line);
  if (!repairMask.includes(255)) return repairedPicture;
  const soft = await sharp(repairMask, grey).blur(0.8).extractChannel(0).raw().toBuffer();
  const filledPicture = fillWithoutModel(
    { ...inner, rgb: repairedPicture },
    repairMask.map((part) => 255 - part),
  );
  for (let at = 0; at < soft.length; at++) {
    const part = smoothRamp(0, 120, soft[at]!);
    if (part > 0)
      for (let c = 3 * at; c < 3 * at + 3; c++)
        repairedPicture[c] = repairedPicture[c]! + (filledPicture[c]! - repairedPicture[c]!) * part + 0.5;
  }
  return repairedPicture;

  function onInner({ left, top, width, height }: Box): Box {
    const room = faceRoom * height;
    return {
      left: (left - room) * scale - inner.left,
      top: (top - room) * scale - inner.top,
      width: (width + 2 * room) * scale,
      height: (height + 2 * room) * scale,
    };
  }
}

const lightAt = (rgb: Uint8Array, at: number) =>
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

/** The straight lines with the most marks (Hough transform), strongest first. */
function linesIn({ width, height, at: marks }: Grid): Line[] {
  const angles = Array.from({ length: 180 }, (_, degree) => (degree * Math.PI) / 180);
  const [cos, sin] = [Math.cos, Math.sin].map((of) => Float64Array.from(angles, (angle) => of(angle) / rhoStep));
  const farthestRho = Math.ceil(Math.hypot(width, height) / rhoStep);
  const places = 2 * farthestRho + 1;
  const votes = new Uint16Array(angles.length * places);
  for (let at = 0; at < marks.length; at++) {
    if (!marks[at]) continue;
    const [x, y] = [at % width, Math.floor(at / width)];
    for (let index = 0; index < angles.length; index++)
      votes[index * places + Math.round(x * cos![index]! + y * sin![index]!) + farthestRho]! += 1;
  }
  const least = scratchLength * height;
  const found = angles.flatMap((angle, index) => {
    const own = votes.subarray(index * places, (index + 1) * places);
    return [...own.keys()]
      .filter((place) => own[place]! >= least)
      .map((place) => ({ angle, index, place, count: own[place]! }));
  });
  const lines: typeof found = [];
  for (const it of found.toSorted((a, b) => b.count - a.count)) {
    const isKnown = lines.some(
      (other) => Math.abs(other.index - it.index) <= 3 && Math.abs(other.place - it.place) <= 8,
    );
    if (!isKnown) lines.push(it);
    if (lines.length === mostScratches) break;
  }
  return lines.map(({ angle, place }) => ({
    cos: Math.cos(angle),
    sin: Math.sin(angle),
    away: (place - farthestRho) * rhoStep,
  }));
}

/**
 * Marks the scratches along a line for repair. Where marks follow each other along the line for long enough, everything
 * near the line is repaired, including faint parts.
 */
function markScratches(repairMask: Uint8Array, { width, height, at: marks }: Grid, { cos, sin, away }: Line): void {
  const reach = 4;
  const long = Math.ceil(Math.hypot(width, height));
  const pixelIndexOf = (along: number, aside: number): number => {
    const [x, y] = [Math.round((away + aside) * cos - along * sin), Math.round((away + aside) * sin + along * cos)];
    return x < 0 || y < 0 || x >= width || y >= height ? -1 : y * width + x;
  };
  let [from, last, count, marksBeside] = [NaN, NaN, 0, 0];
  const isMarkedAt = (along: number, aside: number) => (marks[pixelIndexOf(along, aside)] ?? 0) > 0;
  const close = () => {
    // If there are also marks on both sides of the line, it is not a scratch but leaves or grass.
    const isAlone = marksBeside < 0.5 * count;
    if (isAlone && last - from > scratchLength * height && count > 0.5 * (last - from))
      for (let along = from; along <= last; along += 0.5)
        for (let aside = -reach; aside <= reach; aside++) {
          const place = pixelIndexOf(along, aside);
          if (place >= 0) repairMask[place] = 255;
        }
  };
  for (let along = -long; along <= long; along++) {
    let isMarked = false;
    for (let aside = -reach; aside <= reach && !isMarked; aside++) isMarked = isMarkedAt(along, aside);
    if (!isMarked) continue;
    if (!(along - last <= mostGap)) {
      close();
      [from, count, marksBeside] = [along, 0, 0];
    }
    [last, count] = [along, count + 1];
    for (const side of [-1, 1])
      for (let aside = reach + 4; aside <= 2 * reach + 8; aside++)
        if (isMarkedAt(along, side * aside)) {
          marksBeside += 1;
          break;
        }
  }
  close();
}

/**
 * Stretches each color's darkest and brightest values to nearly black and white, because the dyes of old photos fade
 * unevenly. The stretch is only as strong as the whole photo is faded. A photo of a yellow wall lacks blue but still
 * has black and bright parts, so it does not change.
 */
function spreadTones(rgb: Uint8Array): void {
  const ranges = [0, 1, 2].map((c) => rangeOf(rgb, c));
  const [lows, highs] = [ranges.map((it) => it.low), ranges.map((it) => it.high)];
  const faded = Math.max(0, Math.min(...lows) - black) + Math.max(0, white - Math.max(...highs));
  const much = 0.85 * smoothRamp(8, 45, faded);
  ranges.forEach(({ low, high }, c) => {
    if (high - low < 60) return;
    const [to0, to1] = [low + much * (black - low), high + much * (white - high)];
    const table = Uint8ClampedArray.from(
      { length: 256 },
      (_, value) => to0 + ((value - low) / (high - low)) * (to1 - to0),
    );
    for (let at = c; at < rgb.length; at += 3) rgb[at] = table[rgb[at]!]!;
  });
}
const [black, white] = [10, 246];

/** The range that contains nearly all values of one color. */
function rangeOf(rgb: Uint8Array, color: number): { low: number; high: number } {
  const counts = new Uint32Array(256);
  for (let at = color; at < rgb.length; at += 3) counts[rgb[at]!]!++;
  const valueAtShare = (share: number) => {
    let [sum, value] = [0, 0];
    for (; value < 255 && (sum += counts[value]!) < (share * rgb.length) / 3; value++);
    return value;
  };
  return { low: valueAtShare(0.005), high: valueAtShare(0.995) };
}
