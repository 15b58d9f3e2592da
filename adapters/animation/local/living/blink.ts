import { clamp, type Box, type Picture } from '../../../seeing/grid.ts';
import type { Eye, FaceMesh, Point } from '../../../seeing/mesh.ts';
import { createRandom } from '../motion.ts';

/** The rectangle of the picture that one eye's blink changes. */
export interface Eyelid extends Box {
  /** Returns the rectangle's RGB pixels with the lid closed by this fraction, 0 to 1. */
  drawClosed(part: number): Uint8Array;
}

/** Closure of a lid, 0 to 1, in frames of 40 ms. It closes within 120 ms and opens in twice that time. */
const closureByBlinkFrame = [0.3, 0.78, 1, 0.88, 0.62, 0.38, 0.19, 0.07];
/** Some blinks are double. The second blink starts this many frames after the first one. */
const secondBlinkDelayFrames = 11;
/** If a photo has more people than this, each person blinks once in a loop, otherwise twice. */
const maxPeopleBlinkingTwice = 5;

/**
 * The frames at which each person starts to blink. Each blink has its own time slot, so that two people never blink at
 * once. If the slots are long enough, some blinks are double.
 */
export function scheduleBlinks(people: number, frames: number): number[][] {
  const blinkStartsByPerson: number[][] = Array.from({ length: people }, () => []);
  const rounds = people > maxPeopleBlinkingTwice ? 1 : 2;
  const random = createRandom(people + 1);
  const slotFrames = frames / (rounds * people);
  for (let round = 0; round < rounds; round++)
    for (let turn = 0; turn < people; turn++) {
      // In the second round, people blink in reverse order.
      const personIndex = round === 0 ? turn : people - 1 - turn;
      const isDouble =
        round === 1 && turn % 3 === 0 && slotFrames > closureByBlinkFrame.length + secondBlinkDelayFrames + 2;
      const length = closureByBlinkFrame.length + (isDouble ? secondBlinkDelayFrames : 0) + 1;
      const start = slotFrames * (round * people + turn) + random() * Math.max(0, slotFrames - length);
      blinkStartsByPerson[personIndex]!.push(
        Math.floor(start),
        ...(isDouble ? [Math.floor(start) + secondBlinkDelayFrames] : []),
      );
    }
  return blinkStartsByPerson;
}

/** Closure of the lids at a frame of the loop, 0 to 1. */
export function eyelidClosureAt(starts: readonly number[], frame: number, frames: number): number {
  for (const start of starts) {
    const lidClosure = closureByBlinkFrame[(frame - start + frames) % frames];
    if (lidClosure !== undefined) return lidClosure;
  }
  return 0;
}

/** Mesh points of the lower edge of each brow. */
const brows = [
  [46, 53, 52, 65, 55],
  [276, 283, 282, 295, 285],
];

/**
 * As fractions of the eye's width: height of the lashes above the lid's edge, softness of that edge, and the gap below
 * the brow.
 */
const lash = 0.07;
const softEdge = 0.04;
const browGap = 0.06;
/** How far the lower lid rises, as a fraction of the eye's opening. */
const lowerRise = 0.14;

export const createEyelids = (picture: Picture, mesh: FaceMesh): Eyelid[] =>
  mesh.eyes.map((eye, side) =>
    createEyelid(
      picture,
      eye,
      brows[side]!.map((pointAtIndex) => mesh.points[pointAtIndex]!),
    ),
  );

/**
 * Draws a closing eyelid by stretching the skin between brow and lid down over the eye. The skin does not move at the
 * brow. It is not stretched at the lashes, so that the lashes keep their thickness. Pixels below the lid do not change
 * until the lashes cover them.
 */
