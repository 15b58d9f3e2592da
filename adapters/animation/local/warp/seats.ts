/** How a plate lies in the memory that rows are drawn from: as planes, like those of a video, and their alpha. */
import type { Box, Size } from '../../../seeing/grid.ts';
import { noteBytes, type Warp } from './load-warp.ts';

/** A picture to take from: RGBA, its colours already multiplied by their alpha. */
export interface Plate extends Size {
  pixels: Uint8Array;
}
interface Plane {
  at: number;
  /** Of the same stride. */
  alpha: number;
  stride: number;
}
export interface Seat {
  /** Brightness, blue and red: the colours have one more row and one more value before their first. */
  planes: [Plane, Plane, Plane];
  /** For what `mapOf` tells of the plate: only whoever lays it over something asks. */
  map: number;
  mapStride: number;
}
const mapCell = 16;

/** Hands out places in a memory yet to be made. */
export function openRoom() {
  let end = noteBytes;
  return {
    take(bytes: number): number {
      const at = end;
      end += Math.ceil(bytes / 16) * 16;
      return at;
    },
    pages: () => Math.ceil(end / 65536),
  };
}

export function seatOf({ width, height }: Plate, room: ReturnType<typeof openRoom>): Seat {
  // Sixteen values are read at once, of three rows: the last ones may reach over.
  const stride = 16 * Math.ceil(width / 16) + 16;
  const planeOf = (wide: number, rows: number): Plane => {
    const bytes = wide * (rows + 2);
    return { at: room.take(bytes), alpha: room.take(bytes), stride: wide };
  };
  const colour = () => planeOf(stride / 2 + 16, Math.ceil(height / 2) + 2);
  // One more each way: colours are looked up three quarters of a value on.
  const squares = squaresOf({ width, height });
  return {
    planes: [planeOf(stride, height), colour(), colour()],
    map: room.take(squares.width * squares.height),
    mapStride: squares.width,
  };
}
const squaresOf = ({ width, height }: Size): Size => ({
  width: Math.ceil(width / mapCell) + 1,
  height: Math.ceil(height / mapCell) + 1,
});
export const scratchBytesFor = (widest: number): number => 8 * (widest + 16);

/** Put a plate in its seat: all of it at first, later what was changed within a box. */
export function seat(plate: Plate, { planes }: Seat, memory: Uint8Array, warp: Warp, scratch: number): void {
  putBox(plate, planes, { left: 0, top: 0, width: plate.width, height: plate.height }, memory, warp, scratch);
  for (const { at, alpha, stride } of planes.slice(1))
    for (const plane of [at, alpha]) goOnAtEdges(memory, plane, stride, plate);
}

export function putBox(
  { width, height, pixels }: Plate,
  [bright, blue, red]: Seat['planes'],
  box: Box,
  memory: Uint8Array,
  warp: Warp,
  scratch: number,
): void {
  const left = box.left - (box.left % 8);
  const rowBytes = 4 * 8 * Math.ceil((box.left + box.width - left) / 8);
  const toAlpha = [bright, blue, red].map((it) => it.alpha - it.at) as [number, number, number];
  for (let top = box.top - (box.top % 2); top < box.top + box.height; top += 2) {
    for (const row of [0, 1]) {
      const from = 4 * (Math.min(height - 1, top + row) * width + left);
      const known = Math.min(rowBytes, 4 * (width - left));
      const to = scratch + row * rowBytes;
      memory.set(pixels.subarray(from, from + known), to);
      // Beyond the plate's edge goes on what is at it.
      for (let at = to + known; at < to + rowBytes; at += 4) memory.copyWithin(at, at - 4, at);
    }
    const row = top * bright.stride + left;
    const block = (top / 2 + 1) * blue.stride + left / 2 + 1;
    const [lower, brightness] = [scratch + rowBytes, bright.at + row];
    warp.convert(scratch, lower, brightness, bright.stride, blue.at + block, red.at + block, ...toAlpha);
  }
}

/** A quarter of a pixel before the first colour value and after the last, they are what these are. */
function goOnAtEdges(memory: Uint8Array, plane: number, stride: number, { width, height }: Size): void {
  const [columns, rows] = [Math.ceil(width / 2), Math.ceil(height / 2)];
  for (let row = plane + stride; row <= plane + rows * stride; row += stride) {
    memory[row] = memory[row + 1]!;
    memory[row + columns + 1] = memory[row + columns]!;
  }
  memory.copyWithin(plane, plane + stride, plane + 2 * stride);
  memory.copyWithin(plane + (rows + 1) * stride, plane + rows * stride, plane + (rows + 1) * stride);
}

/** Of the squares that eight values may reach from one: whether all are empty, 0, all are opaque, 2, or neither, 1. */
export function mapOf({ width, height, pixels }: Plate): Uint8Array {
  const { width: columns, height: rows } = squaresOf({ width, height });
  const own = new Uint8Array(columns * rows).map((_, at) => ofSquare(at % columns, Math.floor(at / columns)));
  return own.map((value, at) => {
    const [column, row] = [at % columns, Math.floor(at / columns)];
    for (let y = Math.max(0, row - 1); y <= Math.min(rows - 1, row + 1); y++)
      for (let x = Math.max(0, column - 1); x <= Math.min(columns - 1, column + 2); x++)
        if (own[y * columns + x] !== value) return 1;
    return value;
  });

  /** Beyond the plate goes on what is at its edge. */
  function ofSquare(column: number, row: number): number {
    const [left, top] = [Math.min(width - 1, column * mapCell), Math.min(height - 1, row * mapCell)];
    const first = pixels[4 * (top * width + left) + 3]!;
    if (first > 0 && first < 255) return 1;
    for (let y = top; y < Math.min(height, top + mapCell); y++)
      for (let x = left; x < Math.min(width, left + mapCell); x++)
        if (pixels[4 * (y * width + x) + 3] !== first) return 1;
    return first && 2;
  }
}
