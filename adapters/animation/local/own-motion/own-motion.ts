/**
 * Reads the motion in a photo's own file for a video. The film of a motion photo is aligned with the photo: each of its
 * pictures gets the place at which it agrees with the photo, which also steadies a shaky film. The video shows only
 * what all pictures show, so that no edge is made up.
 */
import sharp from 'sharp';
import type { PhotoAnalysis } from '#shop/ports/photo-analyzer.ts';
import type { AnimatedPictures } from '../../../imaging/animated-pictures.ts';
import { clamp, type Box, type Size } from '../../../seeing/grid.ts';
import type { Framing, PlanePoint } from '../framing.ts';
import type { SourcePhoto } from '../photo.ts';
import type { OwnMotionSource, PictureJob, RenderJob } from '../render-job.ts';
import { alignPictures, findSharedArea, findUsableSpan, requireVisibleMotion } from './align.ts';
import { UnusableMotionError } from './film-pictures.ts';
import { openFilm, openPictures, type FilmReader } from './film-reader.ts';
import { applyMap, matchBrightness, matchColor } from './match-colors.ts';
import { createPhotoPoints, type GrayPicture, type PhotoPoints, type Placement } from './placement.ts';
import { copyBox, splitIntoPlanes, resample, type Planes, type Sampling } from './planes.ts';
import { planTimeline } from './timeline.ts';

/** The pictures of a motion, in the place where the video shows them. */
export interface MovingPictures {
  box: Box;
  pictures: Planes[];
  /** The index of the picture that shows the moment of the photo. */
  still: number;
}
export interface OpenedMotion {
  /** The part of the photo that the whole motion shows. What was detected, and the focus, are relative to it. */
  photo: SourcePhoto;
  seen: PhotoAnalysis | undefined;
  focus: PlanePoint | undefined;
  /** Reads the pictures for this place in the video. Their colors agree with those of `still`. */
  read(framing: Framing, still: Planes): Promise<MovingPictures>;
}

/** Number of points along the photo's longer side at which it is compared with the film. */
const comparedPointCount = 96;
/** The smallest part of the photo's width and height that the film must show. */
const leastShown = 0.55;
const leastPictures = 8;
const wholeArea: Box = { left: 0, top: 0, width: 1, height: 1 };

/** Throws UnusableMotionError if the motion in the file cannot be used. */
export async function openOwnMotion(
  { ffmpegPath, film, seen, focus }: Pick<RenderJob, 'ffmpegPath'> & Pick<PictureJob, 'film' | 'seen' | 'focus'>,
  source: OwnMotionSource,
  photo: SourcePhoto,
): Promise<OpenedMotion> {
  const { from } = source;
  const points = createPhotoPoints(await createGrayPicture(photo), 'film' in from ? from.area : wholeArea);
  const motion =
    'film' in from
      ? await placeFilm(ffmpegPath, source, from, points, planTimeline(film.frames).most)
      : await placeAnimation(ffmpegPath, source, from.pictures, points);
  const box = convertAreaToPixels(motion.shown, photo);
  const area = convertBoxToFractions(box, photo);
  return {
    photo: await cropPhoto(photo, box),
    seen: seen && cropAnalysis(seen, area, box),
    focus: focus && toPointOfArea(focus, area),
    async read(framing, still) {
      const evenPlace = alignBoxToEvenPixels(framing.place);
      const pictures = await readPlacedPictures(motion, points, { framing, place: evenPlace, box, photo });
      const frames = motion.frames.map((index) => pictures[index]!);
      matchColors(pictures, frames[motion.still]!, copyBox(still, evenPlace));
      return { box: evenPlace, pictures: frames, still: motion.still };
    },
  };
}

/** A motion whose pictures have their places on the photo. */
interface PlacedMotion {
  reader: FilmReader;
  /** The first and the last picture that are used, and where each of them shows the photo. */
  first: number;
  last: number;
  places: Placement[];
  /** A small picture. The places are in its pixels. */
  small: GrayPicture;
  /** The part of the photo that all pictures show. */
  shown: Box;
  /** For each frame of the motion, the index of its picture. */
  frames: number[];
  /** The frame that shows the moment of the photo. */
  still: number;
}

