import type { MotionStyle } from '#contract/motion.ts';
import type { Wants } from '../../seeing/cut.ts';

const people: Wants = { people: true, behind: true, nearness: true };
/** What each style wants cut out of the photo; those not named want nothing. */
export const needs: Partial<Record<MotionStyle, Wants>> = {
  depth: { nearness: true },
  parallax: people,
  'portrait-light': people,
  snow: people,
  motes: people,
  leaves: people,
  sky: { sky: true },
  water: { sky: true, water: true },
  alive: { ...people, meshes: true },
};
