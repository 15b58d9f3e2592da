import { rm, stat } from 'node:fs/promises';
import { availableParallelism } from 'node:os';
import { resolve } from 'node:path';
import { wholePhotoArea } from '#contract/crop.ts';
import { framePanelSize, type MotionStyle } from '#contract/motion.ts';
import {
  AnimationError,
  type AnimateRequest,
  type AnimatedVideo,
  type Animator,
  type PictureRequest,
} from '#shop/ports/animator.ts';
import type { PhotoAnalysis } from '#shop/ports/photo-analyzer.ts';
import type { CutOutRequest } from '../../seeing/cut-photo.ts';
import type { Box } from '../../seeing/grid.ts';
import type { PhotoAnalyzer } from '../../seeing/photo-analyzer.ts';
import { decodeAnimatedPictures } from '../../imaging/animated-pictures.ts';
import { runSandboxedProgram } from '../../imaging/confinement.ts';
import { childProgramUrl } from '../../processes/child-entry.ts';
import { ChildStoppedError, runInChild } from '../../processes/run-in-child.ts';
import { createInProcessJobs, type JobObserver } from '../in-process-jobs.ts';
import { computeFraming } from './framing.ts';
import { cutRequestByStyle, travelingCameraStyles } from './cut-requests.ts';
import { layOutWindows } from './pair.ts';
import { planTimeline } from './own-motion/timeline.ts';
import {
  framesPerSecond,
  type OwnMotionSource,
  type PictureJob,
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
  request: AnimateRequest,
  { ffmpegPath, eyes, timeoutMs, program }: Tools,
  following: JobObserver,
): Promise<AnimatedVideo> {
  const { second, seconds, mark, isLowPriority, folder, screen = framePanelSize } = request;
  if (!(seconds > 0 && seconds <= longestSeconds)) {
    throw new AnimationError(`a video of ${seconds} seconds cannot be made`, false);
  }
  const pathInFolder = (name: string) => resolve(folder, name);
  const files = {
    videoPath: pathInFolder('video.mp4'),
    posterPath: pathInFolder('poster.jpg'),
    clipPath: pathInFolder('clip.mp4'),
  };
  const frames = Math.max(2, Math.round(seconds * framesPerSecond));
  const film = { width: screen.width, height: screen.height, frames };
  const pictureSlots: PictureSlot[] = second
    ? layOutWindows(film, second.sizes).map((window, index) => ({
        film: { width: window.width, height: window.height, frames },
        window,
        cutPath: pathInFolder(`cut-${index}.raw`),
        filmPath: pathInFolder(`own-film-${index}`),
      }))
    : [{ film, cutPath: pathInFolder('cut.raw'), filmPath: pathInFolder('own-film') }];
  const plans = [request, ...(second ? [second] : [])].map((picture, index): Plan => ({
    picture,
    place: pictureSlots[index]!,
    style: picture.style,
    insteadOf: undefined,
  }));
  const tools = { ffmpegPath, eyes, following };
  const render = () =>
    withPictures(plans, tools, (pictures) => {
      const job = { ffmpegPath, film, pictures: pictures as RenderJob['pictures'], mark, isLowPriority, ...files };
      return requestChild({ render: job }, program, timeoutMs, following);
    }).catch((error: unknown) => {
      // A photo's own motion may be what stopped the process.
      const ownMotionIndex = plans.findIndex((it) => it.style === 'own-motion');
      const hasStopped = error instanceof AnimationError && error.cause instanceof ChildStoppedError;
      if (ownMotionIndex < 0 || following.signal?.aborted || !hasStopped) throw error;
      return { unusableMotion: error.message, picture: ownMotionIndex as 0 | 1 };
    });
  try {
    let renderOutcome = await render();
    // Each round replaces the own motion of one picture.
    while ('unusableMotion' in renderOutcome) {
      const plan: Plan | undefined = plans[renderOutcome.picture];
      if (plan?.style !== 'own-motion') throw new Error('the renderer answered for another style');
      plan.style = plan.picture.otherwise ?? 'depth';
      plan.insteadOf = { style: 'own-motion', why: renderOutcome.unusableMotion };
      renderOutcome = await render();
    }
    if (!('rendered' in renderOutcome)) throw new Error('the renderer answered for another style');
    const { size: sizeBytes } = await stat(files.videoPath);
    const { width, height } = film;
    const { rendered: provenance } = renderOutcome;
    return { ...files, width, height, seconds: frames / framesPerSecond, sizeBytes, provenance };
  } catch (error) {
    await Promise.all(Object.values(files).map((path) => rm(path, { force: true })));
    throw error;
  } finally {
    await Promise.all(pictureSlots.flatMap((it) => [it.cutPath, it.filmPath]).map((path) => rm(path, { force: true })));
  }
}

/** The area of the video that shows a photo, and the files that are made for it. */
interface PictureSlot {
  film: PictureJob['film'];
  /** Where the area is in the video, for two photos. */
  window?: Box;
  cutPath: string;
  filmPath: string;
}
interface Plan {
  picture: PictureRequest;
  place: PictureSlot;
  style: MotionStyle;
  insteadOf: PictureJob['insteadOf'];
}
interface PictureTools {
  ffmpegPath: string;
  eyes: PhotoAnalyzer | undefined;
  following: JobObserver;
}
type UnusableMotionResult = Extract<RenderResult, { unusableMotion: string }>;

/**
 * Prepares the job of each picture, and calls `use` with all of them. The fences of films that photos contain exist
 * while `use` runs.
 */
