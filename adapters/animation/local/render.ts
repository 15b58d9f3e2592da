import { readFileSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { constants, setPriority } from 'node:os';
import sharp from 'sharp';
import type { MotionStyle, Provenance } from '#contract/motion.ts';
import { nearnessSize } from '../../seeing/grid.ts';
import { createProvenanceTags } from '../provenance-tags.ts';
import { isStorageFullCode } from '../../storage/storage-full.ts';
import { loadCanvasLibrary } from './canvas.ts';
import { EncoderError, diskFullText, openEncoder, type Encoder } from './encoder.ts';
import { computeFraming } from './framing.ts';
import type { VideoDimensions, SceneRenderer } from './motion.ts';
import { UnusableMotionError } from './own-motion/film-pictures.ts';
import type { OpenedMotion } from './own-motion/own-motion.ts';
import { guessFocus, openPhoto, type SourcePhoto } from './photo.ts';
import { travelingCameraStyles } from './cut-requests.ts';
import { createPairScene, type WindowScene } from './pair.ts';
import {
  framesPerSecond,
  type CutOut,
  type PairedPicture,
  type PictureJob,
  type RenderJob,
  type RenderResult,
} from './render-job.ts';
import { computePhotoBox, createRenderContext, type CutOutParts, type RenderContext } from './render-context.ts';
import { repairStage } from './restore.ts';
import { motionStyleRenderers } from './styles/styles.ts';
import { addWatermarkToScene } from './watermark.ts';
import {
  drawTitle,
  computeFaceAreas,
  findFreeTitleCorners,
  findPlainestCorner,
  layOutTitle,
  addTitleToScene,
} from './title.ts';
import { setLayerView } from './warp/camera.ts';
import { createCompositor } from './warp/compositor.ts';
import { convertPlanesToRgb } from './warp/video-planes.ts';

/** Draws a video frame by frame and encodes it at the same time. Runs in a child process. */
export async function renderVideo(job: RenderJob, reportProgress: (fraction: number) => void): Promise<RenderResult> {
  const { film } = job;
  // ffmpeg, which this process starts, gets the same priority.
  if (job.isLowPriority) setPriority(constants.priority.PRIORITY_LOW);
  try {
    const { scene, begins, provenance } = await prepareScene(job);
    await writePoster(scene({ phase: begins, frame: 0 }), film, job.posterPath);
    const encoder = openEncoder(job.ffmpegPath, film, job, createProvenanceTags(provenance));
    await encodeVideo(scene, film, begins, encoder, reportProgress);
    return { rendered: provenance };
  } catch (error) {
    if (error instanceof UnusablePicture) return { failed: error.message, retryable: false };
    if (error instanceof UnusableMotionOfPicture) return { unusableMotion: error.message, picture: error.picture };
    // After a full disk or a killed ffmpeg, a retry may succeed. Any other error is a bug and ends the process.
    if (error instanceof EncoderError) return { failed: error.message, retryable: true };
    if (isSystemError(error))
      return { failed: isStorageFullCode(error.code) ? diskFullText : error.message, retryable: true };
    throw error;
  }
}

/** Whether the photo is repaired before it moves. The styles that show the repair do it themselves. */
const isRepairedFirst = ({ isRepaired = false }: PictureJob, style: MotionStyle): boolean =>
  isRepaired && style !== 'own-motion' && !motionStyleRenderers[style].restores;

async function createContextOf(job: PictureJob, photo: SourcePhoto, style: MotionStyle): Promise<RenderContext> {
  const stage = await placePhoto(job, photo, style);
  return isRepairedFirst(job, style) ? await repairStage(stage) : stage;
}

async function placePhoto(
  { film, seen, focus, cut, camera }: PictureJob,
  photo: SourcePhoto,
  style: MotionStyle,
): Promise<RenderContext> {
  const mayTravel = travelingCameraStyles.has(style);
  if (cut && (!cut.framing.travel || mayTravel))
    return await createRenderContext(photo, film, cut.framing, {
      seen,
      cut: readCutOutParts(cut, film),
      isPointed: focus !== undefined,
      camera,
    });
  const guessedFocus = focus || seen?.faces.length ? undefined : await guessFocus(photo.pixels());
  return await createRenderContext(
    photo,
    film,
    computeFraming(photo, film, { seen, pointed: focus, mayTravel, ...(guessedFocus && { guess: guessedFocus }) }),
    {
      seen,
      isPointed: focus !== undefined,
      camera,
    },
  );
}

/** Reads the cut-out parts from their file. The maps follow each other in this order. */
export function readCutOutParts({ answer, framing, path }: CutOut, film: VideoDimensions): CutOutParts {
  const photoBox = computePhotoBox(framing, film);
  const bytes = readFileSync(path);
  const area = photoBox.width * photoBox.height;
  let at = 0;
  const takeBytes = (length: number) => bytes.subarray(at, (at += length));
  const { paintedByModel, meshes } = answer;
  return {
    paintedByModel,
    meshes,
    ...(answer.people && { people: takeBytes(area) }),
    ...(answer.behind && { behind: takeBytes(3 * area) }),
    ...(answer.nearness && { nearness: takeBytes(nearnessSize.width * nearnessSize.height) }),
    ...(answer.sky && { sky: takeBytes(area) }),
    ...(answer.water && { water: takeBytes(area) }),
  };
}

/** The photo cannot be opened. */
class UnusablePicture extends Error {
  override name = 'UnusablePicture';
}
/** The own motion of one of the job's pictures cannot be used. */
class UnusableMotionOfPicture extends Error {
  override name = 'UnusableMotionOfPicture';
  readonly picture: 0 | 1;
  constructor(picture: 0 | 1, cause: UnusableMotionError) {
    super(cause.message, { cause });
    this.picture = picture;
  }
}

interface PreparedScene {
  scene: SceneRenderer;
  /** The phase at which the video begins. */
  begins: number;
  provenance: Provenance;
}

async function prepareScene(job: RenderJob): Promise<PreparedScene> {
  const { film, pictures } = job;
  if (pictures.length === 1) return createSceneOfPicture(job, pictures[0], 0);
  const [first, second] = [
    await placeSceneInWindow(job, pictures[0], 0),
    await placeSceneInWindow(job, pictures[1], 1),
  ];
  return {
    scene: createPairScene(film, [first, second]),
    begins: 0,
    provenance: combineProvenances(first.provenance, second.provenance),
  };
}

async function placeSceneInWindow(
  job: RenderJob,
  picture: PairedPicture,
  index: 0 | 1,
): Promise<PreparedScene & WindowScene> {
  return { ...(await createSceneOfPicture({ ...job, mark: undefined }, picture, index)), window: picture.window };
}

/** What was done to either photo. The motions are those of the first and of the second photo. */
function combineProvenances(first: Provenance, second: Provenance): Provenance {
  const replacedMotion = first.insteadOf ?? second.insteadOf;
  const filledBackgrounds = [first.filledBackground, second.filledBackground];
  const filledBackground = filledBackgrounds.includes('painted')
    ? 'painted'
    : (filledBackgrounds[0] ?? filledBackgrounds[1]);
  const titledFlags = [first.isTitled, second.isTitled].filter((it) => it !== undefined);
  return {
    by: 'local',
    style: first.style,
    secondStyle: second.style,
    ...(replacedMotion && { insteadOf: replacedMotion }),
    ...(filledBackground && { filledBackground }),
    ...((first.isRestored || second.isRestored) && { isRestored: true }),
    ...(titledFlags.length > 0 && { isTitled: titledFlags.every(Boolean) }),
  };
}

/** Prepares the requested style, or its replacement if the photo or its title does not allow the style. */
async function createSceneOfPicture(
  { ffmpegPath, mark }: Pick<RenderJob, 'ffmpegPath' | 'mark'>,
  picture: PictureJob,
  index: 0 | 1,
): Promise<PreparedScene> {
  const photo = await openPhoto(picture.sourcePath).catch((error: unknown) => {
    throw new UnusablePicture(`the photo cannot be opened: ${getErrorMessage(error)}`, { cause: error });
  });
  if (picture.style !== 'own-motion' || !picture.ownMotion) return createSceneOfPhoto(picture, photo, { mark });
  // Loaded only here, because other styles do not read films.
  const { openOwnMotion } = await import('./own-motion/own-motion.ts');
  try {
    const ownMotion = await openOwnMotion({ ...picture, ffmpegPath }, picture.ownMotion, photo);
    const { seen, focus } = ownMotion;
    return await createSceneOfPhoto({ ...picture, seen, focus }, ownMotion.photo, { mark, ownMotion });
  } catch (error) {
    if (error instanceof UnusableMotionError) throw new UnusableMotionOfPicture(index, error);
    throw error;
  }
}

async function createSceneOfPhoto(
  job: PictureJob,
  photo: SourcePhoto,
  { mark, ownMotion }: { mark: string | undefined; ownMotion?: OpenedMotion },
): Promise<PreparedScene> {
  const { style: firstStyle, title, film } = job;
  const requestedStyle = job.insteadOf?.style ?? firstStyle;
  let why = job.insteadOf?.why;
  let stage: RenderContext = { ...(await createContextOf(job, photo, firstStyle)), ownMotion };
  const lettering = title === undefined ? undefined : layOutTitle(title, film);
  for (let style = firstStyle; ;) {
    const { prepare, begins, otherwise, writes = false, fills, restores } = motionStyleRenderers[style];
    const corners =
      lettering && !writes ? findFreeTitleCorners(lettering, film, computeFaceAreas(stage, style)) : undefined;
    if (style === 'crowd-pan' && corners?.length === 0) {
      why ??= 'its title would lie over a face as the camera goes from one to the next';
      style = 'push-in';
      continue;
    }
    if (style === 'alive' && stage.camera === 'visit' && corners?.length === 0) {
      stage = { ...stage, camera: 'approach' }; // the title would cover a face that the camera visits
      continue;
    }
    const sceneRenderer = await prepare(stage, title);
    if (sceneRenderer) {
      const corner = corners?.length
        ? findPlainestCorner(corners, sceneRenderer({ phase: begins, frame: 0 }), film)
        : undefined;
      const scene =
        lettering && corner ? addTitleToScene(sceneRenderer, film, drawTitle(lettering, corner, film)) : sceneRenderer;
      const provenance: Provenance = {
        by: 'local',
        style,
        ...(why !== undefined && { insteadOf: { style: requestedStyle, why } }),
        ...(fills && stage.cut?.behind && { filledBackground: stage.cut?.paintedByModel ? 'painted' : 'blended' }),
        ...((restores || isRepairedFirst(job, style)) && { isRestored: true }),
        ...(lettering && { isTitled: writes || corner !== undefined }),
      };
      return {
        scene: mark === undefined ? scene : addWatermarkToScene(scene, stage, { style, begins, mark }),
        begins,
        provenance,
      };
    }
    if (!otherwise) throw new Error(`${style} cannot be drawn and has nothing in its place`);
    why ??= otherwise.why;
    style = otherwise.style;
    if (stage.framing.travel && !travelingCameraStyles.has(style)) stage = await createContextOf(job, photo, style);
  }
}

/** Draws and encodes four small frames without output, to check that the canvas, the compositor and ffmpeg work. */
export async function tryRendering(ffmpegPath: string): Promise<RenderResult> {
  const film: VideoDimensions = { width: 64, height: 64, frames: 4 };
  const canvas = loadCanvasLibrary().createCanvas(film.width, film.height);
  const g = canvas.getContext('2d');
  g.fillStyle = 'orange';
  g.fillRect(0, 0, film.width, film.height);
  const compositor = createCompositor(film, [{ plate: { ...film, pixels: canvas.data() } }]);
  const drawScene: SceneRenderer = ({ phase }) => {
    setLayerView(compositor.layers[0]!, film, { zoom: 1 + phase, towards: { x: 0.5, y: 0.5 } });
    compositor.layers[0]!.take();
    return compositor.planes;
  };
  try {
    await encodeVideo(drawScene, film, 0, openEncoder(ffmpegPath, film, undefined), () => {});
    return { works: true };
  } catch (error) {
    return { failed: getErrorMessage(error), retryable: true };
  }
}

async function encodeVideo(
  scene: SceneRenderer,
  film: VideoDimensions,
  begins: number,
  encoder: Encoder,
  reportProgress: (fraction: number) => void,
): Promise<void> {
  for (let frame = 0; frame < film.frames; frame++) {
    await encoder.write(scene({ phase: (frame / film.frames + begins) % 1, frame }));
    if (frame % framesPerSecond === 0) reportProgress(frame / film.frames);
  }
  await encoder.finish();
  reportProgress(1);
}

async function writePoster(planes: Uint8Array, film: VideoDimensions, path: string): Promise<void> {
  const { width, height } = film;
  const poster = sharp(convertPlanesToRgb(planes, film), { raw: { width, height, channels: 3 } }).jpeg({ quality: 86 });
  await writeFile(path, await poster.toBuffer());
}

function isSystemError(error: unknown): error is NodeJS.ErrnoException {
  return error instanceof Error && 'syscall' in error;
}

function getErrorMessage(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
