import { computeRiseAndFall, type SceneRenderer } from '../motion.ts';
import type { RenderContext } from '../render-context.ts';
import { createCameraScene, limitZoom } from './camera-work.ts';

/** Almost still: the picture zooms gently twice per loop, with dark corners. */
export function createBreatheScene(stage: RenderContext): SceneRenderer {
  const extraZoom = limitZoom(stage.framing, 1.05) - 1;
  return createCameraScene(
    stage,
    (phase) => ({ zoom: 1 + extraZoom * computeRiseAndFall(2 * phase), towards: stage.framing.towards }),
    {
      dark: 0.12,
    },
  );
}
