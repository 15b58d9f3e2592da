import { rm, stat } from 'node:fs/promises';
import { availableParallelism } from 'node:os';
import { resolve } from 'node:path';
import { wholePhotoArea } from '#contract/crop.ts';
import { framePanelSize, type MotionStyle } from '#contract/motion.ts';
import { AnimationError, type AnimateRequest, type AnimatedVideo, type Animator } from '#shop/ports/animator.ts';
import type { PhotoAnalysis } from '#shop/ports/photo-analyzer.ts';
import type { CutRequest } from '../../seeing/cut-photo.ts';
import type { PhotoAnalyzer } from '../../seeing/photo-analyzer.ts';
import { decodeAnimatedPictures } from '../../imaging/animated-pictures.ts';
import { runFencedProgram } from '../../imaging/confinement.ts';
import { childProgramUrl } from '../../processes/child-entry.ts';
import { ChildStopped, runInChild } from '../../processes/run-in-child.ts';
import { createInProcessJobs, type JobObserver } from '../in-process-jobs.ts';
import { computeFraming } from './framing.ts';
import { cutRequestByStyle, travelingCameraStyles } from './cut-requests.ts';
import { planTimeline } from './own-motion/timeline.ts';
import {
  framesPerSecond,
  type OwnMotionSource,
  type RenderProcessJob,
  type RenderResult,
  type RenderJob,
} from './render-job.ts';
import { computePhotoBox } from './render-context.ts';

const longestSeconds = 60;

interface Tools {
  ffmpegPath: string;
  /** Without `eyes`, nothing can be cut out of photos, and only plain motion is available. */
  eyes?: PhotoAnalyzer;
  timeoutMs: number;
  /** URL of the rendering process's program. */
  program: URL;
}

/** Renders videos on this machine, each in a child process that is killed after `timeoutMs`. */
export function createLocalAnimator(options: Pick<Tools, 'ffmpegPath' | 'eyes'> & Partial<Tools>): Animator {
  const { ffmpegPath, timeoutMs = 300_000, program = childProgramUrl(import.meta.url, 'render-child') } = options;
  return {
    id: 'local',
    ...createInProcessJobs(Math.max(1, availableParallelism() - 1), (request, following) =>
      animate(request, { ...options, timeoutMs, program }, following),
    ),
    check: async () => void (await requestChild({ tryFfmpeg: ffmpegPath }, program, 20_000)),
  };
}

async function animate(
  {
    sourcePath,
    style: requestedStyle,
    ownMotion,
    otherwise = 'depth',
    camera = 'approach',
    seconds,
    focus,
    seen,
    title,
    mark,
    isLowPriority,
    folder,
    screen = framePanelSize,
  }: AnimateRequest,
  { ffmpegPath, eyes, timeoutMs, program }: Tools,
  following: JobObserver,
): Promise<AnimatedVideo> {
  if (!(seconds > 0 && seconds <= longestSeconds)) {
    throw new AnimationError(`a video of ${seconds} seconds cannot be made`, false);
  }
  const named = (name: string) => resolve(folder, name);
  const files = { videoPath: named('video.mp4'), posterPath: named('poster.jpg'), clipPath: named('clip.mp4') };
  const [cutPath, filmPath] = [named('cut.raw'), named('own-film')];
  const film = {
    width: screen.width,
    height: screen.height,
    frames: Math.max(2, Math.round(seconds * framesPerSecond)),
  };
  const source = resolve(sourcePath);
  const render = async (style: MotionStyle, more: Pick<RenderJob, 'ownMotion' | 'insteadOf'> = {}) => {
    const wants = cutRequestByStyle[style];
    const cut =
      wants && seen && eyes && (await cutUp({ eyes, source, seen, focus, film, style, wants, cutPath, ...following }));
    const settings = { style, camera, film, focus, seen, title, mark, isLowPriority, ...more };
    const job = { ffmpegPath, sourcePath: source, ...settings, cut, ...files };
    return requestChild({ render: job }, program, timeoutMs, following);
  };
  const renderOwnMotion = async ({ path, motion, crop }: NonNullable<AnimateRequest['ownMotion']>) => {
    const cropped = { quarterTurns: crop.quarterTurns, area: crop.area ?? wholePhotoArea };
    let from: OwnMotionSource['from'];
    if (motion.kind === 'film') from = { path, film: motion, ...cropped };
    else {
      const { most } = planTimeline(film.frames);
      const settings = { framesPerSecond, most, side: Math.max(film.width, film.height), ...cropped };
      const pictures = await decodeAnimatedPictures(path, filmPath, settings, following.signal);
      if (!pictures) return { unusableMotion: 'its pictures cannot be read' };
      from = { pictures };
    }
    const reach = { reads: [filmPath], writes: [], cpuSeconds: ownMotionSeconds };
    return runFencedProgram(ffmpegPath, reach, (fenced) =>
      render('own-motion', { ownMotion: { from, filmPath, fence: fenced([]) } }),
    ).catch((error: unknown) => {
      // The film may be what stopped the process.
      if (following.signal?.aborted || !(error instanceof AnimationError && error.cause instanceof ChildStopped))
        throw error;
      return { unusableMotion: error.message };
    });
  };
  try {
    let answer: RenderOutcome;
    if (requestedStyle !== 'own-motion') answer = await render(requestedStyle);
    else answer = ownMotion ? await renderOwnMotion(ownMotion) : { unusableMotion: 'its file contains no motion' };
    if ('unusableMotion' in answer)
      answer = await render(otherwise, { insteadOf: { style: requestedStyle, why: answer.unusableMotion } });
    if (!('rendered' in answer)) throw new Error('the renderer answered for another style');
    const { size: sizeBytes } = await stat(files.videoPath);
    const { width, height, frames } = film;
    const { rendered: provenance } = answer;
    return { ...files, width, height, seconds: frames / framesPerSecond, sizeBytes, provenance };
  } catch (error) {
    await Promise.all(Object.values(files).map((path) => rm(path, { force: true })));
    throw error;
  } finally {
    await Promise.all([cutPath, filmPath].map((path) => rm(path, { force: true })));
  }
}

