/** A photo as a paper print that hangs over a soft enlargement of itself. */
import sharp from 'sharp';
import type { Size } from '../../seeing/grid.ts';
import { openCanvas } from './canvas.ts';
import type { Film } from './motion.ts';
import type { Photo } from './photo.ts';
import { spare, vignette } from './stage.ts';
import { writeOnPaper, type Lettering } from './title.ts';
import type { Plate } from './warp/seats.ts';

export interface PrintOptions {
  /** Pixels on the panel for one of the photo's. */
  scale: number;
  /** White paper round the photo, in pixels of the panel. */
  border: number;
  /** How dark the backdrop's corners are, 0 to 1. */
  dark: number;
  /** Written below the photo: the paper is as wide and as deep as that takes. */
  title: Lettering | undefined;
}
const paperColour = '#fbf8f2';
/** How deep the paper is below the photo, in pixels of the panel. */
export const footOf = (border: number, title: Lettering | undefined): number => border + (title?.height ?? 0);

/** So many times as large as the film is what its print's plate covers: a film that sways and tilts sees nothing beyond. */
export const roundPrint = 1.06;
/** Backdrop and shadow are out of focus: they are made this much smaller, and then enlarged. */
const coarseness = 4;

/** The print with its shadow, in the middle of its plate, how large it is on the panel, and what it hangs over. */
export async function hangPrint(
  photo: Photo,
  film: Film,
  { scale, border, dark, title }: PrintOptions,
): Promise<{ backdrop: Plate; print: Plate; size: Size }> {
  const plate = { width: Math.round(film.width * spare), height: Math.round(film.height * spare) };
  const by = plate.width / film.width;
  const wall = { width: Math.round(plate.width * roundPrint), height: Math.round(plate.height * roundPrint) };
  const [top, bottom] = [border, footOf(border, title)].map((it) => Math.round(it * by)) as [number, number];
  const picture = {
    width: Math.max(1, Math.round(photo.width * scale * by)),
    height: Math.max(1, Math.round(photo.height * scale * by)),
  };
  const side = Math.max(top, Math.round(top + ((title?.width ?? 0) * by - picture.width) / 2));
  const { data, info } = await photo
    .pixels()
    .resize({ ...picture, fit: 'fill' })
    .extend({ top, bottom, left: side, right: side, background: paperColour })
    .ensureAlpha()
    .raw()
    .toBuffer({ resolveWithObject: true });
  if (title)
    data.set(writtenFoot(title, { width: info.width, height: bottom }, by), 4 * info.width * (info.height - bottom));
  const pixels = await shadowOf(info, wall, by);
  const [left, first] = [(wall.width - info.width) / 2, (wall.height - info.height) / 2].map(Math.round) as [
    number,
    number,
  ];
  for (let y = 0; y < info.height; y++)
    pixels.set(data.subarray(4 * y * info.width, 4 * (y + 1) * info.width), 4 * ((first + y) * wall.width + left));
  return {
    backdrop: await softBackdrop(photo, film, plate, dark),
    print: { ...wall, pixels },
    size: { width: info.width / by, height: info.height / by },
  };
}

/** The strip of paper below the photo, of which `by` pixels are one of the panel's. */
function writtenFoot(title: Lettering, { width, height }: Size, by: number): Uint8ClampedArray {
  const g = openCanvas().createCanvas(width, height).getContext('2d');
  g.fillStyle = paperColour;
  g.fillRect(0, 0, width, height);
  g.scale(by, by);
  writeOnPaper(g, title, { width: width / by, height: height / by });
  return g.getImageData(0, 0, width, height).data;
}

/** The photo again, enlarged over the whole plate, out of focus and a little darker, more so in its corners. */
async function softBackdrop(photo: Photo, film: Film, plate: Size, dark: number): Promise<Plate> {
  const size = { width: film.width / coarseness, height: film.height / coarseness, fit: 'cover' } as const;
  const blurred = await photo.pixels().resize(size).blur(10).png({ compressionLevel: 0 }).toBuffer();
  // Pipelines of their own: the photo's may set its colours already, and what is small is dimmed in a third of the time.
  const dimmed = sharp(blurred).modulate({ brightness: 0.74, saturation: 1.12 }).toColourspace('srgb').ensureAlpha();
  const { data: pixels, info } = await dimmed.raw().toBuffer({ resolveWithObject: true });
  const { width, height } = info;
  vignette({ width, height, pixels }, dark);
  const enlarged = sharp(pixels, { raw: { width, height, channels: 4 } }).resize({ ...plate, fit: 'fill' });
  return { ...plate, pixels: await enlarged.raw().toBuffer() };
}

/** Of 255; how soft, and how far it lies below the print, in pixels of the panel. */
const shadow = { darkness: 128, softness: 22, below: 14 };

/** The soft shadow of a print of this size in the middle of a plate, of which `by` pixels are one of the panel's. */
async function shadowOf(print: Size, plate: Size, by: number): Promise<Uint8Array> {
  const [width, height] = [plate.width, plate.height].map((it) => Math.round(it / coarseness)) as [number, number];
  const [across, down] = [print.width, print.height].map((it) => Math.round(it / coarseness)) as [number, number];
  const left = Math.round((width - across) / 2);
  const top = Math.round((height - down) / 2 + (shadow.below * by) / coarseness);
  const cast = new Uint8Array(width * height);
  for (let y = top; y < Math.min(height, top + down); y++)
    cast.fill(shadow.darkness, y * width + left, y * width + left + across);
  const grey = (pixels: Uint8Array) => sharp(pixels, { raw: { width, height, channels: 1 } }).toColourspace('b-w');
  const softened = await grey(cast)
    .blur((shadow.softness * by) / coarseness)
    .raw()
    .toBuffer();
  const alpha = await grey(softened)
    .resize({ ...plate, fit: 'fill' })
    .raw()
    .toBuffer();
  const pixels = new Uint8Array(4 * alpha.length); // black
  for (let at = 0; at < alpha.length; at++) pixels[4 * at + 3] = alpha[at]!;
  return pixels;
}
