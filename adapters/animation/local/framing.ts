/**
 * Decides which part of a photo a video shows, and how close its camera may come to the detected people. Unless the
 * customer set the focus, a head is cut only where the photo itself cuts it, and all main people are visible together.
 */
import type { PhotoAnalysis } from '#shop/ports/photo-analyzer.ts';
import { boundingBox, boxInPixels, clamp, type Box, type Size } from '../../seeing/grid.ts';

export interface PlanePoint {
  x: number;
  y: number;
}
export interface Framing {
  /** The visible part of the photo, in photo pixels. */
  crop: Box;
  /**
   * The place of the crop in the video: the whole video, or a smaller box if the whole photo is shown with a margin.
   */
  place: Box;
  isWhole: boolean;
  /**
   * Present if the crop is longer than the video and the camera moves along it. All other positions are then relative
   * to the crop instead of the video: `place` is larger than the video, and `focus` and `towards` are fractions of it.
   */
  travel?: CameraTravel;
  /** The focus of attention, 0 to 1 across the video. */
  focus: PlanePoint;
  /** The point that an approaching camera moves toward, 0 to 1, and the maximum zoom. */
  towards: PlanePoint;
  mostZoom: number;
  /** Heads and faces of the main people, largest first, in video pixels. */
  heads: Box[];
  faces: Box[];
}

/**
 * The upper left corner of the visible part, in video pixels from the crop's corner: at the faces, and farthest away.
 */
export interface CameraTravel {
  atFaces: PlanePoint;
  away: PlanePoint;
}

/**
 * A photo fills the video if at least this share of it stays visible. If people were detected, a smaller share
 * is enough.
 */
const leastInView = { blindly: 0.8, withHeads: 0.6, traveling: 0.5 };
/**
 * How far a camera moves along a photo, as fractions of the video's shorter side: at least, so that the movement is
 * noticed, preferably, and at most, so that it is slow, also across a panorama; and the distance that faces keep from
 * the video's edge. `shoulders` is the space below a face that stays visible, in heights of the tallest face.
 */
const travelLimits = { least: 0.06, wish: 0.15, most: 0.45, across: 0.65, margin: 0.015, shoulders: 0.8 };
/** A photo at least this many times as wide as high is a panorama. */
const minPanoramaAspectRatio = 2;
/** The largest factor by which a panorama is enlarged so that it fills the video's height. */
const mostEnlarged = 2;
/** The largest fraction of the video that a photo shown whole takes. It leaves room for every style's zoom. */
const wholeShare = { width: 0.84, height: 0.86 };
/**
 * The camera does not move toward a point closer to an edge than this fraction of the video, except to keep a head
 * visible.
 */
const edgeRoom = 0.15;
/** Maximum zoom of a camera that does not visit faces. */
const mostZoomEver = 1.3;

interface FramingHints {
  seen?: PhotoAnalysis | undefined;
  /** The customer's focus, which has priority. */
  pointed?: PlanePoint | undefined;
  /** The focus if nothing was detected. */
  guess?: PlanePoint;
  /** Whether the style's camera can move along a crop that is longer than the video. */
  mayTravel?: boolean;
}

export function computeFraming(
  photo: Size,
  film: Size,
  { seen, pointed, guess = { x: 0.5, y: 0.45 }, mayTravel = false }: FramingHints,
): Framing {
  const faceBoxes = (seen?.faces ?? []).filter((it) => it.isMain).map((face) => boxInPixels(face, photo));
  const headBoxes = faceBoxes.map((face) => estimateHeadOfFace(face, photo));
  const boxOfAllHeads = headBoxes.length > 0 ? boundingBox(headBoxes) : undefined;
  const focusInPhoto = pointed ?? (boxOfAllHeads ? computeBoxCenter(boundingBox(faceBoxes), photo) : guess);

  const fillingCrop = cropToFill(photo, film, focusInPhoto, boxOfAllHeads, pointed !== undefined);
  if (!fillingCrop && mayTravel && boxOfAllHeads && !pointed) {
    const travelAlongHeads = computeTravelAlong(photo, film, {
      inPhoto: faceBoxes,
      heads: headBoxes,
      all: boxOfAllHeads,
    });
    if (travelAlongHeads) return travelAlongHeads;
  }
  if (!fillingCrop && mayTravel && !boxOfAllHeads && !pointed) {
    const travelAcrossPhoto = computeTravelAcross(photo, film, guess);
    if (travelAcrossPhoto) return travelAcrossPhoto;
  }
  const crop = fillingCrop ?? { left: 0, top: 0, ...photo };
  const photoPlace = fillingCrop ? { left: 0, top: 0, ...film } : findBoxOfWholePhoto(photo, film);
  const convertBoxToVideo = (box: Box): Box => {
    const scale = photoPlace.width / crop.width;
    return {
      left: photoPlace.left + (box.left - crop.left) * scale,
      top: photoPlace.top + (box.top - crop.top) * scale,
      width: box.width * scale,
      height: box.height * scale,
    };
  };
  const shownHeads = headBoxes.map(convertBoxToVideo);
  // A photo that is shown whole stays whole at any zoom.
  const alwaysVisibleBox = fillingCrop ? (boxOfAllHeads ? convertBoxToVideo(boxOfAllHeads) : undefined) : photoPlace;
  const focus = {
    x: clamp(
      (photoPlace.left + ((focusInPhoto.x * photo.width - crop.left) / crop.width) * photoPlace.width) / film.width,
      0,
      1,
    ),
    y: clamp(
      (photoPlace.top + ((focusInPhoto.y * photo.height - crop.top) / crop.height) * photoPlace.height) / film.height,
      0,
      1,
    ),
  };
  return {
    crop,
    place: photoPlace,
    isWhole: !fillingCrop,
    focus,
    heads: shownHeads,
    faces: faceBoxes.map(convertBoxToVideo),
    ...limitFocusAndZoom(film, focus, alwaysVisibleBox, pointed !== undefined),
  };
}

