import type { Size } from '../../../seeing/grid.ts';
import { loadWarp } from './load-warp.ts';

/**
 * Turns opaque RGBA pictures into what an encoder takes: brightness for every pixel, then two colour values for every block
 * of four (yuv420p, BT.709, limited range). What it answers is good until the next picture.
 *
 * @param size a width in eights, an even height
 */
export function openVideoPlanes({ width, height }: Size): (picture: Uint8Array) => Uint8Array {
  const area = width * height;
  const planesAt = 4 * area;
  const planes = 1.5 * area;
  const memory = new WebAssembly.Memory({ initial: Math.ceil((planesAt + planes) / 65536) });
  const warp = loadWarp(memory);
  const [from, to] = [new Uint8Array(memory.buffer, 0, 4 * area), new Uint8Array(memory.buffer, planesAt, planes)];
  const [blueAt, redAt] = [planesAt + area, planesAt + 1.25 * area];
  return (picture) => {
    from.set(picture);
    for (let y = 0; y < height; y += 2) {
      const [row, block] = [4 * width * y, (width / 2) * (y / 2)];
      warp.convert(row, row + 4 * width, planesAt + width * y, width, blueAt + block, redAt + block);
    }
    return to;
  };
}
