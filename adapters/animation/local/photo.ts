import sharp, { type Sharp } from 'sharp';
import type { PlanePoint } from './framing.ts';

sharp.cache(false);
sharp.concurrency(1);

/** The source photo of a video. */
export interface SourcePhoto {
  width: number;
  height: number;
  /** A new pipeline on the photo's pixels. */
  pixels(): Sharp;
}

/** Decodes the photo once. Styles crop and scale from these pixels. */
export async function openPhoto(path: string): Promise<SourcePhoto> {
  const source = sharp(path, { failOn: 'error', limitInputPixels: 60e6, autoOrient: true });
  const picture = source.flatten({ background: '#ffffff' }).toColourspace('srgb');
  const { data, info } = await picture.raw().toBuffer({ resolveWithObject: true });
  const { width, height, channels } = info;
  return { width, height, pixels: () => sharp(data, { raw: { width, height, channels } }) };
}

/**
 * Strengthens the finest details of a plate's picture. Frames are sampled bilinearly between the plate's pixels, which
 * weakens the same details by the same amount.
 */
export const strengthenDetails = (picture: Sharp): Sharp =>
  picture.convolve({ width: 3, height: 3, kernel: [0, -0.1, 0, -0.1, 1.4, -0.1, 0, -0.1, 0] });

/**
 * Guesses the focus by contrast and color, without knowing faces. The result is pulled toward a point a little above
 * the middle, because a focus on a wrong corner is worse than none.
 */
export async function guessFocus(photo: Sharp): Promise<PlanePoint> {
  const smallPhoto = await photo
    .resize(400, 400, { fit: 'inside' })
    .png({ compressionLevel: 1 })
    .toBuffer({ resolveWithObject: true });
  const { width, height } = smallPhoto.info;
  // sharp reports the spot only if it crops something.
  const halfCrop = { width: Math.ceil(width / 2), height, fit: 'cover', position: sharp.strategy.attention } as const;
  const { info } = await sharp(smallPhoto.data).resize(halfCrop).toBuffer({ resolveWithObject: true });
  const x = (info.attentionX ?? width / 2) / width;
  const y = (info.attentionY ?? height / 2) / height;
  return { x: 0.5 + 0.4 * (x - 0.5), y: 0.45 + 0.4 * (y - 0.5) };
}
