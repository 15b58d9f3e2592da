/**
 * How a photo lies on the film, as plates to take pictures from. A photo of nearly the film's shape fills it; any other is
 * shown whole, and goes on softly round itself.
 */
import type { Seen } from '#shop/ports/seeing.ts';
import { clamp, smooth, type Box, type Size } from '../../seeing/grid.ts';
import type { CutAnswer } from '../../seeing/cut.ts';
import type { Framing, Spot } from './framing.ts';
import type { Film } from './motion.ts';
import type { Photo } from './photo.ts';
import type { Plate } from './warp/seats.ts';
import { netOf, type Net } from './warp/camera.ts';

/** What was cut out of the photo, in the size that it has on the plate. */
export interface Cut extends Omit<CutAnswer, 'people' | 'behind' | 'nearness' | 'sky' | 'water'> {
  people?: Uint8Array;
  /** RGB of the photo without its people. */
  behind?: Uint8Array;
  /** 224 by 224. */
  nearness?: Uint8Array;
  sky?: Uint8Array;
  water?: Uint8Array;
}
export interface Stage {
  photo: Photo;
  film: Film;
  framing: Framing;
  seen: Seen | undefined;
  cut: Cut | undefined;
  /** Somebody told where to look. */
  isPointed: boolean;
  /** Plates cover the film, so many times as large. */
  scale: number;
  size: Size;
  /** Where on a plate the photo lies. */
  inner: Box;
  /** The photo as it lies on a plate, RGB. */
  picture: Uint8Array;
}

/** Plates are larger than the film, so that coming nearer does not enlarge them. */
export const spare = 1.17;
/** Where the photo lies on a plate: known before it is opened, to be cut in this size. */
export function innerOf({ place, isWhole }: Framing, film: Size): Box & { plate: Size } {
  const plate = { width: Math.round(film.width * spare), height: Math.round(film.height * spare) };
  if (!isWhole) return { left: 0, top: 0, ...plate, plate };
  const [across, down] = [plate.width / film.width, plate.height / film.height];
  const left = Math.round(place.left * across);
  const top = Math.round(place.top * down);
  const width = clamp(Math.round(place.width * across), 1, plate.width - left);
  const height = clamp(Math.round(place.height * down), 1, plate.height - top);
  return { left, top, width, height, plate };
}

export async function setStage(
  photo: Photo,
  film: Film,
  framing: Framing,
  { seen, cut, isPointed = false }: { seen?: Seen | undefined; cut?: Cut | undefined; isPointed?: boolean } = {},
): Promise<Stage> {
  const { plate: size, ...inner } = innerOf(framing, film);
  const { data: picture } = await photo
    .pixels()
    .extract(framing.crop)
    .resize({ width: inner.width, height: inner.height, fit: 'fill' })
    .removeAlpha()
    .toColourspace('srgb')
    .raw()
    .toBuffer({ resolveWithObject: true });
  return { photo, film, framing, seen, cut, isPointed, scale: size.width / film.width, size, inner, picture };
}

/**
 * The whole of the stage as an opaque plate: RGB of the photo, or another picture of its size, in which people are missing.
 * Round it goes on what the photo itself shows, for at its edges everything stays where it is.
 */
export function groundOf({ size, inner, framing, picture: own }: Stage, picture: Uint8Array): Plate {
  const pixels = new Uint8Array(4 * size.width * size.height);
  if (framing.isWhole) surround(pixels, size, inner, own);
  const whole = { left: 0, top: 0, width: inner.width, height: inner.height };
  if (!framing.isWhole || own === picture) putRows(pixels, size, inner, picture, whole);
  else {
    // At a seam to what is round it the photo itself: half a pixel of what lies behind people would be seen as a line.
    const [across, down] = [Math.min(seam, inner.width / 2), Math.min(seam, inner.height / 2)].map(Math.floor) as [
      number,
      number,
    ];
    putRows(pixels, size, inner, own, whole);
    const within = { width: inner.width - 2 * across, height: inner.height - 2 * down };
    putRows(pixels, size, inner, picture, { left: across, top: down, ...within });
  }
  return { ...size, pixels };
}

const seam = 3;

/** RGB as opaque pixels of a plate: what lies of it within a box of its own. */
function putRows(pixels: Uint8Array, size: Size, inner: Box, picture: Uint8Array, box: Box): void {
  const whole = new Uint32Array(pixels.buffer, pixels.byteOffset, pixels.length / 4); // a pixel at a time, red first
  const last = box.left + box.width;
  for (let y = box.top; y < box.top + box.height; y++) {
    let from = 3 * (y * inner.width + box.left);
    let to = (inner.top + y) * size.width + inner.left + box.left;
    for (let x = box.left; x < last; x++, from += 3, to++)
      whole[to] = picture[from]! | (picture[from + 1]! << 8) | (picture[from + 2]! << 16) | 0xff000000;
  }
}

