import sharp from 'sharp';
import type { PhotoAnalysis } from '#shop/ports/photo-analyzer.ts';
import { firstFileDescriptor } from '../processes/child-side.ts';
import { findNearness } from './depth.ts';
import { areMainFaces, findFaces, type Face } from './faces.ts';
import type { Picture } from './grid.ts';
import { boundingBox, meanGridValue, scaleBox } from './grid.ts';
import { findAllowedMovements, findFaceMeshes, maxFaceMeshes, type FaceMesh } from './mesh.ts';
import { openModels, readWholeFile, type PassedModels, type Models } from './models.ts';
import { computeCoveredFraction, findPeople } from './people.ts';
import { computeLuminance, openPicture, resizePicture } from './pixels.ts';
import { findPictureInBorder } from './print-border.ts';
import { computeSceneryFeatures, findGlows, findSky, findWater } from './scenery.ts';

export interface AnalysisJob {
  look: { version: string; handed: PassedModels };
}

/** Size of a frame's screen, in pixels. */
const panel = { width: 1280, height: 800 };
/** Width of the copy in which scenery is searched. */
const sceneWidth = 960;

/** Finds everything in a photo. Runs in a child process. The first open file is the photo; the models follow. */
export async function analyzePhoto({ look: { version, handed } }: AnalysisJob): Promise<PhotoAnalysis> {
  const models = openModels(handed);
  const picture = await openPicture(
    sharp(readWholeFile(firstFileDescriptor), { failOn: 'error', limitInputPixels: 60e6 }),
  );
  const foundFaces = models.has('faces') ? await findFaces(models, picture) : [];
  const mainFaceFlags = areMainFaces(foundFaces);
  const mainFaces = foundFaces.filter((_, at) => mainFaceFlags[at]);
  const meshes = await findMovableParts(models, picture, mainFaces);
  const printArea = await findPictureInBorder(picture);
  const people = models.has('people') ? await cutOutPeople(models, picture, mainFaces) : undefined;
  return {
    version,
    width: picture.width,
    height: picture.height,
    faces: foundFaces.map((face, at) => ({
      ...convertFaceToFractions(face, picture),
      isMain: mainFaceFlags[at]!,
      mayTurn: meshes.get(face)?.turn ?? false,
      mayBlink: meshes.get(face)?.blink ?? false,
    })),
    people: people ? roundValue(computeCoveredFraction(people)) : 0,
    ...(await analyzeScene(models, picture)),
    ...(printArea && { printArea }),
    sharpness: await measureSharpness(picture, mainFaces),
    light: measureLight(await resizePicture(picture, { width: 160, height: 160 })),
  };
}

/** Finds the people in a smaller copy, because only the fraction of the picture that they cover is needed. */
async function cutOutPeople(models: Models, picture: Picture, faces: Face[]): Promise<Uint8Array | undefined> {
  const scale = Math.min(1, sceneWidth / Math.max(picture.width, picture.height));
  const scaledLength = (length: number) => Math.max(1, Math.round(length * scale));
  const smallPicture = await resizePicture(picture, {
    width: scaledLength(picture.width),
    height: scaledLength(picture.height),
  });
  return await findPeople(
    models,
    smallPicture,
    faces.map((face) => scaleBox(face, scale)),
  );
}

async function findMovableParts(models: Models, picture: Picture, faces: Face[]) {
  const meshedFaces = models.has('mesh') && models.has('eyes') ? faces.slice(0, maxFaceMeshes) : [];
  const meshes: FaceMesh[] = await findFaceMeshes(models, picture, meshedFaces);
  const scale = meshedFaces.length > 0 ? scaleOnPanel(picture, faces) : 1;
  return new Map(meshedFaces.map((face, at) => [face, findAllowedMovements(meshes[at]!, picture, scale)]));
}

/**
 * Pixels of a frame's screen per pixel of the picture. Only faces that are large enough on the screen get motion. The
 * picture fills the screen if enough of it and all heads stay visible; otherwise it is shown whole, with a margin. This
 * process cannot read the code that frames videos, so this is only nearly the same.
 */
