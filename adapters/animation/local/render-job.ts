/** What the animator and its child process say to each other. */
import type { MotionStyle, Provenance } from '#contract/motion.ts';
import type { Seen } from '#shop/ports/seeing.ts';
import type { CutAnswer } from '../../seeing/cut.ts';
import type { Size } from '../../seeing/grid.ts';
import type { Framing, Spot } from './framing.ts';

export interface RenderJob {
  ffmpegPath: string;
  sourcePath: string;
  style: MotionStyle;
  film: Size & { frames: number };
  /** Where to look, 0 to 1 from the left top. */
  focus: Spot | undefined;
  seen: Seen | undefined;
  /** To be written on the film, as `filmTitle` leaves it. */
  title: string | undefined;
  /** What was cut out of the photo for this style, how the photo was framed for it, and the file that holds it. */
  cut: { answer: CutAnswer; framing: Framing; path: string } | undefined;
  videoPath: string;
  posterPath: string;
  clipPath: string;
}
export type ChildJob = { render: RenderJob } | { tryFfmpeg: string };
export type RenderAnswer = { rendered: Provenance } | 'works' | { failed: string; retryable: boolean };

export const framesPerSecond = 25;
