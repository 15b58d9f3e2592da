import type { Box, Size } from '../../../seeing/grid.ts';
import type { Spot } from '../framing.ts';
import { loadWarp } from './load-warp.ts';
import { mapOf, openRoom, putBox, scratchBytesFor, seat, seatOf, type Plate } from './seats.ts';
import type { Colour } from './video-planes.ts';

/** So many pixels of a row are taken from a plate side by side. */
export const run = 4;
/** Places are integers in so many parts of a pixel. */
export const parts = 65536;
/** Light is told for every so many rows. */
const lightRise = 16;
/** Plate pixels from one pixel of an even row to the next, across and down: eight of them see no farther. */
export const farthest: Spot = { x: 1.8, y: 0.125 };
/** A picture is drawn in blocks so wide: eight values of its colours. */
export const blockWidth = 16;
/** For each eight values of a level row: which neighbours, how much of the right one, from where. */
const spotBytes = 48;
/** For an even row: how far its values go on within eight of them, and then the next eight. */
const evenBytes = 48;
/** Where the colours of a plate begin, in parts of their own: a quarter before the first, and one lies before it. */
const colourLead = 0.75 * parts;
/** How a film lies on a plate where nothing bends: its first pixel, and from there the next across and down. In parts. */
export interface Even {
  first: Spot;
  across: Spot;
  down: Spot;
}
/** One plate on the picture, each part of it taken from a place of its own. */
export interface Layer {
  /** Runs across, and rows told. */
  readonly columns: number;
  readonly rows: number;
  readonly rise: number;
  readonly plate: Size;
  /**
   * Where on the plate the runs of every `rise`th row begin, in parts of a pixel: (columns + 1) times rows of across and
   * down, the end of the last run and the row below the last included. All must lie at least a pixel within the plate.
   */
  readonly places: Int32Array;
  /**
   * The same for all of the film, instead of the places, where all of it lies within the plate and no two pixels side by
   * side are farther apart than `farthest`: drawn in less time, and in a third of it where the rows lie level.
   */
  even: Even | undefined;
  /** Takes the plate's own pixels anew, where they were changed within this box: but not where nothing was. */
  renew(box: Box): void;
  /** As the ground of the picture, within these columns and rows of pixels: the plate is opaque there. */
  take(reach?: Reach): void;
  /** Over what is there, with an opacity of 0 to 1, within these columns and rows of pixels. */
  lay(opacity?: number, reach?: Reach): void;
}
/** Widened to whole blocks across, and to even rows. */
export interface Reach {
  top: number;
  bottom: number;
  left: number;
  right: number;
}
export interface Easel {
  /** Brightness of each pixel, then blue and red of each four (yuv420p); good until the next drawing. */
  readonly planes: Uint8Array;
  readonly layers: Layer[];
  /** Light of three colours for every run and every 16th row, and one row more: parts of 32768, a fourth of them nought. */
  readonly light: Int16Array;
  /** Lets the light fall on the picture: blacks and whites stay as they are, nothing is burnt. */
  shine(): void;
  /**
   * Lays the easel's grain over the picture, so much of it: 2 brightens and darkens as if overlaid whole. `from` is its
   * pixel that lies on the first of the film.
   */
  grain(strength: number, from: Spot): void;
  /** A veil of one colour over the whole picture, 0 to 1 of it. */
  veil(colour: Colour, part: number): void;
}
/** Noise of -127 to 127, larger than the film by as far as it may be moved. */
export interface Grain extends Size {
  noise: Int8Array;
}
/** More light than this would turn bright and brighter round. */
export const mostLight = 0.25;

