import { execFileSync, spawn } from 'node:child_process';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  readdirSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import sharp from 'sharp';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { wholePhotoCrop } from '#contract/crop.ts';
import { motionStyles, framePanelSize, provenanceText, type MotionStyle } from '#contract/motion.ts';
import type { AnimateRequest, Animator } from '#shop/ports/animator.ts';
import { animateAndWait } from '#test/animate.ts';
import { paintGarden } from '#test/photos/garden.ts';
import { createAnimation } from '#test/photos/motion-photos.ts';
import { richPhotoAnalysis, fakePhotoAnalyzer } from '#test/fake-photo-analyzer.ts';
import { createFaceAnalysis, createPhotoAnalysis } from '#test/photo-analysis.ts';
import { listDescendants, isProcessAlive, readNiceness, waitForCondition } from '../../processes/process-table.ts';
import { findFfmpeg } from '../ffmpeg.ts';
import { isFaststart, readVideoFacts } from '../video-facts.ts';
import { createLocalAnimator } from './local-animator.ts';

let folder = '';
let ffmpegPath = '';
let animator: Animator;
let landscapePath = '';
let portraitPath = '';
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'animation-'));
  ffmpegPath = (await findFfmpeg(process.env['FFMPEG_PATH'])).path;
  animator = createLocalAnimator({ ffmpegPath });
  landscapePath = join(folder, 'landscape.jpg');
  await sharp(paintGarden(1280, 960).toBuffer('image/png')).jpeg({ quality: 88 }).toFile(landscapePath);
  // Magenta bands 60 pixels from the edges show where the edges are.
  portraitPath = join(folder, 'portrait.jpg');
  const band = { create: { width: 750, height: 24, channels: 3, background: '#ff00ff' } } as const;
  await sharp(paintGarden(750, 1000).toBuffer('image/png'))
    .composite([
      { input: band, left: 0, top: 60 },
      { input: band, left: 0, top: 1000 - 60 - 24 },
    ])
    .jpeg({ quality: 90 })
    .toFile(portraitPath);
});
afterAll(() => rmSync(folder, { recursive: true }));

function createRequest(
  name: string,
  style: MotionStyle,
  seconds: number,
  extraRequest: Partial<Omit<AnimateRequest, 'id' | 'style' | 'seconds'>> = {},
) {
  const workFolder = join(folder, name);
  mkdirSync(workFolder);
  const animateRequest = { id: name, sourcePath: landscapePath, style, seconds, folder: workFolder, ...extraRequest };
  return { ...animateRequest, videoPath: join(workFolder, 'video.mp4'), posterPath: join(workFolder, 'poster.jpg') };
}

/** A photo with motion in its file. */
async function withOwnMotion(): Promise<Pick<AnimateRequest, 'sourcePath' | 'ownMotion'>> {
  const { file, still } = await createAnimation('webp');
  const [path, sourcePath] = [join(folder, 'moving.webp'), join(folder, 'moving.jpg')];
  writeFileSync(path, file);
  writeFileSync(sourcePath, still);
  return { sourcePath, ownMotion: { path, motion: { kind: 'animation' }, crop: wholePhotoCrop } };
}

/** Decoded pictures of a video as raw RGB, optionally cropped to a column. */
function decodeFrames(path: string, crop?: { left: number; width: number }): Uint8Array[] {
  const cropFilter = crop ? `crop=${crop.width}:${framePanelSize.height}:${crop.left}:0` : 'scale=160:100:flags=area';
  const rawVideoArguments = ['-f', 'rawvideo', '-pix_fmt', 'rgb24', '-'];
  const pixels = execFileSync(ffmpegPath, ['-v', 'error', '-i', path, '-vf', cropFilter, ...rawVideoArguments], {
    maxBuffer: 2 ** 30,
  });
  const frameBytes = (crop ? crop.width * framePanelSize.height : 160 * 100) * 3;
  return Array.from({ length: pixels.length / frameBytes }, (_, at) =>
    pixels.subarray(at * frameBytes, (at + 1) * frameBytes),
  );
}
/** The mean difference of two pictures, 0 to 255. */
function computeMeanDifference(a: Uint8Array, b: Uint8Array): number {
  let sum = 0; // a loop, because calling a function for each byte would take longer than rendering
  for (let at = 0; at < a.length; at++) sum += Math.abs(a[at]! - b[at]!);
  return sum / a.length;
}

