/**
 * Measures figures about videos that tests cannot check, because they are times or a matter of taste: how evenly videos
 * move, how visible the seam of the loop is, how clean the edges of people are, and how long the analysis of a
 * 12-megapixel photo takes. bench/videos.ts measures the cost of a video, bench/photo-films.ts the videos of real
 * photos.
 */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createCanvas, type Canvas } from '@napi-rs/canvas';
import sharp from 'sharp';
import { motionStyles, framePanelSize, type MotionStyle } from '#contract/motion.ts';
import { computeFraming, type Framing } from '#adapters/animation/local/framing.ts';
import { createRandom, type VideoDimensions } from '#adapters/animation/local/motion.ts';
import { framesPerSecond } from '#adapters/animation/local/render-job.ts';
import { cutRequestByStyle } from '#adapters/animation/local/cut-requests.ts';
import { readCutOutParts } from '#adapters/animation/local/render.ts';
import { computePhotoBox, createRenderContext } from '#adapters/animation/local/render-context.ts';
import { motionStyleRenderers } from '#adapters/animation/local/styles/styles.ts';
import { convertPlanesToRgb } from '#adapters/animation/local/warp/video-planes.ts';
import type { Size } from '#adapters/seeing/grid.ts';
import { listDescendants } from '#adapters/processes/process-table.ts';
import { createPhotoAnalyzer } from '#adapters/seeing/photo-analyzer.ts';
import { richPhotoAnalysis, fakePhotoAnalyzer } from '../test/fake-photo-analyzer.ts';
import { paintGarden } from '../test/photos/garden.ts';
import { compareAtRest, convertToGray, registerPhoto } from './displacement.ts';
import { readCpuSecondsOfEndedChildren, readPeakMegabytes } from './measure.ts';

const limits = { jitter: 0.06, seam: 1.1, halo: 2, seeingSeconds: 6, seeingMegabytes: 700, color: 2, details: 0.05 };
const videoDimensions: VideoDimensions = { ...framePanelSize, frames: 8 * framesPerSecond };

export interface MotionMeasure {
  name: string;
  value: number;
  /** The largest value that is allowed, in the same unit. */
  atMost: number;
  unit: string;
}
type ReportMeasure = (name: string, value: number, atMost: number, unit: string) => void;

export async function measureMotion(): Promise<MotionMeasure[]> {
  const measures: MotionMeasure[] = [];
  const report: ReportMeasure = (name, value, atMost, unit) => measures.push({ name, value, atMost, unit });
  await measureJitter(report);
  await measureSeams(report);
  await measureHalo(report);
  await measureStillness(report);
  await measureAnalysis(report);
  return measures;
}

async function createSceneOf(
  style: MotionStyle,
  png: Buffer,
  framing: Framing,
  cut?: Parameters<typeof createRenderContext>[3],
) {
  const photo = createPhotoSource(png, await sharp(png).metadata());
  return await motionStyleRenderers[style].prepare(await createRenderContext(photo, videoDimensions, framing, cut));
}

const createPhotoSource = (png: Buffer, { width, height }: Size) => ({
  width,
  height,
  pixels: () => sharp(png).removeAlpha(),
});

/** Measures a white disc on black: its center in each frame, compared with the smoothest path through all frames. */
async function measureJitter(report: ReportMeasure): Promise<void> {
  const canvas = createCanvas(1280, 800);
  const canvasContext = canvas.getContext('2d');
  canvasContext.fillRect(0, 0, 1280, 800);
  canvasContext.fillStyle = '#ffffff';
  canvasContext.arc(700, 430, 40, 0, 2 * Math.PI);
  canvasContext.fill();
  const png = canvas.toBuffer('image/png');
  for (const style of ['push-in', 'drift', 'breathe', 'depth'] as const) {
    const scene = await createSceneOf(style, png, computeFraming({ width: 1280, height: 800 }, videoDimensions, {}));
    const discCenters = Array.from({ length: videoDimensions.frames }, (_, at) =>
      findCenterOfLight(scene!({ phase: at / videoDimensions.frames, frame: at })),
    );
    report(
      `jitter of ${style}`,
      Math.max(computeRoughness(discCenters.map((it) => it.x)), computeRoughness(discCenters.map((it) => it.y))),
      limits.jitter,
      'px RMS',
    );
  }
}

