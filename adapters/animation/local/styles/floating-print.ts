import { degrees, onCanvas, swing, type Scene } from '../motion.ts';
import { hangPrint } from '../print.ts';
import type { Stage } from '../stage.ts';

const border = 14;

/** The whole photo as a paper print with a white border, hovering over a soft enlargement of itself. */
export async function floatingPrint({ photo, film }: Stage): Promise<Scene> {
  const { width, height } = film;
  const scale = Math.min((width * 0.84) / photo.width, (height * 0.84) / photo.height);
  const print = await hangPrint(photo, film, { scale, border, spare: 1.1, vignette: 0.2 });
  return onCanvas(film, (g, { phase }) => {
    // A quarter turn apart, so print and backdrop travel on small circles, in opposite directions.
    const sideways = swing(phase);
    const upwards = swing(phase, 1, Math.PI / 2);
    const far = 1.075 - 0.02 * upwards;
    const pose = {
      middle: { x: width / 2 + sideways * width * 0.012, y: height / 2 + upwards * height * 0.008 },
      zoom: 1 - 0.018 * upwards,
      tilt: degrees(0.5) * swing(phase, 1, 0.8),
    };
    const corner = {
      x: (width - width * far) / 2 - sideways * width * 0.022,
      y: (height - height * far) / 2 - upwards * height * 0.012,
    };
    print.show(g, pose, { corner, zoom: far });
  });
}
