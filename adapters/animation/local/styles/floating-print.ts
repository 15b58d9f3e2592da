import type { Size } from '../../../seeing/grid.ts';
import { degrees, swing, type Scene } from '../motion.ts';
import { footOf, hangPrint } from '../print.ts';
import type { Stage } from '../stage.ts';
import { setTitle, type Lettering } from '../title.ts';
import { aim } from '../warp/camera.ts';
import { openEasel, type Layer } from '../warp/easel.ts';

const border = 14;
const middle = { x: 0.5, y: 0.5 };

/** What the print takes of the film, and the least that a title has for its lines, of the film's shorter side. */
const share = 0.84;
const leastRoom = 0.5;

/** The whole photo as a paper print with a white border, on which its title stands, over a soft enlargement of itself. */
export async function floatingPrint({ photo, film }: Stage, words?: string): Promise<Scene> {
  const { width, height } = film;
  const print = fitted(photo, film, words);
  const plates = await hangPrint(photo, film, { ...print, border, dark: 0.2 });
  const easel = openEasel(film, [{ plate: plates.backdrop }, { plate: plates.print }]);
  const [backdrop, paper] = easel.layers as [Layer, Layer];
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
    aim(paper, film, {
      zoom: 1 - 0.018 * upwards,
      towards: middle,
      shift: { x: sideways * width * 0.012, y: upwards * height * 0.008 },
      tilt: degrees(0.5) * swing(phase, 1, 0.8),
    });
    paper.lay();
    return easel.planes;
  };
}

/** As large as the film allows, once there is room on the paper for as many lines as the title takes. */
function fitted(photo: Size, film: Size, words: string | undefined) {
  const scaleWith = (title: Lettering | undefined) =>
    Math.min((share * film.width) / photo.width, (share * film.height + border - footOf(border, title)) / photo.height);
  let title: Lettering | undefined;
  for (let scale = scaleWith(undefined), lines = 0; ;) {
    if (words === undefined || title?.lines.length === lines) return { scale, title };
    lines = title?.lines.length ?? 0;
    title = setTitle(words, film, Math.max(photo.width * scale, leastRoom * Math.min(film.width, film.height)));
    scale = scaleWith(title);
  }
}
