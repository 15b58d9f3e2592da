import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import sharp from 'sharp';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { findOwnMotion } from '#adapters/imaging/own-motion.ts';
import { sniffPhoto } from '#adapters/imaging/sniff.ts';
import { wholePhotoCrop, type Crop } from '#contract/crop.ts';
import type { AnimateRequest, Animator } from '#shop/ports/animator.ts';
import { animateAndWait } from '#test/animate.ts';
import {
  createAnimation,
  createMotionPhotoParts,
  createGoogleMotionPhoto,
  createSamsungMotionPhoto,
  type MotionPhotoParts,
} from '#test/photos/motion-photos.ts';
import { findFfmpeg } from '../../ffmpeg.ts';
import { createLocalAnimator } from '../local-animator.ts';

const screen = { width: 640, height: 400 };
let folder = '';
let ffmpegPath = '';
let animator: Animator;
let motionPhotoParts: MotionPhotoParts;
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'own-motion-'));
  ffmpegPath = (await findFfmpeg(process.env['FFMPEG_PATH'])).path;
  animator = createLocalAnimator({ ffmpegPath });
  motionPhotoParts = await createMotionPhotoParts();
});
afterAll(() => rmSync(folder, { recursive: true }));

interface RequestOptions extends Partial<AnimateRequest> {
  /** The still, if it is not the one of `motionPhotoParts`. */
  still?: Buffer;
  crop?: Crop;
}

/** Renders a preview of a motion photo, and returns its pictures as RGB. */
async function renderOwnMotion(
  file: Buffer,
  { still = motionPhotoParts.still, crop = wholePhotoCrop, ...more }: RequestOptions = {},
) {
  const workFolder = join(folder, crypto.randomUUID());
  mkdirSync(workFolder);
  const [sourcePath, path] = [join(workFolder, 'display.jpg'), join(folder, `${crypto.randomUUID()}.jpg`)];
  const turnedPhoto = sharp(
    await sharp(still)
      .rotate(90 * crop.quarterTurns)
      .toBuffer(),
  );
  const { width, height } = await turnedPhoto.metadata();
  const { left, top, ...size } = crop.area ?? { left: 0, top: 0, width: 1, height: 1 };
  await turnedPhoto
    .extract({
      left: Math.round(left * width),
      top: Math.round(top * height),
      width: Math.round(size.width * width),
      height: Math.round(size.height * height),
    })
    .jpeg({ quality: 92 })
    .toFile(sourcePath);
  writeFileSync(path, file);
  const { motion } = findOwnMotion(file, (await sniffPhoto(path))!)!;
  const request = { id: 'own', sourcePath, style: 'own-motion', seconds: 3, folder: workFolder, screen } as const;
  const video = await animateAndWait(animator, { ...request, ownMotion: { path, motion, crop }, ...more });
  expect(readdirSync(workFolder).toSorted()).toEqual(['clip.mp4', 'display.jpg', 'poster.jpg', 'video.mp4']);
  return { ...video, frames: decodeFrames(video.videoPath) };
}

