/** A photo as a paper print that hangs over a soft enlargement of itself. */
import { createCanvas, type Image, type SKRSContext2D } from '@napi-rs/canvas';
import sharp from 'sharp';
import type { Size } from '../../seeing/grid.ts';
import type { Spot } from './framing.ts';
import type { Film } from './motion.ts';
import { drawnPixels, toImage, type Photo } from './photo.ts';

/** A photo on its own, its shadow, and its backdrop. */
export interface Print {
  /** Of the paper, on the panel, unzoomed. */
  size: Size;
  show(g: SKRSContext2D, pose: Pose, backdrop: { corner: Spot; zoom: number }): void;
}
export interface Pose {
  middle: Spot;
  zoom: number;
  /** In radians. */
  tilt: number;
}
export interface PrintOptions {
  /** Pixels on the panel for one of the photo's. */
  scale: number;
  /** White paper round the photo, in pixels. */
  border: number;
  /** How much larger than on the panel it is kept. */
  spare: number;
  /** How dark the backdrop's corners are, 0 to 1. */
  vignette: number;
}

/** Backdrop and shadow are out of focus: they are drawn this much smaller, together, and then enlarged. */
const coarseness = 4;

export async function hangPrint(photo: Photo, film: Film, options: PrintOptions): Promise<Print> {
  const { scale, border, spare, vignette } = options;
  const picture = {
    width: Math.max(1, Math.round(photo.width * scale)),
    height: Math.max(1, Math.round(photo.height * scale)),
  };
  const size = { width: picture.width + 2 * border, height: picture.height + 2 * border };
  const enlarged = { width: Math.round(picture.width * spare), height: Math.round(picture.height * spare) };
  const edge = Math.round(border * spare);
  const paper = { top: edge, bottom: edge, left: edge, right: edge, background: '#fbf8f2' };
  const print = await toImage(
    photo
      .pixels()
      .resize({ ...enlarged, fit: 'fill' })
      .extend(paper),
  );
  const shadow = await shadowOf(size);
  const backdrop = await softBackdrop(photo, film, vignette);
  const ground = createCanvas(film.width / coarseness, film.height / coarseness);
  const coarse = ground.getContext('2d', { alpha: false });
  coarse.scale(1 / coarseness, 1 / coarseness);

  return {
    size,
    show(g, pose, { corner, zoom }) {
      coarse.drawImage(backdrop, corner.x, corner.y, film.width * zoom, film.height * zoom);
      drawPosed(coarse, shadow.image, shadow, pose);
      aroundPrint(g, film, size, pose, () => g.drawImage(ground, 0, 0, film.width, film.height));
      drawPosed(g, print, size, pose);
    },
  };
}

/** The photo again, enlarged over the whole panel, out of focus and a little darker. */
async function softBackdrop(photo: Photo, film: Film, vignette: number): Promise<Image> {
  const size = { width: film.width / coarseness, height: film.height / coarseness, fit: 'cover' } as const;
  const blurred = await photo.pixels().resize(size).blur(10).png({ compressionLevel: 0 }).toBuffer();
  // A pipeline of its own: the photo's may set its colours already.
  const dimmed = await toImage(sharp(blurred).modulate({ brightness: 0.74, saturation: 1.12 }));
  return await darkenCorners(dimmed, vignette);
}

function turned(g: SKRSContext2D, round: Spot, tilt: number, draw: () => void): void {
  g.save();
  g.translate(round.x, round.y);
  g.rotate(tilt);
  g.translate(-round.x, -round.y);
  draw();
  g.restore();
}

/** The soft shadow of a print of this size, coarse; its own size is that on the panel. */
async function shadowOf(print: Size): Promise<Size & { image: Image }> {
  const reach = 80;
  const width = print.width + 2 * reach;
  const height = print.height + 2 * reach;
  const canvas = createCanvas(Math.round(width / coarseness), Math.round(height / coarseness));
  const g = canvas.getContext('2d');
  g.shadowColor = 'rgba(0,0,0,0.5)';
  g.shadowBlur = 44 / coarseness;
  // The print itself stays out of the picture: its colour must not be seen round its edge.
  g.shadowOffsetX = 2 * canvas.width;
  g.shadowOffsetY = 14 / coarseness;
  g.scale(canvas.width / width, canvas.height / height);
  g.fillRect(reach - 2 * width, reach, print.width, print.height);
  return { image: await toImage(drawnPixels(g)), width, height };
}

function drawPosed(g: SKRSContext2D, image: Image, size: Size, { middle, zoom, tilt }: Pose): void {
  const width = size.width * zoom;
  const height = size.height * zoom;
  turned(g, middle, tilt, () => g.drawImage(image, middle.x - width / 2, middle.y - height / 2, width, height));
}

/** Draw what lies behind a print, but not where the print will cover it: that would be half the work of a picture. */
function aroundPrint(g: SKRSContext2D, film: Film, print: Size, { middle, zoom, tilt }: Pose, draw: () => void): void {
  const bent = (Math.abs(Math.sin(tilt)) * Math.max(print.width, print.height) * zoom) / 2 + 2;
  const half = { width: (print.width * zoom) / 2 - bent, height: (print.height * zoom) / 2 - bent };
  g.save();
  g.beginPath();
  // Wider than the panel, for the drawing may be shifted a little.
  g.rect(-film.width, -film.height, 3 * film.width, 3 * film.height);
  const [left, top] = [Math.ceil(middle.x - half.width), Math.ceil(middle.y - half.height)];
  g.rect(left, top, Math.floor(middle.x + half.width) - left, Math.floor(middle.y + half.height) - top);
  g.clip('evenodd');
  draw();
  g.restore();
}

async function darkenCorners(image: Image, strength: number): Promise<Image> {
  const { width, height } = image;
  const canvas = createCanvas(width, height);
  const g = canvas.getContext('2d', { alpha: false });
  g.drawImage(image, 0, 0);
  paintVignette(g, width, height, strength);
  return await toImage(drawnPixels(g).removeAlpha());
}

function paintVignette(g: SKRSContext2D, width: number, height: number, strength: number): void {
  const middle = { x: width / 2, y: height / 2 };
  const inner = Math.min(width, height) * 0.35;
  const shade = g.createRadialGradient(middle.x, middle.y, inner, middle.x, middle.y, Math.hypot(width, height) * 0.56);
  for (let stop = 0; stop <= 8; stop++)
    shade.addColorStop(stop / 8, `rgba(8,4,2,${(strength * (stop / 8) ** 2).toFixed(4)})`);
  g.fillStyle = shade;
  g.fillRect(0, 0, width, height);
}