test('a video plays on the frame and in browsers, and its last frame continues into its first frame', async () => {
  const progress: number[] = [];
  const animateRequest = createRequest('push-in', 'push-in', 8);
  const video = await animateAndWait(animator, animateRequest, { onProgress: (fraction) => progress.push(fraction) });

  const { videoPath, posterPath } = animateRequest;
  expect(video).toEqual({
    videoPath,
    posterPath,
    ...framePanelSize,
    seconds: 8,
    sizeBytes: statSync(videoPath).size,
    clipPath: join(animateRequest.folder, 'clip.mp4'),
    provenance: { by: 'local', style: 'push-in' },
  });
  expect(video.sizeBytes).toBeLessThan(8_000_000);
  expect(await readVideoFacts(ffmpegPath, animateRequest.videoPath)).toEqual({
    codec: 'h264',
    pixelFormat: 'yuv420p',
    ...framePanelSize,
    seconds: 8,
  });
  expect(await isFaststart(animateRequest.videoPath)).toBe(true);
  expect(progress).toEqual(progress.toSorted((a, b) => a - b));
  expect(progress.at(-1)).toBeGreaterThan(0.5);

  const frames = decodeFrames(animateRequest.videoPath);
  expect(frames).toHaveLength(200);
  const firstFrame = frames[0]!;
  expect(computeMeanDifference(firstFrame, frames.at(-1)!)).toBeLessThan(2);
  expect(computeMeanDifference(firstFrame, frames[50]!)).toBeGreaterThan(4);
  expect(computeMeanDifference(frames[50]!, frames[150]!)).toBeGreaterThan(8);

  expect(await sharp(animateRequest.posterPath).metadata()).toMatchObject({ format: 'jpeg', ...framePanelSize });
  const poster = await sharp(animateRequest.posterPath).resize(160, 100, { fit: 'fill' }).raw().toBuffer();
  expect(computeMeanDifference(poster, firstFrame)).toBeLessThan(4);
});

test.each(motionStyles)('the style %s moves, loops, and always shows the whole of a portrait photo', async (style) => {
  const animateRequest = createRequest(`portrait-${style}`, style, 0.6, { sourcePath: portraitPath });
  await animateAndWait(animator, animateRequest);
  const frames = decodeFrames(animateRequest.videoPath);
  expect(frames).toHaveLength(15);
  const steps = frames.map((frame, at) => computeMeanDifference(frame, frames[(at + 1) % frames.length]!));
  const seam = steps.pop() ?? Infinity;
  expect(Math.max(...steps)).toBeGreaterThan(0.3);
  expect(seam).toBeLessThan(1.5 * Math.max(...steps) + 0.5);

  for (const column of decodeFrames(animateRequest.videoPath, { left: 600, width: 80 })) {
    const { top, bottom } = countMagentaRows(column, 80);
    expect(top).toBeGreaterThan(3);
    expect(bottom).toBeLessThan(framePanelSize.height - 4);
    // The photo's edges are this much farther out than the bands.
    const pixelsBeyond = (bottom - top + 1) * (60 / 880);
    expect(top - pixelsBeyond).toBeGreaterThan(-1);
    expect(bottom + pixelsBeyond).toBeLessThan(framePanelSize.height);
    // Checks that both bands were found: the distance between the photo's edges is nearly the panel's height.
    expect(bottom - top + 2 * pixelsBeyond).toBeGreaterThan(0.7 * framePanelSize.height);
  }
});

/** The first and the last row in which most pixels are magenta, however faded. */
function countMagentaRows(column: Uint8Array, width: number): { top: number; bottom: number } {
  const rows = Array.from({ length: framePanelSize.height }, (_, row) => {
    let magenta = 0;
    for (let at = row * width * 3; at < (row + 1) * width * 3; at += 3) {
      if ((column[at]! + column[at + 2]!) / 2 - column[at + 1]! > 60) magenta += 1;
    }
    return magenta > width * 0.7;
  });
  return { top: rows.indexOf(true), bottom: rows.lastIndexOf(true) };
}

