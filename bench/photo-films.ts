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
import { scheduleBlinks } from '#adapters/animation/local/living/blink.ts';
import { framesPerSecond } from '#adapters/animation/local/render-job.ts';
import { boxInPixels, type Box, type Size } from '#adapters/seeing/grid.ts';
import { maxFaceMeshes } from '#adapters/seeing/mesh.ts';
import { createPhotoAnalyzer, type PhotoAnalyzer } from '#adapters/seeing/photo-analyzer.ts';
import { animateAndWait } from '../test/animate.ts';
import {
  compareAtRest,
  findShift,
  convertToGray,
  listGridPoints,
  computeMean,
  registerPhoto,
  type GrayImage,
  type PhotoRegistration,
} from './displacement.ts';
import { readCpuSecondsOfEndedChildren } from './measure.ts';

const videoSize = framePanelSize;
const frameCount = videoSeconds * framesPerSecond;
/** Frames that are measured, evenly over the loop. */
const measuredFrameCount = 8;
/** The longer side of the display copy that the shop renders from. */
const displaySide = 2560;
const modelsFolder = join(import.meta.dirname, '../adapters/seeing/models');

export interface VideoFigures {
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
export async function* measurePhotoVideos(photosFolder: string, sheetsFolder: string): AsyncGenerator<VideoFigures> {
  mkdirSync(sheetsFolder, { recursive: true });
  const ffmpegPath = (await findFfmpeg()).path;
  const photoAnalyzer = createPhotoAnalyzer({ modelsFolder });
  const animator = createLocalAnimator({ ffmpegPath, eyes: photoAnalyzer });
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
      const cpuSecondsAtStart = readCpuSecondsOfEndedChildren();
      const analysis = await photoAnalyzer.analyzePhoto(sourcePath);
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
        framing: computePhotoFraming(analysis, madeStyle),
      };
      const { places, ...figures } = await measurePhoto(shownVideo, photoAnalyzer, join(folder, 'matte.raw'));
      await writeSheet(shownVideo, places, join(sheetsFolder, `${parse(name).name}.png`));
      const mainFaces = analysis.faces.filter((it) => it.isMain);
      yield {
        photo: name,
        motion: madeStyle === style ? madeStyle : `${madeStyle} (not ${style})`,
        isSure: ['alive', 'sky', 'water', 'candlelight', 'parallax', 'portrait-light'].includes(madeStyle),
        faces: [mainFaces, mainFaces.filter((it) => it.mayTurn), mainFaces.filter((it) => it.mayBlink)]
          .map((it) => it.length)
          .join('/'),
        ...figures,
        seeing: cpuSecondsBefore - cpuSecondsAtStart,
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

const computePhotoFraming = (seen: PhotoAnalysis, style: NonNullable<AnimatedVideo['provenance']['style']>) =>
  computeFraming(seen, videoSize, { seen, mayTravel: travelingCameraStyles.has(style) });

/** A measured frame: its pixels, and where the photo is in it. */
interface MeasuredFrame {
  rgb: Uint8Array;
  gray: GrayImage;
  photo: PhotoRegistration;
}

async function measurePhoto(
  { ffmpegPath, video, sourcePath, seen, framing }: RenderedPhoto,
  eyes: PhotoAnalyzer,
  mattePath: string,
) {
  const bytesPerFrame = 3 * videoSize.width * videoSize.height;
  const bytes = decodeVideo(ffmpegPath, video.videoPath, `select=not(mod(n\\,${frameCount / measuredFrameCount}))`);
  const frames: MeasuredFrame[] = [];
  for (let at = 0; at < measuredFrameCount; at++) {
    const rgb = bytes.subarray(bytesPerFrame * at, bytesPerFrame * (at + 1));
    const gray = convertToGray(rgb, videoSize);
    frames.push({ rgb, gray, photo: await registerPhoto(sourcePath, seen, framing, gray) });
  }
  const maps = await createMapsOf({ sourcePath, seen }, eyes, mattePath);
  const wholeGrid = listGridPoints(seen, Math.round(24 / frames[0]!.photo.scale));
  const findPlacesWithValue = (kind: 'people' | 'sky' | 'water', least: number, most = 255) =>
    wholeGrid.filter(([x, y]) => {
      const mapValue = maps?.at(kind, x, y) ?? 0;
      return mapValue >= least && mapValue <= most;
    });
  const faces = seen.faces.filter((it) => it.isMain).map((face) => boxInPixels(face, seen));
  const edgePoints = listGridPoints(seen, Math.round(10 / frames[0]!.photo.scale)).filter(([x, y]) => {
    const mapValue = maps?.at('people', x, y) ?? 0;
    return mapValue > 60 && mapValue < 200;
  });
  const backgroundPlaces = findPlacesWithValue('people', 0, 10).filter(([x, y]) => (maps?.at('sky', x, y) ?? 0) < 10);
  const firstShifts = measureShifts(frames[0]!, backgroundPlaces);
  let camera = 0;
  let headRoom = Infinity;
  const halos: number[] = [];
  for (const frame of frames) {
    const pointMovements = listGridPoints(seen, Math.round(seen.width / 8)).map((place) => {
      const [before, now] = [convertToFramePosition(frames[0]!, place), convertToFramePosition(frame, place)];
      return Math.hypot(before[0] - now[0], before[1] - now[1]);
    });
    camera = Math.max(camera, computeMean(pointMovements));
    for (const face of faces) headRoom = Math.min(headRoom, measureHeadRoom(face, seen, frame));
    const edgeShifts = measureShifts(frame, edgePoints);
    if (edgeShifts.size > 20)
      halos.push(
        computeMean([...edgeShifts.values()].map((it) => it.residual)) -
          computeMean([...firstShifts.values()].map((it) => it.residual)),
      );
  }
  const findLargestMovement = (places: [number, number][]) => {
    const shiftsBefore = measureShifts(frames[0]!, places);
    return Math.max(
      ...frames.map((frame) =>
        computeMedian(
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
    face: faces.length > 0 ? Math.max(...faces.map((face) => findLargestMovement(listPointsInBox(face)))) : undefined,
    sky: seen.sky ? findLargestMovement(findPlacesWithValue('sky', 240)) : undefined,
    water: seen.water ? findLargestMovement(findPlacesWithValue('water', 240)) : undefined,
    headRoom: Number.isFinite(headRoom) ? headRoom : undefined,
    ...compareAtRest(frames[0]!.photo, frames[0]!.rgb, frames[0]!.gray),
    halo: halos.length > 0 ? Math.max(...halos) : undefined,
  };
}

/** The median, or 0 without values. Blocks of little contrast may be found anywhere, so the mean says less. */
const computeMedian = (values: number[]): number => values.toSorted((a, b) => a - b)[values.length >> 1] ?? 0;

/** The place of a photo's pixel in a frame, if only the camera moves. */
const convertToFramePosition = (
  { photo: { left, top, scale } }: MeasuredFrame,
  [x, y]: readonly [number, number],
): [number, number] => [left + x * scale, top + y * scale];
/** How the parts of the photo at these places have moved in a frame, apart from the camera. */
const measureShifts = (frame: MeasuredFrame, places: [number, number][]) =>
  new Map(
    places.flatMap((place) => {
      const [x, y] = convertToFramePosition(frame, place).map(Math.round) as [number, number];
      const shift = findShift(frame.photo, frame.gray, x, y);
      return shift ? [[place, shift] as const] : [];
    }),
  );
const listPointsInBox = ({ left, top, width, height }: Box): [number, number][] =>
  listGridPoints({ width: 9, height: 9 }, 1).map(([x, y]) => [
    left + ((x + 0.5) / 9) * width,
    top + ((y + 0.5) / 9) * height,
  ]);

/** The smallest distance of a head to the video's edges. Edges that cut the head in the photo itself do not count. */
function measureHeadRoom(face: Box, seen: Size, frame: MeasuredFrame): number {
  const head = estimateHeadOfFace(face, seen);
  const [left, top] = convertToFramePosition(frame, [head.left, head.top]);
  const [right, bottom] = convertToFramePosition(frame, [head.left + head.width, head.top + head.height]);
  return Math.min(
    head.left > 1 ? left : Infinity,
    head.top > 1 ? top : Infinity,
    head.left + head.width < seen.width - 1 ? videoSize.width - right : Infinity,
    head.top + head.height < seen.height - 1 ? videoSize.height - bottom : Infinity,
  );
}

/** The people, sky and water of a photo, as maps of a smaller copy. */
async function createMapsOf(
  { sourcePath, seen }: Pick<RenderedPhoto, 'sourcePath' | 'seen'>,
  eyes: PhotoAnalyzer,
  path: string,
) {
  const scale = Math.min(1, 960 / Math.max(seen.width, seen.height));
  const mapSize = { width: Math.round(seen.width * scale), height: Math.round(seen.height * scale) };
  const faces = seen.faces.filter((it) => it.isMain).map((face) => boxInPixels(face, mapSize));
  const wantedParts = { people: seen.people > 0, sky: seen.sky !== undefined, water: seen.water !== undefined };
  if (!wantedParts.people && !wantedParts.sky) return undefined;
  const crop = { left: 0, top: 0, width: seen.width, height: seen.height };
  const cutout = await eyes.cutOutParts(
    sourcePath,
    { crop, plate: mapSize, faces, scale: 1, wants: wantedParts },
    path,
  );
  if (!cutout) return undefined;
  const bytes = readFileSync(path);
  let at = 0;
  const readNextFrame = () => bytes.subarray(at, (at += mapSize.width * mapSize.height));
  const maps = {
    people: cutout.people ? readNextFrame() : undefined,
    sky: cutout.sky ? readNextFrame() : undefined,
    water: cutout.water ? readNextFrame() : undefined,
  };
  return {
    /** How much of this kind the photo shows at a place, 0 to 255. */
    at: (kind: keyof typeof maps, x: number, y: number) =>
      maps[kind]?.[Math.min(mapSize.height - 1, Math.floor(y * scale)) * mapSize.width + Math.floor(x * scale)] ?? 0,
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
  places: PhotoPosition[],
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
  const decodeFrames = (filter: string, count: number) => {
    const bytesPerFrame = 3 * videoSize.width * videoSize.height;
    const bytes = decodeVideo(ffmpegPath, video.videoPath, filter);
    return Array.from({ length: count }, (_, at) => bytes.subarray(bytesPerFrame * at, bytesPerFrame * (at + 1)));
  };
  const cropFrame = (frame: Uint8Array, box: Box = { left: 0, top: 0, ...videoSize }) =>
    sharp(frame, { raw: { ...videoSize, channels: 3 } })
      .extract(box)
      .png()
      .toBuffer();

  const frameInterval = frameCount / acrossLoop;
  const frames = decodeFrames(`select=not(mod(n\\,${frameInterval}))`, acrossLoop);
  const wholeFrames = await Promise.all(frames.map((it) => cropFrame(it)));
  await addRow([sourcePath, wholeFrames[0]!], 600);
  await addRow(wholeFrames, 300);
  const mainFaces = seen.faces.filter((it) => it.isMain);
  const [largest] = mainFaces;
  if (largest) {
    const headPictures = frames.map((frame, at) =>
      cropFrame(frame, createSquareAroundBox(findFaceInFrame(largest, seen, places, at * frameInterval), 2.4)),
    );
    await addRow(await Promise.all(headPictures), 480);
    const blinking = mainFaces.filter((it) => it.mayBlink).slice(0, maxFaceMeshes);
    const firstBlinkFrame = Math.max(0, (scheduleBlinks(blinking.length, frameCount)[0]?.[0] ?? 0) - 2);
    const frameFilter = `select=between(n\\,${firstBlinkFrame}\\,${firstBlinkFrame + blinkSteps - 1})`;
    const blinkPicturePromises = decodeFrames(frameFilter, blinkSteps).map((frame, at) =>
      cropFrame(
        frame,
        createSquareAroundBox(findFaceInFrame(blinking[0] ?? largest, seen, places, firstBlinkFrame + at), 1.1),
      ),
    );
    const row = await Promise.all(blinkPicturePromises);
    await addRow(row.slice(0, blinkSteps / 2), 320);
    await addRow(row.slice(blinkSteps / 2), 320);
  }
  await sharp({ create: { width: sheetWidth, height: top, channels: 3, background: '#202020' } })
    .composite(pictures)
    .png({ compressionLevel: 4 })
    .toFile(path);
}

type PhotoPosition = Pick<PhotoRegistration, 'scale' | 'left' | 'top'>;

/** Where a face is in a frame: the measured places of the photo, and even movement between them. */
function findFaceInFrame(face: Box, seen: Size, places: PhotoPosition[], frame: number): Box {
  const positionInPlaces = (frame / frameCount) * places.length;
  const [from, to] = [
    places[Math.floor(positionInPlaces) % places.length]!,
    places[Math.ceil(positionInPlaces) % places.length]!,
  ];
  const fraction = positionInPlaces - Math.floor(positionInPlaces);
  const interpolatePlace = (of: keyof PhotoPosition) => from[of] + (to[of] - from[of]) * fraction;
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
  const sideLength = Math.round(Math.min(videoSize.height, Math.max(48, times * Math.max(width, height))));
  const startWithinScreen = (middle: number, length: number) =>
    Math.round(Math.max(0, Math.min(length - sideLength, middle - sideLength / 2)));
  return {
    left: startWithinScreen(left + width / 2, videoSize.width),
    top: startWithinScreen(top + height / 2, videoSize.height),
    width: sideLength,
    height: sideLength,
  };
}
