/**
 * Makes the video that each photo of a folder gets in the shop by default, measures it, and writes a contact sheet for
 * each video. Taste needs eyes: the sheets show what the figures do not.
 */
import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, parse } from 'node:path';
import sharp from 'sharp';
import { framePanelSize } from '#contract/motion.ts';
import type { AnimatedVideo } from '#shop/ports/animator.ts';
import type { PhotoAnalysis } from '#shop/ports/photo-analyzer.ts';
import { chooseCameraMovement, chooseMotionFor, videoSeconds } from '#shop/production/motion.ts';
import { findFfmpeg } from '#adapters/animation/ffmpeg.ts';
import { computeFraming, estimateHeadOfFace, type Framing } from '#adapters/animation/local/framing.ts';
import { createLocalAnimator } from '#adapters/animation/local/local-animator.ts';
import { travelingCameraStyles } from '#adapters/animation/local/cut-requests.ts';
import { blinkTimes } from '#adapters/animation/local/living/blink.ts';
import { framesPerSecond } from '#adapters/animation/local/render-job.ts';
import { boxInPixels, type Box, type Size } from '#adapters/seeing/grid.ts';
import { maxFaceMeshes } from '#adapters/seeing/mesh.ts';
import { createPhotoAnalyzer, type PhotoAnalyzer } from '#adapters/seeing/photo-analyzer.ts';
import { animateAndWait } from '../test/animate.ts';
import {
  compareAtRest,
  findShift,
  grayOf,
  gridOf,
  meanOf,
  registerPhoto,
  type Gray,
  type Registration,
} from './displacement.ts';
import { readCpuSecondsOfEndedChildren } from './measure.ts';

const film = framePanelSize;
const frameCount = videoSeconds * framesPerSecond;
/** Frames that are measured, evenly over the loop. */
const measuredFrames = 8;
/** The longer side of the display copy that the shop renders from. */
const displaySide = 2560;
const modelsFolder = join(import.meta.dirname, '../adapters/seeing/models');

export interface FilmFigures {
  photo: string;
  /** The motion of the video, with the requested one if that was not possible. */
  motion: string;
  /** Whether something in the photo moves; otherwise only the camera does. */
  isSure: boolean;
  /** Main faces; those that may turn; those that may blink. */
  faces: string;
  /**
   * The largest typical displacement in video pixels: by the camera, and apart from the camera in the background,
   * inside faces, sky and water.
   */
  camera: number;
  rest: number;
  face?: number | undefined;
  sky?: number | undefined;
  water?: number | undefined;
  /** The smallest distance of a head to the video's edge in pixels. Negative if it is cut. */
  headRoom?: number | undefined;
  /** Difference of colors to the photo at rest, of 255. */
  color?: number;
  /** Contrast of details relative to the photo, scaled to the video. 1 is equal. */
  sharpness?: number;
  /** How much worse the edges of people can be found again in other frames than the rest, of 255. */
  halo?: number | undefined;
  /** CPU seconds for analyzing the photo. `video` has the CPU seconds for making the video. */
  seeing: number;
  cpu: number;
}

