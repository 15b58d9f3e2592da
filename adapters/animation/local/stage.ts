/**
 * How a photo sits on the panel, and how a camera looks at it. A photo of nearly the panel's shape fills it; any other
 * is shown whole, over a soft enlargement of itself, so that no head is ever cut off.
 */
import { createCanvas, type Image, type SKRSContext2D } from '@napi-rs/canvas';
import sharp from 'sharp';
import type { Film } from './motion.ts';
import { drawnPixels, toImage, type Photo, type Spot } from './photo.ts';

/** One look at the stage. */
export interface Look {
  /** 1 shows all of it. */
  zoom: number;
  /** What the zoom moves towards, 0 to 1 from the left top. */
  towards: Spot;
  /** In radians. */
  tilt?: number;
}
export interface Stage {
  /** Where a style should look. */
  focus: Spot;
  /** Where a photo shown whole lies, in pixels at zoom 1; undefined when it fills the panel. */
  whole?: { left: number; top: number; width: number; height: number };
  show(g: SKRSContext2D, look: Look): void;
}
export interface StageOptions {
  /** How dark the corners are, 0 to 1. */
  vignette?: number;
}

/** A photo fills the panel while at least this part of it stays in view: 4:3 does on 16:10, 5:4 and portraits do not. */
const leastInView = 0.8;
/** Pictures are kept larger than the panel, so that zooming in never enlarges them. */
const spare = 1.17;
/** No look goes nearer to an edge, so that a style that sways has picture there. */
const edgeRoom = 0.15;
/** What a photo shown whole leaves free at the edges: room for every style's zoom. */
const wholeShare = { width: 0.78, height: 0.82 };

export async function setStage(photo: Photo, film: Film, options: StageOptions = {}): Promise<Stage> {
  return fillsPanel(photo, film) ? await filledStage(photo, film, options) : await wholeStage(photo, film, options);
}

export function fillsPanel(photo: Photo, film: Film): boolean {
  const stretch = photo.width / photo.height / (film.width / film.height);
  return Math.min(stretch, 1 / stretch) >= leastInView;
}

async function filledStage(photo: Photo, film: Film, { vignette = 0 }: StageOptions): Promise<Stage> {
  const { width, height } = film;
  const crop = cropAround(photo, width / height);
  const size = { width: Math.round(width * spare), height: Math.round(height * spare), fit: 'fill' } as const;
  const plain = await toImage(photo.pixels().extract(crop).resize(size));
  const plate = vignette > 0 ? await darkenCorners(plain, vignette) : plain;
  return {
    focus: {
      x: clamp((photo.focus.x * photo.width - crop.left) / crop.width, edgeRoom, 1 - edgeRoom),
      y: clamp((photo.focus.y * photo.height - crop.top) / crop.height, edgeRoom, 1 - edgeRoom),
    },
    show(g, look) {
      const { zoom, towards, tilt = 0 } = look;
      const draw = () =>
        g.drawImage(
          plate,
          (width - width * zoom) * towards.x,
          (height - height * zoom) * towards.y,
          width * zoom,
          height * zoom,
        );
      if (tilt) turned(g, { x: width / 2, y: height / 2 }, tilt, draw);
      else draw();
    },
  };
}

/** The largest part of the photo in the panel's shape, with the focus as near its middle as the edges allow. */
export function cropAround(photo: Pick<Photo, 'width' | 'height' | 'focus'>, shape: number) {
  const width = Math.min(photo.width, Math.round(photo.height * shape));
  const height = Math.min(photo.height, Math.round(photo.width / shape));
  return {
    left: Math.round(clamp(photo.focus.x * photo.width - width / 2, 0, photo.width - width)),
    top: Math.round(clamp(photo.focus.y * photo.height - height / 2, 0, photo.height - height)),
    width,
    height,
  };
}

async function wholeStage(photo: Photo, film: Film, { vignette = 0.25 }: StageOptions): Promise<Stage> {
  const { width, height } = film;
  const print = await hangPrint(photo, film, {
    scale: Math.min((width * wholeShare.width) / photo.width, (height * wholeShare.height) / photo.height),
    border: 0,
    spare,
    vignette,
  });
  return {
    focus: { x: 0.5, y: 0.5 },
    whole: { left: (width - print.size.width) / 2, top: (height - print.size.height) / 2, ...print.size },
    show(g, look) {
      // The backdrop follows a third of the way, as what lies farther off does.
      const far = 1.06 + (look.zoom - 1) / 3;
      const lag = { x: 0.5 + (look.towards.x - 0.5) / 3, y: 0.5 + (look.towards.y - 0.5) / 3 };
      const middle = {
        x: width / 2 + (width - width * look.zoom) * (look.towards.x - 0.5),
        y: height / 2 + (height - height * look.zoom) * (look.towards.y - 0.5),
      };
      const corner = { x: (width - width * far) * lag.x, y: (height - height * far) * lag.y };
      print.show(g, { middle, zoom: look.zoom, tilt: look.tilt ?? 0 }, { corner, zoom: far });
    },
  };
}

interface Size {
  width: number;
  height: number;
}
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

function clamp(value: number, least: number, most: number): number {
  return Math.min(Math.max(value, least), most);
}
