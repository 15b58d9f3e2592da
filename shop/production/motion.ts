import type { MotionStyle } from '#contract/motion.ts';

/** The motions a frame's photos are given in turn, so that neighbours move differently. */
const turn: MotionStyle[] = ['push-in', 'drift', 'light-sweep', 'breathe', 'depth'];
/** A picture much narrower or wider than the panel shows whole, as a print over its own soft backdrop. */
const isUnlikePanel = ({ width, height }: { width: number; height: number }) => {
  const ratio = width / height;
  return ratio < 1.15 || ratio > 2.3;
};

export const motionFor = (photo: { width: number; height: number }, place: number): MotionStyle =>
  isUnlikePanel(photo) ? 'floating-print' : turn[place % turn.length]!;