async function placeFilm(
  ffmpegPath: string,
  source: OwnMotionSource,
  from: Extract<OwnMotionSource['from'], { film: unknown }>,
  points: PhotoPoints,
  most: number,
): Promise<PlacedMotion> {
  const { reader, stated } = await openFilm(ffmpegPath, source, from, most);
  const pictures = await reader.readSmall();
  if (pictures.length < leastPictures) throw new UnusableMotionError('its film is too short or damaged');
  const alignedPictures = alignPictures(points, pictures, stated);
  const firstPicture = pictures[0]!;
  const { first, last } = findUsableSpan(alignedPictures, firstPicture, most);
  const count = last - first + 1;
  if (count < Math.min(most, leastPictures)) throw new UnusableMotionError('its camera moves too much');
  requireVisibleMotion(points, pictures, alignedPictures, { first, last });
  const usedPlaces = alignedPictures.places.slice(first, last + 1);
  const sharedArea = findSharedArea(points, firstPicture, usedPlaces);
  if (!(Math.min(sharedArea.width, sharedArea.height) >= leastShown))
    throw new UnusableMotionError('its film shows too little of the photo');
  const places = usedPlaces.map((it) => it.placement);
  const frames = Array.from({ length: count }, (_, index) => index);
  return {
    reader,
    first,
    last,
    places,
    small: firstPicture,
    shown: sharedArea,
    frames,
    still: alignedPictures.still - first,
  };
}

/** The pictures of an animation have the size of the photo, and the photo is the first one. */
async function placeAnimation(
  ffmpegPath: string,
  source: OwnMotionSource,
  { width, height, pictures: count, frames }: AnimatedPictures,
  points: PhotoPoints,
): Promise<PlacedMotion> {
  const reader = openPictures(ffmpegPath, source, { width, height }, count);
  const pictures = await reader.readSmall();
  if (pictures.length < count) throw new UnusableMotionError('its pictures are damaged');
  const placement = { scale: 1, x: 0, y: 0 };
  const lastIndex = count - 1;
  const alignedPictures = { places: pictures.map(() => ({ placement, similarity: 1 })), still: 0 };
  requireVisibleMotion(points, pictures, alignedPictures, { first: 0, last: lastIndex });
  const places = pictures.map(() => placement);
  return { reader, first: 0, last: lastIndex, places, small: pictures[0]!, shown: wholeArea, frames, still: 0 };
}

/** Reads the pictures as the video shows them in `place`. `box` is the part of the photo that the framing is about. */
async function readPlacedPictures(
  { reader, first, last, places, small }: PlacedMotion,
  { area, shape }: PhotoPoints,
  { framing, place, box, photo }: { framing: Framing; place: Box; box: Box; photo: Size },
): Promise<Planes[]> {
  const { scale } = places[0]!;
  /** How one side of the pictures, with this length, is shown along the place. */
  const placeAlongAxis = (from: 'left' | 'top', side: 'width' | 'height', length: number): Sampling => {
    const perPixel = framing.crop[side] / framing.place[side];
    const start = box[from] + framing.crop[from] + (place[from] - framing.place[from]) * perPixel;
    // The length of the whole photo, measured in pixels of this picture.
    const scaledLength = scale * length * (side === 'width' ? 1 : small.shape / shape);
    const positionInWhole = area[from] + (area[side] * start) / photo[side];
    return {
      start: length / 2 + scaledLength * (positionInWhole - 0.5),
      step: (scaledLength * area[side] * perPixel) / photo[side],
    };
  };
  // One pixel of the picture for each pixel of the video, if the picture has as many.
  const factor = Math.min(1, 1 / placeAlongAxis('left', 'width', reader.size.width).step);
  const size = { width: roundToEven(reader.size.width * factor), height: roundToEven(reader.size.height * factor) };
  const [x, y] = [placeAlongAxis('left', 'width', size.width), placeAlongAxis('top', 'height', size.height)];
  const pictures: Planes[] = [];
  for await (const bytes of reader.readLarge(size, first, last)) {
    const placement = places[pictures.length]!;
    const horizontalShift = (placement.x * size.width) / small.width;
    const verticalShift = (placement.y * size.height) / small.height;
    const shiftedSamplings = [
      { ...x, start: x.start + horizontalShift },
      { ...y, start: y.start + verticalShift },
    ] as const;
    pictures.push(resample(splitIntoPlanes(bytes, size), place, ...shiftedSamplings));
  }
  if (pictures.length < places.length) throw new UnusableMotionError('its motion is damaged');
  return pictures;
}