test.each([
  { style: 'alive', shape: { width: 900, height: 1200 }, screen: framePanelSize },
  { style: 'parallax', shape: { width: 900, height: 1200 }, screen: framePanelSize },
  { style: 'alive', shape: { width: 1200, height: 900 }, screen: { width: 800, height: 1280 } },
] as const)(
  'the style $style fills a screen of $screen.width x $screen.height with a person in a photo of $shape.width x $shape.height',
  async ({ style, shape, screen }) => {
    const greenPhotoPath = join(folder, `green-${style}-${shape.width}.jpg`);
    await sharp({ create: { ...shape, channels: 3, background: '#2f7d46' } })
      .jpeg()
      .toFile(greenPhotoPath);
    const extraRequest = {
      sourcePath: greenPhotoPath,
      screen,
      seen: createPhotoAnalysis({ ...shape, people: 0.2, faces: [createFaceAnalysis(0.5, 0.42, 0.2)] }),
    };
    const animateRequest = createRequest(`travel-${style}-${shape.width}`, style, 1, extraRequest);
    const { provenance } = await animateAndWait(
      createLocalAnimator({ ffmpegPath, eyes: fakePhotoAnalyzer }),
      animateRequest,
    );
    expect(provenance).toMatchObject({ style });
    expect(provenance.insteadOf).toBeUndefined();
    // A mat would have pale edges. The edges show the picture, which has only green and the blue behind the person.
    for (const frame of decodeFrames(animateRequest.videoPath))
      for (const index of [0, 159, 99 * 160, 99 * 160 + 159]) expect(frame[3 * index]!).toBeLessThan(100);
  },
);

test('an upright photo of a person who cannot be animated is shown whole', async () => {
  const faces = [createFaceAnalysis(0.5, 0.42, 0.2)];
  const extraRequest = {
    sourcePath: portraitPath,
    seen: createPhotoAnalysis({ width: 750, height: 1000, people: 0.2, faces }),
  };
  const animateRequest = createRequest('travel-not', 'alive', 0.4, extraRequest);
  const { provenance } = await animateAndWait(animator, animateRequest);
  expect(provenance).toMatchObject({ style: 'depth', insteadOf: { style: 'alive' } });
  for (const column of decodeFrames(animateRequest.videoPath, { left: 600, width: 40 })) {
    const { top, bottom } = countMagentaRows(column, 40);
    expect(top).toBeGreaterThan(0);
    expect(bottom).toBeGreaterThan(0.7 * framePanelSize.height);
  }
});

test('a landscape photo fills the panel in styles without a border', async () => {
  const brightPhotoPath = join(folder, 'bright.jpg');
  const brightPicture = { width: 1200, height: 900, channels: 3, background: '#f0f0f0' } as const;
  await sharp({ create: brightPicture }).jpeg().toFile(brightPhotoPath);
  for (const style of ['drift', 'depth'] as const) {
    const animateRequest = createRequest(`bright-${style}`, style, 0.4, { sourcePath: brightPhotoPath });
    await animateAndWait(animator, animateRequest);
    for (const frame of decodeFrames(animateRequest.videoPath)) expect(Math.min(...frame)).toBeGreaterThan(200);
  }
});

test.each([
  { width: 1920, height: 1200 },
  { width: 800, height: 1280 },
])('makes a video for a screen of $width x $height', async (screen) => {
  for (const style of ['push-in', 'depth', 'floating-print', 'vintage'] as const) {
    const animateRequest = createRequest(`${style}-on-${screen.width}`, style, 0.2, { screen });
    expect(await animateAndWait(animator, animateRequest)).toMatchObject(screen);
    expect(await readVideoFacts(ffmpegPath, animateRequest.videoPath)).toMatchObject({ codec: 'h264', ...screen });
  }
});

test('the provenance of a video names the repair of the photo, and the video differs from the video without the repair', async () => {
  const plain = createRequest('unrepaired', 'push-in', 0.2);
  const repaired = createRequest('repaired', 'push-in', 0.2, { isRepaired: true });
  expect((await animateAndWait(animator, plain)).provenance).toEqual({ by: 'local', style: 'push-in' });
  const { provenance } = await animateAndWait(animator, repaired);
  expect(provenance).toEqual({ by: 'local', style: 'push-in', isRestored: true });
  const [before, after] = [plain, repaired].map((it) => decodeFrames(it.videoPath)[0]!);
  expect(computeMeanDifference(before!, after!)).toBeGreaterThan(0.5);
});

