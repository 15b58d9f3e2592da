import { riseAndFall, type Scene } from '../motion.ts';
import type { Stage } from '../stage.ts';
import { createCameraScene, limitZoom } from './camera-work.ts';

/** The camera slowly approaches the main people and goes back. */
export function pushIn(stage: Stage): Scene {
  const { framing } = stage;
  const reach = limitZoom(framing, 1.15) - 1;
  return createCameraScene(stage, (phase) => ({ zoom: 1 + reach * riseAndFall(phase), towards: framing.towards }));
}
