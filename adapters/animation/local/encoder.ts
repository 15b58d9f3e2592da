import { spawn } from 'node:child_process';
import { once } from 'node:events';
import type { Film } from './motion.ts';
import { framesPerSecond } from './render-job.ts';

/** Takes raw RGBA pictures one after the other and makes them an MP4. */
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

/** `output` is the file to write, or ffmpeg's words for writing none. */
export function openEncoder(ffmpegPath: string, film: Film, output: string[]): Encoder {
  const ffmpeg = spawn(ffmpegPath, [...input(film), ...h264(film), ...output], { stdio: ['pipe', 'ignore', 'pipe'] });
  let complaints = '';
  ffmpeg.stderr.setEncoding('utf8').on('data', (text: string) => (complaints = (complaints + text).slice(-1000)));
  const ended = once(ffmpeg, 'close').then(
    ([code]) => {
      if (code !== 0) throw new EncoderFailed(`ffmpeg ended with ${code}: ${complaints.trim()}`);
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
  const raw = ['-f', 'rawvideo', '-pix_fmt', 'rgba', '-s', `${width}x${height}`, '-r', `${framesPerSecond}`];
  return ['-v', 'error', '-y', ...raw, '-i', 'pipe:0'];
}

/** For the frame's player and every browser: H.264 High 4.0, 4:2:0, at most 8 Mbit/s, one group of pictures for the whole loop. */
export function h264({ frames }: Pick<Film, 'frames'>): string[] {
  return [
    ['-vf', 'scale=out_color_matrix=bt709:out_range=tv:flags=accurate_rnd'],
    ['-c:v', 'libx264', '-preset', 'veryfast', '-crf', '20', '-aq-mode', '3', '-threads', '2'],
    ['-profile:v', 'high', '-level:v', '4.0', '-maxrate', '8M', '-bufsize', '16M', '-pix_fmt', 'yuv420p'],
    ['-colorspace', 'bt709', '-color_primaries', 'bt709', '-color_trc', 'bt709', '-color_range', 'tv'],
    ['-g', `${frames}`, '-keyint_min', `${frames}`, '-sc_threshold', '0'],
    ['-movflags', '+faststart', '-an'],
  ].flat();
}
