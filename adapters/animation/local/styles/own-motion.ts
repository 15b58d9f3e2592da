import { smoothRamp } from '../../../seeing/grid.ts';
import type { SceneRenderer } from '../motion.ts';
import { copyBox, mixInto, planesOf } from '../own-motion/planes.ts';
import { planPositions, planTimeline } from '../own-motion/timeline.ts';
import type { RenderContext } from '../render-context.ts';
import { createCameraScene } from './camera-work.ts';

/**
 * Shows the motion from the photo's own file. The video starts and ends with the sharp photo. In between, the film goes
 * on from the photo's moment to its end, back to its start, and forward to the photo's moment, so that nothing jumps.
 */
export async function createOwnMotionScene(stage: RenderContext): Promise<SceneRenderer | undefined> {
  const { ownMotion, film, framing } = stage;
  if (!ownMotion) return undefined;
  const unmoved = { zoom: 1, towards: { x: 0.5, y: 0.5 } };
  const shown = createCameraScene(stage, () => unmoved, { dark: 0 })({ phase: 0, frame: 0 }).slice();
  const onto = planesOf(shown, film);
  const { box, pictures, still } = await ownMotion.read(framing, onto);
  const photo = copyBox(onto, box);
  const mixed = copyBox(onto, box);
  const inside = { ...box, left: 0, top: 0 };

  const timeline = planTimeline(film.frames);
  const { resting, fading } = timeline;
  const positionAt = planPositions(timeline, pictures.length, still);
  return ({ phase }) => {
    const frame = phase * film.frames;
    const fromStill = Math.min(frame, film.frames - frame);
    const position = positionAt(Math.round(frame));
    const [a, b] = [pictures[Math.floor(position)]!, pictures[Math.ceil(position)]!];
    const filmPart = smoothRamp(resting, resting + fading, fromStill);
    if (filmPart <= 0) mixInto(onto, box, photo, photo, 0);
    else if (filmPart >= 1) mixInto(onto, box, a, b, position % 1);
    else {
      mixInto(mixed, inside, a, b, position % 1);
      mixInto(onto, box, photo, mixed, filmPart);
    }
    return shown;
  };
}
