import type { Size } from '../../../seeing/grid.ts';
import { loadWarp, tableBytes, type Row } from './load-warp.ts';

/** So many pixels of a row are taken from a plate side by side. */
export const run = 4;
/** Places are integers in so many parts of a pixel. */
export const parts = 65536;
/** Light is told for every so many rows. */
const lightRise = 16;
/** Whether there is anything on a plate is known for squares of so many pixels. */
const mapCell = 8;

/** A picture to take from: RGBA, its colours already multiplied by their alpha. */
export interface Plate extends Size {
  pixels: Uint8Array;
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
  /** Each row lies level on the plate, and all begin their runs at the same places across: drawn in half the time. */
  isLevel: boolean;
  /** The plate's own pixels, which may be changed between pictures, but not where nothing was. */
  readonly pixels: Uint8Array;
  /** As the ground of the picture, within these columns and rows of pixels: the plate is opaque there. */
  take(reach?: Reach): void;
  /** Over what is there, with an opacity of 0 to 1, within these columns and rows of pixels. */
  lay(opacity?: number, reach?: Reach): void;
}
export interface Reach {
  top: number;
  bottom: number;
  left: number;
  right: number;
}
export interface Easel {
  /** RGBA, opaque once something was taken; good until the next drawing. */
  readonly picture: Uint8Array;
  readonly layers: Layer[];
  /** Light of three colours for every run and every 16th row, and one row more: parts of 32768, a fourth of them nought. */
  readonly light: Int16Array;
  /** Lets the light fall on the picture: blacks and whites stay as they are, nothing is burnt. */
  shine(): void;
}
/** More light than this would turn bright and brighter round. */
export const mostLight = 0.25;

/** The film's width is whole runs, its height whole rises of sixteen. */
export function openEasel(film: Size, plans: { plate: Plate; rise?: 4 | 8 | 16 }[]): Easel {
  const columns = film.width / run;
  const stride = 4 * film.width;
  const plates = [...new Set(plans.map((it) => it.plate))];
  let end = tableBytes;
  const room = (bytes: number) => {
    const at = end;
    end += Math.ceil(bytes / 16) * 16;
    return at;
  };
  // A pair of neighbours is read as eight bytes: the last ones may reach over.
  const plateAt = new Map(plates.map((it) => [it, room(it.pixels.length + 16)]));
  const pictureAt = room(stride * film.height);
  const lightRows = film.height / lightRise + 1;
  const lightAt = room(8 * columns * lightRows);
  const mapAt = new Map(plates.map((it) => [it, room(Math.ceil(it.width / mapCell) * Math.ceil(it.height / mapCell))]));
  const mixedAt = room(4 * Math.max(...plates.map((it) => it.width)) + 32);
  const placesAt = plans.map(({ rise = 16 }) => room(8 * (columns + 1) * (film.height / rise + 1)));

  const memory = new WebAssembly.Memory({ initial: Math.ceil(end / 65536) });
  const warp = loadWarp(memory);
  for (const [plate, at] of plateAt) new Uint8Array(memory.buffer, at).set(plate.pixels);
  for (const [plate, at] of mapAt) new Uint8Array(memory.buffer, at).set(mapOf(plate));

  const layers = plans.map(({ plate, rise = 16 }, index): Layer => {
    const [from, to] = [plateAt.get(plate)!, placesAt[index]!];
    const rows = film.height / rise + 1;
    const rowWidth = 8 * (columns + 1);
    const shift = Math.log2(rise);
    const each = (reach: Reach, draw: (...row: Row) => void) => {
      const [left, right] = [
        Math.floor(Math.max(0, reach.left) / run),
        Math.ceil(Math.min(film.width, reach.right) / run),
      ];
      if (right <= left) return;
      for (let y = Math.max(0, Math.floor(reach.top)); y < Math.min(film.height, Math.ceil(reach.bottom)); y++) {
        const above = to + (y >> shift) * rowWidth + 8 * left;
        const picture = pictureAt + y * stride;
        draw(
          from,
          4 * plate.width,
          above,
          above + rowWidth,
          y & (rise - 1),
          shift,
          picture + 16 * left,
          picture + 16 * right,
        );
      }
    };
    const everywhere = { top: 0, bottom: film.height, left: 0, right: film.width };
    return {
      columns,
      rows,
      rise,
      plate: { width: plate.width, height: plate.height },
      places: new Int32Array(memory.buffer, to, 2 * (columns + 1) * rows),
      pixels: new Uint8Array(memory.buffer, from, plate.pixels.length),
      isLevel: false,
      take(reach = everywhere) {
        if (this.isLevel) each(reach, (...row) => warp.level(...row, mixedAt));
        else each(reach, (...row) => warp.take(...row));
      },
      lay(opacity = 1, reach = everywhere) {
        const strength = Math.round(256 * opacity);
        const [map, mapStride] = [mapAt.get(plate)!, Math.ceil(plate.width / mapCell)];
        if (strength > 0) each(reach, (...row) => warp.lay(...row, strength, map, mapStride));
      },
    };
  });
  return {
    picture: new Uint8Array(memory.buffer, pictureAt, stride * film.height),
    layers,
    light: new Int16Array(memory.buffer, lightAt, 4 * columns * lightRows),
    shine() {
      for (let y = 0; y < film.height; y++) {
        const above = lightAt + Math.floor(y / lightRise) * 8 * columns;
        const picture = pictureAt + y * stride;
        warp.shine(above, above + 8 * columns, y % lightRise, picture, picture + stride);
      }
    },
  };
}

/** For each square of a plate, whether there is anything in it or in one beside it: a run reaches no farther. */
function mapOf({ width, height, pixels }: Plate): Uint8Array {
  const [columns, rows] = [Math.ceil(width / mapCell), Math.ceil(height / mapCell)];
  const map = new Uint8Array(columns * rows);
  for (let row = 0; row < rows; row++)
    for (let column = 0; column < columns; column++)
      if (isCovered(column * mapCell, row * mapCell))
        for (let y = Math.max(0, row - 1); y <= Math.min(rows - 1, row + 1); y++)
          map.fill(1, y * columns + Math.max(0, column - 1), y * columns + Math.min(columns - 1, column + 1) + 1);
  return map;

  function isCovered(left: number, top: number): boolean {
    for (let y = top; y < Math.min(height, top + mapCell); y++)
      for (let x = left; x < Math.min(width, left + mapCell); x++)
        if (pixels[4 * (y * width + x) + 3]! > 0) return true;
    return false;
  }
}
