import { writeSync } from 'node:fs';
import sharp from 'sharp';
import { firstFileDescriptor } from '../processes/child-side.ts';
import { fillBehindPeople } from './fill-behind-people.ts';
import { findNearness } from './depth.ts';
import type { Box, Size } from './grid.ts';
import { nearnessSize, resizeGrid, gridToBytes } from './grid.ts';
import { findAllowedMovements, findFaceMeshes, maxFaceMeshes, type FaceMesh } from './mesh.ts';
import { openModels, readWholeFile, type PassedModels } from './models.ts';
import { findPeople } from './people.ts';
import { openPicture } from './pixels.ts';
import { computeSceneryFeatures, findSky, findWater } from './scenery.ts';

export interface CutOutJob {
  cut: {
    handed: PassedModels;
    /** The part of the photo to use, in photo pixels. `plate` is the size of the result. */
    crop: Box;
    plate: Size;
    /** Faces of the main people, in pixels of the result. */
    faces: Box[];
    /** Size of the video relative to the plate. A plate is the picture that the video is drawn from. */
    scale: number;
    wants: CutOutRequest;
  };
}
/** The parts to find in the photo. Each part costs time, so request only the parts that the style uses. */
export interface CutOutRequest {
  people?: boolean;
  behind?: boolean;
  meshes?: boolean;
  nearness?: boolean;
  sky?: boolean;
  water?: boolean;
}
/**
 * The parts that were found. Their maps are in the output file one after another, in this order, with one byte per
 * pixel (three for `behind`).
 */
export interface CutOutResult {
  people: boolean;
  behind: boolean;
  /** Whether a model filled the background; otherwise it was filled from the surrounding colors. */
  paintedByModel: boolean;
  nearness: boolean;
  sky: boolean;
  water: boolean;
  meshes: { mesh: FaceMesh; turn: boolean; blink: boolean }[];
}

/**
 * Cuts a photo into parts for drawing. Runs in a child process. The open files are the photo, the models and the
 * output.
 */
export async function cutOutPhotoParts({ cut }: CutOutJob): Promise<CutOutResult> {
  const { handed, crop, plate, faces, wants } = cut;
  const models = openModels(handed);
  const outputDescriptor = firstFileDescriptor + 1 + handed.length;
  const appendToOutput = (bytes: Uint8Array) => {
    for (let at = 0; at < bytes.length;) at += writeSync(outputDescriptor, bytes, at);
  };
  const photo = sharp(readWholeFile(firstFileDescriptor), { failOn: 'error', limitInputPixels: 60e6 });
  const picture = await openPicture(photo.extract(crop).resize({ ...plate, fit: 'fill' }));

  const people = wants.people && models.has('people') ? await findPeople(models, picture, faces) : undefined;
  if (people) appendToOutput(people);
  const filledBackground = people && wants.behind ? await fillBehindPeople(models, picture, people) : undefined;
  if (filledBackground) appendToOutput(filledBackground.rgb);
  const needsDepth = wants.nearness || wants.sky || wants.water;
  const nearnessMap = needsDepth ? await findNearness(models, picture) : undefined;
  if (nearnessMap && wants.nearness) appendToOutput(gridToBytes(resizeGrid(nearnessMap, nearnessSize)));
  const features = wants.sky || wants.water ? await computeSceneryFeatures(picture) : undefined;
  const sky = features && nearnessMap ? findSky(features, nearnessMap, picture) : undefined;
  const water = features && wants.water ? findWater(features, sky, picture) : undefined;
  if (sky && wants.sky) appendToOutput(gridToBytes(sky.matte));
  if (water) appendToOutput(gridToBytes(water.matte));
  const hasMeshes = wants.meshes && models.has('mesh') && models.has('eyes');
  const meshes = hasMeshes ? await findFaceMeshes(models, picture, faces.slice(0, maxFaceMeshes)) : [];
  return {
    people: people !== undefined,
    behind: filledBackground !== undefined,
    paintedByModel: filledBackground?.byModel ?? false,
    nearness: nearnessMap !== undefined && Boolean(wants.nearness),
    sky: sky !== undefined && Boolean(wants.sky),
    water: water !== undefined,
    meshes: meshes.map((mesh) => ({ mesh, ...findAllowedMovements(mesh, picture, cut.scale) })),
  };
}
