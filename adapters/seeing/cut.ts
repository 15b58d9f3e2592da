import { writeSync } from 'node:fs';
import sharp from 'sharp';
import { firstFile } from '../processes/child-side.ts';
import { paintBehind } from './behind.ts';
import { findNearness } from './depth.ts';
import type { Box, Size } from './grid.ts';
import { nearnessSize, scaled, toBytes } from './grid.ts';
import { mayMove, meshesOf, type Mesh } from './mesh.ts';
import { openModels, wholeFile, type Handed } from './models.ts';
import { findPeople } from './people.ts';
import { openPicture } from './pixels.ts';
import { featuresOf, findSky, findWater } from './scenery.ts';

export interface CutJob {
  cut: {
    handed: Handed;
    /** The part of the photo, in its pixels, and how large it is wanted. */
    crop: Box;
    plate: Size;
    /** Of those who matter, on the plate. */
    faces: Box[];
    /** How much smaller than the plate it will be shown. */
    scale: number;
    wants: Wants;
  };
}
/** What is to be found: each costs time, so nothing is that the style does not use. */
export interface Wants {
  people?: boolean;
  behind?: boolean;
  meshes?: boolean;
  nearness?: boolean;
  sky?: boolean;
  water?: boolean;
}
/** What was found; what is in the files lies one after the other, in this order, a byte a pixel (three for behind). */
export interface CutAnswer {
  people: boolean;
  behind: boolean;
  /** Whether a model painted what is behind; else it flowed in from round about. */
  paintedByModel: boolean;
  nearness: boolean;
  sky: boolean;
  water: boolean;
  meshes: { mesh: Mesh; turn: boolean; blink: boolean }[];
}

/** Cut a photo up for drawing. Runs in a child process; its files: the photo, the models, what it writes. */
export async function cutPhoto({ cut }: CutJob): Promise<CutAnswer> {
  const { handed, crop, plate, faces, wants } = cut;
  const models = openModels(handed);
  const out = firstFile + 1 + handed.length;
  const write = (bytes: Uint8Array) => {
    for (let at = 0; at < bytes.length;) at += writeSync(out, bytes, at);
  };
  const photo = sharp(wholeFile(firstFile), { failOn: 'error', limitInputPixels: 60e6 });
  const picture = await openPicture(photo.extract(crop).resize({ ...plate, fit: 'fill' }));

  const people = wants.people && models.has('people') ? await findPeople(models, picture, faces) : undefined;
  if (people) write(people);
  const behind = people && wants.behind ? await paintBehind(models, picture, people) : undefined;
  if (behind) write(behind.rgb);
  const needsDepth = wants.nearness || wants.sky || wants.water;
  const nearness = needsDepth ? await findNearness(models, picture) : undefined;
  if (nearness && wants.nearness) write(toBytes(scaled(nearness, nearnessSize)));
  const features = wants.sky || wants.water ? await featuresOf(picture) : undefined;
  const sky = features && nearness ? findSky(features, nearness, picture) : undefined;
  const water = features && wants.water ? findWater(features, sky, picture) : undefined;
  if (sky && wants.sky) write(toBytes(sky.matte));
  if (water) write(toBytes(water.matte));
  const hasMeshes = wants.meshes && models.has('mesh') && models.has('eyes');
  const meshes = hasMeshes ? await meshesOf(models, picture, faces.slice(0, 6)) : [];
  return {
    people: people !== undefined,
    behind: behind !== undefined,
    paintedByModel: behind?.byModel ?? false,
    nearness: nearness !== undefined && Boolean(wants.nearness),
    sky: sky !== undefined && Boolean(wants.sky),
    water: water !== undefined,
    meshes: meshes.map((mesh) => ({ mesh, ...mayMove(mesh, picture, cut.scale) })),
  };
}
