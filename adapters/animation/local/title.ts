/** A photo's title on its video: drawn once as a small layer, then blended into each picture. */
import { createRequire } from 'node:module';
import type { SKRSContext2D } from '@napi-rs/canvas';
import { titleCharacterClasses } from '#contract/video-title.ts';
import type { MotionStyle } from '#contract/motion.ts';
import { clamp, smoothRamp, type Box, type Size } from '../../seeing/grid.ts';
import { loadCanvasLibrary } from './canvas.ts';
import type { CameraTravel } from './framing.ts';
import type { SceneRenderer } from './motion.ts';
import type { RenderContext } from './render-context.ts';
import { paintColorInBox, convertRgbToYuv } from './warp/video-planes.ts';

/** The layout of the title: at most two lines, in video pixels. */
export interface TitleLayout extends Size {
  lines: { words: string; width: number }[];
  size: number;
  leading: number;
  /** Minimum distance of letters from the video's edges. */
  margin: number;
}
export interface TitleCorner extends Box {
  isRight: boolean;
}
/**
 * The drawn title: its place in the video, and the opacity of its dark shading and of its letters at each pixel, 0 to
 * 1.
 */
export interface TitleLayer extends Box {
  shade: Float32Array;
  letters: Float32Array;
}

export const lightLetterColor = convertRgbToYuv(255, 250, 242);
export const darkLetterColor = convertRgbToYuv(18, 13, 10);
/** Strength of the shade behind the letters. Even on a white picture, the contrast of the letters is 4.5 to 1. */
const shadeStrength = 0.61;
/** How far the shade extends, and the minimum distance to faces, as multiples of the font size. */
const spaceAroundLine = { shade: 2.8, face: 2.2 };

// Only the shop's own font files are used, never the fonts installed on a machine.
const { resolve } = createRequire(import.meta.url);
const formatFontName = (part: string) => `Title ${part}`;
const titleFonts = Object.entries(titleCharacterClasses).map(([part, letters]) => ({
  font: formatFontName(part),
  file: `@fontsource-variable/fraunces/files/fraunces-${part}-wght-normal.woff2`,
  has: new RegExp(`[${letters}]`, 'u'),
}));
function registerTitleFonts(): void {
  const { GlobalFonts } = loadCanvasLibrary();
  for (const { font, file } of titleFonts)
    if (!GlobalFonts.has(font)) GlobalFonts.registerFromPath(resolve(file), font);
}

/**
 * Splits text into runs, each with letters of one font file. If a file lacks a letter, the canvas would compose the
 * letter from parts that do not fit.
 */
function splitIntoFontRuns(words: string): { font: string; words: string }[] {
  const runs: { font: string; words: string }[] = [];
  for (const letter of words) {
    const { font } = titleFonts.find(({ has }) => has.test(letter))!;
    const lastRun = runs.at(-1);
    if (lastRun?.font === font) lastRun.words += letter;
    else runs.push({ font, words: letter });
  }
  return runs;
}
function drawFontRuns(g: SKRSContext2D, words: string, size: number, draw: (words: string, x: number) => void): number {
  let x = 0;
  for (const fontRun of splitIntoFontRuns(words)) {
    g.font = `500 ${size}px "${fontRun.font}"`;
    draw(fontRun.words, x);
    x += g.measureText(fontRun.words).width;
  }
  return x;
}

/**
 * Lays out a title, as returned by `videoTitleFromCaption`, for a video of this size. Text that does not fit into two
 * lines ends in an ellipsis.
 *
 * @param room maximum width of a line, in video pixels
 * @param sizePart the font size as a part of the video's shorter side
 */
export function layOutTitle(
  words: string,
  { width, height }: Size,
  { room = width, sizePart = 0.052 }: { room?: number; sizePart?: number } = {},
): TitleLayout {
  registerTitleFonts();
  const shorterSide = Math.min(width, height);
  const [size, margin] = [Math.round(sizePart * shorterSide), Math.round(0.06 * shorterSide)];
  const mostWidth = Math.min(0.85 * shorterSide, width - 2 * margin, room);
  const g = loadCanvasLibrary().createCanvas(1, 1).getContext('2d');
  const measureLineWidth = (line: string) => Math.ceil(drawFontRuns(g, line, size, () => {}));
  const lines = wrapTitle(words, (line) => measureLineWidth(line) <= mostWidth).map((line) => ({
    words: line,
    width: measureLineWidth(line),
  }));
  const lineHeight = Math.round(1.2 * size);
  return {
    lines,
    size,
    leading: lineHeight,
    margin,
    width: Math.max(...lines.map((it) => it.width)),
    height: lineHeight * lines.length,
  };
}

