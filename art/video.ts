// H.264 loops for the web: one closed group of pictures, consistent colors, ready for streaming.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { statSync } from 'node:fs';

export interface Clip {
  width: number;
  height: number;
  fps: number;
  frames: number;
}

const colors = ['-colorspace', 'bt709', '-color_primaries', 'bt709', '-color_trc', 'bt709'];

/** Encodes RGBA frames. Returns the file's size in bytes. */
export async function encodeFrames(
  file: string,
  clip: Clip,
  crf: number,
  frame: (n: number) => Uint8Array | Promise<Uint8Array>,
) {
  const ffmpeg = spawn(
    process.env['FFMPEG_PATH'] ?? 'ffmpeg',
    [
      ...['-v', 'error', '-y', '-f', 'rawvideo', '-pix_fmt', 'rgba', '-s', `${clip.width}x${clip.height}`],
      ...['-r', String(clip.fps), '-i', '-', '-vf', 'scale=out_color_matrix=bt709:out_range=tv'],
      ...[
        '-c:v',
        'libx264',
        '-preset',
        crf < 12 ? 'veryfast' : 'slow',
        '-crf',
        String(crf),
        '-pix_fmt',
        'yuv420p',
        '-g',
        String(clip.frames),
      ],
      ...[...colors, '-movflags', '+faststart', file],
    ],
    { stdio: ['pipe', 'inherit', 'inherit'] },
  );
  const closeEvent = once(ffmpeg, 'close');
  for (let n = 0; n < clip.frames; n++) {
    const pixels = await frame(n);
    if (!ffmpeg.stdin.write(pixels)) await once(ffmpeg.stdin, 'drain');
  }
  ffmpeg.stdin.end();
  const [code] = await closeEvent;
  if (code !== 0) throw new Error(`ffmpeg ended with ${code} on ${file}`);
  return statSync(file).size;
}

/** Re-encodes a video with increasing crf until it is small enough or the crf reaches 33. */
export async function shrinkVideo(source: string, file: string, frames: number, maxBytes: number, crf: number) {
  for (let q = crf; ; q += 2) {
    const ffmpeg = spawn(
      process.env['FFMPEG_PATH'] ?? 'ffmpeg',
      [
        ...[
          '-v',
          'error',
          '-y',
          '-i',
          source,
          '-c:v',
          'libx264',
          '-preset',
          'slow',
          '-crf',
          String(q),
          '-pix_fmt',
          'yuv420p',
        ],
        ...['-g', String(frames), ...colors, '-movflags', '+faststart', file],
      ],
      { stdio: 'inherit' },
    );
    const [code] = await once(ffmpeg, 'close');
    if (code !== 0) throw new Error(`ffmpeg ended with ${code} on ${file}`);
    const bytes = statSync(file).size;
    if (bytes <= maxBytes || q >= 33) return { bytes, crf: q };
  }
}
