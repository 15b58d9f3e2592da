import { degreesToRadians, swing, type Scene } from '../motion.ts';
import type { Stage } from '../stage.ts';
import { createCameraScene, allowedCameraTargets, limitZoom } from './camera-work.ts';

/** The camera moves over the picture in a long, flat figure of eight and tilts a little. */
export function drift(stage: Stage): Scene {
  const zoom = Math.max(1.015, limitZoom(stage.framing, 1.13));
  const { middle, sway } = allowedCameraTargets(stage.framing, stage.film, zoom);
  const tilt = (0.35 * (zoom - 1)) / 0.13;
  return createCameraScene(stage, (phase) => ({
    zoom,
    towards: {
      x: middle.x + Math.min(0.4, sway.x) * swing(phase),
      y: middle.y + Math.min(0.17, sway.y) * swing(phase, 2, 0.6),
    },
    tilt: degreesToRadians(tilt) * swing(phase, 1, 1),
  }));
}
