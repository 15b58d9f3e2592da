import type { Size } from '../../../seeing/grid.ts';
import { degrees, swing, type Scene } from '../motion.ts';
import { footOf, hangPrint, roundPrint } from '../print.ts';
import type { Stage } from '../stage.ts';
import { setTitle, type Lettering } from '../title.ts';
import { aim } from '../warp/camera.ts';
import { openEasel, type Layer, type Reach } from '../warp/easel.ts';

const border = 14;
const middle = { x: 0.5, y: 0.5 };
/** How the print travels, in parts of the film, comes nearer, and tilts. */
const travel = { x: 0.012, y: 0.008 };
const approach = 0.018;
const lean = degrees(0.5);

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
  const open = roundWhatIsCovered(plates.size, film);
  return ({ phase }) => {
    // A quarter turn apart, so print and backdrop travel on small circles, in opposite directions.
    const sideways = swing(phase);
    const upwards = swing(phase, 1, Math.PI / 2);
    aim(backdrop, film, {
      zoom: 1.075 - 0.02 * upwards,
      towards: middle,
      shift: { x: -sideways * width * 0.022, y: -upwards * height * 0.012 },
    });
    for (const reach of open) backdrop.take(reach);
    aim(paper, film, {
      zoom: roundPrint * (1 - approach * upwards),
      towards: middle,
      shift: { x: sideways * width * travel.x, y: upwards * height * travel.y },
      tilt: lean * swing(phase, 1, 0.8),
    });
    paper.lay();
    return easel.planes;
  };
}

/** What the film shows of the backdrop: all but what lies under a print of this size wherever it travels. */
function roundWhatIsCovered({ width, height }: Size, film: Size): Reach[] {
  const covered = (size: number, across: number, length: number, part: number) =>
    Math.max(0, ((1 - approach) * size - lean * across) / 2 - part * length - 2);
  const x = covered(width, height, film.width, travel.x);
  const y = covered(height, width, film.height, travel.y);
  const [left, right] = [film.width / 2 - x, film.width / 2 + x];
  const [top, bottom] = [film.height / 2 - y, film.height / 2 + y];
  // Reaches widen to whole blocks: these end where the covered part begins, to the inside of it.
  return [
    { top: 0, bottom: top, left: 0, right: film.width },
    { top, bottom, left: 0, right: left },
    { top, bottom, left: right, right: film.width },
    { top: bottom, bottom: film.height, left: 0, right: film.width },
  ];
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