/** Wraps into one or two lines, between words if possible. */
export function wrapTitle(words: string, fits: (line: string) => boolean): string[] {
  if (fits(words)) return [words];
  const letters = Array.from(words);
  const lengths = letters.map((_, at) => letters.length - at);
  const takeFirstLetters = (length: number) => letters.slice(0, length).join('');
  const length =
    lengths.find((it) => letters[it] === ' ' && fits(takeFirstLetters(it))) ??
    lengths.find((it) => fits(takeFirstLetters(it))) ??
    1;
  const remainingText = letters.slice(length).join('').trim();
  if (fits(remainingText)) return [takeFirstLetters(length), remainingText];
  const remainingLetters = Array.from(remainingText);
  for (let end = remainingLetters.length - 1; end > 0; end--) {
    const shortenedText = `${remainingLetters.slice(0, end).join('').trimEnd()}…`;
    const isWithinWord = remainingLetters[end] !== ' ' && remainingLetters.lastIndexOf(' ', end) > 0;
    if (!isWithinWord && fits(shortenedText)) return [takeFirstLetters(length), shortenedText];
  }
  return [takeFirstLetters(length), '…'];
}

/**
 * The zoom that is assumed when a title is placed: usually, and where the camera visits each face, in alive and in
 * crowd-pan.
 */
const nearestZooms = { usually: 1.2, visiting: 1.4, roaming: 1.9 };
/** Additional room for a swaying camera, as a fraction of the video. */
const sway = 0.03;

/** The areas that the detected faces may reach during the video, whichever way its camera moves. */
export function computeFaceAreas({ film, framing, photo, seen, camera }: RenderContext, style: MotionStyle): Box[] {
  const isVisiting = style === 'alive' && camera === 'visit';
  const maxZoom =
    style === 'crowd-pan' ? nearestZooms.roaming : isVisiting ? nearestZooms.visiting : nearestZooms.usually;
  const { crop, place, travel } = framing;
  const zoomFactor = place.width / crop.width;
  const computeSweptRange = (from: number, length: number, whole: number) => {
    const rangeStart = Math.min(from, maxZoom * from - (maxZoom - 1) * whole) - sway * whole;
    const rangeEnd = Math.max(from + length, maxZoom * (from + length)) + sway * whole;
    return { from: rangeStart, length: rangeEnd - rangeStart };
  };
  return (seen?.faces ?? []).map((face) => {
    const box = {
      left: place.left + (face.left * photo.width - crop.left) * zoomFactor,
      top: place.top + (face.top * photo.height - crop.top) * zoomFactor,
      width: face.width * photo.width * zoomFactor,
      height: face.height * photo.height * zoomFactor,
    };
    if (travel) return computeAreaReachedDuringTravel(box, travel, film);
    const x = computeSweptRange(box.left, box.width, film.width);
    const y = computeSweptRange(box.top, box.height, film.height);
    return { left: x.from, top: y.from, width: x.length, height: y.length };
  });
}
/** The area that a face may reach while the camera moves along the photo. */
function computeAreaReachedDuringTravel(face: Box, { atFaces, away }: CameraTravel, film: Size): Box {
  const [maxZoom, room] = [1.1, { x: sway * film.width, y: sway * film.height }];
  const computeShiftedRange = (
    from: number,
    length: number,
    shifts: [number, number],
    whole: number,
    space: number,
  ) => {
    const shiftedEnds = shifts.flatMap((shift) => {
      const [first, last] = [from - shift, from - shift + length];
      return [
        first,
        last,
        maxZoom * first,
        maxZoom * last,
        maxZoom * first - (maxZoom - 1) * whole,
        maxZoom * last - (maxZoom - 1) * whole,
      ];
    });
    return {
      from: Math.min(...shiftedEnds) - space,
      length: Math.max(...shiftedEnds) - Math.min(...shiftedEnds) + 2 * space,
    };
  };
  const x = computeShiftedRange(face.left, face.width, [atFaces.x, away.x], film.width, room.x);
  const y = computeShiftedRange(face.top, face.height, [atFaces.y, away.y], film.height, room.y);
  return { left: x.from, top: y.from, width: x.length, height: y.length };
}

/**
 * Returns the lower corners where the title covers no face, otherwise the upper ones. Returns none if faces may reach
 * all corners.
 */
export function findFreeTitleCorners(lettering: TitleLayout, film: Size, faces: Box[]): TitleCorner[] {
  const isFree = (corner: TitleCorner) =>
    !faces.some((face) => boxesOverlap(growBox(corner, spaceAroundLine.face * lettering.size), face));
  const corners = listTitleCorners(lettering, film);
  const lowerCorners = corners.slice(0, 2).filter(isFree);
  return lowerCorners.length > 0 ? lowerCorners : corners.slice(2).filter(isFree);
}
/** The places for a title: the two lower corners, then the two upper ones. */
export function listTitleCorners({ width, height, margin }: TitleLayout, film: Size): TitleCorner[] {
  return [film.height - margin - height, margin].flatMap((top) =>
    [false, true].map((isRight) => ({
      left: isRight ? film.width - margin - width : margin,
      top,
      width,
      height,
      isRight,
    })),
  );
}
const growBox = ({ left, top, width, height }: Box, zoomFactor: number): Box => ({
  left: left - zoomFactor,
  top: top - zoomFactor,
  width: width + 2 * zoomFactor,
  height: height + 2 * zoomFactor,
});
const boxesOverlap = (a: Box, b: Box) =>
  a.left < b.left + b.width && b.left < a.left + a.width && a.top < b.top + b.height && b.top < a.top + a.height;

