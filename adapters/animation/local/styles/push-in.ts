import { onCanvas, swell, type Film, type Scene } from '../motion.ts';
import type { Photo } from '../photo.ts';
import { setStage } from '../stage.ts';

/** The camera walks slowly up to the person in the picture and back again. */
export async function pushIn(photo: Photo, film: Film): Promise<Scene> {
  const stage = await setStage(photo, film);
  return onCanvas(film, (g, { phase }) => stage.show(g, { zoom: 1 + 0.15 * swell(phase), towards: stage.focus }));
}
