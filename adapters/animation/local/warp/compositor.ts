import type { Box, Size } from '../../../seeing/grid.ts';
import type { PlanePoint } from '../framing.ts';
import { loadWarp } from './load-warp.ts';
import {
  computeOpacityMap,
  createMemoryAllocator,
  writePlateBox,
  countScratchBytesFor,
  writePlate,
  allocatePlate,
  type Plate,
} from './plates.ts';
import type { YuvColor } from './video-planes.ts';

/** Number of pixels in a run: adjacent pixels of a video row that are read together from a plate. */
export const pixelsPerRun = 4;
/** Positions on a plate are integers, with this many units per pixel. */
export const unitsPerPixel = 65536;
/** The grid of light has one row of values for this many rows of the video. */
const lightRowHeight = 16;
/**
 * Maximum distance in plate pixels between neighboring video pixels of an even layer, across and down. Eight pixels are
 * read at once, and the code cannot reach farther.
 */
export const maxPixelStep: PlanePoint = { x: 1.8, y: 0.125 };
/** Width in pixels of the blocks in which a frame is drawn. A block has eight color values. */
export const blockWidth = 16;
/**
 * Bytes that describe eight values of a level row: the neighbors to read, the share of the right neighbor, and the
 * start.
 */
const spotBytes = 48;
/** Bytes that describe an even row: the steps within eight values, and to the next eight values. */
const evenBytes = 48;
/**
 * Offset of positions on a plate's color planes. A color is centered a quarter of a value earlier than the first pixel,
 * and one additional value is stored before the first color.
 */
const colorPlaneOffset = 0.75 * unitsPerPixel;
/**
 * Placement of a video on a plate without bending: the position of the first pixel, and the steps to the next pixel
 * across and down. In units of 1 / `parts` of a pixel.
 */
export interface EvenPlacement {
  first: PlanePoint;
  across: PlanePoint;
  down: PlanePoint;
}
/**
 * A layer of the video, drawn from a source picture (plate). Each run, which is a group of neighboring pixels in a row,
 * can be read from a different place on the plate.
 */
export interface Layer {
  /** Number of runs in a row of the video, and number of rows in `places`. */
  readonly columns: number;
  readonly rows: number;
  readonly rise: number;
  readonly plate: Size;
  /**
   * The positions on the plate where the runs of every `rise`th row start, in units of 1 / `parts` of a pixel. Each row
   * has `columns` + 1 positions (across, down), because it includes the end of its last run. The last row is the one
   * below the video. All positions must be at least 0 and before the last pixel of the plate.
   */
  readonly places: Int32Array;
  /**
   * One placement for the whole video, used instead of `places`. It is allowed if the whole view is inside the plate
   * and neighboring pixels are at most `farthest` apart. It is faster to draw; level rows take a third of the time.
   */
  even: EvenPlacement | undefined;
  /**
   * Reads the plate's pixels again after a change within this box. It cannot show pixels in areas that were empty
   * before.
   */
  renew(box: Box): void;
  /** Draws the layer as the background of the frame, within `reach`. The plate must be opaque there. */
  take(reach?: DrawnArea): void;
  /** Draws the layer over the frame with an opacity of 0 to 1, within `reach`. */
  drawLayer(opacity?: number, reach?: DrawnArea): void;
}
/** An area of the video. Drawing widens it to whole blocks across, and to even rows. */
export interface DrawnArea {
  top: number;
  bottom: number;
  left: number;
  right: number;
}
export interface Compositor {
  /**
   * The frame as yuv420p: brightness of each pixel, then blue and red of each block of four pixels. Valid until the
   * next drawing.
   */
  readonly planes: Uint8Array;
  readonly layers: Layer[];
  /**
   * The grid of light: red, green, blue and a zero for every run of every 16th row, plus one more row. In units of
   * 1/32768.
   */
  readonly light: Int16Array;
  /** Applies the light to the frame. Black and white do not change, and nothing is overexposed. */
  shine(): void;
  /**
   * Applies the compositor's grain to the frame. Strength 2 brightens and darkens like a full overlay. `from` is the
   * grain pixel for the first pixel of the video.
   */
  grain(strength: number, from: PlanePoint): void;
  /** Blends one color over the whole frame, with strength 0 to 1. */
  veil(color: YuvColor, part: number): void;
}
/** Film grain: noise from -127 to 127. It is larger than the video by the largest offset. */
export interface Grain extends Size {
  noise: Int8Array;
}
/** Maximum light. With more, a brighter pixel could become darker than a less bright one. */
export const maxLightGain = 0.25;

/**
 * Opens a compositor, which draws video frames from plates in WebAssembly memory. The video's width must be a multiple
 * of the block width, and its height a multiple of 16.
 */
