/** Shows two upright photos side by side, in two windows of the same paper mat. */
import type { Box, Size } from '../../seeing/grid.ts';
import { drawMat } from './mat.ts';
import type { SceneRenderer, VideoDimensions } from './motion.ts';
import { darkenPlateCorners, matShade } from './render-context.ts';
import { setLayerView } from './warp/camera.ts';
import { blockWidth, createCompositor } from './warp/compositor.ts';
import { convertPlanesToRgb } from './warp/video-planes.ts';

/** Paper around the windows and between them, as fractions of the video's height. */
const margin = { outside: 0.055, between: 0.045 };
/**
 * A window is wider than its photo by this factor, if there is room: a photo that fills a larger window loses a few
 * rows at its top or bottom.
 */
const widthFactor = 1.08;
/** The narrowest window, as a fraction of its height. It has the shape of a phone photo in 9:16. */
const narrowestShape = 9 / 16;

/**
 * The places of two photos in the video. A scene has a width and a height that are multiples of 16. The positions are
 * even, because four pixels share one color.
 */
export function layOutWindows(film: Size, sizes: readonly [Size, Size]): [Box, Box] {
  const height = roundDownToBlocks(film.height * (1 - 2 * margin.outside));
  const gapWidth = roundToEven(margin.between * film.height);
  const widestScene = roundDownToBlocks((film.width - 2 * margin.outside * film.height - gapWidth) / 2);
  const [first, second] = sizes.map((photo) =>
    Math.min(
      widestScene,
      roundDownToBlocks(Math.max((photo.width / photo.height) * widthFactor, narrowestShape) * height),
    ),
  ) as [number, number];
  const left = roundToEven((film.width - first - gapWidth - second) / 2);
  const top = roundToEven((film.height - height) / 2);
  return [
    { left, top, width: first, height },
    { left: left + first + gapWidth, top, width: second, height },
  ];
}

const roundToEven = (length: number) => 2 * Math.round(length / 2);
const roundDownToBlocks = (length: number) => blockWidth * Math.floor(length / blockWidth);

export interface WindowScene {
  window: Box;
  scene: SceneRenderer;
  /** The phase of the scene at which the video begins. */
  begins: number;
}

/** Draws the scenes of two photos into the windows of a mat, which does not move. */
export function createPairScene(film: VideoDimensions, scenes: readonly [WindowScene, WindowScene]): SceneRenderer {
  const planes = drawPairMat(film, scenes);
  return ({ phase, frame }) => {
    for (const { window, scene, begins } of scenes)
      copyPlanes(planes, film, scene({ phase: (phase + begins) % 1, frame }), window);
    return planes;
  };
}

function drawPairMat(film: VideoDimensions, scenes: readonly WindowScene[]): Uint8Array {
  const pixels = new Uint8Array(4 * film.width * film.height);
  const windows = scenes.map((it) => it.window);
  const pictures = scenes.map(({ scene, begins, window }) =>
    convertPlanesToRgb(scene({ phase: begins, frame: 0 }), window),
  );
  drawMat(pixels, film, windows, pictures);
  const plate = { width: film.width, height: film.height, pixels };
  darkenPlateCorners(plate, matShade);
  // Pixels in the windows are transparent so far. The mat is opaque everywhere, because the scenes cover the windows.
  for (let at = 3; at < pixels.length; at += 4) pixels[at] = 255;
  const compositor = createCompositor(film, [{ plate }]);
  setLayerView(compositor.layers[0]!, film, { zoom: 1, towards: { x: 0.5, y: 0.5 } });
  compositor.layers[0]!.take();
  return Uint8Array.from(compositor.planes);
}

/** Copies a picture into its window. Both have the format of `Compositor.planes`. */
function copyPlanes(to: Uint8Array, film: Size, from: Uint8Array, { left, top, width, height }: Box): void {
  copyRows(to, 0, film.width, from, 0, { left, top, width, height });
  const halfBox = { left: left / 2, top: top / 2, width: width / 2, height: height / 2 };
  const [filmArea, area] = [film.width * film.height, width * height];
  for (const plane of [0, 1])
    copyRows(to, filmArea + (plane * filmArea) / 4, film.width / 2, from, area + (plane * area) / 4, halfBox);
}

function copyRows(
  to: Uint8Array,
  toStart: number,
  toWidth: number,
  from: Uint8Array,
  fromStart: number,
  { left, top, width, height }: Box,
): void {
  for (let y = 0; y < height; y++) {
    const start = fromStart + y * width;
    to.set(from.subarray(start, start + width), toStart + (top + y) * toWidth + left);
  }
}
