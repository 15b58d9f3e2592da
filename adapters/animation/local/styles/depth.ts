import { createCanvas } from '@napi-rs/canvas';
import { openBend, parts, rise, run } from '../bend/bend.ts';
import { swing, type Film, type Scene } from '../motion.ts';
import type { Photo, Spot } from '../photo.ts';
import { setStage, type Stage } from '../stage.ts';

/** Pixels the nearest parts travel to either side, and up and down. */
const sway = { x: 22, y: 7 };
const zoomSway = 0.014;
/** The picture is kept this much larger than the panel, so that what moves in at the edges is there. */
const spare = 1.1;

/**
 * The picture gains depth: its foot and what it is about lie nearer than the rest and shift more while the camera moves
 * on a small ellipse. The depths are a guess by place alone, so they are smooth and the shifts small.
 */
export async function depth(photo: Photo, film: Film): Promise<Scene> {
  const plate = { width: Math.round(film.width * spare), height: Math.round(film.height * spare), frames: film.frames };
  const stage = await setStage(photo, plate);
  const canvas = createCanvas(plate.width, plate.height);
  stage.show(canvas.getContext('2d', { alpha: false }), { zoom: 1, towards: stage.focus });
  const bend = openBend({ pixels: canvas.data(), width: plate.width }, film);
  const margin = { x: (plate.width - film.width) / 2, y: (plate.height - film.height) / 2 };
  const { rest, right, near } = reliefOf(film, stage, margin, bend.places.length);

  return ({ phase }) => {
    const rightwards = swing(phase);
    const nearer = swing(phase, 1, Math.PI / 2);
    for (let i = 0; i < rest.length; i++) bend.places[i] = rest[i]! + rightwards * right[i]! + nearer * near[i]!;
    return bend.draw();
  };
}

/** For each place of a bend, in its parts of a pixel. */
interface Relief {
  /** Where it lies on the plate while the camera rests. */
  rest: Float64Array;
  /** What is added while the camera is as far to the right as it goes, */
  right: Float64Array;
  /** and while it is as far down and near. */
  near: Float64Array;
}

/** `margin` is how far the plate reaches over the panel. */
function reliefOf({ width, height }: Film, { focus, whole }: Stage, margin: Spot, size: number): Relief {
  const relief = { rest: new Float64Array(size), right: new Float64Array(size), near: new Float64Array(size) };
  const tell = (numbers: Float64Array, at: number, { x, y }: Spot) => numbers.set([x * parts, y * parts], at);
  const columns = width / run;
  for (let at = 0; at < size; at += 2) {
    const begin = { x: ((at / 2) % columns) * run, y: Math.floor(at / 2 / columns) * rise };
    const middle = { x: begin.x + (run - 1) / 2, y: begin.y };
    const depth = nearness({ x: middle.x / width, y: middle.y / height }, focus);
    const move = whole ? mobility({ x: margin.x + middle.x, y: margin.y + middle.y }, whole) : 1;
    const growth = move * zoomSway * (depth + 0.4);
    tell(relief.rest, at, { x: margin.x + begin.x, y: margin.y + begin.y });
    tell(relief.right, at, { x: move * sway.x * depth, y: 0 });
    tell(relief.near, at, {
      x: (width / 2 - middle.x) * growth,
      y: (height / 2 - middle.y) * growth + move * sway.y * depth,
    });
  }
  return relief;
}

/** How near what is at a place on the panel (0 to 1) lies, about -0.4 to 1. */
function nearness({ x, y }: Spot, focus: Spot): number {
  const ground = 0.75 * (1 / (1 + Math.exp(-(y - 0.62) * 9)) - 0.5);
  return ground + 0.55 * Math.exp(-((x - focus.x) ** 2 / 0.06 + (y - focus.y) ** 2 / 0.1));
}

/** How much a place on the plate may move: 1, but falling to 0 towards the edges of a photo shown whole, for paper does not bend. */
function mobility({ x, y }: Spot, whole: NonNullable<Stage['whole']>): number {
  return freedom((x - whole.left) / whole.width) * freedom((y - whole.top) / whole.height);
}

/** 0 at either edge (0 and 1) and beyond, 1 in the middle. */
function freedom(part: number): number {
  return part <= 0 || part >= 1 ? 0 : Math.sin(Math.PI * part) ** 1.5;
}
