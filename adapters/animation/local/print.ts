/** Draws a photo as a paper print in front of a blurred enlargement of the same photo. */
import sharp from 'sharp';
import type { Size } from '../../seeing/grid.ts';
import { loadCanvasLibrary } from './canvas.ts';
import type { VideoDimensions } from './motion.ts';
import type { SourcePhoto } from './photo.ts';
import { plateEnlargement, darkenPlateCorners } from './render-context.ts';
import { drawTitleOnPaper, type TitleLayout } from './title.ts';
import type { Plate } from './warp/plates.ts';

export interface PrintOptions {
  /** Panel pixels for one pixel of the photo. */
  scale: number;
  /** White paper around the photo, in panel pixels. */
  border: number;
  /** Darkness of the backdrop's corners, 0 to 1. */
  dark: number;
  /** The title below the photo. The paper gets larger to fit it. */
  title: TitleLayout | undefined;
}
const paperColor = '#fbf8f2';
/** Height of the paper below the photo, in panel pixels. */
export const computePaperHeightBelowPhoto = (border: number, title: TitleLayout | undefined): number =>
  border + (title?.height ?? 0);

/**
 * The print's plate is larger than other plates by this factor, so that a swaying and tilting print never shows the
 * plate's edge.
 */
export const printPlateScale = 1.06;
/** The backdrop and the shadow are blurred, so they are drawn smaller by this factor and then enlarged. */
const downscaleFactor = 4;

/**
 * Draws the backdrop on one plate, and the print with its shadow in the middle of another plate. Also returns the
 * print's size on the panel.
 */
export async function drawPrint(
  photo: SourcePhoto,
  film: VideoDimensions,
  { scale, border, dark, title }: PrintOptions,
): Promise<{ backdrop: Plate; print: Plate; size: Size }> {
  const plateSize = {
    width: Math.round(film.width * plateEnlargement),
    height: Math.round(film.height * plateEnlargement),
  };
  const scaleFactor = plateSize.width / film.width;
  const printPlateSize = {
    width: Math.round(plateSize.width * printPlateScale),
    height: Math.round(plateSize.height * printPlateScale),
  };
  const [top, bottom] = [border, computePaperHeightBelowPhoto(border, title)].map((it) =>
    Math.round(it * scaleFactor),
  ) as [number, number];
  const photoSize = {
    width: Math.max(1, Math.round(photo.width * scale * scaleFactor)),
    height: Math.max(1, Math.round(photo.height * scale * scaleFactor)),
  };
  const sideBorder = Math.max(top, Math.round(top + ((title?.width ?? 0) * scaleFactor - photoSize.width) / 2));
  const { data, info } = await photo
    .pixels()
    .resize({ ...photoSize, fit: 'fill' })
    .extend({ top, bottom, left: sideBorder, right: sideBorder, background: paperColor })
    .ensureAlpha()
    .raw()
    .toBuffer({ resolveWithObject: true });
  if (title)
    data.set(
      drawTitleFoot(title, { width: info.width, height: bottom }, scaleFactor),
      4 * info.width * (info.height - bottom),
    );
  const pixels = await drawShadow(info, printPlateSize, scaleFactor);
  const [left, first] = [(printPlateSize.width - info.width) / 2, (printPlateSize.height - info.height) / 2].map(
    Math.round,
  ) as [number, number];
  for (let y = 0; y < info.height; y++)
    pixels.set(
      data.subarray(4 * y * info.width, 4 * (y + 1) * info.width),
      4 * ((first + y) * printPlateSize.width + left),
    );
  return {
    backdrop: await createBlurredBackdrop(photo, film, plateSize, dark),
    print: { ...printPlateSize, pixels },
    size: { width: info.width / scaleFactor, height: info.height / scaleFactor },
  };
}

/** Draws the paper below the photo with the title. `scaleFactor` is the number of plate pixels for each panel pixel. */
function drawTitleFoot(title: TitleLayout, { width, height }: Size, scaleFactor: number): Uint8ClampedArray {
  const g = loadCanvasLibrary().createCanvas(width, height).getContext('2d');
  g.fillStyle = paperColor;
  g.fillRect(0, 0, width, height);
  g.scale(scaleFactor, scaleFactor);
  drawTitleOnPaper(g, title, { width: width / scaleFactor, height: height / scaleFactor });
  return g.getImageData(0, 0, width, height).data;
}

/** Enlarges the photo over the whole plate, blurred and a little darker, most of all in the corners. */
async function createBlurredBackdrop(
  photo: SourcePhoto,
  film: VideoDimensions,
  plate: Size,
  dark: number,
): Promise<Plate> {
  const size = { width: film.width / downscaleFactor, height: film.height / downscaleFactor, fit: 'cover' } as const;
  const blurredPhoto = await photo.pixels().resize(size).blur(10).png({ compressionLevel: 0 }).toBuffer();
  // Uses separate pipelines because the photo's pipeline may already set its colors. Dims the small picture because
  // this takes a third of the time.
  const dimmedBackground = sharp(blurredPhoto)
    .modulate({ brightness: 0.74, saturation: 1.12 })
    .toColourspace('srgb')
    .ensureAlpha();
  const { data: pixels, info } = await dimmedBackground.raw().toBuffer({ resolveWithObject: true });
  const { width, height } = info;
  darkenPlateCorners({ width, height, pixels }, dark);
  const enlargedPhoto = sharp(pixels, { raw: { width, height, channels: 4 } }).resize({ ...plate, fit: 'fill' });
  return { ...plate, pixels: await enlargedPhoto.raw().toBuffer() };
}

/** The print's shadow: darkness from 0 to 255, and blur and distance below the print in panel pixels. */
const shadow = { darkness: 128, softness: 22, below: 14 };

/**
 * Draws the soft shadow of a print of this size in the middle of a plate. `scaleFactor` is the number of plate pixels
 * for each panel pixel.
 */
async function drawShadow(print: Size, plate: Size, scaleFactor: number): Promise<Uint8Array> {
  const [width, height] = [plate.width, plate.height].map((it) => Math.round(it / downscaleFactor)) as [number, number];
  const [across, down] = [print.width, print.height].map((it) => Math.round(it / downscaleFactor)) as [number, number];
  const left = Math.round((width - across) / 2);
  const top = Math.round((height - down) / 2 + (shadow.below * scaleFactor) / downscaleFactor);
  const shadowMask = new Uint8Array(width * height);
  for (let y = top; y < Math.min(height, top + down); y++)
    shadowMask.fill(shadow.darkness, y * width + left, y * width + left + across);
  const readGreyPixels = (pixels: Uint8Array) =>
    sharp(pixels, { raw: { width, height, channels: 1 } }).toColourspace('b-w');
  const softShadow = await readGreyPixels(shadowMask)
    .blur((shadow.softness * scaleFactor) / downscaleFactor)
    .raw()
    .toBuffer();
  const alpha = await readGreyPixels(softShadow)
    .resize({ ...plate, fit: 'fill' })
    .raw()
    .toBuffer();
  const pixels = new Uint8Array(4 * alpha.length); // all pixels are black; only their opacity is set below
  for (let at = 0; at < alpha.length; at++) pixels[4 * at + 3] = alpha[at]!;
  return pixels;
}
