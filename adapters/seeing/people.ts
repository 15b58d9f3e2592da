import type { Box, Picture, Size } from './grid.ts';
import { clamp, smoothRamp } from './grid.ts';
import type { Models } from './models.ts';
import { toModelInput, resizePicture, resizeGrayMap } from './pixels.ts';

/** Shorter side of the model's input. */
const shorterInputSide = 512;
/** Maximum of the input's longer side, because the model needs more memory for a larger input. */
const longestInputSide = 1024;

/**
 * The most half-covered area, as a part of the people's area. Soft hair makes up to a tenth. If there is more, the
 * model cannot tell the people's dark hair or clothes from the background, and parts of them would stay behind when
 * they move.
 */
const maxUncertainFraction = 0.14;
/**
 * The most that people may cover. In a closer view, too little background is left to fill the rest from, and the
 * invented parts would be visible at the people's edges.
 */
const maxCoveredFraction = 0.7;

/**
 * Returns a matte of the picture's size: how much of each pixel shows people, 0 to 255. Undefined if there is no face,
 * if the picture is too small, or if the result cannot be trusted: a face is outside the matte, the matte covers almost
 * nothing or nearly everything, or it is vague.
 */
export async function findPeople(models: Models, picture: Picture, faces: Box[]): Promise<Uint8Array | undefined> {
  if (faces.length === 0 || Math.min(picture.width, picture.height) < 64) return undefined;
  const scale = shorterInputSide / Math.min(picture.width, picture.height);
  const roundToMultipleOf32 = (length: number) =>
    32 * clamp(Math.round((length * scale) / 32), 1, longestInputSide / 32);
  const smallSize: Size = { width: roundToMultipleOf32(picture.width), height: roundToMultipleOf32(picture.height) };
  const input = toModelInput(await resizePicture(picture, smallSize), 127.5, 127.5);
  const modelOutput = await models.useModel('people', async (run) => (await run({ first: input }))['first']!);
  const matte = Uint8Array.from(modelOutput, (part) => Math.round(255 * clamp(part)));
  const [across, down] = [smallSize.width / picture.width, smallSize.height / picture.height];
  const facesOnMatte = faces.map(({ left, top, width, height }) => ({
    left: left * across,
    top: top * down,
    width: width * across,
    height: height * down,
  }));
  closeGaps(matte, smallSize, facesOnMatte);
  const areFacesInside = facesOnMatte.every((face) => meanMatteInside(matte, smallSize, face) > 0.9 * 255);
  const coveredPart = computeCoveredFraction(matte);
  if (
    !areFacesInside ||
    coveredPart < 0.04 ||
    coveredPart > maxCoveredFraction ||
    fractionOfUncertainMatte(matte) > maxUncertainFraction * coveredPart
  )
    return undefined;
  for (const face of facesOnMatte) coverFace(matte, smallSize, face);
  return await resizeGrayMap(matte, smallSize, picture);
}

export const computeCoveredFraction = (matte: Uint8Array): number =>
  matte.reduce((sum, part) => sum + part, 0) / 255 / matte.length;

const fractionOfUncertainMatte = (matte: Uint8Array): number =>
  matte.reduce((count, part) => count + (part > 40 && part < 215 ? 1 : 0), 0) / matte.length;

/**
 * Fills small gaps in the matte that are not connected to the outside, such as a button or a light spot on a sleeve. In
 * a face, fills such gaps of any size.
 */
function closeGaps(matte: Uint8Array, { width, height }: Size, faces: Box[]): void {
  const visitedPixels = new Uint8Array(matte.length);
  for (let start = 0; start < matte.length; start++) {
    if (visitedPixels[start] || matte[start]! >= 200) continue;
    const gap = [start];
    let isOpen = false;
    visitedPixels[start] = 1;
    for (let next = 0; next < gap.length; next++) {
      const gapPixel = gap[next]!;
      const x = gapPixel % width;
      isOpen ||= x === 0 || x === width - 1 || gapPixel < width || gapPixel >= width * (height - 1);
      for (const neighborPixel of [
        x > 0 ? gapPixel - 1 : -1,
        x < width - 1 ? gapPixel + 1 : -1,
        gapPixel - width,
        gapPixel + width,
      ])
        if (
          neighborPixel >= 0 &&
          neighborPixel < matte.length &&
          !visitedPixels[neighborPixel] &&
          matte[neighborPixel]! < 200
        ) {
          visitedPixels[neighborPixel] = 1;
          gap.push(neighborPixel);
        }
    }
    const isOfFace = () =>
      gap.some((at) => faces.some((face) => distanceFromBox(face, at % width, Math.floor(at / width)) < 1));
    if (!isOpen && (gap.length < 0.004 * matte.length || isOfFace())) for (const index of gap) matte[index] = 255;
  }
}

/** Adds a whole face to the matte, including gaps that are connected to the outside through hair or glasses. */
function coverFace(matte: Uint8Array, { width, height }: Size, face: Box): void {
  for (let y = Math.max(0, Math.floor(face.top)); y < Math.min(height, face.top + face.height); y++)
    for (let x = Math.max(0, Math.floor(face.left)); x < Math.min(width, face.left + face.width); x++)
      matte[y * width + x] = Math.max(matte[y * width + x]!, 255 * smoothRamp(1.15, 0.9, distanceFromBox(face, x, y)));
}

/** Distance from the middle of a face's box. It is 1 at the border of the area that certainly shows the face. */
const distanceFromBox = ({ left, top, width, height }: Box, x: number, y: number) =>
  Math.hypot((x + 0.5 - left - width / 2) / (0.38 * width), (y + 0.5 - top - height / 2) / (0.4 * height));

/** The mean of the matte in the middle of a face's box. The corners of the box show hair and background. */
function meanMatteInside(matte: Uint8Array, { width }: Size, face: Box): number {
  let [sum, count] = [0, 0];
  for (let y = Math.ceil(face.top + 0.2 * face.height); y < face.top + 0.9 * face.height; y++)
    for (let x = Math.ceil(face.left + 0.2 * face.width); x < face.left + 0.8 * face.width; x++, count++)
      sum += matte[y * width + x] ?? 0;
  return count > 0 ? sum / count : 0;
}
