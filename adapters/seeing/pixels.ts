import sharp, { type Sharp } from 'sharp';
import type { Box, Grid, Picture, Size } from './grid.ts';
import type { ModelTensor } from './models.ts';

sharp.cache(false);
sharp.concurrency(1);

/** Reads an upright photo as opaque RGB. */
export async function openPicture(photo: Sharp): Promise<Picture> {
  const { data, info } = await photo
    .flatten({ background: '#ffffff' })
    .toColourspace('srgb')
    .raw()
    .toBuffer({ resolveWithObject: true });
  return { width: info.width, height: info.height, rgb: data };
}

export const createSharpPipeline = ({ rgb, width, height }: Picture): Sharp =>
  sharp(rgb, { raw: { width, height, channels: 3 } });

export async function resizePicture(picture: Picture, to: Size, part?: Box): Promise<Picture> {
  const sourcePicture = part ? createSharpPipeline(picture).extract(part) : createSharpPipeline(picture);
  return {
    ...to,
    rgb: await sourcePicture
      .resize({ ...to, fit: 'fill' })
      .raw()
      .toBuffer(),
  };
}

/** Resizes a map of bytes smoothly and blurs it by `sigma` pixels of the new size. */
export async function resizeGrayMap(grey: Uint8Array, from: Size, to: Size, sigma = 0): Promise<Uint8Array> {
  const enlargedMap = sharp(grey, { raw: { ...from, channels: 1 } }).resize({ ...to, fit: 'fill' });
  return await (sigma >= 0.3 ? enlargedMap.blur(sigma) : enlargedMap).extractChannel(0).raw().toBuffer();
}

/** Converts a picture to a model's input: one plane for each color, with (value - `less`) / `by`. */
export function toModelInput({ rgb, width, height }: Picture, less: number, by: number): ModelTensor {
  const area = width * height;
  const data = new Float32Array(3 * area);
  for (let at = 0; at < area; at++) for (let c = 0; c < 3; c++) data[c * area + at] = (rgb[3 * at + c]! - less) / by;
  return { type: 'float32', data, shape: [1, 3, height, width] };
}

export function computeLuminance({ rgb, width, height }: Picture): Grid {
  const grayValues = new Float32Array(width * height);
  for (let i = 0; i < grayValues.length; i++)
    grayValues[i] = (0.3 * rgb[3 * i]! + 0.59 * rgb[3 * i + 1]! + 0.11 * rgb[3 * i + 2]!) / 255;
  return { width, height, at: grayValues };
}
