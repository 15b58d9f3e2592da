import { spawn } from 'node:child_process';
import { once } from 'node:events';
import type { Film } from './motion.ts';
import { framesPerSecond } from './render-job.ts';

/** Takes pictures one after the other, as the planes of an easel, and makes them an MP4. */
export interface Encoder {
  /** Resolves when the picture has been handed over; its memory may then be used again. */
  write(picture: Uint8Array): Promise<void>;
  /** Resolves when the file is complete. */
  finish(): Promise<void>;
}
/** ffmpeg gave up; the message is its own. */
export class EncoderFailed extends Error {
  override name = 'EncoderFailed';
}

/** For whoever looks after the machine. */
export const noRoomWords = 'the disk is full: there is no room for the video';
/** As ffmpeg, that is the system, says it. */
const noRoom = /No space left on device|Disk quota exceeded|File too large|Read-only file system/;

/** Writes the video and a small copy of its first seconds; without files, nothing. */
export function openEncoder(
  ffmpegPath: string,
  film: Film,
  files: { videoPath: string; clipPath: string } | undefined,
  tags: string[] = [],
): Encoder {
  const outputs = files
    ? [...h264(film), ...tags, files.videoPath, ...small(film), ...tags, files.clipPath]
    : [...h264(film), '-f', 'null', '-'];
  const ffmpeg = spawn(ffmpegPath, [...input(film), ...outputs], { stdio: ['pipe', 'ignore', 'pipe'] });
  let complaints = '';
  ffmpeg.stderr.setEncoding('utf8').on('data', (text: string) => (complaints = (complaints + text).slice(-1000)));
  const ended = once(ffmpeg, 'close').then(
    ([code, signal]) => {
      if (signal === 'SIGXFSZ' || noRoom.test(complaints)) throw new EncoderFailed(noRoomWords);
      if (code !== 0) throw new EncoderFailed(`ffmpeg ended with ${code ?? signal}: ${complaints.trim()}`);
    },
    (cause: unknown) => {
      throw new EncoderFailed('ffmpeg could not be started', { cause });
    },
  );
  // Whoever writes or finishes next hears of it; until then it is no unhandled matter.
  ended.catch(() => {});
  // A broken pipe follows from ffmpeg's end, which says why.
  ffmpeg.stdin.on('error', () => {});
  return {
    async write(picture) {
      const written = new Promise<void>((resolve) => {
        ffmpeg.stdin.write(picture, (error) => {
          if (!error) resolve();
        });
      });
      await Promise.race([written, ended]);
    },
    async finish() {
      ffmpeg.stdin.end();
      await ended;
    },
  };
}

function input({ width, height }: Film): string[] {
  const raw = ['-f', 'rawvideo', '-pix_fmt', 'yuv420p', '-s', `${width}x${height}`, '-r', `${framesPerSecond}`];
  return ['-v', 'error', '-y', ...raw, '-i', 'pipe:0'];
}

export const clipSeconds = 3;
/** For lists: the first seconds at a third of the size. */
function small({ width, height }: Film): string[] {
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
 * For the frame's player and every browser: H.264 High 4.0 (5.0 where there are more pixels than that may have), 4:2:0, at
 * most 8 Mbit/s, one group of pictures for the whole loop; on one thread, so that two workers make most films on two
 * cores, and a core is left to visitors while one does. The pictures are yuv420p, BT.709, limited range; `intoVideoColours`
 * is the filter that makes others so.
 */
export function h264({ width, height, frames }: Film): string[] {
  const level = width * height > 1_900_000 ? '5.0' : '4.0';
  return [
    ['-c:v', 'libx264', '-preset', 'veryfast', '-crf', '20', '-aq-mode', '3', '-threads', '1'],
    ['-profile:v', 'high', '-level:v', level, '-maxrate', '8M', '-bufsize', '16M', '-pix_fmt', 'yuv420p'],
    bt709,
    ['-g', `${frames}`, '-keyint_min', `${frames}`, '-sc_threshold', '0'],
    ['-movflags', '+faststart', '-an'],
  ].flat();
}
export const intoVideoColours = 'scale=out_color_matrix=bt709:out_range=tv:flags=accurate_rnd';
