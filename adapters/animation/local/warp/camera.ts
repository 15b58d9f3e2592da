import { clamp, type Size } from '../../../seeing/grid.ts';
import type { PlanePoint } from '../framing.ts';
import {
  maxPixelStep,
  unitsPerPixel,
  pixelsPerRun,
  type EvenPlacement,
  type Layer,
  type DrawnArea,
} from './compositor.ts';

/** A camera's view of a plate that covers the video at zoom 1. */
export interface CameraView {
  /** 1 shows the whole plate. */
  zoom: number;
  /** The point that the zoom moves toward, 0 to 1 from the top left. */
  towards: PlanePoint;
  /** Additional shift, in video pixels. */
  shift?: PlanePoint;
  /** Rotation in radians about the middle of the video. */
  tilt?: number;
  /** Plate pixels per video pixel at zoom 1, for a plate that is wider than the video. */
  scale?: number;
}

/**
 * Movement on a plate in addition to the camera's. A grid has corners that are `cell` plate pixels apart, each with an
 * offset across and down.
 */
export interface WarpGrid extends Size {
  cell: number;
  moves: Float32Array;
}

export function createWarpGrid({ width, height }: Size, cell = 8): WarpGrid {
  const size = { width: Math.ceil(width / cell) + 2, height: Math.ceil(height / cell) + 2 };
  return { ...size, cell, moves: new Float32Array(2 * size.width * size.height) };
}

/**
 * Minimum position on a plate. It is not 0, because the steps of a run are rounded, and a pixel may be slightly outside
 * the run's ends.
 */
const leastPlateCoordinate = 8;

/**
 * Sets the places on the plate that a layer is drawn from, for this view of the camera. If `reach` is given, only
 * within it. With a grid, the camera must not tilt.
 */
export function setLayerView(
  layer: Layer,
  film: Size,
  view: CameraView,
  warpGrid?: WarpGrid,
  reach?: Pick<DrawnArea, 'top' | 'bottom'>,
): void {
  const { tilt = 0 } = view;
  if (warpGrid && tilt !== 0) throw new Error('a camera that tilts knows no moves besides');
  const { places, columns, rows, rise } = layer;
  const { step, u, v, midX, midY, most, lowest } = computeViewGeometry(layer, film, view);
  const [cos, sin] = [Math.cos(tilt) * step, Math.sin(tilt) * step];
  layer.even = warpGrid ? undefined : computeEvenPlacement(layer, film, midX, midY, cos, sin);
  if (layer.even) return;
  const line = warpGrid && new Float64Array(2 * warpGrid.width);
  const [cells, perCell] = warpGrid ? [warpGrid.width - 2, 1 / warpGrid.cell] : [0, 0];
  const firstBand = reach ? Math.max(0, Math.floor(reach.top / rise)) : 0;
  const endBand = reach ? Math.min(rows, Math.ceil(reach.bottom / rise) + 1) : rows;
  // Start of a row, and the step to the next run.
  const [beginX, beginY] = [midX + (0.5 - u) * cos, midY - (0.5 - u) * sin];
  const [onX, onY] = [pixelsPerRun * cos, -pixelsPerRun * sin];
  for (let row = firstBand, at = 2 * (columns + 1) * firstBand; row < endBand; row++) {
    const y = row * rise + 0.5 - v;
    let [px, py] = [beginX + y * sin, beginY + y * cos];
    if (line) writeRowMovements(warpGrid, py * perCell, line);
    for (let column = 0; column <= columns; column++, at += 2, px += onX, py += onY) {
      let [toX, toY] = [px, py];
      if (line) {
        const gx = px < 0 ? 0 : px * perCell;
        const cx = gx > cells ? cells : gx | 0;
        const fx = gx - cx > 1 ? 1 : gx - cx;
        const corner = 2 * cx;
        toX -= line[corner]! + (line[corner + 2]! - line[corner]!) * fx;
        toY -= line[corner + 1]! + (line[corner + 3]! - line[corner + 1]!) * fx;
      }
      places[at] = clamp(toX * unitsPerPixel, leastPlateCoordinate, most);
      places[at + 1] = clamp(toY * unitsPerPixel, leastPlateCoordinate, lowest);
    }
  }
}

/**
 * Computes the even placement of a video whose middle is at this point of the plate, rotated and enlarged. Undefined if
 * the view needs `places`.
 */
function computeEvenPlacement(
  { plate }: Layer,
  film: Size,
  midX: number,
  midY: number,
  cos: number,
  sin: number,
): EvenPlacement | undefined {
  if (cos >= maxPixelStep.x || Math.abs(sin) >= maxPixelStep.y) return;
  const [right, below] = [(film.width - 1) / 2, (film.height - 1) / 2];
  const [wide, high] = [right * cos + below * Math.abs(sin), right * Math.abs(sin) + below * cos];
  if (midX < wide || midY < high || midX + wide > plate.width - 1 || midY + high > plate.height - 1) return;
  const [x, y] = [midX - right * cos - below * sin, midY + right * sin - below * cos];
  return {
    first: { x: x * unitsPerPixel, y: y * unitsPerPixel },
    across: { x: cos * unitsPerPixel, y: -sin * unitsPerPixel },
    down: { x: sin * unitsPerPixel, y: cos * unitsPerPixel },
  };
}

