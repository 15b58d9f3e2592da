import { videoTitleFromCaption } from '#contract/video-title.ts';
import type { CameraMovement, MotionStyle } from '#contract/motion.ts';
import type { AllowedMotions } from '#contract/photo-forms.ts';
import type { Upload } from '../photos/photos.ts';
import type { AnimateRequest } from '../ports/animator.ts';
import type { OwnMotion } from '../ports/imaging.ts';
import type { PhotoAnalysis } from '../ports/photo-analyzer.ts';

/** The length of every video. */
export const videoSeconds = 8;

interface Shape {
  width: number;
  height: number;
}
export type MovedPhoto = Shape & {
  moves: AllowedMotions | null;
  /** The motion that the photo's file contains. */
  ownMotion?: OwnMotion | null;
};

/**
 * The fraction of the picture that a sky must cover so that it may drift, 0 to 1: usually, and in a photo of people,
 * who are more important.
 */
const minSkyPart = { usually: 0.15, ofPeople: 0.3 };
/** If fewer of the people could move, the others would look frozen. 0 to 1. */
const minLivingFacePart = 0.25;
/** A photo with a larger fraction of overexposed pixels gets no light sweep, which would spoil it. 0 to 1. */
const maxOverexposedPart = 0.12;

/**
 * Plain camera motions, used if no other motion suits the photo. Photos next to each other in a frame get different
 * ones.
 */
const cameraOnlyStyles: MotionStyle[] = ['depth', 'push-in', 'drift', 'light-sweep', 'breathe'];
/** The plain camera motions for an overexposed photo: all except the light sweep. */
const plainCameraOfBurnt: MotionStyle[] = ['depth', 'push-in', 'drift', 'breathe'];

/**
 * The motions that suit a photo, the liveliest first. Motions that the customer requested come before all others, and
 * then the photo's own motion, because it really happened. It shows people moving, so it is left out if they must stay
 * still. Apart from these, the list contains only motions whose conditions are detected reliably. Only a person chooses
 * the others: water and flames are often detected wrongly, and snow, leaves and restoration alter the photo. If the
 * photo could not be analyzed (`seen` is undefined) and the customer requested no motion, only the camera moves.
 */
export function findSuitableMotions(photo: MovedPhoto, seen?: PhotoAnalysis): MotionStyle[] {
  const { moves, ownMotion } = photo;
  const isStill = moves?.living === false;
  const ownMotionStyles = ownMotion && !isStill ? (['own-motion'] as const) : [];
  const faces = seen?.faces.filter((it) => it.isMain) ?? [];
  const hasPeople = faces.length > 0 && (seen?.people ?? 0) > 0;
  const livingFaces = faces.filter((it) => it.mayTurn || it.mayBlink).length;
  const mayUseAliveStyle = !isStill && livingFaces > 0 && livingFaces >= minLivingFacePart * faces.length;
  const neededSkyPart = faces.length > 0 ? minSkyPart.ofPeople : minSkyPart.usually;
  const hasSky = seen?.sky !== undefined && seen.sky.hasClouds && seen.sky.part >= neededSkyPart;
  const livelyStyles: MotionStyle[] = [
    ...(mayUseAliveStyle ? (['alive'] as const) : []),
    // A group whose faces are too small to move.
    ...(!hasPeople && !mayUseAliveStyle && faces.length > 1 ? (['crowd-pan'] as const) : []),
    ...(hasSky ? (['sky'] as const) : []),
    // If people must stay still, the photo still gets light and camera motions.
    ...(hasPeople && isStill ? (['portrait-light', 'parallax'] as const) : []),
    ...(hasPeople && !isStill ? (['parallax', 'portrait-light'] as const) : []),
    ...(isPanorama(photo) ? (['drift'] as const) : []),
  ];
  const isOverexposed = seen !== undefined && seen.light.burnt > maxOverexposedPart;
  const { first, later } = listWishedMotions(moves, seen);
  return [
    ...new Set([
      ...first,
      ...ownMotionStyles,
      ...later,
      ...livelyStyles,
      ...(isOverexposed ? plainCameraOfBurnt : cameraOnlyStyles),
    ]),
  ];
}

