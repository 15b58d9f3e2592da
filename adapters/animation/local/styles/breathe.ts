import { swell, type Scene } from '../motion.ts';
import type { Stage } from '../stage.ts';
import { filmed, nearest } from './camera-work.ts';

/** Almost still: the picture zooms gently twice per loop, with dark corners. */
export function breathe(stage: Stage): Scene {
  const reach = nearest(stage.framing, 1.05) - 1;
  return filmed(stage, (phase) => ({ zoom: 1 + reach * swell(2 * phase), towards: stage.framing.towards }), {
    dark: 0.34,
  });
}