/**
 * Returns the largest crop of the video's shape around the focus with all heads in it. Undefined if too much of the
 * photo would be lost.
 */
function cropToFill(
  photo: Size,
  film: Size,
  eye: PlanePoint,
  heads: Box | undefined,
  isPointed: boolean,
): Box | undefined {
  const shape = film.width / film.height;
  const width = Math.max(1, Math.round(Math.min(photo.width, photo.height * shape)));
  const height = Math.max(1, Math.round(Math.min(photo.height, photo.width / shape)));
  const visibleFraction = (width * height) / (photo.width * photo.height);
  if (visibleFraction < (heads ? leastInView.withHeads : leastInView.blindly)) return undefined;
  if (heads && !isPointed && (heads.width > width || heads.height > height)) return undefined;
  // Places faces a little above the middle.
  const target = { left: eye.x * photo.width - width / 2, top: eye.y * photo.height - height * (heads ? 0.42 : 0.5) };
  const isBoundByHeads = heads && !isPointed;
  const positionOnAxis = (from: number, length: number, least: number, most: number, end: number) =>
    clamp(isBoundByHeads ? clamp(from, least + most - length, least) : from, 0, end - length);
  return {
    left: Math.round(positionOnAxis(target.left, width, heads?.left ?? 0, heads?.width ?? 0, photo.width)),
    top: Math.round(positionOnAxis(target.top, height, heads?.top ?? 0, heads?.height ?? 0, photo.height)),
    width,
    height,
  };
}

/**
 * Frames an upright photo for a wide video, or a wide photo for an upright video: the photo fills the video, and the
 * camera moves along it. It starts where all heads are visible, and keeps them visible if possible. It never cuts a
 * face. Undefined if the heads do not fit, or if too much of the photo would never be seen.
 */
