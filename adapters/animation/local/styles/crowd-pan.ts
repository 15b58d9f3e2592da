import type { SceneRenderer } from '../motion.ts';
import type { RenderContext } from '../render-context.ts';
import { createCameraScene, createFaceVisitPath } from './camera-work.ts';

/** The camera visits up to five faces and returns to a view of all of them. Undefined for fewer than two faces. */
export function createCrowdPanScene(stage: RenderContext): SceneRenderer | undefined {
  const viewAt = createFaceVisitPath(stage, { faceShare: 0.34, leastZoom: 1.15, mostZoom: 1.9 });
  return viewAt && createCameraScene(stage, viewAt);
}