/** How far from the photo's edge, in parts of the plate's height, its mirror image is soft, and as soft as it gets. */
const softening = { soft: 0.035, softest: 0.2 };
const dimmest = 0.62;
const coarse = 8;

/**
 * The photo goes on beyond its edges, ever softer and a little darker: its own colours, no bars. At first as in a mirror,
 * then drawn out, for nothing farther in may be known again.
 */
function surround(pixels: Uint8Array, size: Size, inner: Box, picture: Uint8Array): void {
  const small = { width: Math.ceil(size.width / coarse) + 1, height: Math.ceil(size.height / coarse) + 1 };
  const deepest = 0.055 * Math.min(inner.width, inner.height);
  const mirrored = (at: number, length: number) => {
    if (at >= 0 && at < length) return at;
    const beyond = at < 0 ? -1 - at : at - length;
    const depth = Math.floor(Math.min(length - 1, deepest * (1 - Math.exp(-beyond / deepest))));
    return at < 0 ? depth : length - 1 - depth;
  };
  const colour = (x: number, y: number) =>
    3 * (mirrored(y - inner.top, inner.height) * inner.width + mirrored(x - inner.left, inner.width));
  const base = new Float32Array(3 * small.width * small.height);
  for (let y = 0; y < small.height; y++)
    for (let x = 0; x < small.width; x++) {
      const to = 3 * (y * small.width + x);
      for (const [u, v] of samples) {
        const from = colour(x * coarse + u, y * coarse + v);
        for (let c = 0; c < 3; c++) base[to + c]! += picture[from + c]! / samples.length;
      }
    }
  const soft = blurred(base, small, 2);
  const softest = blurred(blurred(soft, small, 6), small, 9);
  for (let y = 0; y < size.height; y++)
    for (let x = 0; x < size.width; x++) {
      const across = Math.max(inner.left - x, x - inner.left - inner.width + 1, 0);
      const down = Math.max(inner.top - y, y - inner.top - inner.height + 1, 0);
      if (across === 0 && down === 0) continue;
      const away = Math.sqrt(across ** 2 + down ** 2) / size.height;
      const [first, second] = [smooth(0, softening.soft, away), smooth(softening.soft / 2, softening.softest, away)];
      const light = 1 - (1 - dimmest) * smooth(0, 0.55, away);
      const from = colour(x, y);
      const [u, v] = [x / coarse, y / coarse];
      const [left, top] = [u | 0, v | 0];
      const [fx, fy, at] = [u - left, v - top, 3 * (top * small.width + left)];
      const below = at + 3 * small.width;
      const to = 4 * (y * size.width + x);
      for (let c = 0; c < 3; c++) {
        const mixed = (of: Float32Array) =>
          (of[at + c]! * (1 - fx) + of[at + 3 + c]! * fx) * (1 - fy) +
          (of[below + c]! * (1 - fx) + (of[below + 3 + c] ?? of[below + c]!) * fx) * fy;
        const near = picture[from + c]! + (mixed(soft) - picture[from + c]!) * first;
        pixels[to + c] = (near + (mixed(softest) - near) * second) * light + 0.5;
      }
      pixels[to + 3] = 255;
    }
}
const samples = [0, 2, 4, 6].flatMap((u) => [0, 2, 4, 6].map((v) => [u - 3, v - 3] as const));

/** The mean over (2 radius + 1) squared, three times: nearly a bell. */
function blurred(from: Float32Array, { width, height }: Size, radius: number): Float32Array {
  let now = from;
  for (let times = 0; times < 3; times++)
    for (const [length, lines, step, line] of [
      [width, height, 3, 3 * width],
      [height, width, 3 * width, 3],
    ] as const) {
      const next = new Float32Array(now.length);
      for (let i = 0; i < lines; i++)
        for (let c = 0; c < 3; c++) {
          const at = (k: number) => i * line + clamp(k, 0, length - 1) * step + c;
          let sum = 0;
          for (let k = -radius; k <= radius; k++) sum += now[at(k)]!;
          for (let k = 0; k < length; k++) {
            next[at(k)] = sum / (2 * radius + 1);
            sum += now[at(k + radius + 1)]! - now[at(k - radius)]!;
          }
        }
      now = next;
    }
  return now;
}

