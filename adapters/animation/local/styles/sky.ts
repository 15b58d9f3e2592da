import { fillFromNeighbors } from '../../../seeing/fill-behind-people.ts';
import { clamp, smoothRamp } from '../../../seeing/grid.ts';
import { resizePicture, resizeGrayMap } from '../../../seeing/pixels.ts';
import { computeRiseAndFall, type SceneRenderer } from '../motion.ts';
import { computeMovementLimits, drawBackground, cutOutPlate, type RenderContext } from '../render-context.ts';
import { setLayerView, createWarpGrid, type WarpGrid } from '../warp/camera.ts';
import { createCompositor, type Layer, type DrawnArea } from '../warp/compositor.ts';
import type { Plate } from '../warp/plates.ts';
import { limitZoom } from './camera-work.ts';

/**
 * How far clouds move in a loop, as a fraction of the video's width, and how much they rise relative to that distance.
 */
const cloudTravel = 0.045;
const cloudRise = 0.06;
/** The waves on the water, each with its cycles per loop and its length and height relative to the other waves. */
const waves = [3, 4, 5, 7, 9, 11].map((turns, index) => ({
  turns,
  across: (index % 2 ? 1 : -1) * (0.5 + 0.21 * ((index * 37) % 7)) * (1 + index),
  away: (4 + 0.6 * ((index * 53) % 7)) * (1 + 1.5 * index),
  late: ((index * 0.618) % 1) * 2 * Math.PI,
  high: 1 / (1 + 0.4 * index),
}));

/** Clouds move across the sky, and the land does not move. Undefined if there is no sky with visible clouds. */
export function createSkyScene(stage: RenderContext): Promise<SceneRenderer | undefined> | undefined {
  return stage.seen?.sky?.hasClouds && stage.cut?.sky ? createScenery(stage, stage.cut.sky, undefined) : undefined;
}

/** Waves move over the water, and clouds across the sky if it has any. Undefined if sky or water was not found. */
export function createWaterScene(stage: RenderContext): Promise<SceneRenderer | undefined> | undefined {
  const { cut, seen: visibleWaves } = stage;
  return cut?.sky && cut.water
    ? createScenery(stage, visibleWaves?.sky?.hasClouds ? cut.sky : undefined, cut.water)
    : undefined;
}

