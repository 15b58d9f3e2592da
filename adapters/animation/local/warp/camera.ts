import type { Size } from '../../../seeing/grid.ts';
import type { Spot } from '../framing.ts';
import { parts, run, type Layer } from './easel.ts';

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

/** Tell a layer where to take its pixels from, for this look of the camera and these moves. */
export function aim(layer: Layer, film: Size, { zoom, towards, shift, tilt = 0 }: View, net?: Net): void {
  const { places, columns, rows, rise, plate } = layer;
  const scale = plate.width / film.width;
  const step = scale / zoom;
  const [cos, sin] = [Math.cos(tilt) * step, Math.sin(tilt) * step];
  const left = film.width * (1 - zoom) * towards.x + (shift?.x ?? 0);
  const top = film.height * (1 - zoom) * towards.y + (shift?.y ?? 0);
  // The middle of the film, about which the camera tilts, and where it lies on the plate.
  const [u, v] = [film.width / 2, film.height / 2];
  const [midX, midY] = [(u - left) * step - 0.5, (v - top) * step - 0.5];
  const [most, lowest] = [(plate.width - 1) * parts - 1, (plate.height - 1) * parts - 1];
  for (let row = 0, at = 0; row < rows; row++) {
    const y = row * rise + 0.5 - v;
    for (let column = 0; column <= columns; column++, at += 2) {
      const x = column * run + 0.5 - u;
      let px = midX + x * cos + y * sin;
      let py = midY + y * cos - x * sin;
      if (net) {
        const { cell, width, moves } = net;
        const gx = px < 0 ? 0 : px / cell;
        const gy = py < 0 ? 0 : py / cell;
        const cx = gx > width - 2 ? width - 2 : gx | 0;
        const cy = gy > net.height - 2 ? net.height - 2 : gy | 0;
        const [fx, fy] = [gx - cx > 1 ? 1 : gx - cx, gy - cy > 1 ? 1 : gy - cy];
        const corner = 2 * (cy * width + cx);
        const below = corner + 2 * width;
        const acrossAbove = moves[corner]! + (moves[corner + 2]! - moves[corner]!) * fx;
        const acrossBelow = moves[below]! + (moves[below + 2]! - moves[below]!) * fx;
        const downAbove = moves[corner + 1]! + (moves[corner + 3]! - moves[corner + 1]!) * fx;
        const downBelow = moves[below + 1]! + (moves[below + 3]! - moves[below + 1]!) * fx;
        px -= acrossAbove + (acrossBelow - acrossAbove) * fy;
        py -= downAbove + (downBelow - downAbove) * fy;
      }
      const [toX, toY] = [px * parts, py * parts];
      places[at] = toX < least ? least : toX > most ? most : toX;
      places[at + 1] = toY < least ? least : toY > lowest ? lowest : toY;
    }
  }
}
