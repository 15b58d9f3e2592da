import { swing, type Scene } from '../motion.ts';
import { freedomOf, groundOf, reliefOf, matShade, vignette, type Stage } from '../stage.ts';
import { netOf, openSway } from '../warp/camera.ts';
import { openEasel } from '../warp/easel.ts';

/** How far the nearest parts move to either side, and up and down, in pixels of a video 1280 wide. */
const sway = { x: 22, y: 7 };
const zoomSway = 0.014;

/**
 * Adds depth: near parts shift more while the camera moves on a small ellipse. Depth is coarse or guessed from the
 * position, so the relief is smooth and the shifts are small.
 */
export function depth(stage: Stage): Scene {
  const { film, size, scale, framing } = stage;
  const plate = groundOf(stage, stage.picture);
  if (framing.isWhole) vignette(plate, matShade);
  const easel = openEasel(film, [{ plate }]);
  const layer = easel.layers[0]!;
  const { net: sideways, at: freedom } = freedomOf(stage);
  const closer = netOf(size);
  const relief = reliefOf(stage, sideways);
  const large = (scale * Math.hypot(film.width, film.height)) / Math.hypot(1280, 800);
  for (let row = 0, i = 0; row < closer.height; row++)
    for (let column = 0; column < closer.width; column++, i++) {
      const much = relief[i]! * freedom[i]!;
      const growth = zoomSway * (much + 0.4 * freedom[i]!);
      sideways.moves[2 * i] = -sway.x * large * much;
      closer.moves[2 * i] = -(size.width / 2 - column * closer.cell) * growth;
      closer.moves[2 * i + 1] = -sway.y * large * much - (size.height / 2 - row * closer.cell) * growth;
    }
  const view = { zoom: framing.isWhole ? 1 : 1.035, towards: framing.towards };
  const move = openSway(layer, film, view, [sideways, closer]);
  return ({ phase }) => {
    move([swing(phase), swing(phase, 1, Math.PI / 2)]);
    layer.take();
    return easel.planes;
  };
}
