import { degreesToRadians, computeSwing, type SceneRenderer } from '../motion.ts';
import type { RenderContext } from '../render-context.ts';
import { createCameraScene, createTravelPath, findAllowedCameraTargets, limitZoom } from './camera-work.ts';

/**
 * The camera moves over the picture in a long, flat figure of eight and tilts a little, or it moves along a panorama.
 */
export function createDriftScene(stage: RenderContext): SceneRenderer {
  const alongTravelPath = createTravelPath(stage);
  if (alongTravelPath) return createCameraScene(stage, alongTravelPath);
  const zoom = Math.max(1.015, limitZoom(stage.framing, 1.13));
  const { middle, sway } = findAllowedCameraTargets(stage.framing, stage.film, zoom);
  const tilt = (0.35 * (zoom - 1)) / 0.13;
  return createCameraScene(stage, (phase) => ({
    zoom,
    towards: {
      x: middle.x + Math.min(0.4, sway.x) * computeSwing(phase),
      y: middle.y + Math.min(0.17, sway.y) * computeSwing(phase, 2, 0.6),
    },
    tilt: degreesToRadians(tilt) * computeSwing(phase, 1, 1),
  }));
}
