import { degrees, swing, type Scene } from '../motion.ts';
import { hangPrint } from '../print.ts';
import type { Stage } from '../stage.ts';
import { aim } from '../warp/camera.ts';
import { openEasel, type Layer } from '../warp/easel.ts';

const border = 14;
const middle = { x: 0.5, y: 0.5 };

/** The whole photo as a paper print with a white border, hovering over a soft enlargement of itself. */
export async function floatingPrint({ photo, film }: Stage): Promise<Scene> {
  const { width, height } = film;
  const scale = Math.min((width * 0.84) / photo.width, (height * 0.84) / photo.height);
  const plates = await hangPrint(photo, film, { scale, border, dark: 0.2 });
  const easel = openEasel(film, [{ plate: plates.backdrop }, { plate: plates.print }]);
  const [backdrop, print] = easel.layers as [Layer, Layer];
  return ({ phase }) => {
    // A quarter turn apart, so print and backdrop travel on small circles, in opposite directions.
    const sideways = swing(phase);
    const upwards = swing(phase, 1, Math.PI / 2);
    aim(backdrop, film, {
      zoom: 1.075 - 0.02 * upwards,
      towards: middle,
      shift: { x: -sideways * width * 0.022, y: -upwards * height * 0.012 },
    });
    backdrop.take();
    aim(print, film, {
      zoom: 1 - 0.018 * upwards,
      towards: middle,
      shift: { x: sideways * width * 0.012, y: upwards * height * 0.008 },
      tilt: degrees(0.5) * swing(phase, 1, 0.8),
    });
    print.lay();
    return easel.planes;
  };
}
