import { swell, type Scene } from '../motion.ts';
import type { Stage } from '../stage.ts';
import { filmed, nearest } from './camera-work.ts';

/** Hardly moving: the picture draws two quiet breaths, its corners in shade. */
export function breathe(stage: Stage): Scene {
  const reach = nearest(stage.framing, 1.05) - 1;
  return filmed(stage, (phase) => ({ zoom: 1 + reach * swell(2 * phase), towards: stage.framing.towards }), {
    dark: 0.34,
  });
}
