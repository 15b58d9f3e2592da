import { createCanvas } from '@napi-rs/canvas';
import { swing, type Film, type Scene } from '../motion.ts';
import type { Photo, Spot } from '../photo.ts';
import { setStage, type Stage } from '../stage.ts';

/** Pixels the nearest parts travel to either side, and up and down. */
const sway = { x: 22, y: 7 };
const zoomSway = 0.014;
/** The picture is kept this much larger than the panel, so that what moves in at the edges is there. */
const spare = 1.1;
/** Displacements are computed every so many pixels of a row and run straight in between; the depths are that smooth. */
const span = 16;

/**
 * The picture gains depth: its foot and what it is about lie nearer than the rest and shift more while the camera moves
 * on a small ellipse. The depths are a guess by place alone, so they are smooth and the shifts small.
 */
export async function depth(photo: Photo, film: Film): Promise<Scene> {
  const { width, height } = film;
  const plate = { width: Math.round(width * spare), height: Math.round(height * spare), frames: film.frames };
  const stage = await setStage(photo, plate);
  const canvas = createCanvas(plate.width, plate.height);
  const g = canvas.getContext('2d', { alpha: false });
  stage.show(g, { zoom: 1, towards: stage.focus });
  const source = asPixels(canvas.data());
  const picture = new Int32Array(width * height);
  const bytes = new Uint8Array(picture.buffer);
  const margin = { x: (plate.width - width) / 2, y: (plate.height - height) / 2 };
  const relief = reliefOf(film, stage.focus, stage.whole, margin);

  return ({ phase }) => {
    const shift = { x: sway.x * swing(phase), y: sway.y * swing(phase, 1, Math.PI / 2) };
    const zoom = zoomSway * swing(phase, 1, Math.PI / 2);
    for (let y = 0; y < height; y++) {
      const across = (column: number) => {
        const x = column * span;
        const near = relief.nearness[y * relief.columns + column] ?? 0;
        const move = relief.mobility[y * relief.columns + column] ?? 0;
        return {
          x: margin.x + x + move * (shift.x * near - (x - width / 2) * zoom * (near + 0.4)),
          y: margin.y + y + move * (shift.y * near - (y - height / 2) * zoom * (near + 0.4)),
        };
      };
      let from = across(0);
      for (let column = 1; column < relief.columns; column++) {
        const to = across(column);
        sampleRun(source, plate.width, picture, y * width + (column - 1) * span, from, to);
        from = to;
      }
    }
    return bytes;
  };
}

/** Every pixel down, every `span` pixels across. */
interface Relief {
  columns: number;
  /** How near each point is, about -0.4 to 1. */
  nearness: Float32Array;
  /** How much it may move: 1, but falling to 0 towards the edges of a photo shown whole, for paper does not bend. */
  mobility: Float32Array;
}

function reliefOf({ width, height }: Film, focus: Spot, whole: Stage['whole'], margin: Spot): Relief {
  const columns = width / span + 1;
  const nearness = new Float32Array(columns * height);
  const mobility = new Float32Array(columns * height).fill(1);
  for (let y = 0; y < height; y++) {
    const ground = 0.75 * (1 / (1 + Math.exp(-(y / height - 0.62) * 9)) - 0.5);
    for (let column = 0; column < columns; column++) {
      const x = column * span;
      const fromFocus = { x: x / width - focus.x, y: y / height - focus.y };
      nearness[y * columns + column] = ground + 0.55 * Math.exp(-(fromFocus.x ** 2 / 0.06 + fromFocus.y ** 2 / 0.1));
      if (whole) {
        const across = (margin.x + x - whole.left) / whole.width;
        const down = (margin.y + y - whole.top) / whole.height;
        mobility[y * columns + column] = freedom(across) * freedom(down);
      }
    }
  }
  return { columns, nearness, mobility };
}

/** 0 at either edge (0 and 1) and beyond, 1 in the middle. */
function freedom(part: number): number {
  return part <= 0 || part >= 1 ? 0 : Math.sin(Math.PI * part) ** 1.5;
}

const evenBytes = 0xff00ff;

/**
 * Fill `span` pixels from a straight line through the source, each mixed of its four neighbours. Positions are integers
 * in 1/65536 pixel, shares in 1/256. Red with blue and green with alpha are mixed as two in one integer, which is why
 * pixels are signed here: unsigned ones become floating-point numbers.
 */
function sampleRun(
  source: Int32Array,
  sourceWidth: number,
  picture: Int32Array,
  at: number,
  from: Spot,
  to: Spot,
): void {
  let x = (from.x * 65536) | 0;
  let y = (from.y * 65536) | 0;
  const stepX = ((to.x - from.x) * (65536 / span)) | 0;
  const stepY = ((to.y - from.y) * (65536 / span)) | 0;
  for (let i = at; i < at + span; i++) {
    const s = Math.imul(y >> 16, sourceWidth) + (x >> 16);
    const right = (x >> 8) & 255;
    const below = (y >> 8) & 255;
    const rightBelow = Math.imul(right, below) >> 8;
    const justRight = right - rightBelow;
    const justBelow = below - rightBelow;
    const here = 256 - right - justBelow;
    // The plate's margin keeps all four inside.
    const a = source[s] as number;
    const b = source[s + 1] as number;
    const c = source[s + sourceWidth] as number;
    const d = source[s + sourceWidth + 1] as number;
    const redBlue =
      Math.imul(a & evenBytes, here) +
      Math.imul(b & evenBytes, justRight) +
      Math.imul(c & evenBytes, justBelow) +
      Math.imul(d & evenBytes, rightBelow);
    const greenAlpha =
      Math.imul((a >>> 8) & evenBytes, here) +
      Math.imul((b >>> 8) & evenBytes, justRight) +
      Math.imul((c >>> 8) & evenBytes, justBelow) +
      Math.imul((d >>> 8) & evenBytes, rightBelow);
    picture[i] = ((redBlue >>> 8) & evenBytes) | (greenAlpha & ~evenBytes);
    x = (x + stepX) | 0;
    y = (y + stepY) | 0;
  }
}

function asPixels(bytes: Buffer): Int32Array {
  // A buffer may begin anywhere, an array of 32-bit numbers may not.
  return new Int32Array(new Uint8Array(bytes).buffer);
}
