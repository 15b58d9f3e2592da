import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { panel } from '#contract/motion.ts';
import { findFfmpeg } from './ffmpeg.ts';
import { fitVideo } from './fit-video.ts';
import { isFaststart, videoFacts } from './video-facts.ts';

let folder = '';
let ffmpegPath = '';
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'fit-'));
  ffmpegPath = (await findFfmpeg(process.env['FFMPEG_PATH'])).path;
});
afterAll(() => rmSync(folder, { recursive: true }));

/** A test picture with a tone beside it, as ffmpeg's words ask for it. */
function film(name: string, size: string, ...words: string[]): string {
  const path = join(folder, name);
  const sources = [`testsrc2=s=${size}:r=25:d=2`, 'sine=d=2'].flatMap((it) => ['-f', 'lavfi', '-i', it]);
  execFileSync(ffmpegPath, ['-v', 'error', '-y', ...sources, ...words, path]);
  return path;
}
function fit(source: string) {
  const into = join(folder, crypto.randomUUID());
  mkdirSync(into);
  return { into, fitted: fitVideo({ ffmpegPath, source, folder: into, provenance: { by: 'hosted', model: 'o/m' } }) };
}
const facts = (seconds: number) => ({ codec: 'h264', pixelFormat: 'yuv420p', ...panel, seconds });

test('a tall film of another kind is drawn again for the panel, without its sound', async () => {
  const source = film('tall.mp4', '360x640', '-c:v', 'mpeg4', '-pix_fmt', 'yuv420p');
  const { into, fitted } = fit(source);
  const made = await fitted;
  expect(made).toMatchObject({ ...panel, seconds: 2, videoPath: join(into, 'video.mp4') });
  expect(await videoFacts(ffmpegPath, made.videoPath)).toEqual(facts(2));
  expect(await isFaststart(made.videoPath)).toBe(true);
  expect(streamsOf(made.videoPath)).not.toContain('Audio');
  expect(existsSync(made.posterPath)).toBe(true);
});

test('a film that fits is packed anew and keeps its pictures', async () => {
  const source = film('fits.mp4', '1280x800', '-c:v', 'libx264', '-pix_fmt', 'yuv420p', '-metadata', 'comment=secret');
  const made = await fit(source).fitted;
  expect(await videoFacts(ffmpegPath, made.videoPath)).toEqual(facts(2));
  expect(await isFaststart(made.videoPath)).toBe(true);
  expect(streamsOf(made.videoPath)).not.toMatch(/Audio|secret/);
  expect(streamsOf(made.videoPath)).toContain('Made from your photo by an AI model: o/m');
  expect(hashOfPictures(made.videoPath)).toBe(hashOfPictures(source));
});

test('what is no MP4 with a video in it is refused, and nothing is left of it', async () => {
  const words = join(folder, 'words.mp4');
  writeFileSync(words, 'these are words');
  const list = join(folder, 'list.mp4');
  writeFileSync(list, '#EXTM3U\n#EXTINF:10,\nfile:///etc/passwd\n');
  const sound = join(folder, 'sound.mp4');
  execFileSync(ffmpegPath, ['-v', 'error', '-f', 'lavfi', '-i', 'sine=d=1', sound]);
  const webm = film('other.mkv', '320x200', '-c:v', 'libx264');
  for (const source of [words, list, sound, webm, join(folder, 'none.mp4')]) {
    const { into, fitted } = fit(source);
    await expect(fitted, source).rejects.toMatchObject({ name: 'AnimationError', retryable: false });
    expect(existsSync(join(into, 'video.mp4')), source).toBe(false);
  }
});

const streamsOf = (path: string) =>
  execFileSync('/bin/sh', ['-c', '"$0" -i "$1" 2>&1 || true', ffmpegPath, path], { encoding: 'utf8' });
const hashOfPictures = (path: string) =>
  execFileSync(ffmpegPath, ['-v', 'error', '-i', path, '-map', '0:v', '-f', 'md5', '-'], { encoding: 'utf8' });
