import { clamp, type Size } from '../../../seeing/grid.ts';
import type { Spot } from '../framing.ts';
import { farthestLevel, parts, run, type Layer, type Reach } from './easel.ts';

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
export function aim(
  layer: Layer,
  film: Size,
  { zoom, towards, shift, tilt = 0 }: View,
  net?: Net,
  reach?: Pick<Reach, 'top' | 'bottom'>,
): void {
  if (net && tilt !== 0) throw new Error('a camera that tilts knows no moves besides');
  const { places, columns, rows, rise, plate } = layer;
  const scale = plate.width / film.width;
  const step = scale / zoom;
  layer.isLevel = tilt === 0 && !net && step < farthestLevel;
  const [cos, sin] = [Math.cos(tilt) * step, Math.sin(tilt) * step];
  const left = film.width * (1 - zoom) * towards.x + (shift?.x ?? 0);
  const top = film.height * (1 - zoom) * towards.y + (shift?.y ?? 0);
  // The middle of the film, about which the camera tilts, and where it lies on the plate.
  const [u, v] = [film.width / 2, film.height / 2];
  const [midX, midY] = [(u - left) * step - 0.5, (v - top) * step - 0.5];
  const [most, lowest] = [(plate.width - 1) * parts - 1, (plate.height - 1) * parts - 1];
  const line = net && new Float64Array(2 * net.width);
  const [cells, perCell] = net ? [net.width - 2, 1 / net.cell] : [0, 0];
  const first = reach ? Math.max(0, Math.floor(reach.top / rise)) : 0;
  const end = reach ? Math.min(rows, Math.ceil(reach.bottom / rise) + 1) : rows;
  for (let row = first, at = 2 * (columns + 1) * first; row < end; row++) {
    const y = row * rise + 0.5 - v;
    if (net) movesAlong(net, (midY + y * cos) * perCell, line!);
    for (let column = 0; column <= columns; column++, at += 2) {
      const x = column * run + 0.5 - u;
      let px = midX + x * cos + y * sin;
      let py = midY + y * cos - x * sin;
      if (line) {
        const gx = px < 0 ? 0 : px * perCell;
        const cx = gx > cells ? cells : gx | 0;
        const fx = gx - cx > 1 ? 1 : gx - cx;
        const corner = 2 * cx;
        px -= line[corner]! + (line[corner + 2]! - line[corner]!) * fx;
        py -= line[corner + 1]! + (line[corner + 3]! - line[corner + 1]!) * fx;
      }
      const [toX, toY] = [px * parts, py * parts];
      places[at] = toX < least ? least : toX > most ? most : toX;
      places[at + 1] = toY < least ? least : toY > lowest ? lowest : toY;
    }
  }
}

/** The moves of a net along a line across it, so many cells down. */
function movesAlong({ width, height, moves }: Net, down: number, line: Float64Array): void {
  const row = clamp(Math.floor(down), 0, height - 2);
  const part = clamp(down - row);
  const above = 2 * row * width;
  const below = above + 2 * width;
  for (let i = 0; i < line.length; i++) line[i] = moves[above + i]! + (moves[below + i]! - moves[above + i]!) * part;
}
