import { clamp, computeGrid, findConnectedRegions, smoothRamp } from '../../../seeing/grid.ts';
import { createRandom, computeRiseAndFall, computeSwing, type SceneRenderer } from '../motion.ts';
import { drawBackground, type RenderContext } from '../render-context.ts';
import { setLayerView, createWarpGrid } from '../warp/camera.ts';
import { createCompositor, pixelsPerRun, maxLightGain, type Layer } from '../warp/compositor.ts';
import { limitZoom } from './camera-work.ts';
import { chooseLightColor } from './light.ts';

interface Flame {
  /** The flame's position and size in the video. */
  x: number;
  y: number;
  radius: number;
  dances: boolean;
  turns: number[];
  late: number[];
}
/** Search radius for flames around the customer's point, as a fraction of the video's height. */
const searchRadiusFraction = 0.14;

/**
 * Flames move, fixed at their wick, and their light flickers over their surroundings. Lamps only flicker. Uses the
 * flames at the point that the customer set, otherwise the detected flames and lamps. Undefined if there are none.
 */
export function createCandlelightScene(stage: RenderContext): SceneRenderer | undefined {
  const { film, framing, seen, size, scale } = stage;
  const flames = findFlames(stage);
  if (flames.length === 0 || !seen) return undefined;
  const compositor = createCompositor(film, [{ plate: drawBackground(stage, stage.picture), rise: 4 }]);
  const layer = compositor.layers[0] as Layer;
  const color = chooseLightColor(stage);
  const cell = 4;
  const warpGrid = createWarpGrid(size, cell);
  const extraZoom = limitZoom(framing, 1.05) - 1;
  const columnCount = film.width / pixelsPerRun;
  const rowCount = compositor.light.length / 4 / columnCount;
  const glows = flames.map((flame) => computeGlow(flame, columnCount, rowCount));
  const computeFlowAtPhase = ({ turns, late }: Flame, phase: number, shift = 0) =>
    turns.reduce((all, count, at) => all + computeSwing(phase, count, late[at]! + shift) / (at + 1.5), 0) / 1.4;

  return ({ phase }) => {
    warpGrid.moves.fill(0);
    for (const flame of flames)
      if (flame.dances) moveFlame(flame, computeFlowAtPhase(flame, phase), computeFlowAtPhase(flame, phase, 2.3));
    setLayerView(layer, film, { zoom: 1 + extraZoom * computeRiseAndFall(phase), towards: framing.towards }, warpGrid);
    layer.take();
    const flickerStrengths = flames.map(
      (flame) => ((flame.dances ? 0.5 : 0.2) / Math.sqrt(flames.length)) * computeFlowAtPhase(flame, phase, 0.7),
    );
    for (let at = 0; at < columnCount * rowCount; at++) {
      let much = 0;
      for (let i = 0; i < glows.length; i++) much += flickerStrengths[i]! * glows[i]![at]!;
      // The total is limited: seven candles do not flicker seven times as much as one.
      const gain = 0.45 * Math.tanh(much / 0.45) * maxLightGain * 32768;
      compositor.light[4 * at] = gain * color.red;
      compositor.light[4 * at + 1] = gain * color.green;
      compositor.light[4 * at + 2] = gain * color.blue;
    }
    compositor.shine();
    return compositor.planes;
  };

  /** Moves a flame: it leans and stretches, increasingly from the wick upwards. */
  function moveFlame({ x, y, radius }: Flame, lean: number, stretch: number): void {
    const [u, v, r] = [(x * scale) / cell, (y * scale) / cell, (radius * scale) / cell];
    for (let row = Math.max(0, Math.floor(v - 2.6 * r)); row <= Math.min(warpGrid.height - 1, v + 1.1 * r); row++)
      for (
        let column = Math.max(0, Math.floor(u - 1.6 * r));
        column <= Math.min(warpGrid.width - 1, u + 1.6 * r);
        column++
      ) {
        const heightPart = clamp((v + r - row) / (3.4 * r));
        const part =
          smoothRamp(1, 0.5, Math.abs(column - u) / (1.6 * r)) *
          smoothRamp(0, 0.35, heightPart) *
          smoothRamp(1, 0.8, heightPart);
        const moveIndex = 2 * (row * warpGrid.width + column);
        warpGrid.moves[moveIndex] = part * heightPart * 0.6 * lean * Math.min(radius * scale, 26);
        warpGrid.moves[moveIndex + 1] = part * heightPart * 0.5 * stretch * Math.min(radius * scale, 26);
      }
  }
}

