/**
 * Places a photo in the video. The photo is drawn on plates: pictures from which every video frame is drawn. A photo
 * with nearly the video's shape fills the video. Any other photo is shown whole, in a paper mat.
 */
import type { CameraMovement } from '#contract/motion.ts';
import type { PhotoAnalysis } from '#shop/ports/photo-analyzer.ts';
import { clamp, smoothRamp, type Box, type Picture, type Size } from '../../seeing/grid.ts';
import { createSharpPipeline } from '../../seeing/pixels.ts';
import type { CutOutResult } from '../../seeing/cut-photo.ts';
import type { Framing, PlanePoint } from './framing.ts';
import { drawMat } from './mat.ts';
import type { VideoDimensions } from './motion.ts';
import type { OpenedMotion } from './own-motion/own-motion.ts';
import { strengthenDetails, type SourcePhoto } from './photo.ts';
import type { Plate } from './warp/plates.ts';
import { createWarpGrid, type WarpGrid } from './warp/camera.ts';

/** The parts that were cut out of the photo, in the size that the photo has on a plate. */
export interface CutOutParts extends Omit<CutOutResult, 'people' | 'behind' | 'nearness' | 'sky' | 'water'> {
  people?: Uint8Array;
  /** RGB of the photo without its people. */
  behind?: Uint8Array;
  /** How near each part of the photo is: 224 by 224 values. */
  nearness?: Uint8Array;
  sky?: Uint8Array;
  water?: Uint8Array;
}
export interface RenderContext {
  photo: SourcePhoto;
  film: VideoDimensions;
  framing: Framing;
  seen: PhotoAnalysis | undefined;
  cut: CutOutParts | undefined;
  /** Whether the customer set the focus. */
  isPointed: boolean;
  /** The camera's movement, for styles that allow several. */
  camera: CameraMovement;
  /** Size of the plates relative to the video. */
  scale: number;
  size: Size;
  /** The photo's place on a plate. */
  inner: Box;
  /** The photo as it appears on a plate, RGB. */
  picture: Uint8Array;
  /** The motion in the photo's own file. */
  ownMotion?: OpenedMotion | undefined;
}

/** Plates are larger than the video by this factor. A zoom up to this factor does not enlarge their pixels. */
export const plateEnlargement = 1.17;
/**
 * Computes the photo's place on a plate from the framing alone. So the photo's parts can be cut out in this size before
 * the photo is opened.
 */
export function computePhotoBox({ place, isWhole, travel }: Framing, film: Size): Box & { plate: Size } {
  const canvas = travel ? place : film;
  const plate = {
    width: Math.round(canvas.width * plateEnlargement),
    height: Math.round(canvas.height * plateEnlargement),
  };
  if (!isWhole) return { left: 0, top: 0, ...plate, plate };
  const [across, down] = [plate.width / film.width, plate.height / film.height];
  const left = Math.round(place.left * across);
  const top = Math.round(place.top * down);
  const width = clamp(Math.round(place.width * across), 1, plate.width - left);
  const height = clamp(Math.round(place.height * down), 1, plate.height - top);
  return { left, top, width, height, plate };
}

export async function createRenderContext(
  photo: SourcePhoto,
  film: VideoDimensions,
  framing: Framing,
  {
    seen,
    cut,
    isPointed = false,
    camera = 'approach',
  }: {
    seen?: PhotoAnalysis | undefined;
    cut?: CutOutParts | undefined;
    isPointed?: boolean;
    camera?: CameraMovement;
  } = {},
): Promise<RenderContext> {
  const { plate: size, ...inner } = computePhotoBox(framing, film);
  const scale = size.width / (framing.travel ? framing.place : film).width;
  const resizedPhoto = photo
    .pixels()
    .extract(framing.crop)
    .resize({ width: inner.width, height: inner.height, fit: 'fill' })
    .removeAlpha();
  const picture = await strengthenDetails(resizedPhoto).toColourspace('srgb').raw().toBuffer();
  const pictureBehindPeople =
    cut?.behind && (await strengthenPicture({ width: inner.width, height: inner.height, rgb: cut.behind }));
  const parts = cut && { ...cut, ...(pictureBehindPeople && { behind: pictureBehindPeople }) };
  return { photo, film, framing, seen, cut: parts, isPointed, camera, scale, size, inner, picture };
}