async function withPictures(
  [plan, ...rest]: Plan[],
  tools: PictureTools,
  use: (pictures: PictureJob[]) => Promise<RenderOutcome>,
  before: PictureJob[] = [],
): Promise<RenderOutcome> {
  if (!plan) return use(before);
  const withNextPicture = (picture: PictureJob) => withPictures(rest, tools, use, [...before, picture]);
  if (plan.style !== 'own-motion') return withNextPicture(await createPictureJob(plan, tools));
  return withOwnMotion(plan, before.length as 0 | 1, tools, async (ownMotion) =>
    withNextPicture({ ...(await createPictureJob(plan, tools)), ownMotion }),
  );
}

async function createPictureJob({ picture, place, style, insteadOf }: Plan, tools: PictureTools): Promise<PictureJob> {
  const { sourcePath, camera = 'approach', seen, title, isRepaired, focus } = picture;
  const { film, window, cutPath } = place;
  const { eyes, following } = tools;
  const source = resolve(sourcePath);
  const wantedParts = cutRequestByStyle[style];
  const cutout =
    wantedParts &&
    seen &&
    eyes &&
    (await cutOutParts({ eyes, source, seen, focus, film, style, wants: wantedParts, cutPath, ...following }));
  const settings = { style, camera, film, focus, seen, title, isRepaired, cut: cutout };
  return { sourcePath: source, ...settings, ...(insteadOf && { insteadOf }), ...(window && { window }) };
}

/** Calls `use` with the motion in the photo's own file, or returns why it cannot be used. */
async function withOwnMotion(
  { picture: { ownMotion }, place: { film, filmPath } }: Plan,
  picture: 0 | 1,
  { ffmpegPath, following }: PictureTools,
  use: (source: OwnMotionSource) => Promise<RenderOutcome>,
): Promise<RenderOutcome> {
  const createUnusableMotion = (why: string): UnusableMotionResult => ({ unusableMotion: why, picture });
  if (!ownMotion) return createUnusableMotion('its file contains no motion');
  const { path, motion, crop } = ownMotion;
  const cropOfPhoto = { quarterTurns: crop.quarterTurns, area: crop.area ?? wholePhotoArea };
  let from: OwnMotionSource['from'];
  if (motion.kind === 'film') from = { path, film: motion, ...cropOfPhoto };
  else {
    const { most } = planTimeline(film.frames);
    const settings = { framesPerSecond, most, side: Math.max(film.width, film.height), ...cropOfPhoto };
    const pictures = await decodeAnimatedPictures(path, filmPath, settings, following.signal);
    if (!pictures) return createUnusableMotion('its pictures cannot be read');
    from = { pictures };
  }
  const access = { reads: [filmPath], writes: [], cpuSeconds: ownMotionSeconds };
  return runSandboxedProgram(ffmpegPath, access, (fenced) => use({ from, filmPath, fence: fenced([]) }));
}

/** The CPU limit of each ffmpeg process that reads a photo's own motion. */
const ownMotionSeconds = 60;

interface CutOutOptions {
  eyes: PhotoAnalyzer;
  source: string;
  seen: PhotoAnalysis;
  focus: AnimateRequest['focus'];
  film: PictureJob['film'];
  style: MotionStyle;
  wants: CutOutRequest;
  cutPath: string;
  signal?: AbortSignal;
}

/**
 * Cuts out the parts that the style needs, in the size that they have on the plate. Undefined if they are not
 * available.
 */
async function cutOutParts({
  eyes,
  source,
  seen,
  focus,
  film,
  style,
  wants,
  cutPath,
  signal,
}: CutOutOptions): Promise<PictureJob['cut']> {
  const framing = computeFraming(seen, film, { seen, pointed: focus, mayTravel: travelingCameraStyles.has(style) });
  const { plate, width, height } = computePhotoBox(framing, film);
  const [across, down] = [width / framing.place.width, height / framing.place.height];
  const faces = framing.faces.map((face) => ({
    left: (face.left - framing.place.left) * across,
    top: (face.top - framing.place.top) * down,
    width: face.width * across,
    height: face.height * down,
  }));
  const wantedCutout = { crop: framing.crop, plate: { width, height }, faces, scale: film.width / plate.width, wants };
  const cutOutResult = await eyes.cutOutParts(source, wantedCutout, cutPath, signal);
  return cutOutResult && { answer: cutOutResult, framing, path: cutPath };
}

type RenderOutcome = Exclude<RenderResult, { failed: string }>;

async function requestChild(
  job: RenderProcessJob,
  entry: URL,
  timeoutMs: number,
  { signal, onProgress }: JobObserver = {},
): Promise<RenderOutcome> {
  const renderResult = await runInChild<RenderProcessJob, RenderResult>({
    entry,
    job,
    // Node's helper threads would cost more CPU time than they save.
    nodeArguments: ['--single-threaded'],
    environment: { PATH: process.env['PATH'] ?? '', ...mallocSettings },
    timeoutMs,
    signal,
    onProgress,
  }).catch((error: unknown) => {
    if (!(error instanceof ChildStoppedError)) throw error;
    // If the process was killed, aborted or too slow, a retry may work. If the program does not start, it will not.
    const isRetryable = error.started || error.reason !== 'died';
    throw new AnimationError(`rendering stopped: ${error.message}`, isRetryable, { cause: error });
  });
  if ('failed' in renderResult) throw new AnimationError(renderResult.failed, renderResult.retryable);
  return renderResult;
}

/**
 * ffmpeg allocates and frees the memory of every frame. By default, glibc returns this memory to the kernel and
 * requests it again each time, which costs more than drawing the frame. These settings keep the memory. Other C
 * libraries ignore them.
 */
const mallocSettings = { MALLOC_MMAP_THRESHOLD_: '33554432', MALLOC_TRIM_THRESHOLD_: '268435456' };
