import type { Mesh } from '../../../seeing/mesh.ts';
import { blink, lidsOf, type Lid } from '../living/blink.ts';
import { fieldsOf, moveAll } from '../living/sway.ts';
import type { Moment, Scene } from '../motion.ts';
import { freedomOf, putPart, type Stage } from '../stage.ts';
import { openLayers } from './parallax.ts';

/** Parts of the loop at which the first person blinks; the others later, so that no two do it at once. */
const blinks = [0.17, 0.61];
const laterByPerson = 0.29;

/**
 * The people of the photo breathe, turn their heads a little and blink, before what is behind them. Undefined where they
 * could not be cut out, or no face is large enough and seen from the front.
 */
export async function alive(stage: Stage): Promise<Scene | undefined> {
  const found = stage.cut?.meshes.filter((it) => it.turn) ?? [];
  if (found.length === 0) return undefined;
  const layers = await openLayers(stage, { push: 0.06, sway: 0.6 });
  if (!layers) return undefined;
  const { inner, size, film, picture, cut } = stage;
  const { at: freedom } = freedomOf(stage);
  const fields = fieldsOf(
    found.map((it) => onPlate(it.mesh, inner)),
    layers.more,
    { width: size.width, height: inner.top + inner.height },
  );
  const eyes = found.map(({ mesh, blink: may }) =>
    may ? lidsOf({ width: inner.width, height: inner.height, rgb: picture }, mesh) : [],
  );
  const starts = found.map((_, person) =>
    blinks.map((part) => Math.round(film.frames * ((part + laterByPerson * person) % 1))),
  );

  /** The lids of this picture, on the people's plate. */
  function moveLids({ frame }: Moment): void {
    eyes.forEach((lids, person) => {
      const since = starts[person]!.map((start) => (frame - start + film.frames) % film.frames);
      // One picture more than the blink lasts: to be as before.
      const step = since.find((it) => it <= blink.length);
      if (step !== undefined) for (const lid of lids) put(lid, lid.closed(blink[step] ?? 0));
    });
  }
  function put({ left, top, width, height }: Lid, pixels: Uint8Array): void {
    for (let y = 0; y < height; y++)
      for (let x = 0; x < width; x++) {
        const from = (top + y) * inner.width + left + x;
        const part = cut!.people![from]!;
        const to = 4 * ((inner.top + top + y) * size.width + inner.left + left + x);
        // What is behind is needed only where the cut-out is half there: never over an eye.
        if (part > 250) putPart(layers!.peoplePlate.pixels, to, pixels, pixels, 3 * (y * width + x), part);
      }
    layers!.people.renew({ left: inner.left + left, top: inner.top + top, width, height });
  }
  return (moment) => {
    moveLids(moment);
    moveAll(fields, layers.more, moment.phase, freedom);
    layers.draw(moment);
    return layers.easel.planes;
  };
}

const onPlate = ({ points, eyes, sure }: Mesh, { left, top }: { left: number; top: number }): Mesh => ({
  points: points.map(({ x, y, z }) => ({ x: x + left, y: y + top, z })),
  eyes,
  sure,
});