const strengthenPicture = (picture: Picture): Promise<Uint8Array> =>
  strengthenDetails(createSharpPipeline(picture)).raw().toBuffer();

/**
 * Draws the background as an opaque plate. `picture` is the RGB of the photo, or of a picture of the same size without
 * people. A photo that is shown whole gets its mat, and its edges do not change.
 */
export function drawBackground({ size, inner, framing, picture: own }: RenderContext, picture: Uint8Array): Plate {
  const pixels = new Uint8Array(4 * size.width * size.height);
  if (framing.isWhole) drawMat(pixels, size, [inner], [own]);
  const wholePictureBox = { left: 0, top: 0, width: inner.width, height: inner.height };
  if (!framing.isWhole || own === picture) copyRowsInto(pixels, size, inner, picture, wholePictureBox);
  else {
    // Near the edges use the photo itself: half a pixel of the filled background would be visible as a line there.
    const [across, down] = [Math.min(edgeWidth, inner.width / 2), Math.min(edgeWidth, inner.height / 2)].map(
      Math.floor,
    ) as [number, number];
    copyRowsInto(pixels, size, inner, own, wholePictureBox);
    const sourceBox = { width: inner.width - 2 * across, height: inner.height - 2 * down };
    copyRowsInto(pixels, size, inner, picture, { left: across, top: down, ...sourceBox });
  }
  return { ...size, pixels };
}

const edgeWidth = 3;

/** Copies a box of an RGB picture to a plate as opaque pixels. */
function copyRowsInto(pixels: Uint8Array, size: Size, inner: Box, picture: Uint8Array, box: Box): void {
  const pixelWords = new Uint32Array(pixels.buffer, pixels.byteOffset, pixels.length / 4); // each value is one pixel, with red in the lowest byte
  const boxRight = box.left + box.width;
  for (let y = box.top; y < box.top + box.height; y++) {
    let from = 3 * (y * inner.width + box.left);
    let to = (inner.top + y) * size.width + inner.left + box.left;
    for (let x = box.left; x < boxRight; x++, from += 3, to++)
      pixelWords[to] = picture[from]! | (picture[from + 1]! << 8) | (picture[from + 2]! << 16) | 0xff000000;
  }
}

/** Darkness of a mat's corners. */
export const matShade = 0.08;

/** Darkens the corners of an opaque plate. */
export function darkenPlateCorners({ width, height, pixels }: Plate, strength: number): void {
  const [u, v] = [width / 2, height / 2];
  const innerRadius = Math.min(width, height) * 0.35;
  const outer = Math.hypot(width, height) * 0.56;
  for (let y = 0; y < height; y++)
    for (let x = 0; x < width; x++) {
      // Math.hypot would take five times as long as this expression.
      const darkeningFraction = (Math.sqrt((x - u) ** 2 + (y - v) ** 2) - innerRadius) / (outer - innerRadius);
      if (darkeningFraction <= 0) continue;
      const light = 1 - strength * Math.min(1, darkeningFraction) ** 2;
      const pixelIndex = 4 * (y * width + x);
      for (let c = pixelIndex; c < pixelIndex + 3; c++) pixels[c] = pixels[c]! * light + 0.5;
    }
}

/**
 * Cuts the area that a matte covers out of the photo, as a separate plate. Half-covered pixels are a mixture with the
 * background. The background's share is subtracted, because the background must not move with this area.
 */
export function cutOutPlate({ size, inner, picture }: RenderContext, matte: Uint8Array, behind: Uint8Array): Plate {
  const pixels = new Uint8Array(4 * size.width * size.height);
  for (let y = 0; y < inner.height; y++)
    for (let x = 0; x < inner.width; x++) {
      const pixelIndex = y * inner.width + x;
      const matteOpacity = matte[pixelIndex]!;
      if (matteOpacity > 0)
        writeMattedPixel(
          pixels,
          4 * ((inner.top + y) * size.width + inner.left + x),
          picture,
          behind,
          3 * pixelIndex,
          matteOpacity,
        );
    }
  return { ...size, pixels };
}