function createEyelid(picture: Picture, { upper, lower }: Eye, brow: Point[]): Eyelid {
  const [from, to] = findEyeCorners(lower, brow);
  const eyeWidth = Math.hypot(to.x - from.x, to.y - from.y);
  // Coordinates along the eye from its first corner, and down from that line.
  const eyeDirection = { x: (to.x - from.x) / eyeWidth, y: (to.y - from.y) / eyeWidth };
  const toEyePosition = ({ x, y }: { x: number; y: number }) => ({
    u: (x - from.x) * eyeDirection.x + (y - from.y) * eyeDirection.y,
    v: (y - from.y) * eyeDirection.x - (x - from.x) * eyeDirection.y,
  });
  const [lidAt, rimAt, browAt] = [upper, lower, brow].map((points) => createCurve(points.map(toEyePosition))) as [
    Curve,
    Curve,
    Curve,
  ];
  const measureEyeOpeningAt = (u: number) => (u < 0 || u > eyeWidth ? 0 : Math.max(0, rimAt(u) - lidAt(u)));
  const lashColor = findDarkestColor(picture, upper, eyeWidth);

  const halfBoxWidth = 0.95 * eyeWidth;
  const left = Math.max(0, Math.floor((from.x + to.x) / 2 - halfBoxWidth));
  const top = Math.max(0, Math.floor((from.y + to.y) / 2 - halfBoxWidth));
  const width = Math.min(picture.width, Math.ceil((from.x + to.x) / 2 + halfBoxWidth)) - left;
  const height = Math.min(picture.height, Math.ceil((from.y + to.y) / 2 + halfBoxWidth)) - top;

  return {
    left,
    top,
    width,
    height,
    drawClosed(part) {
      const eyelidPixels = new Uint8Array(3 * width * height);
      const [own, skin, low] = [new Float32Array(3), new Float32Array(3), new Float32Array(3)];
      for (let y = 0; y < height; y++)
        for (let x = 0; x < width; x++) {
          const pointAtIndex = 3 * (y * width + x);
          sampleColor(picture, left + x, top + y, own);
          eyelidPixels.set(own, pointAtIndex);
          const { u, v } = toEyePosition({ x: left + x, y: top + y });
          if (u < -0.2 * eyeWidth || u > 1.2 * eyeWidth) continue;
          // The average over neighbors also moves the lid near the corners of the eye, so that the lashes there move
          // too.
          let open = 0;
          for (let by = -3; by <= 3; by++) open += measureEyeOpeningAt(u + 0.06 * by * eyeWidth) / 7;
          const [lid, rim] = [lidAt(u), rimAt(u)];
          const opennessFraction = Math.min(1, open / (0.1 * eyeWidth));
          // The lids meet above the lower lid's edge, which rises a little.
          const lowerLidRise = part * lowerRise * open;
          const lidTravel = part * (open + 0.03 * eyeWidth * opennessFraction) - lowerLidRise;
          if (lidTravel < 0.2) continue;
          const upperLimit = Math.min(browAt(u) + browGap * eyeWidth, lid - 0.16 * eyeWidth);
          if (v <= upperLimit || v > rim + 0.4 * eyeWidth) continue;
          const copySource = (source: number, into: Float32Array) =>
            sampleColor(
              picture,
              left + x + eyeDirection.y * (v - source),
              top + y - eyeDirection.x * (v - source),
              into,
            );
          // Stretches the lower lid up.
          const rimOpacity = clamp(0.5 + (v - rim + lowerLidRise) / (0.04 * eyeWidth));
          if (rimOpacity > 0) {
            const fade = clamp(1 - (v - rim + lowerLidRise) / (0.4 * eyeWidth + lowerLidRise)) ** 1.5;
            copySource(v + lowerLidRise * fade, low);
            for (let c = 0; c < 3; c++) own[c]! += (low[c]! - own[c]!) * rimOpacity;
          }
          const [edge, fold] = [lid + lidTravel, lid - lash * eyeWidth];
          let source = Math.min(v - lidTravel, lid - 0.005 * eyeWidth);
          if (v < fold + lidTravel) {
            const stretchedHeight = fold + lidTravel - upperLimit;
            source =
              upperLimit +
              (fold - upperLimit) *
                easeMovement((v - upperLimit) / stretchedHeight, stretchedHeight / (fold - upperLimit));
          }
          copySource(source, skin);
          const coveredFraction = clamp(0.5 - (v - edge) / (softEdge * eyeWidth));
          const taperAtCorners = clamp(Math.min(u, eyeWidth - u) / (0.3 * eyeWidth));
          // A lid curves over the eyeball: darker at its sides and lashes, slightly brighter in the middle.
          const positionInEye = clamp((v - lid) / Math.max(1, lidTravel));
          const bulge = Math.sin(Math.PI * positionInEye) * Math.sin(Math.PI * clamp(u / eyeWidth));
          const shade = 1 + part * taperAtCorners * (0.035 * bulge - 0.07 * positionInEye * positionInEye);
          const lashOpacity = 0.45 * part * taperAtCorners * Math.exp(-(((v - edge) / (0.025 * eyeWidth)) ** 2));
          for (let c = 0; c < 3; c++) {
            const coveredColor = own[c]! + (skin[c]! * shade - own[c]!) * coveredFraction;
            eyelidPixels[pointAtIndex + c] =
              clamp(coveredColor + (Math.min(coveredColor, lashColor[c]!) - coveredColor) * lashOpacity, 0, 255) + 0.5;
          }
        }
      return eyelidPixels;
    },
  };
}

