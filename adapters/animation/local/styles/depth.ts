import { computeSwing, type SceneRenderer } from '../motion.ts';
import {
  computeMovementLimits,
  drawBackground,
  estimateNearness,
  matShade,
  darkenPlateCorners,
  type RenderContext,
} from '../render-context.ts';
import { createWarpGrid, prepareLayerMovement } from '../warp/camera.ts';
import { createCompositor } from '../warp/compositor.ts';

/** How far the nearest parts move to either side, and up and down, in pixels of a video 1280 wide. */
const sway = { x: 22, y: 7 };
const zoomSway = 0.014;

/**
 * Adds depth: near parts shift more while the camera moves on a small ellipse. Depth is coarse or guessed from the
 * position, so the relief is smooth and the shifts are small.
 */
export function createDepthScene(stage: RenderContext): SceneRenderer {
  const { film, size, scale, framing } = stage;
  const plate = drawBackground(stage, stage.picture);
  if (framing.isWhole) darkenPlateCorners(plate, matShade);
  const compositor = createCompositor(film, [{ plate }]);
  const layer = compositor.layers[0]!;
  const { warpGrid: sideways, at: freedom } = computeMovementLimits(stage);
  const closerGrid = createWarpGrid(size);
  const nearnessMap = estimateNearness(stage, sideways);
  const sizeFactor = (scale * Math.hypot(film.width, film.height)) / Math.hypot(1280, 800);
  for (let row = 0, i = 0; row < closerGrid.height; row++)
    for (let column = 0; column < closerGrid.width; column++, i++) {
      const movement = nearnessMap[i]! * freedom[i]!;
      const growth = zoomSway * (movement + 0.4 * freedom[i]!);
      sideways.moves[2 * i] = -sway.x * sizeFactor * movement;
      closerGrid.moves[2 * i] = -(size.width / 2 - column * closerGrid.cell) * growth;
      closerGrid.moves[2 * i + 1] =
        -sway.y * sizeFactor * movement - (size.height / 2 - row * closerGrid.cell) * growth;
    }
  const view = { zoom: framing.isWhole ? 1 : 1.035, towards: framing.towards };
  const moveLayer = prepareLayerMovement(layer, film, view, [sideways, closerGrid]);
  return ({ phase }) => {
    moveLayer([computeSwing(phase), computeSwing(phase, 1, Math.PI / 2)]);
    layer.take();
    return compositor.planes;
  };
}
