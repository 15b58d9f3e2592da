import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import bundledFfmpeg from '@ffmpeg-installer/ffmpeg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { findFfmpeg } from './ffmpeg.ts';
import { isFaststart, readVideoFacts } from './video-facts.ts';

let folder = '';
let ffmpegPath = '';
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'video-facts-'));
  ffmpegPath = (await findFfmpeg(process.env['FFMPEG_PATH'])).path;
});
afterAll(() => rmSync(folder, { recursive: true }));

/** A gray video of half a second. */
function makeVideoFile(name: string, ...output: string[]): string {
  const path = join(folder, name);
  const grayInputArguments = ['-f', 'rawvideo', '-pix_fmt', 'gray', '-s', '64x48', '-r', '20', '-i', 'pipe:0'];
  execFileSync(ffmpegPath, ['-v', 'error', ...grayInputArguments, ...output, path], {
    input: Buffer.alloc(64 * 48 * 10, 128),
  });
  return path;
}

test('reads the codec, size and length of a video with the found and the bundled ffmpeg', async () => {
  const path = makeVideoFile('ours.mp4', '-c:v', 'libx264', '-pix_fmt', 'yuv420p');
  const expectedFacts = { codec: 'h264', pixelFormat: 'yuv420p', width: 64, height: 48, seconds: 0.5 };
  expect(await readVideoFacts(ffmpegPath, path)).toEqual(expectedFacts);
  expect(await readVideoFacts(bundledFfmpeg.path, path)).toEqual(expectedFacts);
  const otherVideoPath = makeVideoFile('other.mp4', '-c:v', 'mpeg4');
  expect(await readVideoFacts(ffmpegPath, otherVideoPath)).toMatchObject({ codec: 'mpeg4', pixelFormat: 'yuv420p' });
});

test('returns undefined for a file that is not a video', async () => {
  const textFile = join(folder, 'words.mp4');
  writeFileSync(textFile, 'These are words.');
  expect(await readVideoFacts(ffmpegPath, textFile)).toBeUndefined();
  expect(await isFaststart(textFile)).toBe(false);
  await expect(readVideoFacts(join(folder, 'no-ffmpeg'), textFile)).rejects.toThrow('ffmpeg did not run');
});

test('returns undefined for a playlist that names other files or URLs', async () => {
  const playlistFile = join(folder, 'list.m3u8');
  writeFileSync(playlistFile, `#EXTM3U\n#EXTINF:1,\nhttp://127.0.0.1:9/video.ts\n`);
  expect(await readVideoFacts(ffmpegPath, playlistFile)).toBeUndefined();
});

test('isFaststart is true only for a video that can play while it loads', async () => {
  expect(await isFaststart(makeVideoFile('fast.mp4', '-c:v', 'libx264', '-movflags', '+faststart'))).toBe(true);
  expect(await isFaststart(makeVideoFile('slow.mp4', '-c:v', 'libx264'))).toBe(false);
});
