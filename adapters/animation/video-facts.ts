import { execFile } from 'node:child_process';
import { open } from 'node:fs/promises';
import { fileTypeFromFile } from 'file-type';

export interface VideoFacts {
  /** As ffmpeg names it: h264, hevc, vp9, … */
  codec: string;
  /** As ffmpeg names it: yuv420p, … */
  pixelFormat: string;
  width: number;
  height: number;
  seconds: number;
}

type Wrap = (command: string[]) => string[];

/** What a video file is; undefined when ffmpeg finds no video in it. `wrap` puts ffmpeg behind fences. */
export async function videoFacts(
  ffmpegPath: string,
  path: string,
  wrap: Wrap = (command) => command,
): Promise<VideoFacts | undefined> {
  const report = await describe(ffmpegPath, path, wrap);
  const stream = /Stream #.*: Video: (.*)/.exec(report)?.[1];
  const duration = /Duration: (\d+):(\d+):(\d+(?:\.\d+)?)/.exec(report);
  if (!stream || !duration) return undefined;
  // Such as: h264 (High) (avc1 / 0x31637661), yuv420p(tv, bt709, progressive), 1280x800, 792 kb/s, 25 fps
  const [codec, pixelFormat, size] = /^(\w+).*?, (\w+)(?:\([^)]*\))?, (\d+x\d+)/.exec(stream)?.slice(1) ?? [];
  if (!codec || !pixelFormat || !size) return undefined;
  const [width = 0, height = 0] = size.split('x').map(Number);
  const [hours = 0, minutes = 0, seconds = 0] = duration.slice(1).map(Number);
  return { codec, pixelFormat, width, height, seconds: hours * 3600 + minutes * 60 + seconds };
}

/** ffmpeg describes its input, then complains that it was told of no output: the description is on stderr either way. */
function describe(ffmpegPath: string, path: string, wrap: Wrap): Promise<string> {
  return new Promise((resolve, reject) => {
    // The file prefix: a name is a name, never an address or a list of files.
    const asked = ['-hide_banner', '-nostdin', '-protocol_whitelist', 'file', '-i', `file:${path}`];
    const [program = '', ...args] = wrap([ffmpegPath, ...asked]);
    execFile(program, args, { timeout: 20_000 }, (error, _stdout, stderr) => {
      if (error && typeof error.code !== 'number') reject(new Error('ffmpeg did not run', { cause: error }));
      else resolve(stderr);
    });
  });
}

/** Whether an MP4 can play before it is wholly loaded: its index (moov) comes before its pictures (mdat). */
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
      // 1 says that the size is a long one, after the type; 0 that the box is the last.
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

/** By its first bytes; what is in it is another question. */
export const isMp4 = async (path: string): Promise<boolean> =>
  ['video/mp4', 'video/x-m4v', 'video/quicktime'].includes((await fileTypeFromFile(path))?.mime ?? '');