test('the light sweep does not overexpose a bright photo', async () => {
  const brightPhotoPath = join(folder, 'nearly-white.jpg');
  const skin = { width: 1280, height: 800, channels: 3, background: '#f0d8c8' } as const;
  await sharp({ create: skin }).jpeg().toFile(brightPhotoPath);
  const animateRequest = createRequest('sweep', 'light-sweep', 1, { sourcePath: brightPhotoPath });
  await animateAndWait(animator, animateRequest);
  for (const frame of decodeFrames(animateRequest.videoPath)) expect(Math.max(...frame)).toBeLessThan(254);
});

test('the metadata of a video and its clip name the style, and say why if it is not the requested style', async () => {
  const animateRequest = createRequest('metadata', 'parallax', 0.4);
  const { provenance, clipPath } = await animateAndWait(animator, animateRequest);
  expect(provenance).toEqual({
    by: 'local',
    style: 'depth',
    insteadOf: { style: 'parallax', why: 'no people could be cut out of the photo' },
  });
  for (const path of [animateRequest.videoPath, clipPath!]) {
    const metadata = execFileSync(ffmpegPath, ['-v', 'error', '-i', path, '-f', 'ffmetadata', '-'], {
      encoding: 'utf8',
    });
    expect(metadata).toContain(`comment=${provenanceText(provenance)}`);
    expect(metadata).toContain('"insteadOf"');
  }
  expect(await readVideoFacts(ffmpegPath, clipPath!)).toMatchObject({ codec: 'h264', width: 480, height: 300 });
});

test.each(motionStyles)(
  'the style %s uses the detected parts, moves, and its last frame continues into its first in a loop',
  async (style) => {
    const animatorWithAnalyzer = createLocalAnimator({ ffmpegPath, eyes: fakePhotoAnalyzer });
    const extraRequest = { seen: richPhotoAnalysis, ...(style === 'own-motion' && (await withOwnMotion())) };
    const animateRequest = createRequest(`seen-${style}`, style, 0.8, extraRequest);
    const { provenance } = await animateAndWait(animatorWithAnalyzer, animateRequest);
    expect(provenance).toMatchObject({ by: 'local', style });
    expect(provenance.insteadOf).toBeUndefined();
    const frames = decodeFrames(animateRequest.videoPath);
    expect(frames).toHaveLength(20);
    const steps = frames.map((frame, at) => computeMeanDifference(frame, frames[(at + 1) % frames.length]!));
    const seam = steps.pop() ?? Infinity;
    expect(Math.max(...steps)).toBeGreaterThan(0.2);
    expect(seam).toBeLessThan(1.5 * Math.max(...steps) + 0.5);
    expect(readdirSync(animateRequest.folder).toSorted()).toEqual(['clip.mp4', 'poster.jpg', 'video.mp4']);

    const isFilled = ['parallax', 'portrait-light', 'alive', 'snow', 'motes', 'leaves'].includes(style);
    expect(provenance.filledBackground).toBe(isFilled ? 'painted' : undefined);
    // The corner has the color painted behind people; the middle does not.
    const blueExcessAt = (at: number) => frames[0]![3 * at + 2]! - frames[0]![3 * at]!;
    if (isFilled && style !== 'leaves') expect(blueExcessAt(0)).toBeGreaterThan(60);
    if (isFilled) expect(blueExcessAt(50 * 160 + 80)).toBeLessThan(100);
  },
);