function scaleOnPanel({ width, height }: Picture, faces: Face[]): number {
  const fillingScale = Math.max(panel.width / width, panel.height / height);
  const visibleFraction = (panel.width * panel.height) / (fillingScale ** 2 * width * height);
  const headsBox = boundingBox(
    faces.map((face) => ({
      left: face.left - 0.35 * face.width,
      top: face.top - 0.65 * face.height,
      width: 1.7 * face.width,
      height: 1.8 * face.height,
    })),
  );
  const doHeadsFit = headsBox.width * fillingScale <= panel.width && headsBox.height * fillingScale <= panel.height;
  return visibleFraction >= 0.35 && doHeadsFit
    ? fillingScale
    : 0.85 * Math.min(panel.width / width, panel.height / height);
}

async function analyzeScene(models: Models, picture: Picture): Promise<Pick<PhotoAnalysis, 'sky' | 'water' | 'glows'>> {
  const scale = Math.min(1, sceneWidth / picture.width);
  const size = { width: Math.round(picture.width * scale), height: Math.max(1, Math.round(picture.height * scale)) };
  const scene = await resizePicture(picture, size);
  const features = await computeSceneryFeatures(scene);
  if (!features) return { glows: [] };
  const sky = findSky(features, await findNearness(models, scene), scene);
  const water = findWater(features, sky, scene);
  return {
    ...(sky && { sky: { horizon: roundValue(sky.horizon), part: roundValue(sky.part), hasClouds: sky.hasClouds } }),
    ...(water && { water: { part: roundValue(water.part) } }),
    glows: findGlows(features).map((it) => ({
      ...it,
      x: roundValue(it.x),
      y: roundValue(it.y),
      radius: roundValue(it.radius),
    })),
  };
}

const convertFaceToFractions = ({ left, top, width, height, sure }: Face, of: Picture) => ({
  left: roundValue(left / of.width),
  top: roundValue(top / of.height),
  width: roundValue(width / of.width),
  height: roundValue(height / of.height),
  sure: roundValue(sure),
});
const roundValue = (value: number): number => Math.round(value * 1e4) / 1e4;

/**
 * Measures sharpness by the steepest changes of brightness. If there is a face, only the largest face is measured,
 * because a blurred background is not a defect.
 */
async function measureSharpness(picture: Picture, [face]: Face[]): Promise<number> {
  const part = face && {
    left: Math.floor(face.left),
    top: Math.floor(face.top),
    width: Math.max(1, Math.floor(Math.min(face.width, picture.width - Math.floor(face.left)))),
    height: Math.max(1, Math.floor(Math.min(face.height, picture.height - Math.floor(face.top)))),
  };
  const light = computeLuminance(
    await resizePicture(picture, part ? { width: 256, height: 256 } : { width: 1024, height: 768 }, part),
  );
  const slopes = light.at.map((value, at) => Math.abs(value - (light.at[at + 1] ?? value))).toSorted();
  return roundValue(Math.min(1, slopes[Math.floor(0.985 * slopes.length)]! / 0.16));
}

function measureLight(picture: Picture): PhotoAnalysis['light'] {
  const light = computeLuminance(picture);
  let color = 0;
  for (let at = 0; at < picture.rgb.length; at += 3) {
    const [r = 0, g = 0, b = 0] = picture.rgb.subarray(at, at + 3);
    color += Math.max(r, g, b) - Math.min(r, g, b);
  }
  const shareOfPixels = (matches: (value: number) => boolean) => light.at.filter(matches).length / light.at.length;
  return {
    mean: roundValue(meanGridValue(light)),
    dark: roundValue(shareOfPixels((it) => it < 0.06)),
    burnt: roundValue(shareOfPixels((it) => it > 0.97)),
    color: roundValue((3 * color) / picture.rgb.length / 255),
  };
}
