import type { CutOutResult } from '../../../seeing/cut-photo.ts';
import type { Box } from '../../../seeing/grid.ts';
import type { FaceMesh } from '../../../seeing/mesh.ts';
import { scheduleBlinks, eyelidClosureAt, createEyelids, type Eyelid } from '../living/blink.ts';
import { computeMovementFields, applyMovements, type HeadMotionMode } from '../living/sway.ts';
import type { LoopPosition, SceneRenderer } from '../motion.ts';
import { computeMovementLimits, drawBackground, writeMattedPixel, type RenderContext } from '../render-context.ts';
import { setLayerView, createWarpGrid, type WarpGrid } from '../warp/camera.ts';
import { createCompositor, type Layer } from '../warp/compositor.ts';
import type { Plate } from '../warp/plates.ts';
import { limitZoom, createSwayPath, createTravelPath, createFaceVisitPath, type CameraPath } from './camera-work.ts';
import { createPeopleLayers } from './parallax.ts';
import { computeRiseAndFall } from '../motion.ts';

type FoundMesh = CutOutResult['meshes'][number];

/** Limits for the camera when it visits a face. A higher zoom would exceed the detail of the plates. */
const visitLimits = { faceShare: 0.3, leastZoom: 1.1, mostZoom: 1.4, cutsNone: true };

/**
 * The people in the photo breathe, turn their heads a little and blink. They move in front of the background if they
 * can be cut out; otherwise each face moves within the picture. Undefined if no face may turn or blink.
 */
export async function createAliveScene(stage: RenderContext): Promise<SceneRenderer | undefined> {
  const movingMeshes = stage.cut?.meshes.filter((it) => it.turn || it.blink) ?? [];
  if (movingMeshes.length === 0) return undefined;
  const viewAt = createCameraPath(stage);
  const layers = await createPeopleLayers(stage, { push: 0.06, sway: 0.6, viewAt });
  if (!layers) return renderOnOnePlate(stage, movingMeshes, viewAt ?? createCameraApproach(stage));
  const { people, peoplePlate, compositor } = layers;
  const moveFaces = prepareFaceMovement(stage, movingMeshes, {
    plate: peoplePlate,
    layer: people,
    warpGrid: layers.more,
    manner: 'cut-out',
  });
  return (moment) => {
    moveFaces(moment);
    layers.draw(moment);
    return compositor.planes;
  };
}

/**
 * For people who could not be cut out. Only the inside of each face moves, so that straight lines behind it stay
 * straight.
 */
function renderOnOnePlate(stage: RenderContext, movingMeshes: FoundMesh[], viewAt: CameraPath): SceneRenderer {
  const plate = drawBackground(stage, stage.picture);
  const compositor = createCompositor(stage.film, [{ plate, rise: 8 }]);
  const [layer] = compositor.layers as [Layer];
  const warpGrid = createWarpGrid(stage.size);
  const moveFaces = prepareFaceMovement(stage, movingMeshes, { plate, layer, warpGrid, manner: 'in-picture' });
  return (moment) => {
    moveFaces(moment);
    setLayerView(layer, stage.film, viewAt(moment.phase), warpGrid);
    layer.take();
    return compositor.planes;
  };
}

interface FaceRenderTarget {
  plate: Plate;
  layer: Layer;
  /** The grid that the movement is written to. */
  warpGrid: WarpGrid;
  manner: HeadMotionMode;
}

/** Draws the eyelids of each moment on the plate and writes the heads' movement into the grid. */
function prepareFaceMovement(
  stage: RenderContext,
  movingMeshes: FoundMesh[],
  { plate, layer, warpGrid, manner }: FaceRenderTarget,
): (moment: LoopPosition) => void {
  const { inner, size, film, picture, cut } = stage;
  const { at: freedom } = computeMovementLimits(stage);
  const turningMeshes = movingMeshes.filter((it) => it.turn);
  const fields = computeMovementFields(
    turningMeshes.map((it) => moveMeshToPlate(it.mesh, inner)),
    warpGrid,
    { width: size.width, height: inner.top + inner.height },
    manner,
  );
  const blinking = movingMeshes.filter((it) => it.blink);
  const eyelidsByPerson = blinking.map(({ mesh }) =>
    createEyelids({ width: inner.width, height: inner.height, rgb: picture }, mesh),
  );
  const blinkStartsByPerson = scheduleBlinks(blinking.length, film.frames);
  const eyelidClosures = blinking.map(() => 0);

  return ({ frame, phase }) => {
    eyelidsByPerson.forEach((lids, person) => {
      const lidClosure = eyelidClosureAt(blinkStartsByPerson[person]!, frame, film.frames);
      if (lidClosure === 0 && eyelidClosures[person] === 0) return;
      eyelidClosures[person] = lidClosure;
      for (const lid of lids) drawEyelid(lid, lid.drawClosed(lidClosure));
    });
    applyMovements(fields, warpGrid, phase, freedom);
  };

  function drawEyelid({ left, top, width, height }: Eyelid, pixels: Uint8Array): void {
    for (let y = 0; y < height; y++)
      for (let x = 0; x < width; x++) {
        const matteOpacity = cut?.people?.[(top + y) * inner.width + left + x] ?? 255;
        const targetIndex = 4 * ((inner.top + top + y) * size.width + inner.left + left + x);
        // Half-covered pixels are at the edge of the cut-out, never over an eye.
        if (matteOpacity > 250)
          writeMattedPixel(plate.pixels, targetIndex, pixels, pixels, 3 * (y * width + x), matteOpacity);
      }
    layer.renew({ left: inner.left + left, top: inner.top + top, width, height });
  }
}

/** Returns the camera's view at each phase. Undefined for the camera 'approach', which the layers use by default. */
function createCameraPath(stage: RenderContext): CameraPath | undefined {
  if (stage.framing.travel) return createTravelPath(stage);
  if (stage.camera === 'approach') return undefined;
  const faceVisitPath =
    stage.camera === 'visit' && !stage.framing.isWhole ? createFaceVisitPath(stage, visitLimits) : undefined;
  // The video begins at phase 0.25, with a view of all faces.
  return faceVisitPath ? (phase) => faceVisitPath((phase + 0.75) % 1) : createSwayPath(stage, 1.09);
}

const createCameraApproach = (stage: RenderContext): CameraPath => {
  const extraZoom = limitZoom(stage.framing, 1.08) - 1;
  return (phase) => ({ zoom: 1 + extraZoom * computeRiseAndFall(phase), towards: stage.framing.towards });
};

const moveMeshToPlate = ({ points, eyes, sure }: FaceMesh, { left, top }: Pick<Box, 'left' | 'top'>): FaceMesh => ({
  points: points.map(({ x, y, z }) => ({ x: x + left, y: y + top, z })),
  eyes,
  sure,
});