/** The eye's corners, in the order in which the brow is above the line from the first to the second. */
function findEyeCorners(lower: Point[], brow: Point[]): [Point, Point] {
  const [a, b] = [lower[0]!, lower[8]!];
  const browCenter = brow[brow.length >> 1]!;
  return (browCenter.y - a.y) * (b.x - a.x) < (browCenter.x - a.x) * (b.y - a.y) ? [a, b] : [b, a];
}

/** An easing function from 0 to 1 with slope `steep` at both ends, so that the skin is not stretched there. */
function easeMovement(t: number, steep: number): number {
  const slope = Math.min(steep, 2.2);
  return slope * t * (1 - t) ** 2 + 3 * t * t - 2 * t ** 3 - slope * t * t * (1 - t);
}

/** The mean color of the darkest fifth of the pixels along the upper lid: the color of the photo's own lashes. */
function findDarkestColor(picture: Picture, lid: Point[], wide: number): number[] {
  const candidateColors = lid
    .slice(2, 7)
    .flatMap(({ x, y }) =>
      [-4, -3, -2, -1, 0, 1, 2].map((by) => sampleColor(picture, x, y + 0.015 * by * wide, new Float32Array(3))),
    );
  const sortedFound = candidateColors.toSorted((a, b) => a[0]! + a[1]! + a[2]! - b[0]! - b[1]! - b[2]!);
  const darkestPixels = sortedFound.slice(0, Math.ceil(sortedFound.length / 5));
  return [0, 1, 2].map((c) => darkestPixels.reduce((sum, color) => sum + color[c]!, 0) / darkestPixels.length);
}

type Curve = (u: number) => number;
/** A smooth curve through the points (Hermite, with slopes from the neighbors); constant beyond the ends. */
function createCurve(points: { u: number; v: number }[]): Curve {
  const sortedPoints = points.toSorted((p, q) => p.u - q.u);
  const pointAtIndex = (index: number) => sortedPoints[clamp(index, 0, sortedPoints.length - 1)]!;
  const computeSlopeBetween = (p: { u: number; v: number }, q: { u: number; v: number }) =>
    (q.v - p.v) / Math.max(1e-6, q.u - p.u);
  return (u) => {
    const nextPointIndex = sortedPoints.findIndex((p) => p.u > u);
    if (nextPointIndex <= 0) return nextPointIndex === 0 ? sortedPoints[0]!.v : sortedPoints.at(-1)!.v;
    const [p, q, r, s] = [
      pointAtIndex(nextPointIndex - 2),
      pointAtIndex(nextPointIndex - 1),
      pointAtIndex(nextPointIndex),
      pointAtIndex(nextPointIndex + 1),
    ];
    const length = r.u - q.u;
    const t = (u - q.u) / Math.max(1e-6, length);
    const [m, n] = [computeSlopeBetween(p, r) * length, computeSlopeBetween(q, s) * length];
    return (
      (2 * t ** 3 - 3 * t * t + 1) * q.v +
      (t ** 3 - 2 * t * t + t) * m +
      (3 * t * t - 2 * t ** 3) * r.v +
      (t ** 3 - t * t) * n
    );
  };
}

function sampleColor({ rgb, width, height }: Picture, x: number, y: number, into: Float32Array): Float32Array {
  const left = clamp(Math.floor(x), 0, width - 2);
  const top = clamp(Math.floor(y), 0, height - 2);
  const [fx, fy, pointAtIndex] = [clamp(x - left), clamp(y - top), 3 * (top * width + left)];
  const lowerRowIndex = pointAtIndex + 3 * width;
  for (let c = 0; c < 3; c++) {
    const upperRowColor = rgb[pointAtIndex + c]! * (1 - fx) + rgb[pointAtIndex + 3 + c]! * fx;
    into[c] =
      upperRowColor + (rgb[lowerRowIndex + c]! * (1 - fx) + rgb[lowerRowIndex + 3 + c]! * fx - upperRowColor) * fy;
  }
  return into;
}
