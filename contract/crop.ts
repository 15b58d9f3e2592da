import { limits } from './limits.ts';
import type { AreaForm, CropForm, PhotoPositionForm } from './photo-forms.ts';

/** A turn and a crop of a photo: instructions, from which the shop makes the shown copies. */
export type Crop = Pick<CropForm, 'quarterTurns' | 'area'>;

export const wholePhotoArea: AreaForm = { left: 0, top: 0, width: 1, height: 1 };
export const wholePhotoCrop: Crop = { quarterTurns: 0, area: null };

/** Writes the area of the whole photo as null, so that the same crop is always stored in the same way. */
export const normalizeCrop = ({ quarterTurns, area }: Crop): Crop => ({
  quarterTurns,
  area: area && isSameArea(area, wholePhotoArea) ? null : area,
});

const isSameArea = (a: AreaForm, b: AreaForm) =>
  a.left === b.left && a.top === b.top && a.width === b.width && a.height === b.height;

export const isSameCrop = (a: Crop, b: Crop): boolean =>
  a.quarterTurns === b.quarterTurns && isSameArea(a.area ?? wholePhotoArea, b.area ?? wholePhotoArea);

export const isUncropped = (crop: Crop): boolean => isSameCrop(crop, wholePhotoCrop);

interface Size {
  width: number;
  height: number;
}

/** The smallest height of an upright photo, as a multiple of its width. */
const uprightAspectRatio = 1.2;
/** Whether a photo is so much higher than wide that two of them fit side by side on the frame. */
export const isUpright = ({ width, height }: Size): boolean => height >= uprightAspectRatio * width;

/**
 * The size of a photo after its turn and crop, in pixels of the original. A very large photo is reduced before it is
 * cropped.
 */
export function computeCroppedSize(photo: Size, { quarterTurns, area }: Crop): Size {
  const { width, height } = turnSize(photo, quarterTurns);
  if (!area) return { width, height };
  const scale = Math.min(1, limits.cropSourcePixels / Math.max(width, height));
  const { width: across, height: down } = { width: area.width * scale, height: area.height * scale };
  return { width: Math.max(1, Math.round(width * across)), height: Math.max(1, Math.round(height * down)) };
}

export const turnSize = ({ width, height }: Size, quarterTurns: number): Size =>
  quarterTurns % 2 === 0 ? { width, height } : { width: height, height: width };

/** Whether enough of the photo is left for a video. */
export function isCropLargeEnough(photo: Size, crop: Crop): boolean {
  const { width, height } = computeCroppedSize(photo, crop);
  return Math.min(width, height) >= limits.photoLeastPixels;
}

/** The same area after the photo is turned clockwise. */
export function turnArea(area: AreaForm, quarterTurns: number): AreaForm {
  let turned = area;
  for (let turnCount = normalizeQuarterTurns(quarterTurns); turnCount > 0; turnCount--)
    turned = {
      left: roundToMillionths(1 - turned.top - turned.height),
      top: turned.left,
      width: turned.height,
      height: turned.width,
    };
  return turned;
}

/**
 * The same spot of the picture after its crop changes. Returns null if the spot is outside the new crop.
 *
 * @param place in the photo with the crop `from`
 */
export function positionAfterCrop(place: PhotoPositionForm, from: Crop, to: Crop): PhotoPositionForm | null {
  const areaBefore = from.area ?? wholePhotoArea;
  const pointInTurnedArea = {
    x: areaBefore.left + place.x * areaBefore.width,
    y: areaBefore.top + place.y * areaBefore.height,
  };
  const { x, y } = turnPosition(pointInTurnedArea, to.quarterTurns - from.quarterTurns);
  const areaAfter = to.area ?? wholePhotoArea;
  const movedArea = {
    x: roundToMillionths((x - areaAfter.left) / areaAfter.width),
    y: roundToMillionths((y - areaAfter.top) / areaAfter.height),
  };
  return [movedArea.x, movedArea.y].every((it) => it >= 0 && it <= 1) ? movedArea : null;
}

function turnPosition(place: PhotoPositionForm, quarterTurns: number): PhotoPositionForm {
  let turned = place;
  for (let turnCount = normalizeQuarterTurns(quarterTurns); turnCount > 0; turnCount--)
    turned = { x: 1 - turned.y, y: turned.x };
  return turned;
}

const normalizeQuarterTurns = (quarterTurns: number) => ((quarterTurns % 4) + 4) % 4;
/** Removes the rounding errors of fractions. */
const roundToMillionths = (value: number) => Math.round(value * 1e6) / 1e6;
