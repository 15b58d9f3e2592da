import { boxBlur, createGrid, type Grid, type Picture } from './grid.ts';
import type { Models } from './models.ts';
import { toModelInput, resizePicture } from './pixels.ts';

const modelInputSize = { width: 224, height: 224 };

/**
 * Estimates how near each part of a picture is, as a rank from 0 (far) to 1 (near). The result is coarse: reliable for
 * rooms, only a guess for landscapes. Without the model, lower pixels count as nearer.
 */
export async function findNearness(models: Models, picture: Picture): Promise<Grid> {
  const depthRank = createGrid(modelInputSize);
  if (!models.has('depth')) {
    for (let at = 0; at < depthRank.at.length; at++)
      depthRank.at[at] = Math.floor(at / modelInputSize.width) / modelInputSize.height;
    return depthRank;
  }
  const input = toModelInput(await resizePicture(picture, modelInputSize), 0, 255);
  const metres = await models.useModel('depth', async (run) => (await run({ first: input }))['first']!);
  const indexesFarToNear = Uint32Array.from(metres.keys()).toSorted((one, other) => metres[other]! - metres[one]!);
  indexesFarToNear.forEach((at, place) => (depthRank.at[at] = place / metres.length));
  return boxBlur(boxBlur(depthRank, 4), 3);
}