/** Plate pixels per video pixel, the video's middle and its position on the plate, and the plate's end. */
function computeViewGeometry(
  { plate }: Layer,
  film: Size,
  { zoom, towards, shift, scale = plate.width / film.width }: CameraView,
) {
  const step = scale / zoom;
  const left = film.width * (1 - zoom) * towards.x + (shift?.x ?? 0);
  const top = film.height * (1 - zoom) * towards.y + (shift?.y ?? 0);
  const [u, v] = [film.width / 2, film.height / 2];
  const [midX, midY] = [(u - left) * step - 0.5, (v - top) * step - 0.5];
  const [most, lowest] = [(plate.width - 1) * unitsPerPixel - 1, (plate.height - 1) * unitsPerPixel - 1];
  return { step, u, v, midX, midY, most, lowest };
}

/**
 * Prepares a layer for a camera with a fixed view and for grids whose amounts change. Computes the movement at each
 * place only once. Returns the function that sets the layer's places for given amounts.
 */
export function prepareLayerMovement(
  layer: Layer,
  film: Size,
  view: Omit<CameraView, 'tilt'>,
  warpGrids: readonly WarpGrid[],
): (much: readonly number[]) => void {
  const { places, columns, rows, rise } = layer;
  const { step, u, v, midX, midY, most, lowest } = computeViewGeometry(layer, film, view);
  const restPositions = new Float64Array(places.length);
  const movedPositions = new Float64Array(places.length);
  for (let row = 0, at = 0; row < rows; row++)
    for (let column = 0; column <= columns; column++, at += 2) {
      restPositions[at] = (midX + (column * pixelsPerRun + 0.5 - u) * step) * unitsPerPixel;
      restPositions[at + 1] = (midY + (row * rise + 0.5 - v) * step) * unitsPerPixel;
    }
  const cellMovements = warpGrids.map((warpGrid) => computeMovementsAt(warpGrid, restPositions, rows));
  layer.even = undefined;
  return (much) => {
    // One grid after another, each in a simple loop: this takes a third of the time of a loop by place.
    movedPositions.set(restPositions);
    for (const [which, move] of cellMovements.entries()) {
      const movementAmount = much[which]!;
      for (let at = 0; at < movedPositions.length; at++) movedPositions[at]! -= move[at]! * movementAmount;
    }
    for (let at = 0; at < movedPositions.length; at += 2) {
      places[at] = Math.min(most, Math.max(leastPlateCoordinate, movedPositions[at]!));
      places[at + 1] = Math.min(lowest, Math.max(leastPlateCoordinate, movedPositions[at + 1]!));
    }
  };
}

/**
 * The movement that a grid causes at each of these places, in the unit of the places. The places are given row by row.
 */
function computeMovementsAt(warpGrid: WarpGrid, places: Float64Array, rows: number): Float64Array {
  const cellMovements = new Float64Array(places.length);
  const line = new Float64Array(2 * warpGrid.width);
  const perRow = places.length / rows;
  const cellsPerUnit = 1 / (warpGrid.cell * unitsPerPixel);
  const lastColumn = warpGrid.width - 2;
  for (let from = 0; from < places.length; from += perRow) {
    writeRowMovements(warpGrid, places[from + 1]! * cellsPerUnit, line);
    for (let at = from; at < from + perRow; at += 2) {
      const x = places[at]! * cellsPerUnit;
      const cell = x < 0 ? 0 : x > lastColumn ? lastColumn : x | 0;
      const columnFraction = clamp(x - cell);
      const left = 2 * cell;
      cellMovements[at] = (line[left]! + (line[left + 2]! - line[left]!) * columnFraction) * unitsPerPixel;
      cellMovements[at + 1] = (line[left + 1]! + (line[left + 3]! - line[left + 1]!) * columnFraction) * unitsPerPixel;
    }
  }
  return cellMovements;
}

/** Writes to `line` how far the warp grid moves each point of one row, `down` cells from the top. */
function writeRowMovements({ width, height, moves }: WarpGrid, down: number, line: Float64Array): void {
  const row = clamp(Math.floor(down), 0, height - 2);
  const rowFraction = clamp(down - row);
  const upperRowIndex = 2 * row * width;
  const lowerRowIndex = upperRowIndex + 2 * width;
  for (let i = 0; i < line.length; i++)
    line[i] = moves[upperRowIndex + i]! + (moves[lowerRowIndex + i]! - moves[upperRowIndex + i]!) * rowFraction;
}
