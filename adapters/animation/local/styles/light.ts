import { clamp } from '../../../seeing/grid.ts';
import type { VideoDimensions } from '../motion.ts';
import type { RenderContext } from '../render-context.ts';
import { maxLightGain, pixelsPerRun, type Compositor } from '../warp/compositor.ts';

export interface LightColor {
  red: number;
  green: number;
  blue: number;
}
/** Light of candles and of a low sun. */
const warmColor: LightColor = { red: 1, green: 0.82, blue: 0.55 };

/** The light's color for a photo: neutral on a black-and-white photo, because warm light would add color to it. */
export function chooseLightColor({ seen }: Pick<RenderContext, 'seen'>, light = warmColor): LightColor {
  if (!seen || seen.light.color > leastColor) return light;
  const meanBrightness = (light.red + light.green + light.blue) / 3;
  return { red: meanBrightness, green: meanBrightness, blue: meanBrightness };
}
/**
 * A photo with less color than this counts as black and white. The value is the mean difference between a pixel's
 * strongest and weakest color, out of 1. Old brown prints have ten times as much.
 */
const leastColor = 0.01;

/**
 * Sets a compositor's grid of light. `at` returns the light at a place, from -1 to 1 of the maximum that does not
 * overexpose. It gets the place in video pixels and its index. The light's color gives the share of each channel.
 */
export function setLightGrid(
  compositor: Compositor,
  film: VideoDimensions,
  color: LightColor,
  at: (x: number, y: number, place: number) => number,
): void {
  const columnCount = film.width / pixelsPerRun;
  const gains = compositor.light;
  const [red, green, blue] = [color.red, color.green, color.blue].map((it) => it * maxLightGain * 32768) as [
    number,
    number,
    number,
  ];
  for (let i = 0, row = 0; i < gains.length; row++)
    for (let column = 0; column < columnCount; column++, i += 4) {
      const lightFraction = clamp(at((column + 0.5) * pixelsPerRun, row * 16, i >> 2), -1, 1);
      gains[i] = lightFraction * red;
      gains[i + 1] = lightFraction * green;
      gains[i + 2] = lightFraction * blue;
    }
}
