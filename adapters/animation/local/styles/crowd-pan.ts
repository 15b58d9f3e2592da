import { clamp } from '../../../seeing/grid.ts';
import { viewOf } from '../framing.ts';
import { fullTurn, type Scene } from '../motion.ts';
import type { Stage } from '../stage.ts';
import { filmed } from './camera-work.ts';

/** As near as the camera comes to a face in a crowd: it fills this part of the film's height, or the zoom is so large. */
const faceShare = 0.34;
const mostNear = 1.9;

/**
 * The camera goes from face to face, rests on each and comes back to all of them. Undefined where there are fewer than
 * two to go between.
 */
export function crowdPan(stage: Stage): Scene | undefined {
  const { film, framing } = stage;
  const faces = framing.faces.slice(0, 5).toSorted((a, b) => a.left - b.left);
  if (faces.length < 2) return undefined;
  const tallest = Math.max(...faces.map((it) => it.height));
  const zoom = clamp((faceShare * film.height) / tallest, 1.15, mostNear);
  const all = {
    zoom: Math.min(1.02, framing.mostZoom),
    ...eyeOf({ left: 0, top: 0, width: film.width, height: film.height }),
  };
  // Resting places: all of them, and each face; the middle of the view in film pixels.
  const rests = [all, ...faces.map((face) => ({ zoom, ...eyeOf(face) }))];
  return filmed(stage, (phase) => {
    const turn = phase * rests.length;
    const at = Math.floor(turn) % rests.length;
    const [from, to] = [rests[at]!, rests[(at + 1) % rests.length]!];
    // Hardly moving while it rests, never quite still.
    const part = turn - Math.floor(turn);
    const way = part - (0.92 * Math.sin(fullTurn * part)) / fullTurn;
    // Between two near views the camera draws back a little.
    const near = from.zoom ** (1 - way) * to.zoom ** way;
    const spot = { x: from.x + (to.x - from.x) * way, y: from.y + (to.y - from.y) * way };
    return { zoom: near, towards: towardsOf(near, spot) };
  });

  function eyeOf({ left, top, width, height }: { left: number; top: number; width: number; height: number }) {
    return { x: left + width / 2, y: top + 0.5 * height };
  }
  /** What a camera at this zoom moves towards so that the spot lies in its middle, as far as the edges allow. */
  function towardsOf(near: number, { x, y }: { x: number; y: number }) {
    const view = viewOf(film, near, { x: 1, y: 1 });
    const along = (middle: number, length: number, free: number) =>
      free > 0 ? clamp((middle - length / 2) / free) : 0.5;
    return { x: along(x, view.width, view.left), y: along(y, view.height, view.top) };
  }
}