const smallSize = { width: 160, height: 100 };
function decodeFrames(path: string): Uint8Array[] {
  const scaleArguments = [
    '-vf',
    `scale=${smallSize.width}:${smallSize.height}:flags=area`,
    '-f',
    'rawvideo',
    '-pix_fmt',
    'rgb24',
    '-',
  ];
  const pixels = execFileSync(ffmpegPath, ['-v', 'error', '-i', path, ...scaleArguments], { maxBuffer: 2 ** 30 });
  const frameBytes = smallSize.width * smallSize.height * 3;
  return Array.from({ length: pixels.length / frameBytes }, (_, at) =>
    pixels.subarray(at * frameBytes, (at + 1) * frameBytes),
  );
}
/** The mean difference of two pictures, 0 to 255, within some rows. */
function computeMeanDifference(a: Uint8Array, b: Uint8Array, { from = 0, to = smallSize.height } = {}): number {
  let sum = 0;
  for (let at = from * smallSize.width * 3; at < to * smallSize.width * 3; at++) sum += Math.abs(a[at]! - b[at]!);
  return sum / ((to - from) * smallSize.width * 3);
}
/** The middle of the red ball, in pixels from the left. */
function findBallX(frame: Uint8Array): number {
  let [sum, count] = [0, 0];
  for (let at = 0; at < frame.length / 3; at++) {
    if (frame[3 * at]! < 150 || frame[3 * at + 1]! > 90) continue;
    sum += at % smallSize.width;
    count += 1;
  }
  return sum / count;
}
/** The mean difference of neighboring pixels in the grass of a frame, at full size. */
function measureDetail(path: string, index: number): number {
  const filters = `select='eq(n,${index})',crop=iw:ih/5:0:ih*4/5,format=gray`;
  const rawVideoArguments = ['-vsync', '0', '-frames:v', '1', '-f', 'rawvideo', '-'];
  const pixels = execFileSync(ffmpegPath, ['-v', 'error', '-i', path, '-vf', filters, ...rawVideoArguments]);
  return pixels.reduce((sum, value, at) => sum + Math.abs(value - (pixels[at + 1] ?? value)), 0) / pixels.length;
}
/** Rows of grass and flowers, which the ball never covers. */
const grassRows = { from: 80, to: 100 };

test('plays the film forward and backward between two views of the sharp photo, without shaking and in the photo’s colors', async () => {
  const { frames, provenance, videoPath, posterPath } = await renderOwnMotion(
    createGoogleMotionPhoto(motionPhotoParts, 1.5),
  );
  expect(provenance).toEqual({ by: 'local', style: 'own-motion' });
  expect(frames).toHaveLength(75);
  const [first, last] = [frames[0]!, frames.at(-1)!];
  // The loop has no jump, and starts with the photo itself.
  expect(computeMeanDifference(first, last)).toBeLessThan(2);
  const poster = await sharp(posterPath)
    .resize({ ...smallSize, fit: 'fill' })
    .raw()
    .toBuffer();
  expect(computeMeanDifference(poster, first)).toBeLessThan(4);
  expect(measureDetail(videoPath, 0)).toBeGreaterThan(1.1 * measureDetail(videoPath, 37));
  // The ball moves to both sides of where the photo shows it, without a jump.
  const ball = frames.map(findBallX);
  expect(Math.max(...ball)).toBeGreaterThan(ball[0]! + 8);
  expect(Math.min(...ball)).toBeLessThan(ball[0]! - 8);
  for (const [at, x] of ball.entries()) expect(Math.abs(x - ball[(at + 1) % ball.length]!)).toBeLessThan(6);
  // The hand shakes by 1.3 pixels here. Steadied, and with the photo's colors, the grass stays as it is.
  for (const frame of frames) expect(computeMeanDifference(frame, first, grassRows)).toBeLessThan(5);
  const streams = execFileSync('/bin/sh', ['-c', '"$0" -i "$1" 2>&1 || true', ffmpegPath, videoPath], {
    encoding: 'utf8',
  });
  expect(streams).not.toContain('Audio');
  expect(streams).toContain('The motion was recorded with the photo.');
});

test('a film of another shape and codec, without a stated moment, is aligned with the photo', async () => {
  const hevc = ['-c:v', 'libx265', '-preset', 'ultrafast', '-x265-params', 'log-level=none'];
  const wideFilmParts = await createMotionPhotoParts({
    part: { width: 0.9, height: 0.675 },
    size: { width: 640, height: 360 },
    codec: hevc,
  });
  const { frames, provenance } = await renderOwnMotion(createSamsungMotionPhoto(wideFilmParts));
  expect(provenance.style).toBe('own-motion');
  const ball = frames.map(findBallX);
  expect(Math.max(...ball) - Math.min(...ball)).toBeGreaterThan(12);
  for (const frame of frames) expect(computeMeanDifference(frame, frames[0]!, grassRows)).toBeLessThan(5);
});

