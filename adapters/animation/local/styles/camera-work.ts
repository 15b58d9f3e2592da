import { clamp, smoothRamp, type Box, type Size } from '../../../seeing/grid.ts';
import { computeViewBox, type Framing, type PlanePoint } from '../framing.ts';
import { fullTurnRadians, computeRiseAndFall, computeSwing, type SceneRenderer } from '../motion.ts';
import { drawBackground, matShade, darkenPlateCorners, type RenderContext } from '../render-context.ts';
import { setLayerView, type CameraView } from '../warp/camera.ts';
import { createCompositor, type Compositor } from '../warp/compositor.ts';

/** Makes a scene in which only the camera moves. `after` may add light to each frame. */
export function createCameraScene(
  stage: RenderContext,
  viewAt: (phase: number) => CameraView,
  {
    dark = stage.framing.isWhole ? matShade : 0,
    after,
  }: { dark?: number; after?: (compositor: Compositor, phase: number) => void } = {},
): SceneRenderer {
  const plate = drawBackground(stage, stage.picture);
  if (dark > 0) darkenPlateCorners(plate, dark);
  const compositor = createCompositor(stage.film, [{ plate }]);
  const [ground] = compositor.layers as [Compositor['layers'][number]];
  return ({ phase }) => {
    setLayerView(ground, stage.film, viewAt(phase));
    ground.take();
    after?.(compositor, phase);
    return compositor.planes;
  };
}

/** Limits a requested zoom so that all heads stay visible. */
export const limitZoom = ({ mostZoom }: Framing, wish: number): number => Math.min(wish, mostZoom);

/**
 * The points that a camera at this zoom can move toward while all heads stay visible: the middle of these points, and
 * how far the camera may sway from the middle.
 */
export function findAllowedCameraTargets(
  framing: Framing,
  { width, height }: Size,
  zoom: number,
): { middle: PlanePoint; sway: PlanePoint } {
  const alwaysVisibleBoxes = framing.isWhole ? [framing.place] : framing.heads;
  const computeAxisTargets = (
    from: (box: Framing['place']) => number,
    to: (box: Framing['place']) => number,
    length: number,
  ) => {
    const freeLength = length * (1 - 1 / zoom);
    const [least, most] = [
      Math.max(0, ...alwaysVisibleBoxes.map(to)) - length / zoom,
      Math.min(freeLength, ...alwaysVisibleBoxes.map(from)),
    ];
    if (freeLength <= 0) return { middle: 0.5, sway: 0 };
    const [low, high] = [Math.min(Math.max(0, least), freeLength), Math.max(0, most)];
    const viewCenter = (low + high) / 2 / freeLength;
    return { middle: Math.min(1, Math.max(0, viewCenter)), sway: Math.max(0, (high - low) / 2 / freeLength) };
  };
  const x = computeAxisTargets(
    (box) => box.left,
    (box) => box.left + box.width,
    width,
  );
  const y = computeAxisTargets(
    (box) => box.top,
    (box) => box.top + box.height,
    height,
  );
  const swayFactor = framing.isWhole ? maxMatSway : 1;
  return { middle: { x: x.middle, y: y.middle }, sway: { x: swayFactor * x.sway, y: swayFactor * y.sway } };
}

/** The camera's view at each phase of the loop. */
export type CameraPath = (phase: number) => CameraView;

/**
 * How far the mat around a photo shown whole moves, of the way to the video's edge. Farther, it would look misplaced.
 */
const maxMatSway = 0.35;

/** The camera keeps one zoom and moves slowly from side to side, as far as the heads stay visible. */
export function createSwayPath({ framing, film }: RenderContext, wish: number): CameraPath {
  const zoom = Math.max(1.015, limitZoom(framing, wish));
  const { middle, sway } = findAllowedCameraTargets(framing, film, zoom);
  return (phase) => ({
    zoom,
    towards: {
      x: middle.x + Math.min(0.4, sway.x) * computeSwing(phase),
      y: middle.y + Math.min(0.17, sway.y) * computeSwing(phase, 2, 0.6),
    },
  });
}

/**
 * The camera goes from face to face, rests on each face and returns to a view of all faces, where it is at phase 0. It
 * visits at most five faces. The tallest of them fills `faceShare` of the video's height, within the given zooms.
 * Undefined for fewer than two faces, or with `cutsNone` if a view of one face would cut another one.
 */
export function createFaceVisitPath(
  { film, framing }: RenderContext,
  {
    faceShare,
    leastZoom,
    mostZoom,
    cutsNone = false,
  }: { faceShare: number; leastZoom: number; mostZoom: number; cutsNone?: boolean },
): CameraPath | undefined {
  const faces = framing.faces.slice(0, 5).toSorted((a, b) => a.left - b.left);
  if (faces.length < 2) return undefined;
  const tallestFace = Math.max(...faces.map((it) => it.height));
  const zoom = clamp((faceShare * film.height) / tallestFace, leastZoom, mostZoom);
  const wholeView = { zoom: Math.min(1.02, framing.mostZoom), ...computeBoxCenter({ left: 0, top: 0, ...film }) };
  const faceViews = faces.map((face) => viewOfFace(face, framing, film, { zoom, leastZoom }));
  if (cutsNone && faceViews.some((it) => it.cut > mostCut)) return undefined;
  // Rest positions: the view of the whole video, then a view of each face. The center of each view is in video pixels.
  const cameraStops = [wholeView, ...faceViews];
  return (phase) => {
    const positionInStops = phase * cameraStops.length;
    const stopIndex = Math.floor(positionInStops) % cameraStops.length;
    const [from, to] = [cameraStops[stopIndex]!, cameraStops[(stopIndex + 1) % cameraStops.length]!];
    // The camera slows down almost to a stop, but never stops completely.
    const stopFraction = positionInStops - Math.floor(positionInStops);
    const easedPart = stopFraction - (0.92 * Math.sin(fullTurnRadians * stopFraction)) / fullTurnRadians;
    // Interpolates the zoom geometrically, so that its speed looks even.
    const zoomOnWay = from.zoom ** (1 - easedPart) * to.zoom ** easedPart;
    const cameraPosition = { x: from.x + (to.x - from.x) * easedPart, y: from.y + (to.y - from.y) * easedPart };
    return { zoom: zoomOnWay, towards: computeZoomTarget(film, zoomOnWay, cameraPosition) };
  };
}