export function createCompositor(film: Size, plans: { plate: Plate; rise?: 4 | 8 | 16 }[], grain?: Grain): Compositor {
  const columnCount = film.width / pixelsPerRun;
  const area = film.width * film.height;
  const allocator = createMemoryAllocator();
  const layoutByPlate = new Map(
    [...new Set(plans.map((it) => it.plate))].map((plate) => [plate, allocatePlate(plate, allocator)]),
  );
  const widestPlate = Math.max(...plans.map(({ plate }) => plate.width));
  const planesAddress = allocator.take(1.5 * area);
  const lightRows = film.height / lightRowHeight + 1;
  const lightAddress = allocator.take(8 * columnCount * lightRows);
  const mixedRowAddress = allocator.take(widestPlate + 64);
  const stepsAddress = allocator.take(8 * columnCount + 64);
  const spotsAddress = allocator.take((film.width / 8) * spotBytes);
  const evenAddress = allocator.take(evenBytes);
  const scratchAddress = allocator.take(countScratchBytesFor(widestPlate));
  const grainAddress = allocator.take(grain?.noise.length ?? 0);
  const placesAddresses = plans.map(({ rise = 16 }) =>
    allocator.take(8 * (columnCount + 1) * (film.height / rise + 1)),
  );

  const memory = new WebAssembly.Memory({ initial: allocator.pages() });
  const warp = loadWarp(memory);
  const bytes = new Uint8Array(memory.buffer);
  if (grain) bytes.set(grain.noise, grainAddress);
  const mappedPlates = new Set<Plate>();
  for (const [plate, place] of layoutByPlate) writePlate(plate, place, bytes, warp, scratchAddress);
  const halfWidth = film.width / 2;
  /** Address and row length in bytes: of the brightness plane, then of the two color planes. */
  const outputPlanes = [
    { at: planesAddress, stride: film.width },
    { at: planesAddress + area, stride: halfWidth },
    { at: planesAddress + 1.25 * area, stride: halfWidth },
  ];

  const layers = plans.map(({ plate, rise = 16 }, index): Layer => {
    const [from, to] = [layoutByPlate.get(plate)!, placesAddresses[index]!];
    const rowCount = film.height / rise + 1;
    const rowWidth = 8 * (columnCount + 1);
    const riseShift = Math.log2(rise);
    const places = new Int32Array(memory.buffer, to, 2 * (columnCount + 1) * rowCount);
    const wholeArea = { top: 0, bottom: film.height, left: 0, right: film.width };
    const alignToBlocks = ({ top, bottom, left, right }: DrawnArea): DrawnArea => ({
      top: Math.max(0, 2 * Math.floor(top / 2)),
      bottom: Math.min(film.height, 2 * Math.ceil(bottom / 2)),
      left: Math.max(0, blockWidth * Math.floor(left / blockWidth)),
      right: Math.min(film.width, blockWidth * Math.ceil(right / blockWidth)),
    });

    function drawPlate(even: EvenPlacement | undefined, reach: DrawnArea, opacity?: number): void {
      const { top, bottom, left, right } = alignToBlocks(reach);
      if (right <= left) return;
      const highest = even ? writeEvenPlacement(even) : 0;
      for (const planeShift of [0, 1] as const) {
        const { at, stride } = outputPlanes[planeShift]!;
        const plane = from.planes[planeShift];
        const otherPlaneDistance = planeShift ? from.planes[2].at - plane.at : 0;
        const otherRowDistance = planeShift ? outputPlanes[2]!.at - at : 0;
        const [alpha, map, mapStride] = opacity === undefined ? [0, 0, 0] : [plane.alpha, from.map, from.mapStride];
        for (let y = top; y < bottom; y += 1 + planeShift) {
          const runAddress = to + (y >> riseShift) * rowWidth + (left / pixelsPerRun) * 8;
          const row = at + (y >> planeShift) * stride;
          warp.draw(
            plane.at,
            plane.stride,
            runAddress,
            runAddress + rowWidth,
            // A color row is between two rows of the frame, so its position is half a row further down.
            ((y & (rise - 1)) << planeShift) + planeShift,
            riseShift + planeShift,
            planeShift,
            row + (left >> planeShift),
            row + (right >> planeShift),
            stepsAddress,
            otherPlaneDistance,
            otherRowDistance,
            alpha,
            opacity ?? 0,
            map,
            mapStride,
            even ? evenAddress : 0,
            even ? computePlatePosition(even.first.x, even.across.x, even.down.x, left, y, planeShift) : 0,
            even ? computePlatePosition(even.first.y, even.across.y, even.down.y, left, y, planeShift) + highest : 0,
          );
        }
      }
    }
    /**
     * Stores the steps that all rows share. Returns how far the highest of eight values is above the first one, as a
     * negative number or 0.
     */
    function writeEvenPlacement({ across }: EvenPlacement): number {
      const steps = new Int16Array(memory.buffer, evenAddress, 16);
      const highest = Math.min(0, Math.floor(7 * across.y));
      for (let each = 0; each < 8; each++) {
        steps[each] = (each * across.x) / 64;
        steps[8 + each] = (each * across.y - highest) / 64;
      }
      new Int32Array(memory.buffer, evenAddress + 32, 2).set([8 * across.x, 8 * across.y]);
      return highest;
    }

    /** The fast path for rows that are level on the plate. All of them read the same neighbors. */
    function drawLevel(even: EvenPlacement, reach: DrawnArea): void {
      const { top, bottom, left, right } = alignToBlocks(reach);
      if (right <= left || bottom <= top) return;
      for (const [which, { at, stride }] of outputPlanes.entries()) {
        const planeShift = which === 0 ? 0 : 1;
        const plane = from.planes[which]!;
        if (which < 2) writeSpots(even, planeShift, left, right);
        for (let y = top; y < bottom; y += 1 + planeShift) {
          const row = at + (y >> planeShift) * stride;
          const startY = computePlatePosition(even.first.y, even.across.y, even.down.y, left, y, planeShift);
          warp.level(
            plane.at,
            plane.stride,
            startY,
            spotsAddress,
            row + (left >> planeShift),
            row + (right >> planeShift),
            mixedRowAddress,
          );
        }
      }
    }
    function writeSpots(even: EvenPlacement, by: 0 | 1, left: number, right: number): void {
      const int32View = new Int32Array(memory.buffer, spotsAddress);
      const spotNumbers = new Int16Array(memory.buffer, spotsAddress);
      const takenSpots = new Uint8Array(memory.buffer, spotsAddress);
      for (let x = left, spot = 0; x < right; x += 8 << by, spot += spotBytes) {
        let base = 0;
        for (let each = 0; each < 8; each++) {
          const startX = computePlatePosition(even.first.x, even.across.x, even.down.x, x + (each << by), 0, by);
          const left = Math.floor(startX / unitsPerPixel);
          if (each === 0) base = left;
          takenSpots[spot + 2 * each] = left - base;
          takenSpots[spot + 2 * each + 1] = left - base + 1;
          spotNumbers[spot / 2 + 8 + each] = ((startX & (unitsPerPixel - 1)) * 128) / unitsPerPixel;
        }
        int32View[spot / 4 + 8] = base;
      }
    }

    return {
      columns: columnCount,
      rows: rowCount,
      rise,
      plate: { width: plate.width, height: plate.height },
      places,
      even: undefined,
      renew: (box) => writePlateBox(plate, from.planes, box, bytes, warp, scratchAddress),
      take(reach = wholeArea) {
        if (this.even?.across.y === 0) drawLevel(this.even, reach);
        else drawPlate(this.even, reach);
      },
      drawLayer(opacity = 1, reach = wholeArea) {
        const strength = Math.round(256 * opacity);
        if (strength === 0) return;
        if (!mappedPlates.has(plate)) bytes.set(computeOpacityMap(plate), from.map);
        mappedPlates.add(plate);
        drawPlate(this.even, reach, strength);
      },
    };
  });
  return {
    planes: new Uint8Array(memory.buffer, planesAddress, 1.5 * area),
    layers,
    light: new Int16Array(memory.buffer, lightAddress, 4 * columnCount * lightRows),
    shine() {
      for (let y = 0; y < film.height; y += 2) {
        const lightRowAddress = lightAddress + Math.floor(y / lightRowHeight) * 8 * columnCount;
        const row = planesAddress + y * film.width;
        const [blue, red] = [outputPlanes[1]!.at + (y / 2) * halfWidth, outputPlanes[2]!.at + (y / 2) * halfWidth];
        warp.shine(
          lightRowAddress,
          lightRowAddress + 8 * columnCount,
          y % lightRowHeight,
          row,
          row + film.width,
          film.width,
          blue,
          red,
        );
      }
    },
    grain(strength, { x, y }) {
      const width = grain?.width ?? 0;
      for (let row = 0, at = planesAddress; row < film.height; row++, at += film.width)
        warp.grain(at, at + film.width, grainAddress + (y + row) * width + x, Math.round((strength * 32768) / 255));
    },
    veil(color, part) {
      for (const [which, { at }] of outputPlanes.entries())
        warp.veil(at, at + (which === 0 ? area : area / 4), Math.round(color[which]!), Math.round(32767 * part));
    },
  };
}

/**
 * Computes a video pixel's position across, or down, on a plate's brightness plane. For a color (`by` is 1), computes
 * the position of the middle of four pixels on the color plane. Returns an integer, because calls to WebAssembly are
 * faster with integers.
 */
function computePlatePosition(first: number, across: number, down: number, x: number, y: number, by: 0 | 1): number {
  const plateDistance = first + (x + by / 2) * across + (y + by / 2) * down;
  return Math.round(by ? plateDistance / 2 + colorPlaneOffset : plateDistance);
}
