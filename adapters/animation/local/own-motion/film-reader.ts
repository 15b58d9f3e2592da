import { closeSync, openSync, readSync, writeFileSync } from 'node:fs';
import { AnimationError } from '#shop/ports/animator.ts';
import { readFilm } from '../../../imaging/own-motion.ts';
import type { Size } from '../../../seeing/grid.ts';
import { readPlaybackFacts } from '../../playback-facts.ts';
import { createBt709Filters, requireColorFilters } from '../../video-colors.ts';
import { framesPerSecond, type OwnMotionSource } from '../render-job.ts';
import { readPictures, UnusableMotionError } from './film-pictures.ts';
import type { GrayPicture } from './placement.ts';
import { computePictureBytes } from './planes.ts';

/** Reads the pictures of a motion: of a film at the video's frame rate and near the photo's moment. */
export interface FilmReader {
  /** The size of the pictures, turned like the photo. */
  size: Size;
  /** All pictures, small and gray. */
  readSmall(): Promise<GrayPicture[]>;
  /** Pictures in the encoder's format, from `first` to `last`, both included. Each is valid until the next one. */
  readLarge(size: Size, first: number, last: number): AsyncGenerator<Uint8Array, void>;
}

interface FilmSource {
  size: Size;
  /** ffmpeg arguments that open the source. */
  input: string[];
  /** ffmpeg filters that give the pictures to choose from, and filters that turn them. */
  pictures: string;
  turns: string[];
  /** The filters that convert to the encoder's colors. */
  colors: string;
  /** The largest number of pictures that are read. */
  most: number;
}

/** Length of the longer side of the small pictures. */
const smallSide = 192;

function createReader(command: string[], { size, input, pictures, turns, colors, most }: FilmSource): FilmReader {
  const safeFfmpegArgs = ['-nostdin', '-v', 'error', '-threads', '1', '-protocol_whitelist', 'file'];
  const createReadingArguments = (filters: string[], format: string) => {
    const outputArguments = ['-map', '0:V:0', '-an', '-vf', filters.join(',')];
    return [
      ...command,
      ...safeFfmpegArgs,
      ...input,
      ...outputArguments,
      '-f',
      'rawvideo',
      '-pix_fmt',
      format,
      'pipe:1',
    ];
  };
  return {
    size,
    async readSmall() {
      const factor = smallSide / Math.max(size.width, size.height);
      const [width, height] = [size.width, size.height].map((length) => Math.max(4, Math.round(length * factor))) as [
        number,
        number,
      ];
      const filters = [pictures, ...turns, `scale=${width}:${height}:flags=area`, 'format=gray'];
      const smallPictures: GrayPicture[] = [];
      for await (const picture of readPictures(createReadingArguments(filters, 'gray'), width * height, most))
        smallPictures.push({ width, height, shape: size.width / size.height, at: picture.slice() });
      return smallPictures;
    },
    readLarge({ width, height }, first, last) {
      const trimFilter = `trim=start_frame=${first}:end_frame=${last + 1},setpts=PTS-STARTPTS`;
      const filters = [pictures, trimFilter, ...turns, `scale=${width}:${height}:flags=bicubic`, colors];
      return readPictures(
        createReadingArguments(filters, 'yuv420p'),
        computePictureBytes({ width, height }),
        last - first + 1,
      );
    },
  };
}

/** Opens the pictures of an animation, which `decodeAnimatedPictures` has written as JPEGs. */
export function openPictures(ffmpegPath: string, { filmPath, fence }: OwnMotionSource, size: Size, count: number) {
  return createReader([...fence, ffmpegPath], {
    size,
    input: ['-f', 'mjpeg', '-framerate', `${framesPerSecond}`, '-i', `file:${filmPath}`],
    pictures: `setpts=N/${framesPerSecond}/TB`,
    turns: [],
    // The colors of JPEG.
    colors: 'scale=in_color_matrix=bt601:in_range=pc:out_color_matrix=bt709:out_range=tv:flags=accurate_rnd',
    most: count,
  });
}

/** If the file does not state a moment, it is searched in this much of the film. */
const searchedSeconds = 10;
/** More than needed, because the moment may be stated a little wrong. */
const spareSeconds = 0.3;

/**
 * Opens the film of a motion photo.
 *
 * @param most the largest number of pictures that the video uses on one side of the moment
 * @returns also the index of the picture at the moment that the file states
 */
export async function openFilm(
  ffmpegPath: string,
  { filmPath, fence }: OwnMotionSource,
  { path, film, quarterTurns }: Extract<OwnMotionSource['from'], { film: unknown }>,
  most: number,
): Promise<{ reader: FilmReader; stated: number | undefined }> {
  const bytes = readFileRange(path, film.offset, film.length);
  const readableFilm = readFilm(bytes);
  if (!readableFilm) throw new UnusableMotionError('its film is damaged');
  writeFileSync(filmPath, bytes);
  const wrapInSandbox = (command: string[]) => [...fence, ...command];
  const playbackFacts = await readPlaybackFacts(ffmpegPath, filmPath, { framesPerSecond, wrap: wrapInSandbox }).catch(
    (cause: unknown) => {
      throw new UnusableMotionError('its film cannot be read', { cause });
    },
  );
  if (!playbackFacts) throw new UnusableMotionError('its file contains no film');
  if (playbackFacts.colors !== 'bt709')
    await requireColorFilters(ffmpegPath, playbackFacts.colors).catch((error: unknown) => {
      throw error instanceof AnimationError ? new UnusableMotionError(error.message, { cause: error }) : error;
    });

  const { stillAt } = film;
  const secondsAroundStill = most / framesPerSecond + spareSeconds;
  const start = stillAt === undefined ? 0 : Math.max(0, stillAt - secondsAroundStill);
  const seconds = stillAt === undefined ? searchedSeconds : 2 * secondsAroundStill;
  const { width, height } = readableFilm;
  const reader = createReader(wrapInSandbox([ffmpegPath]), {
    size: quarterTurns % 2 === 0 ? { width, height } : { width: height, height: width },
    input: ['-f', 'mov', '-ss', start.toFixed(3), '-t', seconds.toFixed(3), '-i', `file:${filmPath}`],
    pictures: `setpts=PTS-STARTPTS,fps=${framesPerSecond}`,
    turns: Array<string>(quarterTurns).fill('transpose=clock'),
    colors: createBt709Filters(playbackFacts),
    most: Math.ceil(seconds * framesPerSecond) + 1,
  });
  return { reader, stated: stillAt === undefined ? undefined : Math.round((stillAt - start) * framesPerSecond) };
}

function readFileRange(path: string, offset: number, length: number): Buffer {
  const file = openSync(path, 'r');
  try {
    const bytes = Buffer.alloc(length);
    let filled = 0;
    for (let read; filled < length && (read = readSync(file, bytes, filled, length - filled, offset + filled)) > 0;)
      filled += read;
    return bytes.subarray(0, filled);
  } finally {
    closeSync(file);
  }
}