function computeTravelAlong(
  photo: Size,
  film: Size,
  { inPhoto, heads, all }: { inPhoto: Box[]; heads: Box[]; all: Box },
): Framing | undefined {
  const scale = Math.max(film.width / photo.width, film.height / photo.height);
  const isVertical = film.width / photo.width === scale;
  const [from, length] = isVertical ? (['top', 'height'] as const) : (['left', 'width'] as const);
  const [view, wholeWidth] = [film[length], photo[length] * scale];
  const margin = travelLimits.margin * view;
  const facesBox = boundingBox(inPhoto);
  const facesFrom = Math.max(0, facesBox[from] * scale - margin);
  const facesTo = Math.min(wholeWidth, (facesBox[from] + facesBox[length]) * scale + margin);
  // Below the chin, the space around a head may be outside the video.
  const headsFrom = Math.max(0, all[from] * scale - margin);
  const headsTo = isVertical ? facesTo : Math.min(wholeWidth, (all[from] + all[length]) * scale + margin);
  if (headsTo - headsFrom > view) return undefined;
  // Faces are a little above the middle, or in the middle from left to right.
  const faceCenter = (facesBox[from] + facesBox[length] / 2) * scale;
  const targetLeft = clamp(faceCenter - (isVertical ? 0.42 : 0.5) * view, headsTo - view, headsFrom);
  const rangeShowingHeads = { first: Math.max(0, headsTo - view), last: Math.min(wholeWidth - view, headsFrom) };
  const start = clamp(targetLeft, rangeShowingHeads.first, rangeShowingHeads.last);
  const mostTravel = travelLimits.most * Math.min(film.width, film.height);
  const shoulderHeight = isVertical ? travelLimits.shoulders * Math.max(...inPhoto.map((it) => it.height)) * scale : 0;
  const isTravelEnough = (from: number, to: number) => {
    const travelDistance = Math.abs(to - from);
    return travelDistance >= travelLimits.least * view && (view + travelDistance) / wholeWidth >= leastInView.traveling;
  };
  const createCameraPath = (atFaces: number, { first, last }: typeof rangeShowingHeads) => {
    // Down to the bodies if possible. A camera that goes up keeps the shoulders visible.
    const farthestOnward = Math.min(last, atFaces + mostTravel);
    const firstStop = Math.min(atFaces, Math.max(first + shoulderHeight, atFaces - mostTravel));
    const orderedStops =
      isVertical || farthestOnward - atFaces >= atFaces - firstStop
        ? [farthestOnward, firstStop]
        : [firstStop, farthestOnward];
    const farthestStop = orderedStops.find((to) => isTravelEnough(atFaces, to));
    return farthestStop === undefined ? undefined : { atFaces, away: farthestStop };
  };
  // The whole heads stay visible if that leaves enough of a way, if need be from a view with more space above them.
  // Otherwise at least the faces stay visible.
  const higherStart = Math.max(
    rangeShowingHeads.first,
    rangeShowingHeads.last - Math.max(travelLimits.wish * view, leastInView.traveling * wholeWidth - view),
  );
  const foundPath =
    createCameraPath(start, rangeShowingHeads) ??
    createCameraPath(Math.min(start, higherStart), rangeShowingHeads) ??
    createCameraPath(start, { first: Math.max(0, facesTo - view), last: Math.min(wholeWidth - view, facesFrom) });
  if (!foundPath) return undefined;
  const { atFaces, away } = foundPath;
  const travelDistance = Math.abs(away - atFaces);

  // The crop is what the camera shows on its way, in whole photo pixels.
  const cropStart = Math.floor(Math.min(atFaces, away) / scale);
  const cropLength = Math.min(photo[length] - cropStart, Math.ceil((view + travelDistance) / scale) + 1);
  const crop = isVertical
    ? { left: 0, top: cropStart, width: photo.width, height: cropLength }
    : { left: cropStart, top: 0, width: cropLength, height: photo.height };
  const photoPlace = { left: 0, top: 0, width: crop.width * scale, height: crop.height * scale };
  const convertBoxToCrop = (box: Box): Box => ({
    left: (box.left - crop.left) * scale,
    top: (box.top - crop.top) * scale,
    width: box.width * scale,
    height: box.height * scale,
  });
  const computeCameraPosition = (at: number): PlanePoint => {
    const offsetAlongPhoto = clamp(at - cropStart * scale, 0, photoPlace[length] - view);
    return isVertical ? { x: 0, y: offsetAlongPhoto } : { x: offsetAlongPhoto, y: 0 };
  };
  const focus = computeBoxCenter(convertBoxToCrop(facesBox), photoPlace);
  return {
    crop,
    place: photoPlace,
    isWhole: false,
    travel: { atFaces: computeCameraPosition(atFaces), away: computeCameraPosition(away) },
    focus,
    towards: focus,
    mostZoom: 1.1,
    heads: heads.map(convertBoxToCrop),
    faces: inPhoto.map(convertBoxToCrop),
  };
}

/**
 * Frames a panorama without people for a wide video: the photo fills the video's height, and the camera moves across
 * it, with the focus in the middle of its way. Undefined for any other shape, if the photo has too few pixels, and if
 * half of it would never be seen.
 */
function computeTravelAcross(photo: Size, film: Size, focus: PlanePoint): Framing | undefined {
  if (film.width < film.height || photo.width < minPanoramaAspectRatio * photo.height) return undefined;
  const scale = film.height / photo.height;
  if (scale > mostEnlarged) return undefined;
  const wholeWidth = photo.width * scale;
  const travelDistance = Math.min(wholeWidth - film.width, travelLimits.across * film.height);
  if (
    travelDistance < travelLimits.least * film.width ||
    (film.width + travelDistance) / wholeWidth < leastInView.traveling
  )
    return undefined;
  const start =
    clamp(focus.x * wholeWidth - (film.width + travelDistance) / 2, 0, wholeWidth - film.width - travelDistance) /
    scale;
  const left = Math.floor(start);
  const width = Math.min(photo.width - left, Math.ceil((film.width + travelDistance) / scale) + 1);
  const photoPlace = { left: 0, top: 0, width: width * scale, height: film.height };
  const centerPoint = { x: 0.5, y: 0.5 };
  return {
    crop: { left, top: 0, width, height: photo.height },
    place: photoPlace,
    isWhole: false,
    travel: { atFaces: { x: 0, y: 0 }, away: { x: Math.min(travelDistance, photoPlace.width - film.width), y: 0 } },
    focus: centerPoint,
    towards: centerPoint,
    mostZoom: 1.1,
    heads: [],
    faces: [],
  };
}

