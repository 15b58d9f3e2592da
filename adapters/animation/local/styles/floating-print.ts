import { degrees, onCanvas, swing, type Film, type Scene } from '../motion.ts';
import type { Photo } from '../photo.ts';
import { drawPrint, shadowedPrint, softBackdrop } from '../stage.ts';

const border = 14;

/** The whole photo as a paper print with a white border, hovering over a soft enlargement of itself. */
export async function floatingPrint(photo: Photo, film: Film): Promise<Scene> {
  const { width, height } = film;
  const scale = Math.min((width * 0.84) / photo.width, (height * 0.84) / photo.height);
  const backdrop = await softBackdrop(photo, film, 0.2);
  const print = await shadowedPrint(photo, { scale, border, spare: 1.1 });
  return onCanvas(film, (g, { phase }) => {
    // A quarter turn apart, so print and backdrop travel on small circles, in opposite directions.
    const sideways = swing(phase);
    const upwards = swing(phase, 1, Math.PI / 2);
    const far = 1.075 - 0.02 * upwards;
    g.drawImage(
      backdrop,
      (width - width * far) / 2 - sideways * width * 0.022,
      (height - height * far) / 2 - upwards * height * 0.012,
      width * far,
      height * far,
    );
    g.save();
    g.translate(width / 2 + sideways * width * 0.012, height / 2 + upwards * height * 0.008);
    g.rotate(degrees(0.5) * swing(phase, 1, 0.8));
    drawPrint(g, print, { x: 0, y: 0 }, 1 - 0.018 * upwards);
    g.restore();
  });
}
