import { expect, test } from 'vitest';
import { createFaceAnalysis, createPhotoAnalysis } from '#test/photo-analysis.ts';
import { computeFraming, computeViewBox, computeFractionOutside } from '../framing.ts';
import type { RenderContext } from '../render-context.ts';
import { findAllowedCameraTargets, createFaceVisitPath, createSwayPath } from './camera-work.ts';

const film = { width: 1280, height: 800, frames: 200 };
const createStage = (faces: ReturnType<typeof createFaceAnalysis>[], photo = { width: 2560, height: 1600 }) =>
  ({ film, framing: computeFraming(photo, film, { seen: createPhotoAnalysis({ ...photo, faces }) }) }) as RenderContext;
const visitLimits = { faceShare: 0.3, leastZoom: 1.1, mostZoom: 1.4, cutsNone: true };

test('a camera that visits faces starts with all of them, and cuts none where it rests', () => {
  const stage = createStage([0.2, 0.5, 0.8].map((x) => createFaceAnalysis(x, 0.4, 0.15)));
  const viewAt = createFaceVisitPath(stage, visitLimits)!;
  const computeViewAtPhase = (phase: number) => {
    const { zoom, towards } = viewAt(phase);
    return computeViewBox(film, zoom, towards);
  };
  for (const face of stage.framing.faces) expect(computeFractionOutside(face, computeViewAtPhase(0))).toBe(0);
  for (const [stop, visited] of [1, 2, 3].entries()) {
    const view = computeViewAtPhase(visited / 4);
    for (const [at, face] of stage.framing.faces.toSorted((a, b) => a.left - b.left).entries()) {
      const outsideFraction = Math.min(1, computeFractionOutside(face, view));
      if (at === stop) expect(outsideFraction).toBe(0);
      else expect(Math.min(outsideFraction, 1 - outsideFraction)).toBeLessThan(0.05);
    }
  }
});

test('a camera that must cut no face does not visit faces that are close together', () => {
  const close = createStage([0.1, 0.3, 0.5, 0.7, 0.9].map((x) => createFaceAnalysis(x, 0.4, 0.33)));
  expect(createFaceVisitPath(close, visitLimits)).toBeUndefined();
  expect(createFaceVisitPath(close, { ...visitLimits, cutsNone: false })).toBeDefined();
});

test('a camera that visits the faces of a photo shown whole goes close enough to leave the mat outside', () => {
  const manyFaces = Array.from({ length: 20 }, (_, at) =>
    createFaceAnalysis(0.03 + 0.049 * at, 0.3 + 0.1 * (at % 2), 0.09),
  );
  const stage = createStage(manyFaces, { width: 2560, height: 1150 });
  const { isWhole, place } = stage.framing;
  expect(isWhole).toBe(true);
  const viewAt = createFaceVisitPath(stage, { faceShare: 0.34, leastZoom: 1.15, mostZoom: 1.9 })!;
  for (const stopNumber of [1, 2, 3, 4, 5]) {
    const { zoom, towards } = viewAt(stopNumber / 6);
    const view = computeViewBox(film, zoom, towards);
    expect(view.top).toBeGreaterThan(place.top - 1);
    expect(view.top + view.height).toBeLessThan(place.top + place.height + 1);
  }
});

test('the mat of a photo shown whole stays visible on all sides of a swaying camera', () => {
  const stage = createStage([createFaceAnalysis(0.5, 0.4, 0.7)], { width: 1600, height: 2000 });
  expect(stage.framing.isWhole).toBe(true);
  const { place } = stage.framing;
  const viewAt = createSwayPath(stage, 1.09);
  for (const phase of [0, 0.25, 0.5, 0.75]) {
    const { zoom, towards } = viewAt(phase);
    const view = computeViewBox(film, zoom, towards);
    const margins = [place.left - view.left, view.left + view.width - place.left - place.width];
    expect(Math.min(...margins)).toBeGreaterThan(0.3 * Math.max(...margins));
  }
  expect(findAllowedCameraTargets(stage.framing, film, 1.09).sway.x).toBeLessThan(0.5);
});
