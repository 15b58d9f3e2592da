import { clamp } from '../../../seeing/grid.ts';
import { framesPerSecond } from '../render-job.ts';

/**
 * When a video shows the photo, and when its own motion. The photo rests for a moment at both ends of the video, and
 * fades into the motion. The motion starts late in the fade, so that the fade does not show two moments at once.
 */
export interface Timeline {
  /** All in frames of the video. */
  frames: number;
  resting: number;
  fading: number;
  /** How long the motion slows down where it turns around. An even number. */
  turning: number;
  /** The largest number of pictures that can be shown forward and backward at their own speed. */
  most: number;
}

/** In seconds, and at most as fractions of the video. */
const times = {
  resting: { seconds: 0.3, part: 0.04 },
  fading: { seconds: 0.5, part: 0.08 },
  turning: { seconds: 0.25, part: 0.08 },
};
const computeDurationFrames = ({ seconds, part }: { seconds: number; part: number }, frames: number) =>
  Math.floor(Math.min(seconds * framesPerSecond, part * frames));

export function planTimeline(frames: number): Timeline {
  const [resting, fading] = [computeDurationFrames(times.resting, frames), computeDurationFrames(times.fading, frames)];
  const turningFrames = 2 * Math.max(1, Math.floor(computeDurationFrames(times.turning, frames) / 2));
  const timeline = { frames, resting, fading, turning: turningFrames, most: 0 };
  return {
    ...timeline,
    most: Math.max(1, Math.floor(frames / 2) - resting - countFramesBeforeMotion(timeline) - turningFrames + 1),
  };
}
/** How long the photo has been fading when the motion starts. */
const countFramesBeforeMotion = ({ fading }: Pick<Timeline, 'fading'>) => Math.floor((2 * fading) / 3);

/**
 * Plans which picture each frame of the video shows. The motion goes from `still` to the last picture, back to the
 * first one, and forward to `still`, at its own speed except where it turns around. A short motion is repeated. If
 * frames are left, the photo rests longer.
 */
export function planPictures(
  timeline: Timeline,
  pictures: number,
  still: number,
): { resting: number; pictureAt: (frame: number) => number } {
  const { frames, turning } = timeline;
  const lastPicture = pictures - 1;
  const framesPerTurn = lastPicture + turning;
  const turnCount = Math.floor(
    (Math.floor(frames / 2) - timeline.resting - countFramesBeforeMotion(timeline)) / framesPerTurn,
  );
  const start = Math.floor(frames / 2) - turnCount * framesPerTurn;
  /** From the first picture to the last one: faster, evenly, slower. */
  const pictureAtTime = (time: number) =>
    time < turning
      ? time ** 2 / (2 * turning)
      : time > lastPicture
        ? lastPicture - (framesPerTurn - time) ** 2 / (2 * turning)
        : time - turning / 2;
  const leadFrames = Math.round(
    still < turning / 2
      ? Math.sqrt(2 * turning * still)
      : still > lastPicture - turning / 2
        ? framesPerTurn - Math.sqrt(2 * turning * (lastPicture - still))
        : still + turning / 2,
  );
  return {
    resting: start - countFramesBeforeMotion(timeline),
    pictureAt(frame) {
      const time = (leadFrames + clamp(frame - start, 0, 2 * turnCount * framesPerTurn)) % (2 * framesPerTurn);
      return clamp(
        Math.round(time <= framesPerTurn ? pictureAtTime(time) : pictureAtTime(2 * framesPerTurn - time)),
        0,
        lastPicture,
      );
    },
  };
}
