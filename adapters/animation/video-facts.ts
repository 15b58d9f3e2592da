import { execFile } from 'node:child_process';
import { open } from 'node:fs/promises';
import { fileTypeFromFile } from 'file-type';

export interface VideoFacts {
  /** ffmpeg's name of the codec: h264, hevc, vp9, … */
  codec: string;
  /** ffmpeg's name of the pixel format: yuv420p, … */
  pixelFormat: string;
  width: number;
  height: number;
  seconds: number;
}

type WrapCommand = (command: string[]) => string[];

/** Reads the facts of a video file; undefined if ffmpeg finds no video in it. `wrap` runs ffmpeg behind fences. */
export const readVideoFacts = async (
  ffmpegPath: string,
  path: string,
  wrap: WrapCommand = (command) => command,
): Promise<VideoFacts | undefined> => parseVideoFacts(await describeVideoInput(ffmpegPath, path, wrap));

/** ffmpeg's description of the first video stream that is not a cover picture. */
export const findVideoStreamText = (report: string): string | undefined =>
  Array.from(report.matchAll(/^ +Stream #\d+:\d+.*?: Video: (.*)$/gm), ([, streamLine = '']) => streamLine).find(
    (streamLine) => !streamLine.includes('(attached pic)'),
  );

/**
 * Reads a video's facts from ffmpeg's report. The file's own metadata is indented further in the report, so it cannot
 * forge a duration.
 */
export function parseVideoFacts(report: string): VideoFacts | undefined {
  const stream = findVideoStreamText(report);
  const duration = /^ {2}Duration: (\d+):(\d+):(\d+(?:\.\d+)?)/m.exec(report);
  if (!stream || !duration) return undefined;
  // For example: h264 (High) (avc1 / 0x31637661), yuv420p(tv, bt709, progressive), 1280x800, 792 kb/s, 25 fps
  const [codec, pixelFormat, size] = /^(\w+).*?, (\w+)(?:\([^)]*\))?, (\d+x\d+)/.exec(stream)?.slice(1) ?? [];
  if (!codec || !pixelFormat || !size) return undefined;
  const [width = 0, height = 0] = size.split('x').map(Number);
  const [hours = 0, minutes = 0, seconds = 0] = duration.slice(1).map(Number);
  return { codec, pixelFormat, width, height, seconds: hours * 3600 + minutes * 60 + seconds };
}

/**
 * Returns ffmpeg's description of its input. ffmpeg then fails because it has no output, but stderr has the
 * description.
 */
export function describeVideoInput(
  ffmpegPath: string,
  path: string,
  wrap: WrapCommand,
  format: readonly string[] = [],
): Promise<string> {
  return new Promise((resolve, reject) => {
    // With the prefix `file:`, ffmpeg never treats the name as a URL or a list of files.
    const ffmpegArgs = ['-hide_banner', '-nostdin', '-protocol_whitelist', 'file', ...format, '-i', `file:${path}`];
    const [program = '', ...args] = wrap([ffmpegPath, ...ffmpegArgs]);
    execFile(program, args, { timeout: 60_000, killSignal: 'SIGKILL', env: {} }, (error, _stdout, stderr) => {
      if (error && typeof error.code !== 'number') reject(new Error('ffmpeg did not run', { cause: error }));
      else resolve(stderr);
    });
  });
}

/** Whether an MP4 can play while it loads: its index (moov) comes before its pictures (mdat). */
export async function isFaststart(path: string): Promise<boolean> {
  const file = await open(path);
  try {
    const { size: end } = await file.stat();
    const head = Buffer.alloc(16);
    for (let at = 0; at + 8 <= end;) {
      await file.read(head, 0, 16, at);
      const type = head.toString('latin1', 4, 8);
      if (type === 'moov') return true;
      if (type === 'mdat') return false;
      // 1 means that a 64-bit size follows the type; 0 means that the box is the last one.
      const size = head.readUInt32BE(0);
      const length = size === 1 ? Number(head.readBigUInt64BE(8)) : size;
      if (length < 8) return false;
      at += length;
    }
    return false;
  } finally {
    await file.close();
  }
}

/** Whether the first bytes are those of an MP4 or MOV file. The content is not checked. */
export const isMp4 = async (path: string): Promise<boolean> =>
  ['video/mp4', 'video/x-m4v', 'video/quicktime'].includes((await fileTypeFromFile(path))?.mime ?? '');
