import type { Size } from '../../../seeing/grid.ts';
import type { Framing, Spot } from '../framing.ts';
import type { Scene } from '../motion.ts';
import { groundOf, vignette, type Stage } from '../stage.ts';
import { aim, type View } from '../warp/camera.ts';
import { openEasel, type Easel } from '../warp/easel.ts';

/** A scene in which nothing but the camera moves; `after` may light what it sees. */
export function filmed(
  stage: Stage,
  viewAt: (phase: number) => View,
  {
    dark = stage.framing.isWhole ? 0.2 : 0,
    after,
  }: { dark?: number; after?: (easel: Easel, phase: number) => void } = {},
): Scene {
  const plate = groundOf(stage, stage.picture);
  if (dark > 0) vignette(plate, dark);
  const easel = openEasel(stage.film, [{ plate }]);
  const [ground] = easel.layers as [Easel['layers'][number]];
  return ({ phase }) => {
    aim(ground, stage.film, viewAt(phase));
    ground.take();
    after?.(easel, phase);
    return easel.planes;
  };
}

/** As much of a wished approach as the heads allow. */
export const nearest = ({ mostZoom }: Framing, wish: number): number => Math.min(wish, mostZoom);

/** Where a camera at this zoom may look and still see all heads: the middle of that, and how far it may sway from it. */
export function leeway(framing: Framing, { width, height }: Size, zoom: number): { middle: Spot; sway: Spot } {
  const stays = framing.isWhole ? [framing.place] : framing.heads;
  const along = (from: (box: Framing['place']) => number, to: (box: Framing['place']) => number, length: number) => {
    const free = length * (1 - 1 / zoom);
    const [least, most] = [Math.max(0, ...stays.map(to)) - length / zoom, Math.min(free, ...stays.map(from))];
    if (free <= 0) return { middle: 0.5, sway: 0 };
    const [low, high] = [Math.min(Math.max(0, least), free), Math.max(0, most)];
    const middle = (low + high) / 2 / free;
    return { middle: Math.min(1, Math.max(0, middle)), sway: Math.max(0, (high - low) / 2 / free) };
  };
  const x = along(
    (box) => box.left,
    (box) => box.left + box.width,
    width,
  );
  const y = along(
    (box) => box.top,
    (box) => box.top + box.height,
    height,
  );
  return { middle: { x: x.middle, y: y.middle }, sway: { x: x.sway, y: y.sway } };
}
