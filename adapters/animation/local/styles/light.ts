import { clamp } from '../../../seeing/grid.ts';
import type { Film } from '../motion.ts';
import type { Stage } from '../stage.ts';
import { mostLight, run, type Easel } from '../warp/easel.ts';

export interface Light {
  red: number;
  green: number;
  blue: number;
}
/** Of candles and of low sun. */
const warm: Light = { red: 1, green: 0.82, blue: 0.55 };

/** What light is on a photo: one in black and white would be no more so in a warm one. */
export function lightOn({ seen }: Pick<Stage, 'seen'>, light = warm): Light {
  if (!seen || seen.light.colour > leastColour) return light;
  const mean = (light.red + light.green + light.blue) / 3;
  return { red: mean, green: mean, blue: mean };
}
/** Of 1 between a pixel's strongest and weakest colour, in the mean: old prints in brown have ten times as much. */
const leastColour = 0.01;

/**
 * Tell an easel how light falls at each place, -1 to 1 of the most that burns nothing; `at` is given film pixels, and the
 * how manieth place it is. Each colour in its share.
 */
export function light(
  easel: Easel,
  film: Film,
  colour: Light,
  at: (x: number, y: number, place: number) => number,
): void {
  const columns = film.width / run;
  const gains = easel.light;
  const [red, green, blue] = [colour.red, colour.green, colour.blue].map((it) => it * mostLight * 32768) as [
    number,
    number,
    number,
  ];
  for (let i = 0, row = 0; i < gains.length; row++)
    for (let column = 0; column < columns; column++, i += 4) {
      const part = clamp(at((column + 0.5) * run, row * 16, i >> 2), -1, 1);
      gains[i] = part * red;
      gains[i + 1] = part * green;
      gains[i + 2] = part * blue;
    }
}
