import { degrees, onCanvas, swing, type Film, type Scene } from '../motion.ts';
import type { Photo } from '../photo.ts';
import { setStage } from '../stage.ts';

/** The camera floats over the picture in a long flat figure of eight, as if held by hand in a boat. */
export async function drift(photo: Photo, film: Film): Promise<Scene> {
  const stage = await setStage(photo, film);
  return onCanvas(film, (g, { phase }) => {
    const towards = { x: 0.5 + 0.4 * swing(phase), y: 0.5 + 0.17 * swing(phase, 2, 0.6) };
    stage.show(g, { zoom: 1.13, towards, tilt: degrees(0.35) * swing(phase, 1, 1) });
  });
}
