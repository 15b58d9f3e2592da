import { bendRowCode } from './bend-row.ts';

/** So many pixels of a row are taken from the plate side by side. */
export const run = 4;
/** Places are told for every so many rows and run straight in between. */
export const rise = 16;
/** Places are integers in so many parts of a pixel. */
export const parts = 65536;

/** A picture taken from a larger one, the plate, each part of it from a place of its own. */
export interface Bend {
  /**
   * Where on the plate the runs of every `rise`th row begin, the row below the last included: across, down, across, …
   * To be told before drawing. A run and its neighbours to the right and below must lie on the plate.
   */
  places: Int32Array;
  /** RGBA, good until the next call. */
  draw(): Uint8Array;
}

/** `plate` is RGBA, `width` pixels wide. The picture's width is whole runs, its height whole rises. */
export function openBend(
  plate: { pixels: Uint8Array; width: number },
  picture: { width: number; height: number },
): Bend {
  const plateWidth = 4 * plate.width;
  const pictureWidth = 4 * picture.width;
  const placesWidth = 8 * (picture.width / run);
  const pictureAt = plate.pixels.length;
  const placesAt = pictureAt + pictureWidth * picture.height;
  const end = placesAt + placesWidth * (picture.height / rise + 1);

  const memory = new WebAssembly.Memory({ initial: Math.ceil(end / 65536) });
  new Uint8Array(memory.buffer).set(plate.pixels);
  const bytes = new Uint8Array(memory.buffer, pictureAt, placesAt - pictureAt);
  const bendRow = loadBendRow(memory);
  return {
    places: new Int32Array(memory.buffer, placesAt, (end - placesAt) / 4),
    draw() {
      for (let y = 0; y < picture.height; y++) {
        const above = placesAt + Math.floor(y / rise) * placesWidth;
        const row = pictureAt + y * pictureWidth;
        bendRow(0, plateWidth, above, above + placesWidth, y % rise, row, row + pictureWidth);
      }
      return bytes;
    },
  };
}

/** Its parameters are those of bend-row.wat, in this order. */
type BendRow = (
  plate: number,
  plateWidth: number,
  above: number,
  below: number,
  depth: number,
  row: number,
  rowEnd: number,
) => void;

/** Four pixels at once, which JavaScript cannot: a picture in a quarter of the time. */
function loadBendRow(memory: WebAssembly.Memory): BendRow {
  const code = new WebAssembly.Module(Buffer.from(bendRowCode, 'base64'));
  return new WebAssembly.Instance(code, { bend: { memory } }).exports['bendRow'] as BendRow;
}
