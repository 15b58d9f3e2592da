/** What the animator and its child process say to each other. */
import type { MotionStyle } from '#contract/motion.ts';

export interface RenderJob {
  ffmpegPath: string;
  sourcePath: string;
  style: MotionStyle;
  frames: number;
  /** Where to look, 0 to 1 from the left top. */
  focus: { x: number; y: number } | undefined;
  videoPath: string;
  posterPath: string;
}
export type ChildJob = { render: RenderJob } | { tryFfmpeg: string };
export type RenderAnswer = 'rendered' | { failed: string; retryable: boolean };

export const framesPerSecond = 25;