/** The corner with the least detail in the picture. */
export function findPlainestCorner(corners: TitleCorner[], picture: Uint8Array, film: Size): TitleCorner {
  const unrestOfCorners = corners.map(({ left, top, width, height }) => {
    let sum = 0;
    for (let y = top; y < top + height; y += 2)
      for (let at = y * film.width + left, end = at + width - 2; at < end; at += 2)
        sum += Math.abs(picture[at]! - picture[at + 2]!);
    return sum / (width * height);
  });
  return corners[unrestOfCorners.indexOf(Math.min(...unrestOfCorners))]!;
}

/** Writes the lines one below another, each from its own start position. */
function writeTitle(
  g: SKRSContext2D,
  { lines, size, leading }: TitleLayout,
  begins: (line: TitleLayout['lines'][number]) => number,
  top: number,
): void {
  lines.forEach((line, row) => {
    // Capital letters are centered in their line.
    const y = top + leading * row + 0.5 * leading + 0.33 * size;
    drawFontRuns(g, line.words, size, (run, at) => g.fillText(run, begins(line) + at, y));
  });
}

/** Writes the title in ink in the middle of a strip of paper. The canvas is in video pixels. */
export function drawTitleOnPaper(g: SKRSContext2D, lettering: TitleLayout, { width, height }: Size): void {
  g.fillStyle = '#3d332b';
  writeTitle(g, lettering, (line) => (width - line.width) / 2, (height - lettering.height) / 2);
}

/** Draws light letters on a soft shade, so that they are readable on bright and on dark pictures. */
export function drawTitle(lettering: TitleLayout, corner: TitleCorner, film: Size): TitleLayer {
  const { size } = lettering;
  const shadeBlur = Math.round(spaceAroundLine.shade * size);
  // The shade fills the video's corner: a dark patch away from the edges would look like an object in the picture.
  const isLow = corner.top > film.height / 2;
  const left = corner.isRight ? Math.max(0, corner.left - shadeBlur) : 0;
  const top = isLow ? Math.max(0, corner.top - shadeBlur) : 0;
  const width = (corner.isRight ? film.width : Math.min(film.width, corner.left + corner.width + shadeBlur)) - left;
  const height = (isLow ? film.height : corner.top + corner.height + shadeBlur) - top;
  const canvas = loadCanvasLibrary().createCanvas(width, height);
  const g = canvas.getContext('2d');
  const x = corner.left - left;
  writeTitle(g, lettering, (line) => x + (corner.isRight ? corner.width - line.width : 0), corner.top - top);
  const drawnPixels = g.getImageData(0, 0, width, height).data;
  const letters = Float32Array.from({ length: width * height }, (_, at) => drawnPixels[4 * at + 3]! / 255);
  const shade = new Float32Array(width * height);
  for (let y = 0, at = 0; y < height; y++)
    for (let x = 0; x < width; x++, at++) {
      const horizontalDistance = corner.isRight ? corner.left - left - x : left + x - corner.left - corner.width + 1;
      const verticalDistance = isLow ? corner.top - top - y : top + y - corner.top - corner.height + 1;
      shade[at] =
        shadeStrength *
        smoothRamp(shadeBlur, 0.2 * size, Math.hypot(Math.max(horizontalDistance, 0), Math.max(verticalDistance, 0)));
    }
  return { left, top, width, height, shade, letters };
}

/**
 * Opacity of the title by position in the video: visible at the start, faded out in the middle, faded in again before
 * the end. So the poster, which is the first frame, and the preview clip show the title, and the loop has no seam.
 */
export function computeTitleOpacity(part: number): number {
  return 1 - smoothRamp(0.4, 0.52, part) * (1 - smoothRamp(0.82, 0.96, part));
}

/** Blends the title into a picture of video planes. */
export function blendTitle(picture: Uint8Array, film: Size, title: TitleLayer, opacity: number): void {
  const clampedOpacity = clamp(opacity);
  if (clampedOpacity === 0) return;
  const { left, top, width, height, shade, letters } = title;
  const createOpacityFunction = (part: Float32Array) => (x: number, y: number) =>
    x >= left && y >= top && x < left + width && y < top + height
      ? clampedOpacity * part[(y - top) * width + x - left]!
      : 0;
  paintColorInBox(picture, film, title, darkLetterColor, createOpacityFunction(shade));
  paintColorInBox(picture, film, title, lightLetterColor, createOpacityFunction(letters));
}

/** Adds the title to a scene. */
export const addTitleToScene =
  (scene: SceneRenderer, film: Size & { frames: number }, title: TitleLayer): SceneRenderer =>
  (moment) => {
    const picture = scene(moment);
    blendTitle(picture, film, title, computeTitleOpacity(moment.frame / film.frames));
    return picture;
  };
