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
  parallax: 'Layers',
  'portrait-light': 'Portrait light',
  'crowd-pan': 'From face to face',
  alive: 'Alive: breath, head, blink',
  sky: 'Drifting sky',
  water: 'Water and sky',
  candlelight: 'Candlelight',
  snow: 'Snow',
  motes: 'Dust in the light',
  leaves: 'Falling leaves',
  restored: 'Restored',
  reveal: 'Before and after',
};
