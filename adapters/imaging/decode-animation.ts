import { readFileSync, writeSync } from 'node:fs';
import sharp, { type Sharp } from 'sharp';
import { firstFileDescriptor } from '../processes/child-side.ts';
import { readAnimationDelays } from './picture-delays.ts';

/** Decodes the pictures of an animation. The first open file is the photo, the second one gets the pictures. */
export interface AnimationJob {
  animation: {
    mime: 'image/gif' | 'image/webp';
    framesPerSecond: number;
    /** The largest number of frames to decode. */
    most: number;
    /** How the photo's display copy is turned clockwise, and the part of the turned photo that it shows. */
    quarterTurns: number;
    area: { left: number; top: number; width: number; height: number };
    /** The longer side of each picture has at most this length. */
    side: number;
  };
}
export type AnimationResult =
  | {
      animation: {
        width: number;
        height: number;
        /** The number of pictures in the file: JPEGs, one after the other. */
        pictures: number;
        /** For each frame, the index of its picture. */
        frames: number[];
      };
    }
  | { unreadable: string };

/** The kernel's fences allow files of 32 MB. */
const maxWrittenBytes = 30e6;
/** How many pixels are decoded at once. A picture of an animation may consist of changes to all pictures before it. */
const pixelsAtOnce = 30e6;
const backgroundColor = '#ffffff';

/** Runs in a child process, because the decoders are C code and the bytes are untrusted. */
export async function decodeAnimation({ animation }: AnimationJob): Promise<AnimationResult> {
  const { mime, side, area, quarterTurns } = animation;
  try {
    const bytes = readFileSync(firstFileDescriptor);
    const frames = picturesOfFrames(readAnimationDelays(bytes, mime), animation);
    const wantedFrames = [...new Set(frames)];
    const { width, pageHeight, height } = await sharp(bytes, { pages: 1 }).metadata();
    const pagesPerStep = Math.max(1, Math.floor(pixelsAtOnce / (width * (pageHeight ?? height))));
    let [written, count] = [0, 0];
    let size = { width: 0, height: 0 };
    for (let page = 0; page <= wantedFrames.at(-1)! && written < maxWrittenBytes; page += pagesPerStep) {
      const pageCount = Math.min(pagesPerStep, wantedFrames.at(-1)! + 1 - page);
      const decodedPictures = sharp(bytes, { page, pages: pageCount, limitInputPixels: 60e6 }).flatten({
        background: backgroundColor,
      });
      const { data, info } = await decodedPictures.toColourspace('srgb').raw().toBuffer({ resolveWithObject: true });
      const rawSize = { width: info.width, height: info.height / pageCount, channels: info.channels };
      const pictureBytes = rawSize.width * rawSize.height * rawSize.channels;
      for (let index = page; index < page + pageCount; index++) {
        if (!wantedFrames.includes(index)) continue;
        const picture = sharp(data.subarray((index - page) * pictureBytes, (index - page + 1) * pictureBytes), {
          raw: rawSize,
        });
        const croppedPictures = await cropPictures(picture, rawSize, { area, quarterTurns });
        const jpeg = await croppedPictures
          .resize(side, side, { fit: 'inside', withoutEnlargement: true })
          .jpeg({ quality: 92, chromaSubsampling: '4:4:4' })
          .toBuffer({ resolveWithObject: true });
        if (written + jpeg.data.length > maxWrittenBytes) break;
        writeSync(firstFileDescriptor + 1, jpeg.data);
        written += jpeg.data.length;
        count += 1;
        size = { width: jpeg.info.width, height: jpeg.info.height };
      }
    }
    const indexes = new Map(wantedFrames.slice(0, count).map((page, index) => [page, index]));
    const shownIndexes = frames.map((page) => indexes.get(page)).filter((index) => index !== undefined);
    return { animation: { ...size, pictures: count, frames: shownIndexes } };
  } catch (error) {
    return { unreadable: error instanceof Error ? error.message : String(error) };
  }
}

/** For each frame of a video, the picture that is shown then. */
function picturesOfFrames(delays: readonly number[], { framesPerSecond, most }: AnimationJob['animation']): number[] {
  const frames: number[] = [];
  let end = 0;
  for (const [index, delay] of delays.entries()) {
    end += delay;
    while (frames.length < most && frames.length / framesPerSecond < end - 1e-6) frames.push(index);
  }
  return frames;
}

async function cropPictures(
  picture: Sharp,
  size: { width: number; height: number },
  { area, quarterTurns }: Pick<AnimationJob['animation'], 'area' | 'quarterTurns'>,
): Promise<Sharp> {
  const isTurned = quarterTurns % 2 === 1;
  const [width, height] = isTurned ? [size.height, size.width] : [size.width, size.height];
  const { data, info } = await picture
    .rotate(90 * quarterTurns)
    .raw()
    .toBuffer({ resolveWithObject: true });
  const leftPixel = Math.min(width - 1, Math.round(area.left * width));
  const top = Math.min(height - 1, Math.round(area.top * height));
  return sharp(data, { raw: { width, height, channels: info.channels } }).extract({
    left: leftPixel,
    top,
    width: Math.max(1, Math.min(width - leftPixel, Math.round(area.width * width))),
    height: Math.max(1, Math.min(height - top, Math.round(area.height * height))),
  });
}
