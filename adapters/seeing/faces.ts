import type { Box, Picture, Size } from './grid.ts';
import { clamp } from './grid.ts';
import type { Models, RunModel } from './models.ts';
import { createSharpPipeline, toModelInput } from './pixels.ts';

/** A face in the picture's pixels. `sure` is the confidence from 0 to 1. */
export interface Face extends Box {
  sure: number;
}
/** Input size of the model. The model finds faces that are larger than a twentieth of this size. */
const modelInputSize: Size = { width: 320, height: 240 };
/** Minimum confidence in the whole picture, in a part of it, and in a second, closer look at a face. */
const minConfidence = { whole: 0.7, part: 0.9, again: 0.95 };
const mostFaces = 60;

/**
 * Finds the faces in a picture, largest first. Searches the whole picture, then four parts of it for small faces.
 * Checks each face again in a closer look.
 */
export async function findFaces(models: Models, picture: Picture): Promise<Face[]> {
  if (Math.min(picture.width, picture.height) < 32) return [];
  return await models.useModel('faces', async (run) => {
    const foundFaces = await findFacesInPart(
      run,
      picture,
      { left: 0, top: 0, width: picture.width, height: picture.height },
      minConfidence.whole,
    );
    for (const part of listSearchedParts(picture))
      foundFaces.push(...(await findFacesInPart(run, picture, part, minConfidence.part)));
    const faces: Face[] = [];
    for (const face of removeDuplicateFaces(foundFaces).slice(0, mostFaces))
      if (await isConfirmedBySecondDetection(run, picture, face)) faces.push(clipFaceToPicture(face, picture));
    return faces.toSorted((a, b) => b.height - a.height);
  });
}

/**
 * Whether a closer look finds the face again. A knot in wood or an elephant's ear may look like a face once, but not
 * twice.
 */
async function isConfirmedBySecondDetection(run: RunModel, picture: Picture, face: Face): Promise<boolean> {
  const width = Math.min(picture.width, Math.max(16, Math.round(4 * face.height)));
  const height = Math.min(picture.height, Math.max(12, Math.round(3 * face.height)));
  const left = Math.round(clamp(face.left + face.width / 2 - width / 2, 0, picture.width - width));
  const top = Math.round(clamp(face.top + face.height / 2 - height / 2, 0, picture.height - height));
  const closerFaces = await findFacesInPart(run, picture, { left, top, width, height }, minConfidence.again);
  return closerFaces.some((other) => computeSharedPart(face, other) > 0.5);
}

function listSearchedParts({ width, height }: Size): Box[] {
  const part = { width: Math.round(width * 0.6), height: Math.round(height * 0.6) };
  return [0, width - part.width].flatMap((left) => [0, height - part.height].map((top) => ({ left, top, ...part })));
}

async function findFacesInPart(run: RunModel, picture: Picture, part: Box, leastSure: number): Promise<Face[]> {
  // The part keeps its aspect ratio; the rest is filled with gray.
  const scale = Math.max(part.width / modelInputSize.width, part.height / modelInputSize.height);
  const shownArea = {
    width: clamp(Math.round(part.width / scale), 1, modelInputSize.width),
    height: clamp(Math.round(part.height / scale), 1, modelInputSize.height),
  };
  const rgb = await createSharpPipeline(picture)
    .extract(part)
    .resize({ ...shownArea, fit: 'fill' })
    .extend({
      right: modelInputSize.width - shownArea.width,
      bottom: modelInputSize.height - shownArea.height,
      background: '#7f7f7f',
    })
    .raw()
    .toBuffer();
  const { scores, boxes } = await run({ input: toModelInput({ ...modelInputSize, rgb }, 127, 128) });
  const faces: Face[] = [];
  for (let at = 0; 2 * at < scores!.length; at++) {
    const faceScore = scores![2 * at + 1]!;
    if (faceScore < leastSure) continue;
    const [left = 0, top = 0, right = 0, bottom = 0] = boxes!.subarray(4 * at, 4 * at + 4);
    const [across, down] = [modelInputSize.width * scale, modelInputSize.height * scale];
    faces.push({
      left: part.left + left * across,
      top: part.top + top * down,
      width: (right - left) * across,
      height: (bottom - top) * down,
      sure: faceScore,
    });
  }
  return removeDuplicateFaces(faces);
}

/** Sorts faces by confidence and drops each face that mostly overlaps a more certain face. */
function removeDuplicateFaces(faces: Face[]): Face[] {
  const distinctFaces: Face[] = [];
  for (const face of faces.toSorted((a, b) => b.sure - a.sure))
    if (!distinctFaces.some((other) => computeSharedPart(face, other) > 0.4)) distinctFaces.push(face);
  return distinctFaces;
}

function computeSharedPart(a: Box, b: Box): number {
  const width = Math.min(a.left + a.width, b.left + b.width) - Math.max(a.left, b.left);
  const height = Math.min(a.top + a.height, b.top + b.height) - Math.max(a.top, b.top);
  return (Math.max(0, width) * Math.max(0, height)) / Math.min(a.width * a.height, b.width * b.height);
}

function clipFaceToPicture({ left, top, width, height, sure }: Face, picture: Size): Face {
  const [from, to] = [clamp(left, 0, picture.width), clamp(left + width, 0, picture.width)];
  const [above, below] = [clamp(top, 0, picture.height), clamp(top + height, 0, picture.height)];
  return { left: from, top: above, width: to - from, height: below - above, sure };
}

/** A face counts as a passer-by if its height is less than this fraction of the largest face's height. */
const mainShare = 0.45;
export const areMainFaces = (faces: Box[]): boolean[] => {
  const largest = Math.max(0, ...faces.map((face) => face.height));
  return faces.map((face) => face.height >= mainShare * largest);
};