/** Yields the figures of each photo's default video. */
export async function* filmPhotos(photosFolder: string, sheetsFolder: string): AsyncGenerator<FilmFigures> {
  mkdirSync(sheetsFolder, { recursive: true });
  const ffmpegPath = (await findFfmpeg()).path;
  const eyes = createPhotoAnalyzer({ modelsFolder });
  const animator = createLocalAnimator({ ffmpegPath, eyes });
  const names = readdirSync(photosFolder).filter((name) => /\.(jpe?g|png|webp)$/i.test(name));
  for (const [place, name] of names.toSorted().entries()) {
    const folder = mkdtempSync(join(tmpdir(), 'kinframe-bench-'));
    try {
      const sourcePath = join(folder, 'photo.jpg');
      const insideOptions = {
        width: displaySide,
        height: displaySide,
        fit: 'inside',
        withoutEnlargement: true,
      } as const;
      await sharp(join(photosFolder, name))
        .autoOrient()
        .flatten({ background: '#ffffff' })
        .resize(insideOptions)
        .jpeg({ quality: 90 })
        .toFile(sourcePath);
      const start = readCpuSecondsOfEndedChildren();
      const analysis = await eyes.look(sourcePath);
      if (!analysis) throw new Error(`${name} cannot be analyzed`);
      const cpuSecondsBefore = readCpuSecondsOfEndedChildren();
      const style = chooseMotionFor({ ...analysis, moves: null }, place, analysis);
      const video = await animateAndWait(animator, {
        id: name,
        sourcePath,
        style,
        camera: chooseCameraMovement(place),
        seconds: videoSeconds,
        seen: analysis,
        folder,
      });
      const cpu = readCpuSecondsOfEndedChildren() - cpuSecondsBefore;
      const madeStyle = video.provenance.style ?? style;
      const shownVideo: RenderedPhoto = {
        ffmpegPath,
        video,
        sourcePath,
        seen: analysis,
        framing: framingOf(analysis, madeStyle),
      };
      const { places, ...figures } = await measurePhoto(shownVideo, eyes, join(folder, 'matte.raw'));
      await writeSheet(shownVideo, places, join(sheetsFolder, `${parse(name).name}.png`));
      const main = analysis.faces.filter((it) => it.isMain);
      yield {
        photo: name,
        motion: madeStyle === style ? madeStyle : `${madeStyle} (not ${style})`,
        isSure: ['alive', 'sky', 'water', 'candlelight', 'parallax', 'portrait-light'].includes(madeStyle),
        faces: [main, main.filter((it) => it.mayTurn), main.filter((it) => it.mayBlink)]
          .map((it) => it.length)
          .join('/'),
        ...figures,
        seeing: cpuSecondsBefore - start,
        cpu,
      };
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  }
}

interface RenderedPhoto {
  ffmpegPath: string;
  video: AnimatedVideo;
  sourcePath: string;
  seen: PhotoAnalysis;
  framing: Framing;
}

const framingOf = (seen: PhotoAnalysis, style: NonNullable<AnimatedVideo['provenance']['style']>) =>
  computeFraming(seen, film, { seen, mayTravel: travelingCameraStyles.has(style) });

/** A measured frame: its pixels, and where the photo is in it. */
interface Frame {
  rgb: Uint8Array;
  gray: Gray;
  photo: Registration;
}

async function measurePhoto(
  { ffmpegPath, video, sourcePath, seen, framing }: RenderedPhoto,
  eyes: PhotoAnalyzer,
  mattePath: string,
) {
  const area = 3 * film.width * film.height;
  const bytes = decodeVideo(ffmpegPath, video.videoPath, `select=not(mod(n\\,${frameCount / measuredFrames}))`);
  const frames: Frame[] = [];
  for (let at = 0; at < measuredFrames; at++) {
    const rgb = bytes.subarray(area * at, area * (at + 1));
    const gray = grayOf(rgb, film);
    frames.push({ rgb, gray, photo: await registerPhoto(sourcePath, seen, framing, gray) });
  }
  const maps = await createMapsOf({ sourcePath, seen }, eyes, mattePath);
  const wholeGrid = gridOf(seen, Math.round(24 / frames[0]!.photo.scale));
  const findPlacesWithValue = (kind: 'people' | 'sky' | 'water', least: number, most = 255) =>
    wholeGrid.filter(([x, y]) => {
      const part = maps?.at(kind, x, y) ?? 0;
      return part >= least && part <= most;
    });
  const faces = seen.faces.filter((it) => it.isMain).map((face) => boxInPixels(face, seen));
  const edges = gridOf(seen, Math.round(10 / frames[0]!.photo.scale)).filter(([x, y]) => {
    const part = maps?.at('people', x, y) ?? 0;
    return part > 60 && part < 200;
  });
  const backgroundPlaces = findPlacesWithValue('people', 0, 10).filter(([x, y]) => (maps?.at('sky', x, y) ?? 0) < 10);
  const firstShifts = measureShifts(frames[0]!, backgroundPlaces);
  let camera = 0;
  let headRoom = Infinity;
  const halos: number[] = [];
  for (const frame of frames) {
    const corners = gridOf(seen, Math.round(seen.width / 8)).map((place) => {
      const [before, now] = [onFrame(frames[0]!, place), onFrame(frame, place)];
      return Math.hypot(before[0] - now[0], before[1] - now[1]);
    });
    camera = Math.max(camera, meanOf(corners));
    for (const face of faces) headRoom = Math.min(headRoom, roomOf(face, seen, frame));
    const edgeShifts = measureShifts(frame, edges);
    if (edgeShifts.size > 20)
      halos.push(
        meanOf([...edgeShifts.values()].map((it) => it.residual)) -
          meanOf([...firstShifts.values()].map((it) => it.residual)),
      );
  }
  const findLargestMovement = (places: [number, number][]) => {
    const shiftsBefore = measureShifts(frames[0]!, places);
    return Math.max(
      ...frames.map((frame) =>
        middleOf(
          [...measureShifts(frame, places)].flatMap(([place, { dx, dy }]) => {
            const start = shiftsBefore.get(place);
            return start ? [Math.hypot(dx - start.dx, dy - start.dy)] : [];
          }),
        ),
      ),
    );
  };
  return {
    places: frames.map(({ photo: { scale, left, top } }) => ({ scale, left, top })),
    camera,
    rest: findLargestMovement(backgroundPlaces),
    face: faces.length > 0 ? Math.max(...faces.map((face) => findLargestMovement(listPointsOfGrid(face)))) : undefined,
    sky: seen.sky ? findLargestMovement(findPlacesWithValue('sky', 240)) : undefined,
    water: seen.water ? findLargestMovement(findPlacesWithValue('water', 240)) : undefined,
    headRoom: Number.isFinite(headRoom) ? headRoom : undefined,
    ...compareAtRest(frames[0]!.photo, frames[0]!.rgb, frames[0]!.gray),
    halo: halos.length > 0 ? Math.max(...halos) : undefined,
  };
}

/** The median, or 0 without values. Blocks of little contrast may be found anywhere, so the mean says less. */
const middleOf = (values: number[]): number => values.toSorted((a, b) => a - b)[values.length >> 1] ?? 0;

/** The place of a photo's pixel in a frame, if only the camera moves. */
const onFrame = ({ photo: { left, top, scale } }: Frame, [x, y]: readonly [number, number]): [number, number] => [
  left + x * scale,
  top + y * scale,
];
/** How the parts of the photo at these places have moved in a frame, apart from the camera. */
const measureShifts = (frame: Frame, places: [number, number][]) =>
  new Map(
    places.flatMap((place) => {
      const [x, y] = onFrame(frame, place).map(Math.round) as [number, number];
      const shift = findShift(frame.photo, frame.gray, x, y);
      return shift ? [[place, shift] as const] : [];
    }),
  );
const listPointsOfGrid = ({ left, top, width, height }: Box): [number, number][] =>
  gridOf({ width: 9, height: 9 }, 1).map(([x, y]) => [left + ((x + 0.5) / 9) * width, top + ((y + 0.5) / 9) * height]);

/** The smallest distance of a head to the video's edges. Edges that cut the head in the photo itself do not count. */
function roomOf(face: Box, seen: Size, frame: Frame): number {
  const head = estimateHeadOfFace(face, seen);
  const [left, top] = onFrame(frame, [head.left, head.top]);
  const [right, bottom] = onFrame(frame, [head.left + head.width, head.top + head.height]);
  return Math.min(
    head.left > 1 ? left : Infinity,
    head.top > 1 ? top : Infinity,
    head.left + head.width < seen.width - 1 ? film.width - right : Infinity,
    head.top + head.height < seen.height - 1 ? film.height - bottom : Infinity,
  );
}

/** The people, sky and water of a photo, as maps of a smaller copy. */
async function createMapsOf(
  { sourcePath, seen }: Pick<RenderedPhoto, 'sourcePath' | 'seen'>,
  eyes: PhotoAnalyzer,
  path: string,
) {
  const scale = Math.min(1, 960 / Math.max(seen.width, seen.height));
  const plate = { width: Math.round(seen.width * scale), height: Math.round(seen.height * scale) };
  const faces = seen.faces.filter((it) => it.isMain).map((face) => boxInPixels(face, plate));
  const wantedParts = { people: seen.people > 0, sky: seen.sky !== undefined, water: seen.water !== undefined };
  if (!wantedParts.people && !wantedParts.sky) return undefined;
  const crop = { left: 0, top: 0, width: seen.width, height: seen.height };
  const cutout = await eyes.cut(sourcePath, { crop, plate, faces, scale: 1, wants: wantedParts }, path);
  if (!cutout) return undefined;
  const bytes = readFileSync(path);
  let at = 0;
  const readNextFrame = () => bytes.subarray(at, (at += plate.width * plate.height));
  const maps = {
    people: cutout.people ? readNextFrame() : undefined,
    sky: cutout.sky ? readNextFrame() : undefined,
    water: cutout.water ? readNextFrame() : undefined,
  };
  return {
    /** How much of this kind the photo shows at a place, 0 to 255. */
    at: (kind: keyof typeof maps, x: number, y: number) =>
      maps[kind]?.[Math.min(plate.height - 1, Math.floor(y * scale)) * plate.width + Math.floor(x * scale)] ?? 0,
  };
}

function decodeVideo(ffmpegPath: string, path: string, filter: string): Buffer {
  // The frames that remain are numbered again, because ffmpeg would repeat them to fill the gaps.
  const output = ['-vf', `${filter},setpts=N/${framesPerSecond}/TB`, '-f', 'rawvideo', '-pix_fmt', 'rgb24', '-'];
  const { stdout, status, stderr } = spawnSync(ffmpegPath, ['-v', 'error', '-i', path, ...output], {
    maxBuffer: Infinity,
  });
  if (status !== 0) throw new Error(`ffmpeg ended with ${status}: ${stderr.toString()}`);
  return stdout;
}

/** Width of a sheet, and the number of pictures in its rows. */
const sheetWidth = 1920;
const acrossLoop = 4;
const blinkSteps = 12;

/**
 * Writes the photo and the first frame, then frames across the loop, then the largest face at these frames, and then
 * the largest face that may blink, in steps of one frame around its first blink.
 */
async function writeSheet(
  { ffmpegPath, video, sourcePath, seen }: RenderedPhoto,
  places: PhotoPlace[],
  path: string,
): Promise<void> {
  const pictures: { input: Buffer; left: number; top: number }[] = [];
  let top = 0;
  const addRow = async (row: (string | Buffer)[], height: number) => {
    const width = Math.floor(sheetWidth / row.length);
    for (const [at, picture] of row.entries()) {
      const input = await sharp(picture)
        .resize(width - 4, height - 4, { fit: 'contain', background: '#202020' })
        .png()
        .toBuffer();
      pictures.push({ input, left: at * width, top });
    }
    top += height;
  };
  const framesOf = (filter: string, count: number) => {
    const area = 3 * film.width * film.height;
    const bytes = decodeVideo(ffmpegPath, video.videoPath, filter);
    return Array.from({ length: count }, (_, at) => bytes.subarray(area * at, area * (at + 1)));
  };
  const cropFrame = (frame: Uint8Array, box: Box = { left: 0, top: 0, ...film }) =>
    sharp(frame, { raw: { ...film, channels: 3 } })
      .extract(box)
      .png()
      .toBuffer();

  const frameInterval = frameCount / acrossLoop;
  const frames = framesOf(`select=not(mod(n\\,${frameInterval}))`, acrossLoop);
  const wholeFrames = await Promise.all(frames.map((it) => cropFrame(it)));
  await addRow([sourcePath, wholeFrames[0]!], 600);
  await addRow(wholeFrames, 300);
  const main = seen.faces.filter((it) => it.isMain);
  const [largest] = main;
  if (largest) {
    const headPictures = frames.map((frame, at) =>
      cropFrame(frame, createSquareAroundBox(findFaceInFrame(largest, seen, places, at * frameInterval), 2.4)),
    );
    await addRow(await Promise.all(headPictures), 480);
    const blinking = main.filter((it) => it.mayBlink).slice(0, maxFaceMeshes);
    const start = Math.max(0, (blinkTimes(blinking.length, frameCount)[0]?.[0] ?? 0) - 2);
    const range = `select=between(n\\,${start}\\,${start + blinkSteps - 1})`;
    const steps = framesOf(range, blinkSteps).map((frame, at) =>
      cropFrame(frame, createSquareAroundBox(findFaceInFrame(blinking[0] ?? largest, seen, places, start + at), 1.1)),
    );
    const row = await Promise.all(steps);
    await addRow(row.slice(0, blinkSteps / 2), 320);
    await addRow(row.slice(blinkSteps / 2), 320);
  }
  await sharp({ create: { width: sheetWidth, height: top, channels: 3, background: '#202020' } })
    .composite(pictures)
    .png({ compressionLevel: 4 })
    .toFile(path);
}

type PhotoPlace = Pick<Registration, 'scale' | 'left' | 'top'>;

/** Where a face is in a frame: the measured places of the photo, and even movement between them. */
function findFaceInFrame(face: Box, seen: Size, places: PhotoPlace[], frame: number): Box {
  const positionInPlaces = (frame / frameCount) * places.length;
  const [from, to] = [
    places[Math.floor(positionInPlaces) % places.length]!,
    places[Math.ceil(positionInPlaces) % places.length]!,
  ];
  const part = positionInPlaces - Math.floor(positionInPlaces);
  const interpolatePlace = (of: keyof PhotoPlace) => from[of] + (to[of] - from[of]) * part;
  const scale = interpolatePlace('scale');
  return {
    left: interpolatePlace('left') + face.left * seen.width * scale,
    top: interpolatePlace('top') + face.top * seen.height * scale,
    width: face.width * seen.width * scale,
    height: face.height * seen.height * scale,
  };
}

/** A square around a box, `times` as large, within the video. */
function createSquareAroundBox({ left, top, width, height }: Box, times: number): Box {
  const sideLength = Math.round(Math.min(film.height, Math.max(48, times * Math.max(width, height))));
  const startWithinScreen = (middle: number, length: number) =>
    Math.round(Math.max(0, Math.min(length - sideLength, middle - sideLength / 2)));
  return {
    left: startWithinScreen(left + width / 2, film.width),
    top: startWithinScreen(top + height / 2, film.height),
    width: sideLength,
    height: sideLength,
  };
}
