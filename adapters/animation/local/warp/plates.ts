/**
 * Places a picture in WebAssembly memory: one plane for brightness and two for color, as in a video, each with a plane
 * of alpha values.
 */
import type { Box, Size } from '../../../seeing/grid.ts';
import { reservedMemoryBytes, type WarpFunctions } from './load-warp.ts';

/** A picture to draw from: RGBA, with premultiplied alpha. */
export interface Plate extends Size {
  pixels: Uint8Array;
}
interface Plane {
  at: number;
  /** Address of the plane's alpha values, which have the same stride. */
  alpha: number;
  stride: number;
}
export interface PlateLayout {
  /** Brightness, blue and red. The color planes have one more row and one more value before the first. */
  planes: [Plane, Plane, Plane];
  /** Address for the result of `computeOpacityMap`, which is needed only if the plate is drawn over something. */
  map: number;
  mapStride: number;
}
const mapCell = 16;

/** Assigns addresses in a memory before the memory is created. */
export function createMemoryAllocator() {
  let end = reservedMemoryBytes;
  return {
    take(bytes: number): number {
      const address = end;
      end += Math.ceil(bytes / 16) * 16;
      return address;
    },
    pages: () => Math.ceil(end / 65536),
  };
}

export function allocatePlate({ width, height }: Plate, room: ReturnType<typeof createMemoryAllocator>): PlateLayout {
  // The WebAssembly code reads 16 values of each of three rows at once. The padding keeps the last reads inside the
  // memory.
  const stride = 16 * Math.ceil(width / 16) + 16;
  const allocatePlane = (wide: number, rows: number): Plane => {
    const bytes = wide * (rows + 2);
    return { at: room.take(bytes), alpha: room.take(bytes), stride: wide };
  };
  const allocateColorPlane = () => allocatePlane(stride / 2 + 16, Math.ceil(height / 2) + 2);
  // One more square in each direction, because colors are read three quarters of a value further.
  const opacityMapSize = computeOpacityMapSize({ width, height });
  return {
    planes: [allocatePlane(stride, height), allocateColorPlane(), allocateColorPlane()],
    map: room.take(opacityMapSize.width * opacityMapSize.height),
    mapStride: opacityMapSize.width,
  };
}
const computeOpacityMapSize = ({ width, height }: Size): Size => ({
  width: Math.ceil(width / mapCell) + 1,
  height: Math.ceil(height / mapCell) + 1,
});
export const countScratchBytesFor = (widest: number): number => 8 * (widest + 16);

/** Writes a whole plate to its memory. `writePlateBox` later updates a changed box. */
export function writePlate(
  plate: Plate,
  { planes }: PlateLayout,
  memory: Uint8Array,
  warp: WarpFunctions,
  scratch: number,
): void {
  writePlateBox(plate, planes, { left: 0, top: 0, width: plate.width, height: plate.height }, memory, warp, scratch);
  for (const { at, alpha, stride } of planes.slice(1))
    for (const plane of [at, alpha]) extendEdges(memory, plane, stride, plate);
}

export function writePlateBox(
  { width, height, pixels }: Plate,
  [bright, blue, red]: PlateLayout['planes'],
  box: Box,
  memory: Uint8Array,
  warp: WarpFunctions,
  scratch: number,
): void {
  const left = box.left - (box.left % 8);
  const rowBytes = 4 * 8 * Math.ceil((box.left + box.width - left) / 8);
  const offsetsToAlpha = [bright, blue, red].map((it) => it.alpha - it.at) as [number, number, number];
  for (let top = box.top - (box.top % 2); top < box.top + box.height; top += 2) {
    for (const row of [0, 1]) {
      const sourceIndex = 4 * (Math.min(height - 1, top + row) * width + left);
      const copiedBytes = Math.min(rowBytes, 4 * (width - left));
      const targetAddress = scratch + row * rowBytes;
      memory.set(pixels.subarray(sourceIndex, sourceIndex + copiedBytes), targetAddress);
      // Fill the rest of each row with the picture's last pixel, because reads can go past its edge.
      for (let at = targetAddress + copiedBytes; at < targetAddress + rowBytes; at += 4)
        memory.copyWithin(at, at - 4, at);
    }
    const row = top * bright.stride + left;
    const colorOffset = (top / 2 + 1) * blue.stride + left / 2 + 1;
    const [lower, brightness] = [scratch + rowBytes, bright.at + row];
    warp.convert(
      scratch,
      lower,
      brightness,
      bright.stride,
      blue.at + colorOffset,
      red.at + colorOffset,
      ...offsetsToAlpha,
    );
  }
}

/** Repeats the first and the last color values, which are read up to a quarter of a value outside the plane. */
function extendEdges(memory: Uint8Array, plane: number, stride: number, { width, height }: Size): void {
  const [columns, rows] = [Math.ceil(width / 2), Math.ceil(height / 2)];
  for (let row = plane + stride; row <= plane + rows * stride; row += stride) {
    memory[row] = memory[row + 1]!;
    memory[row + columns + 1] = memory[row + columns]!;
  }
  memory.copyWithin(plane, plane + stride, plane + 2 * stride);
  memory.copyWithin(plane + (rows + 1) * stride, plane + rows * stride, plane + (rows + 1) * stride);
}

/**
 * Makes a map of the plate's squares. A square has 0 if it and the neighbors that eight values may reach are all empty,
 * 2 if all are opaque, and 1 otherwise.
 */
export function computeOpacityMap({ width, height, pixels }: Plate): Uint8Array {
  const { width: columns, height: rows } = computeOpacityMapSize({ width, height });
  const opacityClasses = new Uint8Array(columns * rows).map((_, at) =>
    opacityClassOfSquare(at % columns, Math.floor(at / columns)),
  );
  return opacityClasses.map((value, at) => {
    const [column, row] = [at % columns, Math.floor(at / columns)];
    for (let y = Math.max(0, row - 1); y <= Math.min(rows - 1, row + 1); y++)
      for (let x = Math.max(0, column - 1); x <= Math.min(columns - 1, column + 2); x++)
        if (opacityClasses[y * columns + x] !== value) return 1;
    return value;
  });

  /** Beyond the plate, the edge's pixels repeat. */
  function opacityClassOfSquare(column: number, row: number): number {
    const [left, top] = [Math.min(width - 1, column * mapCell), Math.min(height - 1, row * mapCell)];
    const firstOpacity = pixels[4 * (top * width + left) + 3]!;
    if (firstOpacity > 0 && firstOpacity < 255) return 1;
    for (let y = top; y < Math.min(height, top + mapCell); y++)
      for (let x = left; x < Math.min(width, left + mapCell); x++)
        if (pixels[4 * (y * width + x) + 3] !== firstOpacity) return 1;
    return firstOpacity && 2;
  }
}