function findBoxOfWholePhoto(photo: Size, film: Size): Box {
  const scale = Math.min(
    (film.width * wholeShare.width) / photo.width,
    (film.height * wholeShare.height) / photo.height,
  );
  const width = Math.max(1, photo.width * scale);
  const height = Math.max(1, photo.height * scale);
  return { left: (film.width - width) / 2, top: (film.height - height) / 2, width, height };
}

/** A face's box ends at the brows and ears. The head adds hair, chin and a margin, as far as the photo shows them. */
export function estimateHeadOfFace({ left, top, width, height }: Box, photo: Size): Box {
  const [from, to] = [Math.max(0, left - 0.35 * width), Math.min(photo.width, left + 1.35 * width)];
  const [above, below] = [Math.max(0, top - 0.65 * height), Math.min(photo.height, top + 1.15 * height)];
  return { left: from, top: above, width: to - from, height: below - above };
}

const computeBoxCenter = (box: Box, { width, height }: Size): PlanePoint => ({
  x: (box.left + box.width / 2) / width,
  y: (box.top + box.height / 2) / height,
});

/**
 * Computes the point that the camera moves toward, and the maximum zoom. At that zoom, the area that must stay visible
 * fills at most the width or the height of the video.
 */
function limitFocusAndZoom(
  film: Size,
  focus: PlanePoint,
  stays: Box | undefined,
  isPointed: boolean,
): Pick<Framing, 'towards' | 'mostZoom'> {
  const zoomTarget = { x: clamp(focus.x, edgeRoom, 1 - edgeRoom), y: clamp(focus.y, edgeRoom, 1 - edgeRoom) };
  if (!stays) return { towards: zoomTarget, mostZoom: mostZoomEver };
  const horizontalZoom = zoomLimitsOf(stays.left / film.width, stays.width / film.width);
  const verticalZoom = zoomLimitsOf(stays.top / film.height, stays.height / film.height);
  const mostZoom = Math.min(horizontalZoom.zoom, verticalZoom.zoom, mostZoomEver);
  // The customer's point has priority: the camera goes there, as close as the heads allow, or a little closer.
  if (isPointed) {
    const zoomKeepingHeads = Math.min(
      zoomTouchingEdge(stays.left / film.width, stays.width / film.width, zoomTarget.x),
      zoomTouchingEdge(stays.top / film.height, stays.height / film.height, zoomTarget.y),
    );
    return { towards: zoomTarget, mostZoom: clamp(zoomKeepingHeads, 1.08, mostZoomEver) };
  }
  // Of all points that allow this zoom, use the one closest to the focus.
  return {
    towards: {
      x: horizontalZoom.pointWithinLimits(zoomTarget.x, mostZoom),
      y: verticalZoom.pointWithinLimits(zoomTarget.y, mostZoom),
    },
    mostZoom,
  };
}

/**
 * For one dimension: the maximum zoom at which an interval of the video stays visible, and the allowed points to move
 * toward at a zoom.
 */
function zoomLimitsOf(from: number, length: number) {
  const [start, end] = [clamp(from, 0, 1), clamp(from + length, 0, 1)];
  return {
    zoom: 1 / Math.max(end - start, 1e-3),
    pointWithinLimits(target: number, zoom: number): number {
      const freeFraction = 1 - 1 / zoom;
      return freeFraction < 1e-6
        ? clamp(target, 0, 1)
        : clamp(target, clamp((end - 1 / zoom) / freeFraction), clamp(start / freeFraction));
    },
  };
}

/** The zoom at which an interval touches the edge, for a camera that moves toward a given point. */
function zoomTouchingEdge(from: number, length: number, towards: number): number {
  const [start, end] = [clamp(from, 0, 1), clamp(from + length, 0, 1)];
  // The visible interval starts at (1 - 1/z) t, for zoom z and target t, and its length is 1/z.
  const minShare = Math.max(1 - start / Math.max(towards, 1e-6), 1 - (1 - end) / Math.max(1 - towards, 1e-6));
  return minShare <= 0 ? Infinity : 1 / Math.max(minShare, 1e-3);
}

/** How much of a head is outside a view, as a fraction of the head's width or height; 0 if it is completely inside. */
export function computeFractionOutside(head: Box, view: Box): number {
  const horizontalExcess =
    Math.max(view.left - head.left, head.left + head.width - view.left - view.width, 0) / head.width;
  const verticalExcess =
    Math.max(view.top - head.top, head.top + head.height - view.top - view.height, 0) / head.height;
  return Math.max(horizontalExcess, verticalExcess);
}

/** The part of the video at zoom 1 that the camera shows. */
export const computeViewBox = ({ width, height }: Size, zoom: number, towards: PlanePoint): Box => ({
  left: width * (1 - 1 / zoom) * towards.x,
  top: height * (1 - 1 / zoom) * towards.y,
  width: width / zoom,
  height: height / zoom,
});
