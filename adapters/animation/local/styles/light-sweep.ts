import { computeRiseAndFall, type SceneRenderer } from '../motion.ts';
import type { RenderContext } from '../render-context.ts';
import { createCameraScene, limitZoom } from './camera-work.ts';
import { setLightGrid, chooseLightColor } from './light.ts';

/** Half the beam's width, and how far its middle leans from top to bottom, as fractions of the video's width. */
const beamReach = 0.28;
const beamSlope = 0.1;

/**
 * A warm beam of light moves over the picture from left to right, as through a window when clouds move away. Light
 * changes mostly the middle tones: skin gets warmer and is never overexposed.
 */
export function createLightSweepScene(stage: RenderContext): SceneRenderer {
  const { framing, film } = stage;
  const extraZoom = limitZoom(framing, 1.06) - 1;
  const color = chooseLightColor(stage);
  return createCameraScene(
    stage,
    (phase) => ({ zoom: 1 + extraZoom * computeRiseAndFall(phase), towards: framing.towards }),
    {
      dark: 0.3,
      after(compositor, phase) {
        // The beam is outside the picture at both ends of the loop.
        const beamCenterX = (-beamReach - beamSlope + (1 + 2 * (beamReach + beamSlope)) * phase) * film.width;
        setLightGrid(compositor, film, color, (x, y) => {
          const distance =
            Math.abs(x - beamCenterX - beamSlope * film.width * (1 - (2 * y) / film.height)) / (beamReach * film.width);
          return distance < 1 ? 0.85 * ((1 + Math.cos(Math.PI * distance)) / 2) : 0;
        });
        compositor.shine();
      },
    },
  );
}
