/** Messages between the animator and its child process. */
import type { CameraMovement, MotionStyle, Provenance } from '#contract/motion.ts';
import type { OwnMotion } from '#shop/ports/imaging.ts';
import type { PhotoAnalysis } from '#shop/ports/photo-analyzer.ts';
import type { AnimatedPictures } from '../../imaging/animated-pictures.ts';
import type { CutOutResult } from '../../seeing/cut-photo.ts';
import type { Box, Size } from '../../seeing/grid.ts';
import type { Framing, PlanePoint } from './framing.ts';

/** One photo with its settings, and the size of the area in which it is shown. */
export interface PictureJob {
  sourcePath: string;
  style: MotionStyle;
  camera: CameraMovement;
  film: Size & { frames: number };
  /** The focus, 0 to 1 from the top left. */
  focus: PlanePoint | undefined;
  seen: PhotoAnalysis | undefined;
  /** The title to write on the video, as returned by `videoTitleFromCaption`. */
  title: string | undefined;
  /** Whether scratches, dust and faded colors are repaired. */
  isRepaired?: boolean | undefined;
  /** The parts cut out of the photo for this style, the framing used for them, and the file that contains them. */
  cut: CutOut | undefined;
  /** The motion in the photo's own file, for the style `own-motion`. */
  ownMotion?: OwnMotionSource | undefined;
  /** The style that was requested before this one, and why it is not possible. */
  insteadOf?: Provenance['insteadOf'];
}
export interface CutOut {
  answer: CutOutResult;
  framing: Framing;
  path: string;
}
export interface RenderJob {
  ffmpegPath: string;
  /** The size and length of the video. */
  film: Size & { frames: number };
  /** One photo, which is as large as the video, or two photos in windows of the same mat. */
  pictures: [PictureJob] | [PairedPicture, PairedPicture];
  /** A word to write small in a corner of the whole video. Ignored for two photos. */
  mark: string | undefined;
  /** Whether this process runs with a low priority. */
  isLowPriority: boolean | undefined;
  videoPath: string;
  posterPath: string;
  clipPath: string;
}
export type PairedPicture = PictureJob & { /** The photo's place in the video. */ window: Box };
export interface OwnMotionSource {
  from:
    | {
        /** The photo's original file, and the film in it. */
        path: string;
        film: Extract<OwnMotion, { kind: 'film' }>;
        /** How the display copy is turned clockwise, and the part of the turned photo that it shows. */
        quarterTurns: number;
        area: Box;
      }
    /** The pictures of an animation, which are turned and cropped as the display copy. They are in `filmPath`. */
    | { pictures: AnimatedPictures };
  /** The file that ffmpeg reads; it sees no other one. The process writes the film to it. */
  filmPath: string;
  /** The command that runs ffmpeg behind the kernel's fences. */
  fence: string[];
}
export type RenderProcessJob = { render: RenderJob } | { tryFfmpeg: string };
export type RenderResult =
  | { rendered: Provenance }
  | { works: true }
  /** Why the own motion of this picture cannot be used. Another style is possible. */
  | { unusableMotion: string; picture: 0 | 1 }
  | { failed: string; retryable: boolean };

export const framesPerSecond = 25;