async function createScenery(
  stage: RenderContext,
  clouds: Uint8Array | undefined,
  waters: Uint8Array | undefined,
): Promise<SceneRenderer> {
  const { film, framing, size, inner, picture, scale } = stage;
  const skyCutout = clouds && (await createSkyPlate(stage, clouds));
  const landPlate =
    skyCutout && clouds
      ? cutOutPlate(
          stage,
          clouds.map((part) => 255 - part),
          skyCutout,
        )
      : drawBackground(stage, picture);
  const skyBackground = skyCutout && drawBackground(stage, skyCutout);
  // The area around a photo shown whole belongs to the ground and does not move.
  const surroundingsPlate = framing.isWhole && skyBackground ? drawBackground(stage, picture) : undefined;
  if (surroundingsPlate)
    for (let byteIndex = 0; byteIndex < landPlate.pixels.length; byteIndex += 4)
      restoreSurroundings(byteIndex, surroundingsPlate);
  const compositor = createCompositor(film, [
    { plate: landPlate, rise: waters ? 4 : 16 },
    ...(skyBackground ? [{ plate: skyBackground }, { plate: skyBackground }] : []),
  ]);
  const [ground, first, second] = compositor.layers as [Layer, Layer?, Layer?];
  const { warpGrid, at: freedom } = computeMovementLimits(stage);
  const waterRenderer = waters && createWaterRenderer(stage, waters);
  const horizon = inner.top + (stage.seen?.sky?.horizon ?? 0.5) * computeStageHeight();
  const extraZoom = limitZoom(framing, 1.045) - 1;
  const wholeArea: DrawnArea = { top: 0, bottom: film.height, left: 0, right: film.width };
  const skyArea = computeSkyArea();

  return ({ phase }) => {
    const view = { zoom: 1 + extraZoom * computeRiseAndFall(phase), towards: framing.towards };
    if (first && second) {
      // The clouds move on two layers, half a loop apart. A layer has weight 0 when it jumps back. A steep cross-fade
      // shortens the time when both are visible.
      const weight = 1 - smoothRamp(0.12, 0.88, 1 - Math.abs(2 * phase - 1));
      moveClouds(phase);
      setLayerView(first, film, view, warpGrid, skyArea);
      if (weight < 1) first.take(skyArea);
      moveClouds((phase + 0.5) % 1);
      setLayerView(second, film, view, warpGrid, skyArea);
      if (weight < 1) second.drawLayer(weight, skyArea);
      else second.take(skyArea);
    }
    waterRenderer?.moveWavesTo(phase);
    setLayerView(ground, film, view, waterRenderer?.warpGrid);
    ground.drawLayer(1, skyArea);
    ground.take({ ...wholeArea, bottom: skyArea.top });
    ground.take({ ...wholeArea, top: skyArea.bottom });
    return compositor.planes;
  };

  /** The rows of the video where any sky is visible: none without clouds. */
  function computeSkyArea(): DrawnArea {
    if (!clouds) return { ...wholeArea, bottom: 0 };
    const rows = Array.from({ length: inner.height }, (_, y) => y).filter((y) =>
      clouds.subarray(y * inner.width, (y + 1) * inner.width).some((part) => part > 0),
    );
    if (rows.length === 0) return { ...wholeArea, bottom: 0 };
    // The zoom spreads the rows around the point it moves toward, and the water bends them by some more pixels.
    const rowOfZoom = framing.towards.y * film.height;
    const edgeRoom = (12 * film.height) / 800;
    const shownRows = [rows[0]!, rows.at(-1)! + 1]
      .map((y) => (inner.top + y) / scale)
      .flatMap((y) => [y, rowOfZoom + (y - rowOfZoom) * (1 + extraZoom)]);
    return {
      ...wholeArea,
      top: clamp(Math.floor(Math.min(...shownRows) - edgeRoom), 0, film.height),
      bottom: clamp(Math.ceil(Math.max(...shownRows) + edgeRoom), 0, film.height),
    };
  }

  function computeStageHeight(): number {
    // The horizon is a fraction of the whole photo's height, and the crop shows only a part of the photo.
    const { crop } = framing;
    return (inner.height * stage.photo.height) / crop.height;
  }
  function moveClouds(time: number): void {
    for (let row = 0, i = 0; row < warpGrid.height; row++) {
      const slower = clamp(1.6 * (1 - (row * warpGrid.cell) / Math.max(1, horizon)));
      const cloudOffset = cloudTravel * size.width * slower * (time - 0.5);
      for (let column = 0; column < warpGrid.width; column++, i++) {
        warpGrid.moves[2 * i] = cloudOffset * freedom[i]!;
        warpGrid.moves[2 * i + 1] = -cloudRise * cloudOffset * freedom[i]!;
      }
    }
  }
  function restoreSurroundings(byteIndex: number, { pixels }: Plate): void {
    const [x, y] = [(byteIndex / 4) % size.width, Math.floor(byteIndex / 4 / size.width)];
    const isInside = x >= inner.left && x < inner.left + inner.width && y >= inner.top && y < inner.top + inner.height;
    if (!isInside) landPlate.pixels.set(pixels.subarray(byteIndex, byteIndex + 4), byteIndex);
  }
}

