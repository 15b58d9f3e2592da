import type { Size } from '../../../seeing/grid.ts';
import { loadWarp, tableBytes } from './load-warp.ts';

/**
 * Turns opaque RGBA pictures into what an encoder takes: brightness for every pixel, then two colour values for every block
 * of four (yuv420p, BT.709, limited range). What it answers is good until the next picture.
 *
 * @param size a width in eights, an even height
 */
export function openVideoPlanes({ width, height }: Size): (picture: Uint8Array) => Uint8Array {
  const area = width * height;
  const bandBytes = 4 * width * bandRows;
  const planesAt = tableBytes + bandBytes;
  const planes = 1.5 * area;
  const memory = new WebAssembly.Memory({ initial: Math.ceil((planesAt + planes) / 65536) });
  const warp = loadWarp(memory);
  const band = new Uint8Array(memory.buffer, tableBytes, bandBytes);
  const to = new Uint8Array(memory.buffer, planesAt, planes);
  const [blueAt, redAt] = [planesAt + area, planesAt + 1.25 * area];
  return (picture) => {
    for (let top = 0; top < height; top += bandRows) {
      band.set(picture.subarray(4 * width * top, 4 * width * Math.min(height, top + bandRows)));
      for (let y = top; y < Math.min(height, top + bandRows); y += 2) {
        const [row, block] = [tableBytes + 4 * width * (y - top), (width / 2) * (y / 2)];
        warp.convert(row, row + 4 * width, planesAt + width * y, width, blueAt + block, redAt + block);
      }
    }
    return to;
  };
}
/** So many rows at a time: they stay in the processor's cache. */
const bandRows = 16;
