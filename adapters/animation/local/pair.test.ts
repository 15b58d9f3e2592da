import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { readdir, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import sharp from 'sharp';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { wholePhotoCrop } from '#contract/crop.ts';
import { framePanelSize } from '#contract/motion.ts';
import type { AnimateRequest } from '#shop/ports/animator.ts';
import { animateAndWait } from '#test/animate.ts';
import { fakePhotoAnalyzer } from '#test/fake-photo-analyzer.ts';
import { paintGarden } from '#test/photos/garden.ts';
import { createAnimation } from '#test/photos/motion-photos.ts';
import { createFaceAnalysis, createPhotoAnalysis } from '#test/photo-analysis.ts';
import { findFfmpeg } from '../ffmpeg.ts';
import { createLocalAnimator } from './local-animator.ts';
import { layOutWindows } from './pair.ts';

const uprightPhoto = { width: 750, height: 1000 };
const uprightPair: [typeof uprightPhoto, typeof uprightPhoto] = [uprightPhoto, uprightPhoto];
let folder = '';
let ffmpegPath = '';
const files = { green: '', garden: '' };
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'pair-'));
  ffmpegPath = (await findFfmpeg(process.env['FFMPEG_PATH'])).path;
  files.green = join(folder, 'green.jpg');
  await sharp({ create: { ...uprightPhoto, channels: 3, background: '#2f7d46' } })
    .jpeg()
    .toFile(files.green);
  files.garden = join(folder, 'garden.jpg');
  await sharp(paintGarden(uprightPhoto.width, uprightPhoto.height).toBuffer('image/png'))
    .jpeg({ quality: 90 })
    .toFile(files.garden);
});
afterAll(() => rmSync(folder, { recursive: true }));

function createPairRequest(
  name: string,
  first: Partial<AnimateRequest>,
  second: Partial<AnimateRequest>,
): AnimateRequest {
  const workFolder = join(folder, name);
  mkdirSync(workFolder);
  const picture = { sourcePath: files.garden, style: 'push-in' as const };
  return {
    id: name,
    seconds: 0.6,
    folder: workFolder,
    ...picture,
    ...first,
    second: { ...picture, ...second, sizes: uprightPair },
  };
}

/** The pictures of a video as RGB. */
function decodeFrames(path: string): Uint8Array[] {
  const frameBytes = 3 * framePanelSize.width * framePanelSize.height;
  const rawFrames = execFileSync(ffmpegPath, ['-v', 'error', '-i', path, '-f', 'rawvideo', '-pix_fmt', 'rgb24', '-'], {
    maxBuffer: 200 * frameBytes,
  });
  return Array.from({ length: rawFrames.length / frameBytes }, (_, at) =>
    rawFrames.subarray(at * frameBytes, (at + 1) * frameBytes),
  );
}
interface Area {
  left: number;
  top: number;
  width: number;
  height: number;
}
function measureDifferenceWithin(a: Uint8Array, b: Uint8Array, { left, top, width, height }: Area): number {
  let sum = 0;
  for (let y = top; y < top + height; y++)
    for (let at = 3 * (y * framePanelSize.width + left), end = at + 3 * width; at < end; at++)
      sum += Math.abs(a[at]! - b[at]!);
  return sum / (3 * width * height);
}

test.each([
  { shapes: [uprightPhoto, uprightPhoto] },
  { shapes: [{ width: 9, height: 16 }, uprightPhoto] },
  {
    shapes: [
      { width: 1, height: 5 },
      { width: 4, height: 3 },
    ],
  },
] as const)(
  'the two windows of a pair are inside the video, do not touch, and fill whole blocks of pixels: $shapes',
  ({ shapes }) => {
    const [first, second] = layOutWindows(framePanelSize, shapes);
    for (const window of [first, second]) {
      expect(window.width % 16).toBe(0);
      expect(window.height % 16).toBe(0);
      expect(window.left % 2).toBe(0);
      expect(window.top).toBeGreaterThan(20);
      expect(window.top + window.height).toBeLessThan(framePanelSize.height - 20);
      expect(window.width / window.height).toBeGreaterThan(0.5);
    }
    expect(first.left).toBeGreaterThan(20);
    expect(second.left - first.left - first.width).toBeGreaterThan(20);
    expect(second.left + second.width).toBeLessThan(framePanelSize.width - 20);
  },
);

test('a video of two photos shows both in windows, each with its own motion, and the mat does not move', async () => {
  const analysis = createPhotoAnalysis({ ...uprightPhoto, people: 0.2, faces: [createFaceAnalysis(0.5, 0.42, 0.2)] });
  const pairRequest = createPairRequest(
    'both',
    { sourcePath: files.green, style: 'alive', seen: analysis },
    { style: 'push-in' },
  );
  const video = await animateAndWait(createLocalAnimator({ ffmpegPath, eyes: fakePhotoAnalyzer }), pairRequest);
  expect(video).toMatchObject({
    ...framePanelSize,
    provenance: { by: 'local', style: 'alive', secondStyle: 'push-in' },
  });
  const pictures = decodeFrames(video.videoPath);
  expect(pictures).toHaveLength(15);
  const [first, second] = layOutWindows(framePanelSize, uprightPair);
  const [start, later] = [pictures[0]!, pictures[7]!];
  expect(measureDifferenceWithin(start, later, second)).toBeGreaterThan(2);
  const readColor = (x: number, y: number) =>
    Array.from(start.subarray(3 * (y * framePanelSize.width + x)).subarray(0, 3));
  // The picture has only green and the blue behind the person. A mat would be pale.
  expect(readColor(first.left + 20, first.top + 20)[0]!).toBeLessThan(100);
  const gapLeft = first.left + first.width;
  const mats: Area[] = [
    { left: 0, top: 0, width: framePanelSize.width, height: first.top - 8 },
    { left: gapLeft + 8, top: 0, width: second.left - gapLeft - 16, height: framePanelSize.height },
    { left: 0, top: 0, width: first.left - 8, height: framePanelSize.height },
  ];
  for (const mat of mats)
    for (const picture of pictures) expect(measureDifferenceWithin(start, picture, mat)).toBeLessThan(1);
  expect(Math.min(...readColor(gapLeft + 16, 400))).toBeGreaterThan(200);
  expect(await readdir(pairRequest.folder)).toEqual(['clip.mp4', 'poster.jpg', 'video.mp4']);
});

test('a photo of a pair whose own motion cannot be used gets another style, and the other photo keeps its own', async () => {
  const { file, still } = await createAnimation('webp');
  const [animation, picture] = [join(folder, 'animation.webp'), join(folder, 'still.jpg')];
  await writeFile(animation, file);
  await writeFile(picture, still);
  const [motion, crop] = [{ kind: 'animation' as const }, wholePhotoCrop];
  const pairRequest = createPairRequest(
    'own',
    { style: 'own-motion', otherwise: 'drift', ownMotion: { path: files.green, motion, crop } },
    { style: 'own-motion', sourcePath: picture, ownMotion: { path: animation, motion, crop } },
  );
  const { provenance } = await animateAndWait(createLocalAnimator({ ffmpegPath }), pairRequest);
  expect(provenance).toMatchObject({ style: 'drift', insteadOf: { style: 'own-motion' }, secondStyle: 'own-motion' });
});

test('a pair with a photo that cannot be opened fails, and a retry would not help', async () => {
  const pairRequest = createPairRequest('missing', {}, { sourcePath: join(folder, 'missing.jpg') });
  await expect(animateAndWait(createLocalAnimator({ ffmpegPath }), pairRequest)).rejects.toMatchObject({
    retryable: false,
  });
});