/**
 * The motion of a photo for which no one chose a motion: the first of `findSuitableMotions`. If that is a plain camera
 * motion, the photo's place in the frame selects one of the suitable motions, so that photos next to each other differ.
 * The camera always moves along a panorama.
 */
export function chooseMotionFor(photo: MovedPhoto, place: number, seen?: PhotoAnalysis): MotionStyle {
  const [first, ...rest] = findSuitableMotions(photo, seen);
  if (!cameraOnlyStyles.includes(first!) || isPanorama(photo)) return first!;
  const suggestedStyles = [first!, ...rest];
  return suggestedStyles[place % suggestedStyles.length]!;
}

/** The camera moves along a panorama only in some motions; in the others the photo is a narrow strip. */
const isPanorama = ({ width, height }: Shape): boolean => width >= 2 * height;

/**
 * Another motion that suits the photo: the next one of `findSuitableMotions`. After the last one, the first one follows.
 */
export function chooseAnotherMotion(style: MotionStyle, photo: MovedPhoto, seen?: PhotoAnalysis): MotionStyle {
  const suitableMotions = findSuitableMotions(photo, seen);
  return suitableMotions[(suitableMotions.indexOf(style) + 1) % suitableMotions.length]!;
}

/**
 * How the camera moves in a lively video. Photos next to each other in a frame get different camera movements that are
 * equally lively.
 */
export function chooseCameraMovement(place: number): CameraMovement {
  return cameraTurns[place % cameraTurns.length]!;
}
const cameraTurns: CameraMovement[] = ['approach', 'drift', 'visit'];

/**
 * The motions that the customer requested. The motion of the smallest object comes first: a flame, then water, then
 * people. The photo's own motion shows people moving, so it comes before an animation of them.
 */
function listWishedMotions(
  moves: AllowedMotions | null,
  seen: PhotoAnalysis | undefined,
): Record<'first' | 'later', MotionStyle[]> {
  const hasFace = seen === undefined || seen.faces.some((it) => it.isMain);
  return {
    first: [...(moves?.candle ? (['candlelight'] as const) : []), ...(moves?.water ? (['water'] as const) : [])],
    later: moves?.living && hasFace ? ['alive'] : [],
  };
}

/** The customer's settings for a photo's video, as part of the request to an animator. */
export function renderRequestOf(
  photo: Upload,
  style: MotionStyle,
  seen?: PhotoAnalysis,
): Pick<AnimateRequest, 'seen' | 'title' | 'isRepaired' | 'focus' | 'otherwise'> {
  const title = findVideoTitle(photo);
  return {
    ...(seen && { seen }),
    ...(title !== undefined && { title }),
    ...(photo.isRepaired && { isRepaired: true }),
    ...chooseFocus(photo, style),
    ...(style === 'own-motion' && { otherwise: findSuitableMotions({ ...photo, ownMotion: null }, seen)[0]! }),
  };
}
export const findVideoTitle = ({ isTitled, caption }: Pick<Upload, 'isTitled' | 'caption'>): string | undefined =>
  isTitled ? videoTitleFromCaption(caption) : undefined;

/** The point that the camera moves to: the marked candle if the motion is candlelight, otherwise the photo's focus. */
function chooseFocus(
  { moves, focusX, focusY }: Pick<Upload, 'moves' | 'focusX' | 'focusY'>,
  style: MotionStyle,
): Pick<AnimateRequest, 'focus'> {
  if (style === 'candlelight' && moves?.candle) return { focus: moves.candle };
  return focusX !== null && focusY !== null ? { focus: { x: focusX, y: focusY } } : {};
}