test('a film in HDR, stored on its side, is shown upright in the photo’s colors', async () => {
  // HEVC with ten bits and HLG, as phones record it.
  const tags = ['-color_primaries', 'bt2020', '-color_trc', 'arib-std-b67', '-colorspace', 'bt2020nc'];
  const hevc = ['-c:v', 'libx265', '-preset', 'ultrafast', '-x265-params', 'log-level=none'];
  const codec = [...hevc, '-pix_fmt', 'yuv420p10le', ...tags];
  const hlg = await createMotionPhotoParts({ codec, isOnItsSide: true });
  const { frames, provenance } = await renderOwnMotion(createGoogleMotionPhoto(hlg, 1.5));
  expect(provenance.style).toBe('own-motion');
  expect(computeMeanDifference(frames[0]!, frames[20]!, grassRows)).toBeLessThan(8);
});

test('a turned and cropped photo shows the same turn and part of the film', async () => {
  const crop = { quarterTurns: 1, area: { left: 0.1, top: 0.1, width: 0.85, height: 0.55 } };
  const { frames, provenance } = await renderOwnMotion(createGoogleMotionPhoto(motionPhotoParts, 1.5), { crop });
  expect(provenance.style).toBe('own-motion');
  // The picture is turned, so the ball moves up and down, and the sky at the right side stays as it is.
  expect(Math.max(...frames.map((it) => computeMeanDifference(it, frames[0]!)))).toBeGreaterThan(2);
  const cutRightSide = (frame: Uint8Array) =>
    Uint8Array.from(frame.filter((_, at) => Math.floor(at / 3) % smallSize.width > 140));
  for (const frame of frames) {
    const [a, b] = [cutRightSide(frame), cutRightSide(frames[0]!)];
    expect(a.reduce((sum, value, at) => sum + Math.abs(value - b[at]!), 0) / a.length).toBeLessThan(5);
  }
});

test('a photo shown whole keeps its mat still', async () => {
  const square = { quarterTurns: 0, area: { left: 0.25, top: 0.1, width: 0.5, height: 0.8 } };
  const { frames, provenance } = await renderOwnMotion(createGoogleMotionPhoto(motionPhotoParts, 1.5), {
    crop: square,
  });
  expect(provenance.style).toBe('own-motion');
  const cutMarginPixels = (frame: Uint8Array) => frame.filter((_, at) => Math.floor(at / 3) % smallSize.width < 20);
  for (const frame of frames) {
    const [a, b] = [cutMarginPixels(frame), cutMarginPixels(frames[0]!)];
    expect(a.reduce((sum, value, at) => sum + Math.abs(value - b[at]!), 0) / a.length).toBeLessThan(1);
  }
  expect(Math.max(...frames.map((it) => computeMeanDifference(it, frames[0]!)))).toBeGreaterThan(1);
});

test('a title fades out and returns, also on the mat', async () => {
  const crop = { quarterTurns: 0, area: { left: 0.3, top: 0.1, width: 0.4, height: 0.8 } };
  const { frames, provenance } = await renderOwnMotion(createGoogleMotionPhoto(motionPhotoParts, 1.5), {
    crop,
    title: 'The ball',
    seconds: 4,
  });
  expect(provenance).toMatchObject({ style: 'own-motion', isTitled: true });
  const measureTitleContrast = (frame: Uint8Array) => {
    const corner = frame.filter((_, at) => {
      const [x, y] = [Math.floor(at / 3) % smallSize.width, Math.floor(at / 3 / smallSize.width)];
      return y > 80 && (x < 40 || x > 120);
    });
    return Math.max(...corner) - Math.min(...corner);
  };
  expect(measureTitleContrast(frames[0]!)).toBeGreaterThan(measureTitleContrast(frames[65]!) + 40);
  expect(measureTitleContrast(frames.at(-1)!)).toBeGreaterThan(measureTitleContrast(frames[65]!) + 40);
});

test('reads only the part around the photo from a film of ten minutes', async () => {
  const longFilmParts = await createMotionPhotoParts({
    width: 240,
    size: { width: 160, height: 120 },
    framesPerSecond: 10,
    seconds: 600,
    stillAt: 300,
  });
  const startedAt = performance.now();
  const { provenance } = await renderOwnMotion(createGoogleMotionPhoto(longFilmParts, 300), {
    still: longFilmParts.still,
  });
  expect(provenance.style).toBe('own-motion');
  expect(performance.now() - startedAt).toBeLessThan(60_000);
});

