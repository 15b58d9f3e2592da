import { spawn } from 'node:child_process';
import { once } from 'node:events';
import type { VideoDimensions } from './motion.ts';
import { framesPerSecond } from './render-job.ts';

/** Encodes a sequence of frames, in the format of `Easel.planes`, to an MP4. */
export interface Encoder {
  /** Resolves when ffmpeg has taken the picture. Its memory may then be reused. */
  write(picture: Uint8Array): Promise<void>;
  /** Resolves when the file is complete. */
  finish(): Promise<void>;
}
/** ffmpeg failed; the message is ffmpeg's. */
export class EncoderError extends Error {
  override name = 'EncoderFailed';
}

/** The error message for a full disk, for the operator. */
export const diskFullText = 'the disk is full: there is no room for the video';
/** The operating system's messages for a full disk, as ffmpeg prints them. */
const diskFullPattern = /No space left on device|Disk quota exceeded|File too large|Read-only file system/;

/** Starts ffmpeg, which writes the video and a small copy of its first seconds. Without `files` it writes nothing. */
export function openEncoder(
  ffmpegPath: string,
  film: VideoDimensions,
  files: { videoPath: string; clipPath: string } | undefined,
  tags: string[] = [],
): Encoder {
  const outputs = files
    ? [...createH264Arguments(film), ...tags, files.videoPath, ...smallVideoArgs(film), ...tags, files.clipPath]
    : [...createH264Arguments(film), '-f', 'null', '-'];
  const ffmpeg = spawn(ffmpegPath, [...rawInputArgs(film), ...outputs], { stdio: ['pipe', 'ignore', 'pipe'] });
  let complaints = '';
  ffmpeg.stderr.setEncoding('utf8').on('data', (text: string) => (complaints = (complaints + text).slice(-1000)));
  const closeEvent = once(ffmpeg, 'close').then(
    ([code, signal]) => {
      if (signal === 'SIGXFSZ' || diskFullPattern.test(complaints)) throw new EncoderError(diskFullText);
      if (code !== 0) throw new EncoderError(`ffmpeg ended with ${code ?? signal}: ${complaints.trim()}`);
    },
    (cause: unknown) => {
      throw new EncoderError('ffmpeg could not be started', { cause });
    },
  );
  // The next call of `write` or `finish` gets the error. Until then it must not count as an unhandled rejection.
  closeEvent.catch(() => {});
  // A broken pipe is ignored, because it follows from ffmpeg's exit, which has the actual reason.
  ffmpeg.stdin.on('error', () => {});
  return {
    async write(picture) {
      const writtenPromise = new Promise<void>((resolve) => {
        ffmpeg.stdin.write(picture, (error) => {
          if (!error) resolve();
        });
      });
      await Promise.race([writtenPromise, closeEvent]);
    },
    async finish() {
      ffmpeg.stdin.end();
      await closeEvent;
    },
  };
}

function rawInputArgs({ width, height }: VideoDimensions): string[] {
  const rawVideoArguments = [
    '-f',
    'rawvideo',
    '-pix_fmt',
    'yuv420p',
    '-s',
    `${width}x${height}`,
    '-r',
    `${framesPerSecond}`,
  ];
  return ['-v', 'error', '-y', ...rawVideoArguments, '-i', 'pipe:0'];
}

export const clipSeconds = 3;
/** A clip for lists: the first seconds, at most 480 pixels wide or high. */
function smallVideoArgs({ width, height }: VideoDimensions): string[] {
  const [across, down] = [width, height].map((length) => 2 * Math.round((length * 480) / Math.max(width, height) / 2));
  return [
    ['-t', `${clipSeconds}`, '-vf', `scale=${across}:${down}:flags=area`],
    ['-c:v', 'libx264', '-preset', 'veryfast', '-crf', '25', '-threads', '1', '-pix_fmt', 'yuv420p'],
    bt709,
    ['-movflags', '+faststart', '-an'],
  ].flat();
}

const bt709 = ['-colorspace', 'bt709', '-color_primaries', 'bt709', '-color_trc', 'bt709', '-color_range', 'tv'];

/**
 * Encoder settings for the frame's player and every browser: H.264 High 4.0 (5.0 for more pixels than 4.0 allows),
 * 4:2:0, at most 8 Mbit/s, and one group of pictures for the whole loop. Uses one thread: two workers on two cores then
 * make the most videos, and a single worker leaves a core for visitors. The input is yuv420p, BT.709, limited range;
 * the filter `videoColorFilter` converts to that format.
 */
export function createH264Arguments({ width, height, frames }: VideoDimensions): string[] {
  const level = width * height > 1_900_000 ? '5.0' : '4.0';
  return [
    ['-c:v', 'libx264', '-preset', 'veryfast', '-crf', '20', '-aq-mode', '3', '-threads', '1'],
    ['-profile:v', 'high', '-level:v', level, '-maxrate', '8M', '-bufsize', '16M', '-pix_fmt', 'yuv420p'],
    bt709,
    ['-g', `${frames}`, '-keyint_min', `${frames}`, '-sc_threshold', '0'],
    ['-movflags', '+faststart', '-an'],
  ].flat();
}
export const videoColorFilter = 'scale=out_color_matrix=bt709:out_range=tv:flags=accurate_rnd';
