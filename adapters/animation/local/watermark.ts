/** A small word in a corner, shown during the whole video. */
import type { MotionStyle } from '#contract/motion.ts';
import type { Box, Size } from '../../seeing/grid.ts';
import type { SceneRenderer } from './motion.ts';
import type { RenderContext } from './render-context.ts';
import {
  darkLetterColor,
  drawTitle,
  listTitleCorners,
  computeFaceAreas,
  findFreeTitleCorners,
  lightLetterColor,
  findPlainestCorner,
  layOutTitle,
  type TitleCorner,
} from './title.ts';
import { paintColorInBox } from './warp/video-planes.ts';

/** The font size as a part of the video's shorter side. A title has 0.052. */
const sizePart = 0.034;
const opacity = 0.85;
const shadeStrength = 0.5;
/** From this brightness on, the letters are dark. */
const brightLimit = 150;

/** Adds the mark to a scene, where possible in a corner without faces. */
export function addWatermarkToScene(
  scene: SceneRenderer,
  stage: RenderContext,
  { style, begins, mark }: { style: MotionStyle; begins: number; mark: string },
): SceneRenderer {
  const { film } = stage;
  const lettering = layOutTitle(mark, film, { sizePart });
  const faces = computeFaceAreas(stage, style);
  const freeCorners = findFreeTitleCorners(lettering, film, faces);
  const corner =
    freeCorners.length > 0
      ? findPlainestCorner(freeCorners, scene({ phase: begins, frame: 0 }), film)
      : findLeastCoveredCorner(listTitleCorners(lettering, film), faces);
  // Dark letters on a bright corner, otherwise light letters on a weak shade: a mark needs less contrast than a title.
  const isBright = computeMeanBrightness(scene({ phase: begins, frame: 0 }), corner, film) > brightLimit;
  const layer = drawTitle(lettering, corner, film);
  const createOpacityFunction = (part: Float32Array, strength: number) => (x: number, y: number) => {
    const [column, row] = [x - layer.left, y - layer.top];
    const isInside = column >= 0 && row >= 0 && column < layer.width && row < layer.height;
    return isInside ? strength * part[row * layer.width + column]! : 0;
  };
  return (moment) => {
    const picture = scene(moment);
    if (!isBright)
      paintColorInBox(picture, film, layer, darkLetterColor, createOpacityFunction(layer.shade, shadeStrength));
    paintColorInBox(
      picture,
      film,
      layer,
      isBright ? darkLetterColor : lightLetterColor,
      createOpacityFunction(layer.letters, opacity),
    );
    return picture;
  };
}

/** The mean brightness of a corner of the picture, 0 to 255. */
function computeMeanBrightness(picture: Uint8Array, { left, top, width, height }: Box, film: Size): number {
  let [sum, count] = [0, 0];
  for (let y = Math.round(top); y < top + height; y += 2)
    for (let x = Math.round(left); x < left + width; x += 2, count++) sum += picture[y * film.width + x]!;
  return sum / count;
}

/** If faces may reach every corner: the corner where they reach least. */
function findLeastCoveredCorner(corners: TitleCorner[], faces: Box[]): TitleCorner {
  const computeAreaCoveredByFaces = (corner: TitleCorner) =>
    faces.reduce((sum, face) => sum + computeSharedArea(corner, face), 0);
  return corners.reduce((best, corner) =>
    computeAreaCoveredByFaces(corner) < computeAreaCoveredByFaces(best) ? corner : best,
  );
}

function computeSharedArea(a: Box, b: Box): number {
  const width = Math.min(a.left + a.width, b.left + b.width) - Math.max(a.left, b.left);
  const height = Math.min(a.top + a.height, b.top + b.height) - Math.max(a.top, b.top);
  return Math.max(0, width) * Math.max(0, height);
}