/** Changes all pictures as it makes one of them similar to the photo. */
function matchColors(pictures: readonly Planes[], moment: Planes, photo: Planes): void {
  const maps = photo.planes.map((plane, index) =>
    (index === 0 ? matchBrightness : matchColor)(moment.planes[index]!, plane),
  );
  for (const { planes } of pictures) for (const [index, plane] of planes.entries()) applyMap(plane, maps[index]!);
}

async function createGrayPicture(photo: SourcePhoto): Promise<GrayPicture> {
  const factor = comparedPointCount / Math.max(photo.width, photo.height);
  const [width, height] = [photo.width, photo.height].map((length) => Math.max(4, Math.round(length * factor))) as [
    number,
    number,
  ];
  const smallPhoto = photo.pixels().resize({ width, height, fit: 'fill' }).greyscale();
  return { width, height, shape: photo.width / photo.height, at: await smallPhoto.extractChannel(0).raw().toBuffer() };
}

async function cropPhoto(photo: SourcePhoto, box: Box): Promise<SourcePhoto> {
  const { data, info } = await photo.pixels().extract(box).raw().toBuffer({ resolveWithObject: true });
  const { width, height, channels } = info;
  return { width, height, pixels: () => sharp(data, { raw: { width, height, channels } }) };
}

/** The whole pixels within an area. */
function convertAreaToPixels(area: Box, { width, height }: Size): Box {
  const [left, top] = [Math.ceil(area.left * width), Math.ceil(area.top * height)];
  const right = Math.max(left + 1, Math.floor((area.left + area.width) * width));
  const bottom = Math.max(top + 1, Math.floor((area.top + area.height) * height));
  return { left, top, width: right - left, height: bottom - top };
}
const convertBoxToFractions = (box: Box, { width, height }: Size): Box => ({
  left: box.left / width,
  top: box.top / height,
  width: box.width / width,
  height: box.height / height,
});

const toPointOfArea = ({ x, y }: PlanePoint, area: Box): PlanePoint => ({
  x: clamp((x - area.left) / area.width),
  y: clamp((y - area.top) / area.height),
});

/** What was detected in a part of the photo. Leaves out faces whose middle is outside. */
function cropAnalysis(seen: PhotoAnalysis, area: Box, { width, height }: Size): PhotoAnalysis {
  const isInside = (at: number) => at > 0 && at < 1;
  const faces = seen.faces
    .map((face) => ({
      ...face,
      left: (face.left - area.left) / area.width,
      top: (face.top - area.top) / area.height,
      width: face.width / area.width,
      height: face.height / area.height,
    }))
    .filter((face) => isInside(face.left + face.width / 2) && isInside(face.top + face.height / 2));
  return { ...seen, width, height, faces };
}

const roundToEven = (length: number) => Math.max(2, 2 * Math.round(length / 2));
/** The even pixels within a box. */
function alignBoxToEvenPixels(box: Box): Box {
  const [left, top] = [2 * Math.ceil(box.left / 2), 2 * Math.ceil(box.top / 2)];
  const right = 2 * Math.floor((box.left + box.width) / 2);
  const bottom = 2 * Math.floor((box.top + box.height) / 2);
  return { left, top, width: right - left, height: bottom - top };
}