export function writeMattedPixel(
  pixels: Uint8Array,
  to: number,
  picture: ArrayLike<number>,
  behind: ArrayLike<number>,
  from: number,
  part: number,
): void {
  const remainingOpacity = part > 250 ? 0 : (255 - part) / 255;
  for (let c = 0; c < 3; c++)
    pixels[to + c] = clamp(picture[from + c]! - remainingOpacity * behind[from + c]!, 0, part);
  pixels[to + 3] = part;
}

/**
 * How freely each corner of a grid may move, 0 to 1. It is 1, except that it falls to 0 at the edges of a photo shown
 * whole, because paper does not bend.
 */
export function computeMovementLimits({ size, inner, framing }: RenderContext): {
  warpGrid: WarpGrid;
  at: Float32Array;
} {
  const warpGrid = createWarpGrid(size);
  const movementLimits = new Float32Array(warpGrid.width * warpGrid.height).fill(1);
  if (!framing.isWhole) return { warpGrid, at: movementLimits };
  const rim = 0.22 * Math.min(inner.width, inner.height);
  for (let row = 0; row < warpGrid.height; row++)
    for (let column = 0; column < warpGrid.width; column++) {
      const [x, y] = [column * warpGrid.cell, row * warpGrid.cell];
      const distanceToSides = Math.min(x - inner.left, inner.left + inner.width - x);
      const distanceToTopOrBottom = Math.min(y - inner.top, inner.top + inner.height - y);
      movementLimits[row * warpGrid.width + column] =
        smoothRamp(0, rim, distanceToSides) * smoothRamp(0, rim, distanceToTopOrBottom);
    }
  return { warpGrid, at: movementLimits };
}

/**
 * How near each corner of a grid is, from -0.4 to 1. Combines the depth model, if available, with a guess from the
 * corner's position.
 */
export function estimateNearness(stage: RenderContext, warpGrid: WarpGrid): Float32Array {
  const { size, inner, cut, framing } = stage;
  const nearnessMap = cut?.nearness;
  const nearnessByCorner = new Float32Array(warpGrid.width * warpGrid.height);
  for (let row = 0; row < warpGrid.height; row++)
    for (let column = 0; column < warpGrid.width; column++) {
      const gridPoint = { x: (column * warpGrid.cell) / size.width, y: (row * warpGrid.cell) / size.height };
      const guessed = guessNearness(gridPoint, framing.focus);
      let near = guessed;
      if (nearnessMap) {
        const u = clamp(((column * warpGrid.cell - inner.left) / inner.width) * 223, 0, 223);
        const v = clamp(((row * warpGrid.cell - inner.top) / inner.height) * 223, 0, 223);
        const [left, top] = [Math.min(222, u | 0), Math.min(222, v | 0)];
        const nearnessAt = (x: number, y: number) => nearnessMap[y * 224 + x]!;
        const upperRowNearness =
          nearnessAt(left, top) + (nearnessAt(left + 1, top) - nearnessAt(left, top)) * (u - left);
        const nearnessInRowBelow =
          nearnessAt(left, top + 1) + (nearnessAt(left + 1, top + 1) - nearnessAt(left, top + 1)) * (u - left);
        near =
          0.75 * (-0.4 + (1.4 * (upperRowNearness + (nearnessInRowBelow - upperRowNearness) * (v - top))) / 255) +
          0.25 * guessed;
      }
      nearnessByCorner[row * warpGrid.width + column] = near;
    }
  return nearnessByCorner;
}

/** Guesses how near a spot is. The bottom and the subject of a picture are mostly nearer than the rest. */
function guessNearness({ x, y }: PlanePoint, focus: PlanePoint): number {
  const ground = 0.75 * (1 / (1 + Math.exp(-(y - 0.62) * 9)) - 0.5);
  return ground + 0.55 * Math.exp(-((x - focus.x) ** 2 / 0.06 + (y - focus.y) ** 2 / 0.1));
}