/**
 * A face counts as cut if the part outside, or inside, the view is larger than this fraction of its width or height.
 */
const mostCut = 0.04;

/**
 * The view of a face that cuts the other faces least: near the face and close to it if possible. `cut` is the part of a
 * face that is cut, as a fraction.
 */
function viewOfFace(
  face: Box,
  { faces, isWhole, place }: Framing,
  film: Size,
  { zoom, leastZoom }: { zoom: number; leastZoom: number },
) {
  const faceCenter = computeBoxCenter(face);
  // The mat around a photo shown whole stays outside, as far as possible.
  const area = isWhole ? place : { left: 0, top: 0, ...film };
  const limitToPicture = (middle: number, length: number, from: number, whole: number) =>
    length < whole ? clamp(middle, from + length / 2, from + whole - length / 2) : from + whole / 2;
  const computeCutFraction = (from: number, length: number, start: number, view: number) => {
    const outsideFraction = clamp(Math.max(start - from, from + length - start - view) / length);
    return { outside: outsideFraction, cut: Math.min(outsideFraction, 1 - outsideFraction) };
  };
  let best = { zoom, ...faceCenter, cut: Infinity, price: Infinity };
  for (let zoomOnWay = zoom; ; zoomOnWay = Math.max(leastZoom, zoomOnWay - 0.05)) {
    const view = { width: film.width / zoomOnWay, height: film.height / zoomOnWay };
    for (let step = -8; step <= 8; step++) {
      const x = limitToPicture(faceCenter.x + (step / 20) * view.width, view.width, area.left, area.width);
      const y = limitToPicture(faceCenter.y, view.height, area.top, area.height);
      const cutFractions = faces.map((other) => {
        const horizontalCut = computeCutFraction(other.left, other.width, x - view.width / 2, view.width);
        const verticalCut = computeCutFraction(other.top, other.height, y - view.height / 2, view.height);
        if (other === face) return Math.max(horizontalCut.outside, verticalCut.outside);
        if (horizontalCut.outside > 1 - mostCut || verticalCut.outside > 1 - mostCut) return 0;
        return Math.max(horizontalCut.cut, verticalCut.cut);
      });
      const largestCut = Math.max(...cutFractions);
      const travelCost =
        (largestCut > mostCut ? 10 * largestCut : 0) + Math.abs(x - faceCenter.x) / view.width + 2 * (zoom - zoomOnWay);
      if (travelCost < best.price) best = { zoom: zoomOnWay, x, y, cut: largestCut, price: travelCost };
    }
    if (zoomOnWay === leastZoom) return best;
  }
}

/** How close the camera is at the far end of its way, and how much closer it is at the faces. */
const travelZoom = { away: 1.028, atFaces: 0.04 };

/**
 * The camera moves slowly along a photo that is longer than the video, and returns to the faces, where it is at phase
 * 0.25. Undefined if the framing has no travel.
 */
export function createTravelPath({ film, framing, scale }: RenderContext): CameraPath | undefined {
  const { travel, focus, place } = framing;
  if (!travel) return undefined;
  const { atFaces, away } = travel;
  return (phase) => {
    const shiftedPhase = (((phase - 0.25) % 1) + 1) % 1;
    const easedPart = smoothRamp(0.08, 0.5, Math.min(shiftedPhase, 1 - shiftedPhase));
    const zoom = travelZoom.away + travelZoom.atFaces * (1 - computeRiseAndFall(shiftedPhase));
    // The visible part at this zoom lies within the part at zoom 1, near to the faces, with room at all edges.
    const computeViewStart = (startAtFaces: number, startAway: number, length: number, middle: number) => {
      const start = startAtFaces + (startAway - startAtFaces) * easedPart;
      const freeLength = length - length / zoom;
      return clamp(middle - length / zoom / 2, start + 0.25 * freeLength, start + 0.75 * freeLength);
    };
    const x = computeViewStart(atFaces.x, away.x, film.width, focus.x * place.width);
    const y = computeViewStart(atFaces.y, away.y, film.height, focus.y * place.height);
    return { zoom, towards: { x: 0, y: 0 }, shift: { x: -x * zoom, y: -y * zoom }, scale };
  };
}

const computeBoxCenter = ({ left, top, width, height }: Box): PlanePoint => ({
  x: left + width / 2,
  y: top + height / 2,
});

/** The point to move toward so that the spot is in the middle of the view, as far as the edges allow. */
function computeZoomTarget(film: Size, zoom: number, { x, y }: PlanePoint): PlanePoint {
  const view = computeViewBox(film, zoom, { x: 1, y: 1 });
  const computePartOfFreeRoom = (middle: number, length: number, free: number) =>
    free > 0 ? clamp((middle - length / 2) / free) : 0.5;
  return { x: computePartOfFreeRoom(x, view.width, view.left), y: computePartOfFreeRoom(y, view.height, view.top) };
}