/** Share of a flame's light that reaches each place of the light grid. */
function computeGlow({ x, y, radius, dances }: Flame, columns: number, rows: number): Float32Array {
  const glowRadius = (dances ? 14 : 5) * radius + 12;
  return Float32Array.from({ length: columns * rows }, (_, at) => {
    const distance =
      (((at % columns) * pixelsPerRun - x) ** 2 + (Math.floor(at / columns) * 16 - y) ** 2) / glowRadius ** 2;
    return 1 / (1 + distance * distance);
  });
}

/** Finds the bright shapes around the customer's point. If there are none, the point itself counts as a flame. */
function findFlamesAround({ picture, inner, scale, film }: RenderContext, spot: { x: number; y: number }) {
  const searchRadius = Math.round(searchRadiusFraction * film.height * scale);
  const searchStart = {
    x: Math.round(spot.x * scale) - inner.left - searchRadius,
    y: Math.round(spot.y * scale) - inner.top - searchRadius,
  };
  const size = { width: 2 * searchRadius, height: 2 * searchRadius };
  const brightness = computeGrid(size, (at) => {
    const [x, y] = [searchStart.x + (at % size.width), searchStart.y + Math.floor(at / size.width)];
    if (x < 0 || y < 0 || x >= inner.width || y >= inner.height) return 0;
    const [red = 0, green = 0, blue = 0] = picture.subarray(3 * (y * inner.width + x));
    return red > 225 && green > 165 && red + 12 >= green && red + green + blue > 540 ? 1 : 0;
  });
  const brightRegions = findConnectedRegions(brightness)
    .filter((it) => it.length >= 30 && it.length < 0.08 * brightness.at.length && isFlameShaped(it))
    .slice(0, 12)
    .map((it) => ({
      x: (searchStart.x + inner.left + it.reduce((all, at) => all + (at % size.width), 0) / it.length) / scale,
      y: (searchStart.y + inner.top + it.reduce((all, at) => all + Math.floor(at / size.width), 0) / it.length) / scale,
      radius: Math.sqrt(it.length / Math.PI) / scale,
      dances: true,
    }));
  /**
   * Whether a bright shape is a flame. A candle below a flame is as bright, but taller, and extends beyond the searched
   * area.
   */
  function isFlameShaped(part: number[]): boolean {
    const [xs, ys] = [part.map((at) => at % size.width), part.map((at) => Math.floor(at / size.width))];
    const [across, down] = [Math.max(...xs) - Math.min(...xs) + 1, Math.max(...ys) - Math.min(...ys) + 1];
    return down < 2.4 * across && Math.max(...ys) < size.height - 1;
  }
  return brightRegions.length > 0 ? brightRegions : [{ ...spot, radius: 0.02 * film.height, dances: true }];
}

function findFlames(stage: RenderContext): Flame[] {
  const { seen, framing, film, photo, isPointed } = stage;
  const random = createRandom(23);
  const { crop, place } = framing;
  const pixelsPerSourcePixel = place.width / crop.width;
  const foundFlames = isPointed
    ? findFlamesAround(stage, { x: framing.focus.x * film.width, y: framing.focus.y * film.height })
    : (seen?.glows ?? []).map((it) => ({
        x: place.left + (it.x * photo.width - crop.left) * pixelsPerSourcePixel,
        y: place.top + (it.y * photo.height - crop.top) * pixelsPerSourcePixel,
        radius: it.radius * photo.width * pixelsPerSourcePixel,
        dances: it.isFlame,
      }));
  return foundFlames
    .filter((it) => it.x > 0 && it.y > 0 && it.x < film.width && it.y < film.height)
    .map((it) => ({
      ...it,
      turns: it.dances ? [7, 12, 19, 31] : [2, 3, 5, 8],
      late: [random(), random(), random(), random()].map((part) => 2 * Math.PI * part),
    }));
}
