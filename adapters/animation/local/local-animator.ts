import { rm, stat } from 'node:fs/promises';
import { resolve } from 'node:path';
import { panel } from '#contract/motion.ts';
import { AnimationError, type AnimateRequest, type AnimatedVideo, type Animator } from '#shop/ports.ts';
import { childEntry } from '../../processes/child-entry.ts';
import { ChildStopped, runInChild } from '../../processes/run-in-child.ts';
import { framesPerSecond, type ChildJob, type RenderAnswer } from './render-job.ts';

const longestSeconds = 60;

/** Draws videos on this machine, each in a process of its own that is given up after `timeoutMs`. */
export function createLocalAnimator(options: { ffmpegPath: string; timeoutMs?: number }): Animator {
  const { ffmpegPath, timeoutMs = 300_000 } = options;
  return {
    id: 'local',
    animate: async (request) => {
      const video = { videoPath: resolve(request.videoPath), posterPath: resolve(request.posterPath) };
      try {
        return await animate({ ...request, ...video }, ffmpegPath, timeoutMs);
      } catch (error) {
        await Promise.all(Object.values(video).map((path) => rm(path, { force: true })));
        throw error;
      }
    },
    check: () => askChild({ tryFfmpeg: ffmpegPath }, 20_000),
  };
}

async function animate(request: AnimateRequest, ffmpegPath: string, timeoutMs: number): Promise<AnimatedVideo> {
  const { sourcePath, style, seconds, focus, videoPath, posterPath } = request;
  if (!(seconds > 0 && seconds <= longestSeconds)) {
    throw new AnimationError(`a video of ${seconds} seconds cannot be made`, false);
  }
  const frames = Math.max(2, Math.round(seconds * framesPerSecond));
  const render = { ffmpegPath, sourcePath: resolve(sourcePath), style, frames, focus, videoPath, posterPath };
  await askChild({ render }, timeoutMs, request);
  return { ...panel, seconds: frames / framesPerSecond, sizeBytes: (await stat(videoPath)).size };
}

async function askChild(
  job: ChildJob,
  timeoutMs: number,
  { signal, onProgress }: Pick<AnimateRequest, 'signal' | 'onProgress'> = {},
): Promise<void> {
  const answer = await runInChild<ChildJob, RenderAnswer>({
    entry: childEntry(import.meta.url, 'render-child'),
    job,
    // So that the child can let go of each picture as soon as it is encoded; its helper threads would cost more time of
    // the processor than they save.
    nodeArguments: ['--expose-gc', '--single-threaded'],
    environment: { PATH: process.env['PATH'] ?? '', ...keepPictureMemory },
    timeoutMs,
    signal,
    onProgress,
  }).catch((error: unknown) => {
    if (!(error instanceof ChildStopped)) throw error;
    // Killed, aborted or out of time may go better next time; a program that does not come up will not.
    const retryable = error.started || error.reason !== 'died';
    throw new AnimationError(`rendering stopped: ${error.message}`, retryable, { cause: error });
  });
  if (answer !== 'rendered') throw new AnimationError(answer.failed, answer.retryable);
}

/**
 * Both the child and ffmpeg take and give back 4 MB for every picture. Left alone, glibc returns each to the kernel and
 * faults it in again, which costs more than drawing the picture; these keep it at hand. Other C libraries ignore them.
 */
const keepPictureMemory = { MALLOC_MMAP_THRESHOLD_: '33554432', MALLOC_TRIM_THRESHOLD_: '268435456' };
