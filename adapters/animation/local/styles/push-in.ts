import { computeRiseAndFall, type SceneRenderer } from '../motion.ts';
import type { RenderContext } from '../render-context.ts';
import { createCameraScene, limitZoom } from './camera-work.ts';

/** The camera slowly approaches the main people and goes back. */
export function createPushInScene(stage: RenderContext): SceneRenderer {
  const { framing } = stage;
  const extraZoom = limitZoom(framing, 1.15) - 1;
  return createCameraScene(stage, (phase) => ({
    zoom: 1 + extraZoom * computeRiseAndFall(phase),
    towards: framing.towards,
  }));
}
