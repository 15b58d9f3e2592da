import type { Scene } from '../motion.ts';
import type { Stage } from '../stage.ts';
import { createCameraScene, visitFaces } from './camera-work.ts';

/** The camera visits up to five faces and returns to a view of all of them. Undefined for fewer than two faces. */
export function crowdPan(stage: Stage): Scene | undefined {
  const viewAt = visitFaces(stage, { faceShare: 0.34, leastZoom: 1.15, mostZoom: 1.9 });
  return viewAt && createCameraScene(stage, viewAt);
}