/** The CPU limit of each ffmpeg process that reads a photo's own motion. */
const ownMotionSeconds = 60;

interface Cutting {
  eyes: PhotoAnalyzer;
  source: string;
  seen: PhotoAnalysis;
  focus: AnimateRequest['focus'];
  film: RenderJob['film'];
  style: RenderJob['style'];
  wants: CutRequest;
  cutPath: string;
  signal?: AbortSignal;
}

/**
 * Cuts out the parts that the style needs, in the size that they have on the plate. Undefined if they are not
 * available.
 */
async function cutUp({
  eyes,
  source,
  seen,
  focus,
  film,
  style,
  wants,
  cutPath,
  signal,
}: Cutting): Promise<RenderJob['cut']> {
  const framing = computeFraming(seen, film, { seen, pointed: focus, mayTravel: travelingCameraStyles.has(style) });
  const { plate, width, height } = computePhotoBox(framing, film);
  const [across, down] = [width / framing.place.width, height / framing.place.height];
  const faces = framing.faces.map((face) => ({
    left: (face.left - framing.place.left) * across,
    top: (face.top - framing.place.top) * down,
    width: face.width * across,
    height: face.height * down,
  }));
  const wanted = { crop: framing.crop, plate: { width, height }, faces, scale: film.width / plate.width, wants };
  const answer = await eyes.cut(source, wanted, cutPath, signal);
  return answer && { answer, framing, path: cutPath };
}

type RenderOutcome = Exclude<RenderResult, { failed: string }>;

async function requestChild(
  job: RenderProcessJob,
  entry: URL,
  timeoutMs: number,
  { signal, onProgress }: JobObserver = {},
): Promise<RenderOutcome> {
  const answer = await runInChild<RenderProcessJob, RenderResult>({
    entry,
    job,
    // Node's helper threads would cost more CPU time than they save.
    nodeArguments: ['--single-threaded'],
    environment: { PATH: process.env['PATH'] ?? '', ...mallocSettings },
    timeoutMs,
    signal,
    onProgress,
  }).catch((error: unknown) => {
    if (!(error instanceof ChildStopped)) throw error;
    // If the process was killed, aborted or too slow, a retry may work. If the program does not start, it will not.
    const retryable = error.started || error.reason !== 'died';
    throw new AnimationError(`rendering stopped: ${error.message}`, retryable, { cause: error });
  });
  if ('failed' in answer) throw new AnimationError(answer.failed, answer.retryable);
  return answer;
}

/**
 * ffmpeg allocates and frees the memory of every frame. By default, glibc returns this memory to the kernel and
 * requests it again each time, which costs more than drawing the frame. These settings keep the memory. Other C
 * libraries ignore them.
 */
const mallocSettings = { MALLOC_MMAP_THRESHOLD_: '33554432', MALLOC_TRIM_THRESHOLD_: '268435456' };
