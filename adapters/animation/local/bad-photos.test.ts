/** Unusual photos that people may send: each one must become a video. */
import { copyFileSync, mkdirSync, mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import sharp from 'sharp';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { motionStyles, framePanelSize, type MotionStyle } from '#contract/motion.ts';
import { chooseMotionFor } from '#shop/production/motion.ts';
import { animateAndWait } from '#test/animate.ts';
import { richPhotoAnalysis, fakePhotoAnalyzer } from '#test/fake-photo-analyzer.ts';
import { paintCrowd } from '#test/photos/crowd.ts';
import { paintGarden } from '#test/photos/garden.ts';
import { createImaging } from '../../imaging/imaging.ts';
import { createPhotoAnalyzer } from '../../seeing/photo-analyzer.ts';
import { findFfmpeg } from '../ffmpeg.ts';
import { readVideoFacts } from '../video-facts.ts';
import { computeFraming } from './framing.ts';
import { createLocalAnimator } from './local-animator.ts';
import { cutRequestByStyle } from './cut-requests.ts';
import { renderVideo } from './render.ts';
import type { RenderJob } from './render-job.ts';
import { computePhotoBox } from './render-context.ts';

const modelsFolder = join(import.meta.dirname, '../../seeing/models');
const imaging = createImaging({ timeoutMs: 60_000 });
const analyzerTroubles: string[] = [];
const photoAnalyzer = createPhotoAnalyzer({ modelsFolder, onTrouble: (trouble) => analyzerTroubles.push(trouble) });
const createPlainPhoto = (width: number, height: number) =>
  sharp({ create: { width, height, channels: 3, background: '#8899aa' } });
const createGardenPhoto = () => sharp(paintGarden(640, 480).toBuffer('image/png'));
const createCrowdPhoto = () => sharp(paintCrowd(60, 2000, 1200).toBuffer('image/png'));

const createPhotoWithMotion = async () => {
  const pictures = ['#c03030', '#30c030', '#3030c0'].map((background) =>
    sharp({ create: { width: 80, height: 60, channels: 3, background } })
      .png()
      .toBuffer(),
  );
  return await sharp(await Promise.all(pictures), { join: { animated: true } })
    .gif()
    .toBuffer();
};

let folder = '';
let ffmpegPath = '';
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'bad-photos-'));
  ffmpegPath = (await findFfmpeg(process.env['FFMPEG_PATH'])).path;
});
afterAll(() => rmSync(folder, { recursive: true }));
let folderCount = 0;
function createFolder(): string {
  const path = join(folder, `${(folderCount += 1)}`);
  mkdirSync(path);
  return path;
}

/** Makes a video from an uploaded file in the same steps as the shop. */
async function animatePhoto(bytes: Uint8Array, by = photoAnalyzer, requestedStyle?: MotionStyle) {
  const workFolder = createFolder();
  writeFileSync(join(workFolder, 'sent'), bytes);
  const { displayPath, width, height } = await imaging.develop(join(workFolder, 'sent'), workFolder, 'anna');
  const analysis = await by.analyzePhoto(displayPath);
  const photo = { width, height, moves: null } as Parameters<typeof chooseMotionFor>[0];
  const style = requestedStyle ?? chooseMotionFor(photo, 0, analysis);
  const animator = createLocalAnimator({ ffmpegPath, eyes: by });
  const folder = createFolder();
  const request = {
    id: folder,
    sourcePath: displayPath,
    style,
    seconds: 0.2,
    folder,
    ...(analysis && { seen: analysis }),
  };
  const video = await animateAndWait(animator, request);
  expect(await readVideoFacts(ffmpegPath, video.videoPath)).toMatchObject({ codec: 'h264', ...framePanelSize });
  expect(readdirSync(folder).toSorted()).toEqual(['clip.mp4', 'poster.jpg', 'video.mp4']);
  return { seen: analysis, ...video };
}

test.each([
  ['one pixel', () => createPlainPhoto(1, 1).png().toBuffer()],
  ['a thread', () => createPlainPhoto(20_000, 10).png().toBuffer()],
  ['a thread that hangs', () => createPlainPhoto(10, 20_000).jpeg().toBuffer()],
  ['one color', () => createPlainPhoto(1600, 1000).jpeg().toBuffer()],
  ['black and white', () => createGardenPhoto().toColourspace('b-w').jpeg().toBuffer()],
  ['print-shop colors', () => createGardenPhoto().toColourspace('cmyk').jpeg().toBuffer()],
  ['16 bits a color', () => createGardenPhoto().toColourspace('rgb16').png().toBuffer()],
  ['see-through', () => createGardenPhoto().ensureAlpha(0.4).png().toBuffer()],
  ['moving', createPhotoWithMotion],
])('makes a video from the unusual photo %s', async (_name, photo) => {
  analyzerTroubles.length = 0;
  const { seen } = await animatePhoto(await photo());
  expect(seen).toMatchObject({ faces: [], people: 0 });
  expect(analyzerTroubles).toEqual([]);
});

