import type { MotionStyle } from '#contract/motion.ts';

/** The motions a customer may wish for, in their words. */
export const motionWishes: { style: MotionStyle; words: string }[] = [
  { style: 'push-in', words: 'Come slowly closer' },
  { style: 'drift', words: 'Drift across the picture' },
  { style: 'breathe', words: 'Breathe gently' },
  { style: 'depth', words: 'Show depth' },
  { style: 'light-sweep', words: 'Let light wander over it' },
  { style: 'floating-print', words: 'Show it whole, as a print' },
  { style: 'vintage', words: 'Look like an old film' },
  { style: 'parallax', words: 'Part people from the background' },
  { style: 'portrait-light', words: 'Light on faces, background soft' },
  { style: 'crowd-pan', words: 'Go from face to face' },
  { style: 'alive', words: 'Breathe, look and blink (perhaps not for someone who has died)' },
  { style: 'sky', words: 'Let the clouds drift' },
  { style: 'water', words: 'Let the water ripple' },
  { style: 'candlelight', words: 'Let candles and lamps glow' },
  { style: 'snow', words: 'Let it snow' },
  { style: 'motes', words: 'Let dust float in the light' },
  { style: 'leaves', words: 'Let leaves fall' },
  { style: 'restored', words: 'Mend an old photo' },
  { style: 'reveal', words: 'Show before and after mending' },
];
