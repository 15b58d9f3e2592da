import { writeFileSync } from 'node:fs';
import type { CutOutResult } from '#adapters/seeing/cut-photo.ts';
import type { FaceMesh } from '#adapters/seeing/mesh.ts';
import type { PhotoAnalyzer } from '#adapters/seeing/photo-analyzer.ts';
import { emptyPhotoAnalyzer, createFaceAnalysis, createPhotoAnalysis } from './photo-analysis.ts';

/**
 * A fake photo analyzer that finds the same in every photo: a person in the middle with the face of
 * `createHemisphereMesh`, a blue background behind the person, a sky in the upper third and water in the lower third.
 */
export const fakePhotoAnalyzer: PhotoAnalyzer = {
  ...emptyPhotoAnalyzer,
  async cutOutParts(_path, { plate: { width, height }, wants }, to) {
    const places = Array.from({ length: width * height }, (_, at) => [
      (at % width) / width,
      Math.floor(at / width) / height,
    ]);
    const drawMap = (part: (x: number, y: number) => number) => Uint8Array.from(places, ([x, y]) => 255 * part(x!, y!));
    const parts: Uint8Array[] = [];
    if (wants.people) parts.push(drawMap((x, y) => (Math.hypot((x - 0.5) / 0.2, (y - 0.5) / 0.35) < 1 ? 1 : 0)));
    if (wants.people && wants.behind) parts.push(Uint8Array.from(places.flatMap(() => [40, 40, 220])));
    if (wants.nearness) parts.push(new Uint8Array(224 * 224).map((_, at) => Math.floor(at / 224)));
    if (wants.sky) parts.push(drawMap((_x, y) => (y < 0.33 ? 1 : 0)));
    if (wants.water) parts.push(drawMap((_x, y) => (y > 0.66 ? 1 : 0)));
    writeFileSync(to, Buffer.concat(parts));
    const face = { mesh: createHemisphereMesh(width / 2, height / 2, height / 6), turn: true, blink: true };
    return {
      people: Boolean(wants.people),
      behind: Boolean(wants.people && wants.behind),
      paintedByModel: true,
      nearness: Boolean(wants.nearness),
      sky: Boolean(wants.sky),
      water: Boolean(wants.water),
      meshes: wants.meshes ? [face] : [],
    } satisfies CutOutResult;
  },
};

/** A photo analysis that fits `fakePhotoAnalyzer`: faces, sky, water and a flame. */
export const richPhotoAnalysis = createPhotoAnalysis({
  width: 1280,
  height: 960,
  people: 0.2,
  faces: [createFaceAnalysis(0.5, 0.5, 0.3), createFaceAnalysis(0.2, 0.4, 0.25)],
  sky: { horizon: 0.33, part: 0.33, hasClouds: true },
  water: { part: 0.3 },
  glows: [{ x: 0.5, y: 0.5, radius: 0.02, isFlame: true }],
});

/** A face mesh in the shape of half a sphere, with two open eyes. Ears, chin and eyebrows have their usual indexes. */
export function createHemisphereMesh(x: number, y: number, radius: number): FaceMesh {
  const pointAt = (u: number, v: number) => ({
    x: x + radius * u,
    y: y + radius * v,
    z: -radius * Math.sqrt(Math.max(0, 1 - u * u - v * v)),
  });
  const points = Array.from({ length: 468 }, (_, at) => {
    const [away, turn] = [Math.sqrt(at / 468), 2.4 * at];
    return pointAt(0.95 * away * Math.cos(turn), 0.95 * away * Math.sin(turn));
  });
  for (const [index, u, v] of [
    [1, 0, 0.1],
    [10, 0, -1],
    [152, 0, 1],
    [234, -1, 0],
    [454, 1, 0],
  ] as const)
    points[index] = pointAt(u, v);
  const eyeAt = (middle: number) => {
    const createLidPoints = (up: number) =>
      Array.from({ length: 9 }, (_, at) =>
        pointAt(middle + (at - 4) * 0.06, -0.2 + up * 0.09 * (1 - ((at - 4) / 4) ** 2)),
      );
    return { lower: createLidPoints(1), upper: createLidPoints(-1) };
  };
  for (const [side, brow] of [
    [-0.4, [46, 53, 52, 65, 55]],
    [0.4, [276, 283, 282, 295, 285]],
  ] as const)
    brow.forEach((index, at) => (points[index] = pointAt(side + (at - 2) * 0.12, -0.48)));
  return { points, eyes: [eyeAt(-0.4), eyeAt(0.4)], sure: 1 };
}