/** Darkens the corners of an opaque plate. */
export function vignette({ width, height, pixels }: Plate, strength: number): void {
  const [u, v] = [width / 2, height / 2];
  const inner = Math.min(width, height) * 0.35;
  const outer = Math.hypot(width, height) * 0.56;
  for (let y = 0; y < height; y++)
    for (let x = 0; x < width; x++) {
      const part = (Math.sqrt((x - u) ** 2 + (y - v) ** 2) - inner) / (outer - inner); // hypot takes five times as long
      if (part <= 0) continue;
      const light = 1 - strength * Math.min(1, part) ** 2;
      const at = 4 * (y * width + x);
      for (let c = at; c < at + 3; c++) pixels[c] = pixels[c]! * light + 0.5;
    }
}

/**
 * What is covered by a matte as a plate of its own. Where it is half covered the photo is a mixture; what lay behind must
 * not travel with it, so its share is taken away.
 */
export function layerOf({ size, inner, picture }: Stage, matte: Uint8Array, behind: Uint8Array): Plate {
  const pixels = new Uint8Array(4 * size.width * size.height);
  for (let y = 0; y < inner.height; y++)
    for (let x = 0; x < inner.width; x++) {
      const from = y * inner.width + x;
      const part = matte[from]!;
      if (part > 0)
        putPart(pixels, 4 * ((inner.top + y) * size.width + inner.left + x), picture, behind, 3 * from, part);
    }
  return { ...size, pixels };
}

export function putPart(
  pixels: Uint8Array,
  to: number,
  picture: ArrayLike<number>,
  behind: ArrayLike<number>,
  from: number,
  part: number,
): void {
  const rest = part > 250 ? 0 : (255 - part) / 255;
  for (let c = 0; c < 3; c++) pixels[to + c] = clamp(picture[from + c]! - rest * behind[from + c]!, 0, part);
  pixels[to + 3] = part;
}

/** How freely each place of a net may move: 1, but nought at the edges of a photo shown whole, for paper does not bend. */
export function freedomOf({ size, inner, framing }: Stage): { net: Net; at: Float32Array } {
  const net = netOf(size);
  const at = new Float32Array(net.width * net.height).fill(1);
  if (!framing.isWhole) return { net, at };
  const rim = 0.22 * Math.min(inner.width, inner.height);
  for (let row = 0; row < net.height; row++)
    for (let column = 0; column < net.width; column++) {
      const [x, y] = [column * net.cell, row * net.cell];
      const across = Math.min(x - inner.left, inner.left + inner.width - x);
      const down = Math.min(y - inner.top, inner.top + inner.height - y);
      at[row * net.width + column] = smooth(0, rim, across) * smooth(0, rim, down);
    }
  return { net, at };
}

/** How near what is on the plate lies, -0.4 to 1, for each corner of a net: by what was seen, else by place. */
export function reliefOf(stage: Stage, net: Net): Float32Array {
  const { size, inner, cut, framing } = stage;
  const nearness = cut?.nearness;
  const answer = new Float32Array(net.width * net.height);
  for (let row = 0; row < net.height; row++)
    for (let column = 0; column < net.width; column++) {
      const spot = { x: (column * net.cell) / size.width, y: (row * net.cell) / size.height };
      const guessed = guessedNearness(spot, framing.focus);
      let near = guessed;
      if (nearness) {
        const u = clamp(((column * net.cell - inner.left) / inner.width) * 223, 0, 223);
        const v = clamp(((row * net.cell - inner.top) / inner.height) * 223, 0, 223);
        const [left, top] = [Math.min(222, u | 0), Math.min(222, v | 0)];
        const of = (x: number, y: number) => nearness[y * 224 + x]!;
        const above = of(left, top) + (of(left + 1, top) - of(left, top)) * (u - left);
        const below = of(left, top + 1) + (of(left + 1, top + 1) - of(left, top + 1)) * (u - left);
        near = 0.75 * (-0.4 + (1.4 * (above + (below - above) * (v - top))) / 255) + 0.25 * guessed;
      }
      answer[row * net.width + column] = near;
    }
  return answer;
}

/** The foot of a picture and what it is about are mostly nearer than the rest. */
function guessedNearness({ x, y }: Spot, focus: Spot): number {
  const ground = 0.75 * (1 / (1 + Math.exp(-(y - 0.62) * 9)) - 0.5);
  return ground + 0.55 * Math.exp(-((x - focus.x) ** 2 / 0.06 + (y - focus.y) ** 2 / 0.1));
}
