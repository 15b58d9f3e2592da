/** Aligns the pictures of a film with the photo, and finds the part of the film that can be used. */
import { clamp, type Box } from '../../../seeing/grid.ts';
import { UnusableMotionError } from './film-pictures.ts';
import {
  computeCoveredArea,
  refinePlacement,
  searchPlacement,
  computeSimilarity,
  sampleFilmValues,
  type GrayPicture,
  type PhotoPoints,
  type PlacedPicture,
} from './placement.ts';

/** The least correlation of film and photo, at the photo's moment, and how much less it may be elsewhere. */
const similarityLimits = { least: 0.6, fall: 0.3 };
/** How far the film's camera may move, as a fraction of the film's size. Before and after, the film is not used. */
const maxCameraShift = 0.07;
/** The film must change at least this much, in mean brightness of 255. Noise alone changes less. */
const minMeanChange = 0.8;
/** How far the photo's moment may be from the moment that the file states, in pictures. */
const maxMomentOffset = 4;
/** The number of film pictures that are compared with the photo if the file does not state when the photo was taken. */
const searchedPictureCount = 7;

export interface AlignedFilm {
  places: PlacedPicture[];
  /** The index of the picture that shows the moment of the photo. */
  still: number;
}

/** @param stated the index of the picture at the moment that the file states */
export function alignPictures(
  photo: PhotoPoints,
  pictures: readonly GrayPicture[],
  stated: number | undefined,
): AlignedFilm {
  const lastIndex = pictures.length - 1;
  const firstIndex = stated === undefined ? undefined : clamp(stated, 0, lastIndex);
  const searchedIndexes =
    firstIndex === undefined
      ? Array.from({ length: searchedPictureCount }, (_, at) =>
          Math.round((at / (searchedPictureCount - 1)) * lastIndex),
        )
      : [firstIndex];
  const bestPicture = searchedIndexes
    .map((index) => ({ index, ...searchPlacement(photo, pictures[index]!) }))
    .reduce((best, other) => (other.similarity > best.similarity ? other : best));
  let { index, placement } = bestPicture;
  let places: PlacedPicture[] = [];
  // The second time, the size is measured in the picture that agrees best.
  for (let turn = 0; turn < 2; turn++) {
    ({ placement } = refinePlacement(photo, pictures[index]!, placement, { pixels: 2, mayScale: true }));
    places = followCamera(photo, pictures, index, placement);
    const searchReach = firstIndex === undefined ? lastIndex : maxMomentOffset;
    const [from, to] = [
      Math.max(0, (firstIndex ?? 0) - searchReach),
      Math.min(lastIndex, (firstIndex ?? 0) + searchReach),
    ];
    for (let at = from; at <= to; at++) if (places[at]!.similarity > places[index]!.similarity) index = at;
    if (index < from || index > to) index = firstIndex!;
    ({ placement } = places[index]!);
  }
  if (places[index]!.similarity < similarityLimits.least)
    throw new UnusableMotionError('its film does not show the photo');
  return { places: smoothPlacements(places), still: index };
}

/** Places each picture, starting from one picture in both directions. The camera moves little between two pictures. */
function followCamera(
  photo: PhotoPoints,
  pictures: readonly GrayPicture[],
  start: number,
  placement: PlacedPicture['placement'],
): PlacedPicture[] {
  const places: PlacedPicture[] = [];
  places[start] = { placement, similarity: computeSimilarity(photo, pictures[start]!, placement) };
  for (const step of [1, -1])
    for (let at = start + step; at >= 0 && at < pictures.length; at += step)
      places[at] = refinePlacement(photo, pictures[at]!, places[at - step]!.placement, { pixels: 1 });
  return places;
}

/** Averages neighbors, because each measured place is a fraction of a pixel off. */
function smoothPlacements(places: readonly PlacedPicture[]): PlacedPicture[] {
  return places.map(({ placement, similarity }, at) => {
    const [before, after] = [places[Math.max(0, at - 1)]!, places[Math.min(places.length - 1, at + 1)]!];
    const averageAlongAxis = (axis: 'x' | 'y') =>
      (before.placement[axis] + 2 * placement[axis] + after.placement[axis]) / 4;
    return { placement: { ...placement, x: averageAlongAxis('x'), y: averageAlongAxis('y') }, similarity };
  });
}

/**
 * The first and the last picture of the part around the photo's moment in which the camera is steady enough and shows
 * the same scene, at most `most` pictures.
 */
export function findUsableSpan(
  { places, still }: AlignedFilm,
  film: GrayPicture,
  most: number,
): { first: number; last: number } {
  const stillPicture = places[still]!;
  const isUsable = ({ placement: { x, y }, similarity: its }: PlacedPicture) =>
    its >= stillPicture.similarity - similarityLimits.fall &&
    Math.abs(x - stillPicture.placement.x) <= maxCameraShift * film.width &&
    Math.abs(y - stillPicture.placement.y) <= maxCameraShift * film.height;
  let [before, after] = [0, 0];
  while (still - before > 0 && isUsable(places[still - before - 1]!)) before += 1;
  while (still + after < places.length - 1 && isUsable(places[still + after + 1]!)) after += 1;
  // As much on both sides as possible.
  after = Math.min(after, Math.max(most - 1 - before, Math.floor((most - 1) / 2)));
  before = Math.min(before, most - 1 - after);
  return { first: still - before, last: still + after };
}

/** Throws if nothing but noise changes. */
export function requireVisibleMotion(
  photo: PhotoPoints,
  pictures: readonly GrayPicture[],
  { places, still }: AlignedFilm,
  { first, last }: { first: number; last: number },
): void {
  const step = 5;
  const valuesOfPicture = (index: number) => sampleFilmValues(photo, pictures[index]!, places[index]!.placement, step);
  const stillValues = valuesOfPicture(still);
  for (let index = first; index <= last; index += Math.max(1, Math.floor((last - first) / 8))) {
    const values = valuesOfPicture(index);
    let [sum, count] = [0, 0];
    for (const [place, value] of values.entries()) {
      const difference = Math.abs(value - stillValues[place]!);
      // Points outside of a picture have no value.
      if (Number.isNaN(difference)) continue;
      [sum, count] = [sum + difference, count + 1];
    }
    if (sum / count >= minMeanChange) return;
  }
  throw new UnusableMotionError('nothing moves in its film');
}

/** The part of the photo that all these pictures show, a little smaller, so that it has no uncertain edge. */
export function findSharedArea(photo: PhotoPoints, film: GrayPicture, places: readonly PlacedPicture[]): Box {
  const edgeMargin = 0.004;
  let [left, top, right, bottom] = [0, 0, 1, 1];
  for (const { placement } of places) {
    const area = computeCoveredArea(photo, film, placement);
    left = Math.max(left, area.left + edgeMargin);
    top = Math.max(top, area.top + edgeMargin);
    right = Math.min(right, area.left + area.width - edgeMargin);
    bottom = Math.min(bottom, area.top + area.height - edgeMargin);
  }
  return { left, top, width: right - left, height: bottom - top };
}