function findCenterOfLight(picture: Uint8Array): { x: number; y: number } {
  let [sum, x, y] = [0, 0, 0];
  for (let at = 0; at < videoDimensions.width * videoDimensions.height; at++) {
    const light = picture[at]! - 16;
    if (light < 8) continue;
    sum += light;
    x += light * (at % videoDimensions.width);
    y += light * Math.floor(at / videoDimensions.width);
  }
  return { x: x / sum, y: y / sum };
}

/** The unwanted part of the movement: what remains after the first harmonics of the loop are subtracted. */
function computeRoughness(values: number[]): number {
  const count = values.length;
  const residuals = [...values];
  for (let turnCount = 0; turnCount <= 8; turnCount++) {
    let [cos, sin] = [0, 0];
    for (let at = 0; at < count; at++) {
      cos += (values[at]! * Math.cos((2 * Math.PI * turnCount * at) / count) * (turnCount ? 2 : 1)) / count;
      sin += (values[at]! * Math.sin((2 * Math.PI * turnCount * at) / count) * 2) / count;
    }
    for (let at = 0; at < count; at++)
      residuals[at]! -=
        cos * Math.cos((2 * Math.PI * turnCount * at) / count) + sin * Math.sin((2 * Math.PI * turnCount * at) / count);
  }
  return Math.sqrt(residuals.reduce((sum, it) => sum + it * it, 0) / count);
}

/**
 * Compares the change at the loop's seam (from the last frame to the first) with the changes around it, for each style.
 * The picture contains everything that the style can move.
 */
