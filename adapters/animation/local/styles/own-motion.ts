import { smoothRamp } from '../../../seeing/grid.ts';
import type { SceneRenderer } from '../motion.ts';
import { copyBox, blendPictures, splitIntoPlanes } from '../own-motion/planes.ts';
import { planPictures, planTimeline } from '../own-motion/timeline.ts';
import type { RenderContext } from '../render-context.ts';
import { createCameraScene } from './camera-work.ts';

/**
 * Shows the motion from the photo's own file. The video starts and ends with the sharp photo. In between, the film goes
 * on from the photo's moment to its end, back to its start, and forward to the photo's moment, so that nothing jumps.
 */
export async function createOwnMotionScene(stage: RenderContext): Promise<SceneRenderer | undefined> {
  const { ownMotion, film, framing } = stage;
  if (!ownMotion) return undefined;
  const unmovedView = { zoom: 1, towards: { x: 0.5, y: 0.5 } };
  const wholeFrame = createCameraScene(stage, () => unmovedView, { dark: 0 })({ phase: 0, frame: 0 }).slice();
  const { box, pictures, still } = await ownMotion.read(framing, splitIntoPlanes(wholeFrame, film));
  const photo = copyBox(splitIntoPlanes(wholeFrame, film), box);
  const shownFrame = new Uint8Array(wholeFrame.length);
  const framePlanes = splitIntoPlanes(shownFrame, film);

  const timeline = planTimeline(film.frames);
  const { resting, pictureAt } = planPictures(timeline, pictures.length, still);
  return ({ phase }) => {
    const frame = Math.round(phase * film.frames);
    const framesFromStill = Math.min(frame, film.frames - frame);
    // The caller may have written a title on the last frame, also outside of the photo.
    shownFrame.set(wholeFrame);
    const part = smoothRamp(resting, resting + timeline.fading, framesFromStill);
    if (part > 0) blendPictures(framePlanes, box, photo, pictures[pictureAt(frame)]!, part);
    return shownFrame;
  };
}