/** Returns the picture with only its sky: the sky's colors fill the place of the land. */
async function createSkyPlate({ inner, picture }: RenderContext, matte: Uint8Array): Promise<Uint8Array> {
  const smallSize = {
    width: Math.max(8, Math.round(inner.width / 3)),
    height: Math.max(8, Math.round(inner.height / 3)),
  };
  const smallPicture = await resizePicture({ ...inner, rgb: picture }, smallSize);
  const opaqueMask = (await resizeGrayMap(matte, inner, smallSize)).map((part) => (part > 235 ? 255 : 0));
  const skyPicture = (await resizePicture({ ...smallSize, rgb: fillFromNeighbors(smallPicture, opaqueMask) }, inner))
    .rgb;
  for (let pixelIndex = 0; pixelIndex < matte.length; pixelIndex++) {
    const skyShare = smoothRamp(190, 255, matte[pixelIndex]!);
    for (let c = 3 * pixelIndex; c < 3 * pixelIndex + 3; c++)
      skyPicture[c] = skyPicture[c]! + skyShare * (picture[c]! - skyPicture[c]!) + 0.5;
  }
  return skyPicture;
}

/** Makes ripples in perspective: waves on a plane that ends at the horizon, small and slow far away. */
function createWaterRenderer(
  { size, inner, film }: RenderContext,
  matte: Uint8Array,
): { warpGrid: WarpGrid; moveWavesTo(phase: number): void } {
  const cell = 4;
  const warpGrid = createWarpGrid(size, cell);
  const waterMask = new Float32Array(warpGrid.width * warpGrid.height);
  let [top, low] = [Infinity, 0];
  for (let row = 0; row < warpGrid.height; row++)
    for (let column = 0; column < warpGrid.width; column++) {
      const [x, y] = [column * cell - inner.left, row * cell - inner.top];
      if (x < 0 || y < 0 || x >= inner.width || y >= inner.height) continue;
      // Uses the minimum of the surrounding values, because a boat's hull must not bend with the water next to it.
      let least = 255;
      for (const [u, v] of offsetsAround)
        least = Math.min(
          least,
          matte[clamp(y + v, 0, inner.height - 1) * inner.width + clamp(x + u, 0, inner.width - 1)]!,
        );
      if (least === 0) continue;
      waterMask[row * warpGrid.width + column] = least / 255;
      [top, low] = [Math.min(top, row), Math.max(low, row)];
    }
  const panelScale = film.height / 800;
  return {
    warpGrid,
    moveWavesTo(phase) {
      warpGrid.moves.fill(0);
      for (let row = top; row <= low; row++) {
        const depth = (row - top) / Math.max(10, low - top);
        const plane = 1 / (depth + 0.25);
        const waveHeight = panelScale * (0.35 + 5 * depth);
        // A wave shorter than a few pixels would flicker, so it appears only in nearer rows.
        const visibleWaves = waves
          .map((it) => ({
            ...it,
            much: it.high * smoothRamp(0.2, 0.1, (0.35 * it.away * plane ** 2) / Math.max(10, low - top)),
          }))
          .filter(({ much }) => much > 0.01);
        for (const { across, away, turns, late, much } of visibleWaves) {
          // A wave turns by the same angle from corner to corner, so sine and cosine are computed once for each row.
          const step = (2 * Math.PI * across * plane) / warpGrid.width;
          const waveAngle = 2 * Math.PI * (0.35 * away * plane + turns * phase) + late - (step * warpGrid.width) / 2;
          const [turnCos, turnSin] = [Math.cos(step), Math.sin(step)];
          let [cos, sin] = [Math.cos(waveAngle), Math.sin(waveAngle)];
          const [lean, lift] = [0.2 * across * waveHeight * much, 0.45 * waveHeight * much];
          for (let gridPoint = row * warpGrid.width, end = gridPoint + warpGrid.width; gridPoint < end; gridPoint++) {
            const waterFraction = waterMask[gridPoint]!;
            warpGrid.moves[2 * gridPoint]! += lean * cos * waterFraction;
            warpGrid.moves[2 * gridPoint + 1]! += lift * sin * waterFraction;
            [cos, sin] = [cos * turnCos - sin * turnSin, sin * turnCos + cos * turnSin];
          }
        }
      }
    },
  };
}
const offsetsAround = [-10, -5, 0, 5, 10].flatMap((u) => [-8, -4, 0, 4].map((v) => [u, v] as const));
