import { clamp, type Size } from '../../../seeing/grid.ts';
import type { Spot } from '../framing.ts';
import { farthest, parts, run, type Even, type Layer, type Reach } from './easel.ts';

/** How a camera looks at a plate that covers the film at zoom 1. */
export interface View {
  /** 1 shows all of it. */
  zoom: number;
  /** What the zoom moves towards, 0 to 1 from the left top. */
  towards: Spot;
  /** How far it is shifted besides, in film pixels. */
  shift?: Spot;
  /** In radians, about the middle of the film. */
  tilt?: number;
}

/** What moves on a plate besides the camera: how far, across and down, on a net of corners `cell` plate pixels apart. */
export interface Net extends Size {
  cell: number;
  moves: Float32Array;
}

export function netOf({ width, height }: Size, cell = 8): Net {
  const size = { width: Math.ceil(width / cell) + 2, height: Math.ceil(height / cell) + 2 };
  return { ...size, cell, moves: new Float32Array(2 * size.width * size.height) };
}

/** A run's pixels lie between its ends but for the rounding of their steps. */
const least = 8;

/**
 * Tell a layer where to take its pixels from, for this look of the camera, which does not tilt where anything moves besides;
 * within a reach where it is told.
 */
export function aim(layer: Layer, film: Size, view: View, net?: Net, reach?: Pick<Reach, 'top' | 'bottom'>): void {
  const { tilt = 0 } = view;
  if (net && tilt !== 0) throw new Error('a camera that tilts knows no moves besides');
  const { places, columns, rows, rise } = layer;
  const { step, u, v, midX, midY, most, lowest } = lookOf(layer, film, view);
  const [cos, sin] = [Math.cos(tilt) * step, Math.sin(tilt) * step];
  layer.even = net ? undefined : evenly(layer, film, midX, midY, cos, sin);
  if (layer.even) return;
  const line = net && new Float64Array(2 * net.width);
  const [cells, perCell] = net ? [net.width - 2, 1 / net.cell] : [0, 0];
  const first = reach ? Math.max(0, Math.floor(reach.top / rise)) : 0;
  const end = reach ? Math.min(rows, Math.ceil(reach.bottom / rise) + 1) : rows;
  // Where a row begins, and how far on its next run does.
  const [beginX, beginY] = [midX + (0.5 - u) * cos, midY - (0.5 - u) * sin];
  const [onX, onY] = [run * cos, -run * sin];
  for (let row = first, at = 2 * (columns + 1) * first; row < end; row++) {
    const y = row * rise + 0.5 - v;
    let [px, py] = [beginX + y * sin, beginY + y * cos];
    if (line) movesAlong(net, py * perCell, line);
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
      places[at] = clamp(toX * parts, least, most);
      places[at + 1] = clamp(toY * parts, least, lowest);
    }
  }
}

/** A film whose middle lies there on a plate, turned and enlarged: unless it must be told place by place. */
function evenly({ plate }: Layer, film: Size, midX: number, midY: number, cos: number, sin: number): Even | undefined {
  if (cos >= farthest.x || Math.abs(sin) >= farthest.y) return;
  const [right, below] = [(film.width - 1) / 2, (film.height - 1) / 2];
  const [wide, high] = [right * cos + below * Math.abs(sin), right * Math.abs(sin) + below * cos];
  if (midX < wide || midY < high || midX + wide > plate.width - 1 || midY + high > plate.height - 1) return;
  const [x, y] = [midX - right * cos - below * sin, midY + right * sin - below * cos];
  return {
    first: { x: x * parts, y: y * parts },
    across: { x: cos * parts, y: -sin * parts },
    down: { x: sin * parts, y: cos * parts },
  };
}

/** Pixels of the plate from one of the film to the next, the film's middle and where that lies on the plate, and its end. */
function lookOf({ plate }: Layer, film: Size, { zoom, towards, shift }: View) {
  const step = plate.width / film.width / zoom;
  const left = film.width * (1 - zoom) * towards.x + (shift?.x ?? 0);
  const top = film.height * (1 - zoom) * towards.y + (shift?.y ?? 0);
  const [u, v] = [film.width / 2, film.height / 2];
  const [midX, midY] = [(u - left) * step - 0.5, (v - top) * step - 0.5];
  const [most, lowest] = [(plate.width - 1) * parts - 1, (plate.height - 1) * parts - 1];
  return { step, u, v, midX, midY, most, lowest };
}

/**
 * For a camera that keeps its look, over what moves by so much of each net at a time: where these lie under its places is
 * found once. Answers what tells the layer for as much of each.
 */
export function openSway(
  layer: Layer,
  film: Size,
  view: Omit<View, 'tilt'>,
  nets: readonly Net[],
): (much: readonly number[]) => void {
  const { places, columns, rows, rise } = layer;
  const { step, u, v, midX, midY, most, lowest } = lookOf(layer, film, view);
  const rest = new Float64Array(places.length);
  const moved = new Float64Array(places.length);
  for (let row = 0, at = 0; row < rows; row++)
    for (let column = 0; column <= columns; column++, at += 2) {
      rest[at] = (midX + (column * run + 0.5 - u) * step) * parts;
      rest[at + 1] = (midY + (row * rise + 0.5 - v) * step) * parts;
    }
  const moves = nets.map((net) => movesUnder(net, rest, rows));
  layer.even = undefined;
  return (much) => {
    // One after the other, each in a plain loop: in a third of the time that it takes place by place.
    moved.set(rest);
    for (const [which, move] of moves.entries()) {
      const part = much[which]!;
      for (let at = 0; at < moved.length; at++) moved[at]! -= move[at]! * part;
    }
    for (let at = 0; at < moved.length; at += 2) {
      places[at] = Math.min(most, Math.max(least, moved[at]!));
      places[at + 1] = Math.min(lowest, Math.max(least, moved[at + 1]!));
    }
  };
}

/** How far a net moves what lies at these places, rows of them one below the other: in the places' parts of a pixel. */
function movesUnder(net: Net, places: Float64Array, rows: number): Float64Array {
  const moves = new Float64Array(places.length);
  const line = new Float64Array(2 * net.width);
  const perRow = places.length / rows;
  const perCell = 1 / (net.cell * parts);
  const last = net.width - 2;
  for (let from = 0; from < places.length; from += perRow) {
    movesAlong(net, places[from + 1]! * perCell, line);
    for (let at = from; at < from + perRow; at += 2) {
      const x = places[at]! * perCell;
      const cell = x < 0 ? 0 : x > last ? last : x | 0;
      const part = clamp(x - cell);
      const left = 2 * cell;
      moves[at] = (line[left]! + (line[left + 2]! - line[left]!) * part) * parts;
      moves[at + 1] = (line[left + 1]! + (line[left + 3]! - line[left + 1]!) * part) * parts;
    }
  }
  return moves;
}

/** The moves of a net along a line across it, so many cells down. */
function movesAlong({ width, height, moves }: Net, down: number, line: Float64Array): void {
  const row = clamp(Math.floor(down), 0, height - 2);
  const part = clamp(down - row);
  const above = 2 * row * width;
  const below = above + 2 * width;
  for (let i = 0; i < line.length; i++) line[i] = moves[above + i]! + (moves[below + i]! - moves[above + i]!) * part;
}