async function measureSeams(report: ReportMeasure): Promise<void> {
  const png = paintGarden(richPhotoAnalysis.width, richPhotoAnalysis.height).toBuffer('image/png');
  const framing = computeFraming(richPhotoAnalysis, videoDimensions, { seen: richPhotoAnalysis });
  const folder = mkdtempSync(join(tmpdir(), 'kinframe-bench-'));
  try {
    // The photo's own motion needs a film, and its seam is the photo itself.
    for (const style of motionStyles.filter((it) => it !== 'own-motion')) {
      const cutout = await cutOutForStyle(style, framing, join(folder, style));
      const scene = await createSceneOf(style, png, framing, { seen: richPhotoAnalysis, cut: cutout });
      if (!scene) throw new Error(`${style} cannot be drawn of what is seen`);
      const { begins } = motionStyleRenderers[style];
      const renderFrameAt = (at: number) =>
        Uint8Array.from(
          scene({
            phase: (((at + videoDimensions.frames) % videoDimensions.frames) / videoDimensions.frames + begins) % 1,
            frame: (at + videoDimensions.frames) % videoDimensions.frames,
          }),
        );
      // In a flicker, the changes between frames differ by design. One second on each side of the seam contains small
      // and large changes.
      const framesAroundSeam = framesPerSecond;
      const frameDifferences: number[] = [];
      for (let at = -framesAroundSeam, before = renderFrameAt(at - 1); at <= framesAroundSeam; at++) {
        const nextFrame = renderFrameAt(at);
        frameDifferences.push(measureFrameDifference(before, nextFrame));
        before = nextFrame;
      }
      const [seam = Infinity] = frameDifferences.splice(framesAroundSeam, 1);
      report(`seam of ${style}`, seam / Math.max(1e-3, ...frameDifferences), limits.seam, 'of its neighbors');
    }
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Makes the cutout that a style needs, in the same form in which the shop's renderer gets it. */
async function cutOutForStyle(style: MotionStyle, framing: Framing, path: string) {
  const wantedParts = cutRequestByStyle[style];
  if (!wantedParts) return undefined;
  const wantedCutout = {
    crop: framing.crop,
    plate: computePhotoBox(framing, videoDimensions),
    faces: framing.faces,
    scale: 1,
    wants: wantedParts,
  };
  const cutResult = await fakePhotoAnalyzer.cutOutParts('', wantedCutout, path);
  return cutResult && readCutOutParts({ answer: cutResult, framing, path }, videoDimensions);
}

function measureFrameDifference(a: Uint8Array, b: Uint8Array): number {
  return a.reduce((sum, value, at) => sum + Math.abs(value - b[at]!), 0) / a.length;
}

/**
 * Cuts a red disc with a soft edge out of a green picture and places it on green again. Measures how far from the edge
 * other colors appear.
 */
async function measureHalo(report: ReportMeasure): Promise<void> {
  const picture = createCanvas(videoDimensions.width, videoDimensions.height);
  const canvasContext = picture.getContext('2d');
  canvasContext.fillStyle = '#208040';
  canvasContext.fillRect(0, 0, videoDimensions.width, videoDimensions.height);
  canvasContext.fillStyle = '#c03020';
  canvasContext.arc(640, 400, 200, 0, 2 * Math.PI);
  canvasContext.fill();
  const framing = computeFraming({ width: videoDimensions.width, height: videoDimensions.height }, videoDimensions, {});
  const bareContext = await createRenderContext(
    createPhotoSource(picture.toBuffer('image/png'), videoDimensions),
    videoDimensions,
    framing,
  );
  const { inner, scale } = bareContext;
  const differenceToStill = (at: number) =>
    Math.hypot((at % inner.width) / scale - 640, Math.floor(at / inner.width) / scale - 400) - 200;
  const pixelCount = inner.width * inner.height;
  const peopleMask = Uint8Array.from(
    { length: pixelCount },
    (_, at) => 255 * Math.min(1, Math.max(0, 0.5 - differenceToStill(at) / 3)),
  );
  const backgroundPixels = Uint8Array.from({ length: 3 * pixelCount }, (_, at) => [0x20, 0x80, 0x40][at % 3]!);
  const cutout = { people: peopleMask, behind: backgroundPixels, paintedByModel: false, meshes: [] };
  const scene = await motionStyleRenderers.parallax.prepare({ ...bareContext, cut: cutout });
  let widest = 0;
  for (const phase of [0.25, 0.75]) {
    const shownPixels = convertPlanesToRgb(scene!({ phase, frame: 0 }), videoDimensions);
    const isDisc = (x: number) =>
      shownPixels[3 * (400 * videoDimensions.width + x)]! > shownPixels[3 * (400 * videoDimensions.width + x) + 1]!;
    const isPureColor = (x: number) => {
      const [red = 0, green = 0] = shownPixels.subarray(3 * (400 * videoDimensions.width + x));
      return Math.hypot(red - 0x20, green - 0x80) < 12 || Math.hypot(red - 0xc0, green - 0x30) < 12;
    };
    for (const [from, step] of [
      [640, 1],
      [640, -1],
    ] as const) {
      let edge = from;
      while (isDisc(edge)) edge += step;
      let mixed = 0;
      for (let x = edge - 12 * step; x !== edge + 12 * step; x += step) if (!isPureColor(x)) mixed += 1;
      widest = Math.max(widest, mixed / 2);
    }
  }
  report('halo to either side of an edge cut 3 px softly', widest, limits.halo, 'px');
}

/**
 * The styles that show the photo itself. The others change its light or its colors, cover parts of it, or show a
 * smaller print of it.
 */
const stylesWithoutChange: MotionStyle[] = [
  'push-in',
  'drift',
  'depth',
  'parallax',
  'crowd-pan',
  'alive',
  'sky',
  'water',
];

/** Compares a frame of each style with the photo. Where nothing moves, it must have the photo's colors and details. */
async function measureStillness(report: ReportMeasure): Promise<void> {
  const photo = { width: 2560, height: 1920 };
  const analysis = { ...richPhotoAnalysis, ...photo };
  const folder = mkdtempSync(join(tmpdir(), 'kinframe-bench-'));
  try {
    const png = drawDetails(paintGarden(photo.width, photo.height));
    const path = join(folder, 'photo.png');
    writeFileSync(path, png);
    const framing = computeFraming(photo, videoDimensions, { seen: analysis });
    for (const style of stylesWithoutChange) {
      const cutout = await cutOutForStyle(style, framing, join(folder, style));
      // Behind its people, the photo shows the same. Otherwise a layer in front of another could not be compared.
      const { width, height } = computePhotoBox(framing, videoDimensions);
      const wholePicture = createPhotoSource(png, photo)
        .pixels()
        .extract(framing.crop)
        .resize({ width, height, fit: 'fill' });
      if (cutout?.behind) cutout.behind = await wholePicture.raw().toBuffer();
      const scene = await createSceneOf(style, png, framing, { seen: analysis, cut: cutout });
      if (!scene) throw new Error(`${style} cannot be drawn of what is seen`);
      const rgb = convertPlanesToRgb(scene({ phase: 0, frame: 0 }), videoDimensions);
      const gray = convertToGray(rgb, videoDimensions);
      const motionAtRest = compareAtRest(await registerPhoto(path, photo, framing, gray), rgb, gray);
      if (!motionAtRest) throw new Error(`nothing rests in ${style}`);
      report(`color of ${style} at rest`, motionAtRest.color, limits.color, 'of 255');
      const sharpnessChange = Math.abs(1 - motionAtRest.sharpness);
      report(`details of ${style} at rest`, sharpnessChange, limits.details, 'of their contrast');
    }
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Adds details as fine as hair, because the garden is painted smoothly. */
function drawDetails(canvas: Canvas): Buffer {
  const canvasContext = canvas.getContext('2d');
  const random = createRandom(7);
  for (let at = 0; at < 9000; at++) {
    const [x, y, turn] = [random() * canvas.width, random() * canvas.height, random() * 2 * Math.PI];
    canvasContext.strokeStyle = random() < 0.5 ? 'rgba(20, 15, 10, 0.5)' : 'rgba(255, 245, 230, 0.5)';
    canvasContext.lineWidth = 1 + 3 * random();
    canvasContext.beginPath();
    canvasContext.moveTo(x, y);
    canvasContext.lineTo(x + 40 * Math.cos(turn), y + 40 * Math.sin(turn));
    canvasContext.stroke();
  }
  return canvas.toBuffer('image/png');
}

async function measureAnalysis(report: ReportMeasure): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'kinframe-bench-'));
  try {
    const path = join(folder, 'photo.jpg');
    // The display copy of a 12-megapixel photo.
    writeFileSync(path, await sharp(paintGarden(4000, 3000).toBuffer('image/png')).resize(2560).jpeg().toBuffer());
    const photoAnalyzer = createPhotoAnalyzer({ modelsFolder: join(import.meta.dirname, '../adapters/seeing/models') });
    await photoAnalyzer.version();
    const cpuBefore = readCpuSecondsOfEndedChildren();
    let megabytes = 0;
    const sampling = setInterval(() => {
      for (const pid of listDescendants(process.pid)) megabytes = Math.max(megabytes, livingPeakOf(pid));
    }, 20);
    await photoAnalyzer.analyzePhoto(path).finally(() => clearInterval(sampling));
    const cpuSeconds = readCpuSecondsOfEndedChildren() - cpuBefore;
    report('analysis of a photo of 12 megapixels', cpuSeconds, limits.seeingSeconds, 'CPU s');
    report('its process', megabytes, limits.seeingMegabytes, 'MB RSS');
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function livingPeakOf(pid: number): number {
  try {
    return readPeakMegabytes(pid) || 0; // the file has no number while the process exits
  } catch {
    return 0; // the process has ended in the meantime
  }
}
