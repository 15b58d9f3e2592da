import type { Box, Size } from '../../../seeing/grid.ts';
import type { Spot } from '../framing.ts';
import { loadWarp } from './load-warp.ts';
import { openRoom, putBox, scratchBytesFor, seat, seatOf, type Plate } from './seats.ts';
import type { Colour } from './video-planes.ts';

/** So many pixels of a row are taken from a plate side by side. */
export const run = 4;
/** Places are integers in so many parts of a pixel. */
export const parts = 65536;
/** Light is told for every so many rows. */
const lightRise = 16;
/** Plate pixels from one pixel of a level row to the next: eight of them see no farther. */
export const farthestLevel = 1.8;
/** A picture is drawn in blocks so wide: eight values of its colours. */
export const blockWidth = 16;
/** For each eight values of a level row: which neighbours, how much of the right one, from where. */
const spotBytes = 48;
/** Where the colours of a plate begin, in parts of their own: a quarter before the first, and one lies before it. */
const colourLead = 0.75 * parts;
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
  /** Each row lies level on the plate, and all begin their runs at the same places across: drawn in a third of the time. */
  isLevel: boolean;
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
  const scratch = room.take(scratchBytesFor(widest));
  const grainAt = room.take(grain?.noise.length ?? 0);
  const placesAt = plans.map(({ rise = 16 }) => room.take(8 * (columns + 1) * (film.height / rise + 1)));

  const memory = new WebAssembly.Memory({ initial: room.pages() });
  const warp = loadWarp(memory);
  const bytes = new Uint8Array(memory.buffer);
  if (grain) bytes.set(grain.noise, grainAt);
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

    function draw(reach: Reach, opacity?: number): void {
      const { top, bottom, left, right } = blocksOf(reach);
      if (right <= left) return;
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
          );
        }
      }
    }

    /** The short way where rows are level: which neighbours are taken is the same for all of them. */
    function drawLevel(reach: Reach): void {
      const { top, bottom, left, right } = blocksOf(reach);
      if (right <= left || bottom <= top) return;
      for (const [which, { at, stride }] of picture.entries()) {
        const by = which === 0 ? 0 : 1;
        const plane = from.planes[which]!;
        if (which < 2) tellSpots(by, left, right);
        for (let y = top; y < bottom; y += 1 + by) {
          const above = 2 * (columns + 1) * (y >> shift) + 1;
          const part = ((y & (rise - 1)) + by / 2) / rise;
          const down = places[above]! + (places[above + 2 * (columns + 1)]! - places[above]!) * part;
          const row = at + (y >> by) * stride;
          const spot = by ? down / 2 + colourLead : down;
          warp.level(plane.at, plane.stride, spot, spotsAt, row + (left >> by), row + (right >> by), mixedAt);
        }
      }
    }
    function tellSpots(by: 0 | 1, left: number, right: number): void {
      const words = new Int32Array(memory.buffer, spotsAt);
      const numbers = new Int16Array(memory.buffer, spotsAt);
      const taken = new Uint8Array(memory.buffer, spotsAt);
      for (let x = left >> by, spot = 0; x < right >> by; x += 8, spot += spotBytes) {
        let base = 0;
        for (let each = 0; each < 8; each++) {
          const onFilm = by ? 2 * (x + each) + 0.5 : x + each;
          const begins = 2 * Math.floor(onFilm / run);
          const across =
            places[begins]! + ((places[begins + 2]! - places[begins]!) * (onFilm - (begins / 2) * run)) / run;
          const place = by ? across / 2 + colourLead : across;
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
      isLevel: false,
      renew: (box) => putBox(plate, from.planes, box, bytes, warp, scratch),
      take(reach = everywhere) {
        if (this.isLevel) drawLevel(reach);
        else draw(reach);
      },
      lay(opacity = 1, reach = everywhere) {
        const strength = Math.round(256 * opacity);
        if (strength > 0) draw(reach, strength);
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
