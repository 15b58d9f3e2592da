/** A word mark that is written small in a corner for the whole video. */
import type { MotionStyle } from '#contract/motion.ts';
import type { Box } from '../../seeing/grid.ts';
import type { Scene } from './motion.ts';
import type { Stage } from './stage.ts';
import {
  drawTitle,
  everyCorner,
  facesOnFilm,
  freeCorners,
  layTitle,
  quietest,
  setTitle,
  type Corner,
} from './title.ts';

/** The font size as a part of the video's shorter side. A title has 0.052. */
const sizePart = 0.034;
const opacity = 0.85;

/** Adds the mark to a scene, in a corner without faces. */
export function marked(
  scene: Scene,
  stage: Stage,
  { style, begins, mark }: { style: MotionStyle; begins: number; mark: string },
): Scene {
  const { film } = stage;
  const lettering = setTitle(mark, film, { sizePart });
  const faces = facesOnFilm(stage, style);
  const free = freeCorners(lettering, film, faces);
  const corner =
    free.length > 0
      ? quietest(free, scene({ phase: begins, frame: 0 }), film)
      : leastCovered(everyCorner(lettering, film), faces);
  const layer = drawTitle(lettering, corner, film);
  return (moment) => {
    const picture = scene(moment);
    layTitle(picture, film, layer, opacity);
    return picture;
  };
}

/** If faces may reach every corner: the corner where they reach least. */
function leastCovered(corners: Corner[], faces: Box[]): Corner {
  const covered = (corner: Corner) => faces.reduce((sum, face) => sum + sharedArea(corner, face), 0);
  return corners.reduce((best, corner) => (covered(corner) < covered(best) ? corner : best));
}

function sharedArea(a: Box, b: Box): number {
  const width = Math.min(a.left + a.width, b.left + b.width) - Math.max(a.left, b.left);
  const height = Math.min(a.top + a.height, b.top + b.height) - Math.max(a.top, b.top);
  return Math.max(0, width) * Math.max(0, height);
}