test.each(['gif', 'webp'] as const)(
  'an animated %s is played forward and backward, starting with its first picture',
  async (format) => {
    const { file, still } = await createAnimation(format);
    const { frames, provenance } = await renderOwnMotion(file, { still });
    expect(provenance).toEqual({ by: 'local', style: 'own-motion' });
    expect(computeMeanDifference(frames[0]!, frames.at(-1)!)).toBeLessThan(2);
    const ball = frames.map(findBallX);
    expect(Math.max(...ball)).toBeGreaterThan(ball[0]! + 10);
    for (const frame of frames) expect(computeMeanDifference(frame, frames[0]!, grassRows)).toBeLessThan(4);
  },
);

test('a turned and cropped animation shows the same turn and part', async () => {
  const crop = { quarterTurns: 2, area: { left: 0.2, top: 0.1, width: 0.7, height: 0.6 } };
  const { file, still } = await createAnimation('webp');
  const { frames, provenance } = await renderOwnMotion(file, { still, crop });
  expect(provenance.style).toBe('own-motion');
  // After half a turn, the ball swings to the left first.
  const ball = frames.map(findBallX);
  expect(Math.min(...ball)).toBeLessThan(ball[0]! - 10);
  for (const frame of frames) expect(computeMeanDifference(frame, frames[0]!, { to: 40 })).toBeLessThan(4);
});

test('decodes only the first pictures of a GIF with 2,000 pictures', async () => {
  const { file, still } = await createAnimation('gif', { width: 64, pictures: 2000 });
  const { provenance } = await renderOwnMotion(file, { still });
  expect(provenance).toEqual({ by: 'local', style: 'own-motion' });
});

test('a GIF with a missing end shows the pictures before the missing part', async () => {
  const { file, still } = await createAnimation('gif');
  const { provenance } = await renderOwnMotion(file.subarray(0, file.length - 200), { still, otherwise: 'drift' });
  expect(provenance.style).toBe('own-motion');
});

test.each([
  [
    'shows something else',
    /does not show the photo/,
    async () => {
      const noise = await sharp({
        create: {
          width: 1000,
          height: 750,
          channels: 3,
          background: '#808080',
          noise: { type: 'gaussian', mean: 128, sigma: 60 },
        },
      })
        .jpeg()
        .toBuffer();
      return { still: noise, film: motionPhotoParts.film };
    },
  ],
  ['does not move', /nothing moves/, () => createMotionPhotoParts({ swing: 0, shake: 0 })],
  [
    'is damaged inside',
    /short or damaged|cannot be read|does not show/,
    async () => {
      const film = Buffer.from(motionPhotoParts.film);
      film.fill(0x5a, film.indexOf('mdat') + 4, film.indexOf('moov') - 8);
      return { ...motionPhotoParts, film };
    },
  ],
  [
    'shows only a small part of the photo',
    /too little of the photo|does not show/,
    () => createMotionPhotoParts({ part: { width: 0.4, height: 0.4 }, swing: 0.05 }),
  ],
])('if the film %s, the video has the next motion, and says why', async (_, why, make) => {
  const otherPhotoParts = await make();
  const { provenance } = await renderOwnMotion(createGoogleMotionPhoto(otherPhotoParts, 1.5), {
    still: otherPhotoParts.still,
    otherwise: 'drift',
  });
  expect(provenance).toMatchObject({ style: 'drift', insteadOf: { style: 'own-motion' } });
  expect(provenance.insteadOf!.why).toMatch(why);
});

test('without motion in the file, the video has the next motion', async () => {
  const workFolder = join(folder, 'none');
  mkdirSync(workFolder);
  const sourcePath = join(workFolder, 'display.jpg');
  writeFileSync(sourcePath, motionPhotoParts.still);
  const request = { id: 'none', sourcePath, style: 'own-motion', seconds: 0.4, folder: workFolder, screen } as const;
  expect((await animateAndWait(animator, { ...request, otherwise: 'breathe' })).provenance).toEqual({
    by: 'local',
    style: 'breathe',
    insteadOf: { style: 'own-motion', why: 'its file contains no motion' },
  });
});
