import { clamp } from '../../../seeing/grid.ts';
import { swell, type Scene } from '../motion.ts';
import { restored as mended } from '../restore.ts';
import { groundOf, vignette, type Stage } from '../stage.ts';
import { aim } from '../warp/camera.ts';
import { openEasel, type Layer } from '../warp/easel.ts';
import { filmed, nearest } from './camera-work.ts';

/** An old photo is mended, its tones brought back, and then slowly approached. */
export async function restored(stage: Stage): Promise<Scene> {
  const { framing } = stage;
  const reach = nearest(framing, 1.13) - 1;
  const picture = await mended(stage);
  return filmed({ ...stage, picture }, (phase) => ({ zoom: 1 + reach * swell(phase), towards: framing.towards }));
}

/** The mended photo is uncovered from one side to the other, and covered again, behind a line of light. */
export async function reveal(stage: Stage): Promise<Scene> {
  const { film, framing } = stage;
  const before = groundOf(stage, stage.picture);
  const picture = await mended(stage);
  const after = groundOf({ ...stage, picture }, picture);
  for (const plate of [before, after]) if (framing.isWhole) vignette(plate, 0.2);
  const easel = openEasel(film, [{ plate: before }, { plate: after }]);
  const [old, fresh] = easel.layers as [Layer, Layer];
  const reach = nearest(framing, 1.05) - 1;
  return ({ phase }) => {
    const view = { zoom: 1 + reach * swell(phase), towards: framing.towards };
    aim(old, film, view);
    fresh.places.set(old.places);
    fresh.isLevel = old.isLevel;
    // It rests at both sides, a little beyond the edges.
    const line = (1.06 * clamp(1.5 * swell(phase) - 0.25) - 0.03) * film.width;
    const whole = Math.floor(line / 4) * 4;
    const between = (left: number, right: number) => ({ top: 0, bottom: film.height, left, right });
    old.take(between(whole, film.width));
    fresh.take(between(0, whole));
    fresh.lay((line - whole) / 4, between(whole, whole + 4));
    drawLine(easel.picture, film, line);
    return easel.picture;
  };
}

function drawLine(picture: Uint8Array, { width, height }: { width: number; height: number }, line: number): void {
  const half = width / 640;
  for (let x = Math.max(0, Math.floor(line - 8 * half)); x <= Math.min(width - 1, line + 8 * half); x++) {
    const away = Math.abs(x + 0.5 - line);
    const part = Math.max(clamp(half + 0.5 - away), 0.35 * clamp(1 - away / (8 * half)) ** 2);
    for (let y = 0, at = 4 * x; y < height; y++, at += 4 * width)
      for (let c = 0; c < 3; c++) picture[at + c] = picture[at + c]! + (255 - picture[at + c]!) * part + 0.5;
  }
}
