import { clamp, type Size } from '../../../seeing/grid.ts';
import { computeRiseAndFall, type SceneRenderer } from '../motion.ts';
import { restorePicture as repaired } from '../restore.ts';
import { drawBackground, matShade, darkenPlateCorners, type RenderContext } from '../render-context.ts';
import { setLayerView } from '../warp/camera.ts';
import { blockWidth, createCompositor, type Layer } from '../warp/compositor.ts';
import { paintColorInBox, convertRgbToYuv } from '../warp/video-planes.ts';
import { createCameraScene, limitZoom } from './camera-work.ts';

/** Repairs an old photo, restores its tones, and slowly zooms in. */
export async function createRestoredScene(stage: RenderContext): Promise<SceneRenderer> {
  const { framing } = stage;
  const extraZoom = limitZoom(framing, 1.13) - 1;
  const picture = await repaired(stage);
  return createCameraScene({ ...stage, picture }, (phase) => ({
    zoom: 1 + extraZoom * computeRiseAndFall(phase),
    towards: framing.towards,
  }));
}

/** Shows the repaired photo from one side to the other and hides it again, behind a line of light. */
export async function createRevealScene(stage: RenderContext): Promise<SceneRenderer> {
  const { film, framing } = stage;
  const damagedPlate = drawBackground(stage, stage.picture);
  const picture = await repaired(stage);
  const restoredPlate = drawBackground({ ...stage, picture }, picture);
  for (const plate of [damagedPlate, restoredPlate]) if (framing.isWhole) darkenPlateCorners(plate, matShade);
  const compositor = createCompositor(film, [{ plate: damagedPlate }, { plate: restoredPlate }]);
  const [old, fresh] = compositor.layers as [Layer, Layer];
  const coveredPlanes = new Uint8Array(compositor.planes.length);
  const extraZoom = limitZoom(framing, 1.05) - 1;
  return ({ phase }) => {
    const view = { zoom: 1 + extraZoom * computeRiseAndFall(phase), towards: framing.towards };
    for (const layer of compositor.layers) setLayerView(layer, film, view);
    // The line of light rests at both sides, a little beyond the edges of the video.
    const dividerX = (1.06 * clamp(1.5 * computeRiseAndFall(phase) - 0.25) - 0.03) * film.width;
    // Both pictures are drawn in whole blocks. Where the blocks overlap, copy the old picture back from the line on.
    const [left, right] = [2 * Math.round(clamp(dividerX, 0, film.width) / 2), film.width];
    old.take({ top: 0, bottom: film.height, left, right });
    coveredPlanes.set(compositor.planes);
    fresh.take({ top: 0, bottom: film.height, left: 0, right: left });
    copyBlockColumn(compositor.planes, coveredPlanes, left);
    drawDivider(compositor.planes, film, dividerX);
    return compositor.planes;
  };

  function copyBlockColumn(planes: Uint8Array, by: Uint8Array, left: number): void {
    const { width, height } = film;
    const right = Math.min(width, left + blockWidth);
    for (let y = 0; y < height; y++)
      for (const [row, half] of [
        [y * width, 1],
        // The rows of both color planes, one after the other.
        [(height + y / 2) * width, 2],
      ] as const)
        planes.set(by.subarray(row + left / half, row + right / half), row + left / half);
  }
}

function drawDivider(planes: Uint8Array, film: Size, line: number): void {
  const lineScale = film.width / 640;
  const box = { left: line - 8 * lineScale, top: 0, width: 16 * lineScale + 1, height: film.height };
  paintColorInBox(planes, film, box, whiteYuv, (x) => {
    const distance = Math.abs(x + 0.5 - line);
    return Math.max(clamp(lineScale + 0.5 - distance), 0.35 * clamp(1 - distance / (8 * lineScale)) ** 2);
  });
}
const whiteYuv = convertRgbToYuv(255, 255, 255);