test.each(['push-in', 'vintage', 'snow'] as const)(
  'a title in the style %s fades out and is fully visible again at the start of the loop',
  async (style) => {
    const grayPhotoPath = join(folder, `flat-${style}.jpg`);
    const grayPicture = { width: 1280, height: 800, channels: 3, background: '#b0b0b0' } as const;
    await sharp({ create: grayPicture }).jpeg().toFile(grayPhotoPath);
    const animateRequest = createRequest(`titled-${style}`, style, 4, {
      sourcePath: grayPhotoPath,
      title: 'The kite over the sea',
    });
    const { provenance } = await animateAndWait(
      createLocalAnimator({ ffmpegPath, eyes: fakePhotoAnalyzer }),
      animateRequest,
    );
    expect(provenance).toMatchObject({ style, isTitled: true });
    expect(provenanceText(provenance)).toContain('Its title is written on it.');
    const frames = decodeFrames(animateRequest.videoPath);
    /** Difference between the brightest and the darkest pixel in the lower corners, where the title is. */
    const measureTitleContrast = (frame: Uint8Array) => {
      const corner = Array.from(frame).filter((_, at) => Math.floor(at / 480) > 85 && Math.floor(at / 480) < 96);
      return Math.max(...corner) - Math.min(...corner);
    };
    expect(frames).toHaveLength(100);
    const [first, middle, last] = [frames[0]!, frames[65]!, frames.at(-1)!].map(measureTitleContrast) as [
      number,
      number,
      number,
    ];
    expect(first).toBeGreaterThan(90);
    expect(middle).toBeLessThan(first - 60);
    expect(last).toBeGreaterThan(first - 30);
    const poster = await sharp(animateRequest.posterPath).resize(160, 100, { fit: 'fill' }).raw().toBuffer();
    expect(computeMeanDifference(poster, frames[0]!)).toBeLessThan(4);
    const steps = frames.map((frame, at) => computeMeanDifference(frame, frames[(at + 1) % frames.length]!));
    expect(steps.pop()).toBeLessThan(1.5 * Math.max(...steps) + 0.5);
  },
);

test('the camera does not visit faces that a title would cover; without a free place, the title is left out', async () => {
  const crowd = createPhotoAnalysis({
    width: 1280,
    height: 960,
    faces: [createFaceAnalysis(0.3, 0.6, 0.2), createFaceAnalysis(0.7, 0.6, 0.2)],
  });
  const pannedVideo = await animateAndWait(
    animator,
    createRequest('crowd', 'crowd-pan', 0.2, { seen: crowd, title: 'All of us' }),
  );
  expect(pannedVideo.provenance).toMatchObject({
    style: 'push-in',
    insteadOf: { style: 'crowd-pan', why: 'its title would lie over a face as the camera goes from one to the next' },
    isTitled: true,
  });
  const pair = {
    ...richPhotoAnalysis,
    faces: [createFaceAnalysis(0.3, 0.45, 0.15), createFaceAnalysis(0.7, 0.45, 0.15)],
  };
  const pairRequest = createRequest('pair', 'alive', 0.2, {
    seen: pair,
    camera: 'visit',
    title: 'The two of us by the sea',
  });
  const { provenance } = await animateAndWait(
    createLocalAnimator({ ffmpegPath, eyes: fakePhotoAnalyzer }),
    pairRequest,
  );
  expect(provenance).toMatchObject({ style: 'alive', isTitled: true });
  const nearAnalysis = createPhotoAnalysis({ width: 1280, height: 960, faces: [createFaceAnalysis(0.5, 0.5, 0.9)] });
  const requestWithFaces = createRequest('near', 'push-in', 0.2, { seen: nearAnalysis, title: 'Grandma' });
  expect((await animateAndWait(animator, requestWithFaces)).provenance).toEqual({
    by: 'local',
    style: 'push-in',
    isTitled: false,
  });
});

test('the camera moves to the customer’s point', async () => {
  const [left, right] = await Promise.all(
    [0.1, 0.9].map(async (x) => {
      const animateRequest = createRequest(`focus-${x}`, 'push-in', 0.4, { focus: { x, y: 0.5 } });
      await animateAndWait(animator, animateRequest);
      return decodeFrames(animateRequest.videoPath)[0]!;
    }),
  );
  expect(computeMeanDifference(left!, right!)).toBeGreaterThan(4);
});

test('an aborted render stops at once and leaves no files', async () => {
  const controller = new AbortController();
  const niceness: number[] = [];
  const animateRequest = createRequest('unwanted', 'drift', 30);
  const onProgress = (fraction: number) => {
    if (fraction === 0) return;
    niceness.push(...listDescendants(process.pid).map(readNiceness));
    controller.abort();
  };
  await expect(animateAndWait(animator, animateRequest, { signal: controller.signal, onProgress })).rejects.toThrow(
    /abort/i,
  );
  expect(listDescendants(process.pid)).toEqual([]);
  expect(existsSync(animateRequest.videoPath) || existsSync(animateRequest.posterPath)).toBe(false);
  // The renderer and its encoder run with low priority.
  expect(niceness.length).toBeGreaterThanOrEqual(2);
  expect(Math.min(...niceness)).toBeGreaterThanOrEqual(10);
});