/** The film's width is whole blocks, its height whole rises of sixteen. */
export function openEasel(film: Size, plans: { plate: Plate; rise?: 4 | 8 | 16 }[], grain?: Grain): Easel {
  const columns = film.width / run;
  const area = film.width * film.height;
  const room = openRoom();
  const seats = new Map([...new Set(plans.map((it) => it.plate))].map((plate) => [plate, seatOf(plate, room)]));
  const widest = Math.max(...plans.map(({ plate }) => plate.width));
  const planesAt = room.take(1.5 * area);
  const lightRows = film.height / lightRise + 1;
  const lightAt = room.take(8 * columns * lightRows);
  const mixedAt = room.take(widest + 64);
  const toldAt = room.take(8 * columns + 64);
  const spotsAt = room.take((film.width / 8) * spotBytes);
  const evenAt = room.take(evenBytes);
  const scratch = room.take(scratchBytesFor(widest));
  const grainAt = room.take(grain?.noise.length ?? 0);
  const placesAt = plans.map(({ rise = 16 }) => room.take(8 * (columns + 1) * (film.height / rise + 1)));

  const memory = new WebAssembly.Memory({ initial: room.pages() });
  const warp = loadWarp(memory);
  const bytes = new Uint8Array(memory.buffer);
  if (grain) bytes.set(grain.noise, grainAt);
  const mapped = new Set<Plate>();
  for (const [plate, place] of seats) seat(plate, place, bytes, warp, scratch);
  /** Brightness and the two colours: where their rows lie on the film. */
  const half = film.width / 2;
  const picture = [
    { at: planesAt, stride: film.width },
    { at: planesAt + area, stride: half },
    { at: planesAt + 1.25 * area, stride: half },
  ];

  const layers = plans.map(({ plate, rise = 16 }, index): Layer => {
    const [from, to] = [seats.get(plate)!, placesAt[index]!];
    const rows = film.height / rise + 1;
    const rowWidth = 8 * (columns + 1);
    const shift = Math.log2(rise);
    const places = new Int32Array(memory.buffer, to, 2 * (columns + 1) * rows);
    const everywhere = { top: 0, bottom: film.height, left: 0, right: film.width };
    const blocksOf = ({ top, bottom, left, right }: Reach): Reach => ({
      top: Math.max(0, 2 * Math.floor(top / 2)),
      bottom: Math.min(film.height, 2 * Math.ceil(bottom / 2)),
      left: Math.max(0, blockWidth * Math.floor(left / blockWidth)),
      right: Math.min(film.width, blockWidth * Math.ceil(right / blockWidth)),
    });

    function draw(even: Even | undefined, reach: Reach, opacity?: number): void {
      const { top, bottom, left, right } = blocksOf(reach);
      if (right <= left) return;
      const highest = even ? tellEven(even) : 0;
      for (const by of [0, 1] as const) {
        const { at, stride } = picture[by]!;
        const plane = from.planes[by];
        const other = by ? from.planes[2].at - plane.at : 0;
        const otherRow = by ? picture[2]!.at - at : 0;
        const [alpha, map, mapStride] = opacity === undefined ? [0, 0, 0] : [plane.alpha, from.map, from.mapStride];
        for (let y = top; y < bottom; y += 1 + by) {
          const above = to + (y >> shift) * rowWidth + (left / run) * 8;
          const row = at + (y >> by) * stride;
          warp.draw(
            plane.at,
            plane.stride,
            above,
            above + rowWidth,
            // The middle of two rows lies half a row on.
            ((y & (rise - 1)) << by) + by,
            shift + by,
            by,
            row + (left >> by),
            row + (right >> by),
            toldAt,
            other,
            otherRow,
            alpha,
            opacity ?? 0,
            map,
            mapStride,
            even ? evenAt : 0,
            even ? farOn(even.first.x, even.across.x, even.down.x, left, y, by) : 0,
            even ? farOn(even.first.y, even.across.y, even.down.y, left, y, by) + highest : 0,
          );
        }
      }
    }
    /** Notes what is the same for all rows, and answers how much higher than its first the highest of eight values lies. */
    function tellEven({ across }: Even): number {
      const steps = new Int16Array(memory.buffer, evenAt, 16);
      const highest = Math.min(0, Math.floor(7 * across.y));
      for (let each = 0; each < 8; each++) {
        steps[each] = (each * across.x) / 64;
        steps[8 + each] = (each * across.y - highest) / 64;
      }
      new Int32Array(memory.buffer, evenAt + 32, 2).set([8 * across.x, 8 * across.y]);
      return highest;
    }

    /** The short way where rows are level: which neighbours are taken is the same for all of them. */
    function drawLevel(even: Even, reach: Reach): void {
      const { top, bottom, left, right } = blocksOf(reach);
      if (right <= left || bottom <= top) return;
      for (const [which, { at, stride }] of picture.entries()) {
        const by = which === 0 ? 0 : 1;
        const plane = from.planes[which]!;
        if (which < 2) tellSpots(even, by, left, right);
        for (let y = top; y < bottom; y += 1 + by) {
          const row = at + (y >> by) * stride;
          const spot = farOn(even.first.y, even.across.y, even.down.y, left, y, by);
          warp.level(plane.at, plane.stride, spot, spotsAt, row + (left >> by), row + (right >> by), mixedAt);
        }
      }
    }
    function tellSpots(even: Even, by: 0 | 1, left: number, right: number): void {
      const words = new Int32Array(memory.buffer, spotsAt);
      const numbers = new Int16Array(memory.buffer, spotsAt);
      const taken = new Uint8Array(memory.buffer, spotsAt);
      for (let x = left, spot = 0; x < right; x += 8 << by, spot += spotBytes) {
        let base = 0;
        for (let each = 0; each < 8; each++) {
          const place = farOn(even.first.x, even.across.x, even.down.x, x + (each << by), 0, by);
          const left = Math.floor(place / parts);
          if (each === 0) base = left;
          taken[spot + 2 * each] = left - base;
          taken[spot + 2 * each + 1] = left - base + 1;
          numbers[spot / 2 + 8 + each] = ((place & (parts - 1)) * 128) / parts;
        }
        words[spot / 4 + 8] = base;
      }
    }

    return {
      columns,
      rows,
      rise,
      plate: { width: plate.width, height: plate.height },
      places,
      even: undefined,
      renew: (box) => putBox(plate, from.planes, box, bytes, warp, scratch),
      take(reach = everywhere) {
        if (this.even?.across.y === 0) drawLevel(this.even, reach);
        else draw(this.even, reach);
      },
      lay(opacity = 1, reach = everywhere) {
        const strength = Math.round(256 * opacity);
        if (strength === 0) return;
        if (!mapped.has(plate)) bytes.set(mapOf(plate), from.map);
        mapped.add(plate);
        draw(this.even, reach, strength);
      },
    };
  });
  return {
    planes: new Uint8Array(memory.buffer, planesAt, 1.5 * area),
    layers,
    light: new Int16Array(memory.buffer, lightAt, 4 * columns * lightRows),
    shine() {
      for (let y = 0; y < film.height; y += 2) {
        const above = lightAt + Math.floor(y / lightRise) * 8 * columns;
        const row = planesAt + y * film.width;
        const [blue, red] = [picture[1]!.at + (y / 2) * half, picture[2]!.at + (y / 2) * half];
        warp.shine(above, above + 8 * columns, y % lightRise, row, row + film.width, film.width, blue, red);
      }
    },
    grain(strength, { x, y }) {
      const width = grain?.width ?? 0;
      for (let row = 0, at = planesAt; row < film.height; row++, at += film.width)
        warp.grain(at, at + film.width, grainAt + (y + row) * width + x, Math.round((strength * 32768) / 255));
    },
    veil(colour, part) {
      for (const [which, { at }] of picture.entries())
        warp.veil(at, at + (which === 0 ? area : area / 4), Math.round(colour[which]!), Math.round(32767 * part));
    },
  };
}

/**
 * How far across, or down, a pixel of the film lies on a plate's brightness; of a colour, which has four pixels, the middle
 * of them: from where its first pixel lies, and how much farther the next across and the next down do. In whole parts, with
 * which WebAssembly is called faster.
 */
function farOn(first: number, across: number, down: number, x: number, y: number, by: 0 | 1): number {
  const far = first + (x + by / 2) * across + (y + by / 2) * down;
  return Math.round(by ? far / 2 + colourLead : far);
}
