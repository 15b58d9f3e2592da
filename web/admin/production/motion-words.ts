import type { MotionStyle } from '#contract/motion.ts';

/** The motions, as the owner chooses them. */
export const motionWords: Record<MotionStyle, string> = {
  'push-in': 'Push in',
  drift: 'Drift',
  breathe: 'Breathe',
  'light-sweep': 'Light sweep',
  'floating-print': 'Floating print',
  vintage: 'Vintage',
  depth: 'Depth',
};