test('a photo of sixty people is shown with all of its faces', async () => {
  const { seen, provenance } = await animatePhoto(await createCrowdPhoto().jpeg().toBuffer());
  expect(seen!.faces).toHaveLength(60);
  const { width, height } = seen!;
  const { heads } = computeFraming({ width, height }, framePanelSize, { seen });
  expect(heads.length).toBeGreaterThan(1);
  for (const { left, top, width, height } of heads) {
    expect(Math.min(left, top)).toBeGreaterThanOrEqual(-0.5);
    expect(left + width).toBeLessThanOrEqual(framePanelSize.width + 0.5);
    expect(top + height).toBeLessThanOrEqual(framePanelSize.height + 0.5);
  }
  expect(motionStyles).toContain(provenance.style);
});

test('when a model file was changed, the video is made with another motion, and its provenance names the requested motion', async () => {
  const changedModelsFolder = createFolder();
  for (const name of readdirSync(modelsFolder).filter((it) => it.endsWith('.onnx')))
    copyFileSync(join(modelsFolder, name), join(changedModelsFolder, name));
  const faceModelPath = join(changedModelsFolder, 'ultraface-rfb-320.onnx');
  writeFileSync(faceModelPath, Buffer.alloc(statSync(faceModelPath).size, 7));
  const reportedProblems: string[] = [];
  const analyzerWithoutSomeModels = createPhotoAnalyzer({
    modelsFolder: changedModelsFolder,
    onTrouble: (trouble) => reportedProblems.push(trouble),
  });
  const { seen, provenance } = await animatePhoto(
    await createCrowdPhoto().jpeg().toBuffer(),
    analyzerWithoutSomeModels,
    'crowd-pan',
  );
  expect(seen!.faces).toEqual([]);
  expect(provenance).toMatchObject({
    style: 'push-in',
    insteadOf: { style: 'crowd-pan', why: 'there are no two faces to go between' },
  });
  expect(reportedProblems.join()).toContain('the model for faces is another file');
});

/**
 * Extreme shapes of display copies, whose longest side is 2560 pixels. The test pretends that everything was detected.
 */
const shapes: [string, number, number][] = [
  ['one pixel', 1, 1],
  ['a thread', 2560, 1],
  ['a thread that hangs', 1, 2560],
];
test.each(shapes)(
  'renders the photo %s in every style, with every kind of part detected',
  async (_name, width, height) => {
    const film = { width: 320, height: 192, frames: 2 };
    const workFolder = createFolder();
    const sourcePath = join(workFolder, 'photo.jpg');
    await createPlainPhoto(width, height).jpeg().toFile(sourcePath);
    const analysis = { ...richPhotoAnalysis, width, height };
    const framing = computeFraming(analysis, film, { seen: analysis });
    for (const style of motionStyles) {
      const [videoPath, posterPath, clipPath] = ['video.mp4', 'poster.jpg', 'clip.mp4'].map((name) =>
        join(workFolder, name),
      );
      const path = join(workFolder, 'cut');
      const wantedParts = cutRequestByStyle[style];
      const wantedCutout = wantedParts && {
        crop: framing.crop,
        plate: computePhotoBox(framing, film),
        faces: [],
        scale: 1,
        wants: wantedParts,
      };
      const cutOutResult = wantedCutout && (await fakePhotoAnalyzer.cutOutParts(sourcePath, wantedCutout, path));
      const cutoutFiles = cutOutResult && { answer: cutOutResult, framing, path };
      const files = { videoPath: videoPath!, posterPath: posterPath!, clipPath: clipPath! };
      const camera = 'visit' as const;
      const picture = {
        sourcePath,
        style,
        camera,
        film,
        focus: undefined,
        seen: analysis,
        title: 'The kite',
        cut: cutoutFiles,
      };
      const settings = { ffmpegPath, film, mark: 'Kinframe', isLowPriority: undefined };
      const job: RenderJob = { ...settings, pictures: [picture], ...files };
      const renderResult = await renderVideo(job, () => {}).catch((error: unknown) => error);
      expect(renderResult, style).toMatchObject({ rendered: { by: 'local' } });
    }
  },
);
