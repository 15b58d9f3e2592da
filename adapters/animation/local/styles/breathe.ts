import { onCanvas, swell, type Film, type Scene } from '../motion.ts';
import type { Photo } from '../photo.ts';
import { setStage } from '../stage.ts';

/** Hardly moving: the picture draws two quiet breaths, its corners in shade. */
export async function breathe(photo: Photo, film: Film): Promise<Scene> {
  const stage = await setStage(photo, film, { vignette: 0.34 });
  return onCanvas(film, (g, { phase }) =>
    stage.show(g, { zoom: 1.01 + 0.05 * swell(2 * phase), towards: stage.focus }),
  );
}
