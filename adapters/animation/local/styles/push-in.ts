import { swell, type Scene } from '../motion.ts';
import type { Stage } from '../stage.ts';
import { filmed, nearest } from './camera-work.ts';

/** The camera slowly approaches the main people and goes back. */
export function pushIn(stage: Stage): Scene {
  const { framing } = stage;
  const reach = nearest(framing, 1.15) - 1;
  return filmed(stage, (phase) => ({ zoom: 1 + reach * swell(phase), towards: framing.towards }));
}