test('a render that takes too long fails and is retryable', async () => {
  const animatorWithShortTimeout = createLocalAnimator({ ffmpegPath, timeoutMs: 700 });
  const animateRequest = createRequest('slow', 'drift', 30);
  await expect(animateAndWait(animatorWithShortTimeout, animateRequest)).rejects.toMatchObject({
    name: 'AnimationError',
    retryable: true,
  });
  expect(listDescendants(process.pid)).toEqual([]);
  expect(existsSync(animateRequest.videoPath) || existsSync(animateRequest.posterPath)).toBe(false);
});

test('a killed server leaves no renderer or encoder running', async () => {
  const script = join(folder, 'server.mjs');
  const animateRequest = JSON.stringify(createRequest('orphan', 'drift', 60));
  writeFileSync(
    script,
    `import { createLocalAnimator } from '${new URL('./local-animator.ts', import.meta.url).href}';
     await createLocalAnimator({ ffmpegPath: '${ffmpegPath}' }).start(${animateRequest});`,
  );
  const server = spawn(process.execPath, [script], { stdio: 'ignore', cwd: import.meta.dirname });
  const rendering = await waitForCondition('renderer and encoder run', () => {
    const startedProcesses = listDescendants(server.pid ?? 0);
    return startedProcesses.length === 2 && startedProcesses;
  });
  server.kill('SIGKILL');
  await waitForCondition('both are gone', () => !rendering.some(isProcessAlive));
});

test('a failed render is retryable unless the photo or the request is the cause', async () => {
  const brokenPhotoPath = join(folder, 'half-a-photo.jpg');
  writeFileSync(brokenPhotoPath, readFileSync(landscapePath).subarray(0, 5000));
  const resultWithoutPhoto = animateAndWait(
    animator,
    createRequest('broken', 'drift', 1, { sourcePath: brokenPhotoPath }),
  );
  await expect(resultWithoutPhoto).rejects.toMatchObject({ name: 'AnimationError', retryable: false });

  const missingFolder = { folder: join(folder, 'no-such-folder') };
  const resultWithoutRoom = animateAndWait(animator, createRequest('no-room', 'drift', 1, missingFolder));
  await expect(resultWithoutRoom).rejects.toMatchObject({
    name: 'AnimationError',
    retryable: true,
    message: /No such file/,
  });

  const resultWithoutLength = animateAndWait(animator, createRequest('no-length', 'drift', Number.NaN));
  await expect(resultWithoutLength).rejects.toMatchObject({ name: 'AnimationError', retryable: false });
  for (const name of ['broken', 'no-room', 'no-length']) expect(readdirSync(join(folder, name))).toEqual([]);
});

test('check() renders, and rejects if rendering fails', async () => {
  await animator.check();
  const brokenLocalAnimator = createLocalAnimator({ ffmpegPath: join(folder, 'no-ffmpeg') });
  await expect(brokenLocalAnimator.check()).rejects.toThrow(/could not be started/);
});

test.each([
  ['for the poster', 8],
  ['half way through the film', 300],
])(
  'when the disk is full %s, the error names the full disk, is retryable, and no files are left',
  async (name, kilobytes) => {
    const animateRequest = JSON.stringify(createRequest(`full ${name}`, 'drift', 4));
    const createModuleUrl = (file: string) => new URL(file, import.meta.url).href;
    const script = `
    import { createLocalAnimator } from '${createModuleUrl('./local-animator.ts')}';
    const animator = createLocalAnimator({ ffmpegPath: '${ffmpegPath}' });
    const id = await animator.start(${animateRequest});
    for (;;) {
      const job = await animator.getJobStatus(id);
      if (job.state !== 'working') {
        console.log(JSON.stringify({ state: job.state, words: job.error?.message, retryable: job.error?.retryable }));
        break;
      }
      await new Promise((resolve) => setTimeout(resolve, 50));
    }`;
    const limitedCommand = `ulimit -f ${kilobytes}; exec "$0" "$@"`;
    const output = execFileSync('bash', ['-c', limitedCommand, process.execPath, '--input-type=module', '-e', script]);
    expect(JSON.parse(output.toString())).toEqual({
      state: 'failed',
      words: 'the disk is full: there is no room for the video',
      retryable: true,
    });
    expect(readdirSync(join(folder, `full ${name}`))).toEqual([]);
  },
);
