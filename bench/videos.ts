import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { wholePhotoCrop } from '#contract/crop.ts';
import { framePanelSize, type MotionStyle } from '#contract/motion.ts';
import { findFfmpeg } from '#adapters/animation/ffmpeg.ts';
import { createH264Arguments, videoColorFilter } from '#adapters/animation/local/encoder.ts';
import { createLocalAnimator } from '#adapters/animation/local/local-animator.ts';
import { framesPerSecond } from '#adapters/animation/local/render-job.ts';
import { findOwnMotion } from '#adapters/imaging/own-motion.ts';
import type { AnimateRequest } from '#shop/ports/animator.ts';
import { animateAndWait } from '../test/animate.ts';
import { richPhotoAnalysis, fakePhotoAnalyzer } from '../test/fake-photo-analyzer.ts';
import { paintGarden } from '../test/photos/garden.ts';
import { createMotionPhotoParts, createGoogleMotionPhoto } from '../test/photos/motion-photos.ts';
import { readCpuSecondsOfEndedChildren, findMedian } from './measure.ts';

export interface VideoCost {
  style: MotionStyle;
  /** CPU seconds from the photo to the MP4, of all processes involved. */
  whole: number;
  /** CPU seconds of the encoder alone on the same frames. */
  bare: number;
}
const secondsPerVideo = 8;
/** Measured in alternating turns. The result is the median, because a single run may be 20 percent off. */
const runsPerStyle = 5;

/** Compares the cost of a photo's video with encoding the same frames, for each style. */
export async function compareVideos(styles: readonly MotionStyle[]): Promise<VideoCost[]> {
  const { path: ffmpegPath } = await findFfmpeg();
  // Photo analysis is measured separately (bench/motion.ts). So the animator gets a fake analyzer in this process.
  const program = new URL('../dist/shop/render-child.js', import.meta.url);
  const animator = createLocalAnimator({ ffmpegPath, eyes: fakePhotoAnalyzer, program });
  const folder = mkdtempSync(join(tmpdir(), 'kinframe-bench-'));
  const pathInFolder = (name: string) => join(folder, name);
  const costs: VideoCost[] = [];
  try {
    writeFileSync(pathInFolder('photo.jpg'), paintGarden(2560, 1600).toBuffer('image/jpeg', 90));
    for (const style of styles) {
      const request = {
        sourcePath: pathInFolder('photo.jpg'),
        style,
        seconds: secondsPerVideo,
        folder,
        seen: richPhotoAnalysis,
        ...(style === 'own-motion' && (await createMotionPhoto(pathInFolder))),
      };
      const videoCosts: Omit<VideoCost, 'style'>[] = [];
      for (let take = 0; take < runsPerStyle; take++) {
        const cpuBefore = readCpuSecondsOfEndedChildren();
        await animateAndWait(animator, { ...request, id: `${style}-${take}` });
        videoCosts.push({
          whole: readCpuSecondsOfEndedChildren() - cpuBefore,
          bare: measureReencoding(ffmpegPath, pathInFolder),
        });
      }
      const findMedianOfTakes = (of: 'whole' | 'bare') => findMedian(videoCosts.map((it) => it[of]));
      costs.push({ style, whole: findMedianOfTakes('whole'), bare: findMedianOfTakes('bare') });
    }
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
  return costs;
}

/** A motion photo with a film as large as phones record it. */
async function createMotionPhoto(
  at: (name: string) => string,
): Promise<Pick<AnimateRequest, 'sourcePath' | 'ownMotion'>> {
  const parts = await createMotionPhotoParts({ width: 2560, size: { width: 1440, height: 1080 } });
  const [path, sourcePath] = [at('motion-photo.jpg'), at('motion-photo-display.jpg')];
  const file = createGoogleMotionPhoto(parts, 1.5);
  writeFileSync(path, file);
  writeFileSync(sourcePath, parts.still);
  const { motion } = findOwnMotion(file, 'image/jpeg')!;
  return { sourcePath, ownMotion: { path, motion, crop: wholePhotoCrop } };
}

/** Decodes the video's own frames first, then encodes them again with the same settings. */
function measureReencoding(ffmpegPath: string, at: (name: string) => string): number {
  const rawVideoArguments = ['-f', 'rawvideo', '-pix_fmt', 'rgba'];
  const runFfmpeg = (...args: string[]) => {
    const { status, stderr } = spawnSync(ffmpegPath, ['-v', 'error', '-y', ...args], { encoding: 'utf8' });
    if (status !== 0) throw new Error(`ffmpeg ended with ${status}: ${stderr}`);
  };
  runFfmpeg('-i', at('video.mp4'), ...rawVideoArguments, at('frames.raw'));
  const cpuBefore = readCpuSecondsOfEndedChildren();
  const size = ['-s', `${framePanelSize.width}x${framePanelSize.height}`, '-r', String(framesPerSecond)];
  runFfmpeg(
    ...rawVideoArguments,
    ...size,
    '-i',
    at('frames.raw'),
    '-vf',
    videoColorFilter,
    ...createH264Arguments({ ...framePanelSize, frames: secondsPerVideo * framesPerSecond }),
    at('again.mp4'),
  );
  return readCpuSecondsOfEndedChildren() - cpuBefore;
}
