/** Messages between the animator and its child process. */
import type { CameraMovement, MotionStyle, Provenance } from '#contract/motion.ts';
import type { PhotoAnalysis } from '#shop/ports/photo-analyzer.ts';
import type { CutAnswer } from '../../seeing/cut-photo.ts';
import type { Size } from '../../seeing/grid.ts';
import type { Framing, PlanePoint } from './framing.ts';

export interface RenderJob {
  ffmpegPath: string;
  sourcePath: string;
  style: MotionStyle;
  camera: CameraMovement;
  film: Size & { frames: number };
  /** The focus, 0 to 1 from the top left. */
  focus: PlanePoint | undefined;
  seen: PhotoAnalysis | undefined;
  /** The title to write on the video, as returned by `videoTitleFromCaption`. */
  title: string | undefined;
  /** A word to write small in a corner of the whole video. */
  mark: string | undefined;
  /** Whether this process runs with a low priority. */
  isLowPriority: boolean | undefined;
  /** The parts cut out of the photo for this style, the framing used for them, and the file that contains them. */
  cut: { answer: CutAnswer; framing: Framing; path: string } | undefined;
  videoPath: string;
  posterPath: string;
  clipPath: string;
}
export type RenderProcessJob = { render: RenderJob } | { tryFfmpeg: string };
export type RenderResult = { rendered: Provenance } | 'works' | { failed: string; retryable: boolean };

export const framesPerSecond = 25;
