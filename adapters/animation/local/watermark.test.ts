import { expect, test } from 'vitest';
import { addWatermarkToScene } from './watermark.ts';
import type { RenderContext } from './render-context.ts';
import { createFaceAnalysis, createPhotoAnalysis } from '#test/photo-analysis.ts';

const film = { width: 320, height: 200, frames: 4 };

/** A gray picture with this brightness, and the marked picture of it. */
function drawMarkOn(luma: number, faces = [createFaceAnalysis(0.5, 0.5, 0.2)]) {
  const size = film.width * film.height;
  const createPlainFrame = () => new Uint8Array(size * 1.5).fill(luma, 0, size).fill(128, size);
  const crop = { left: 0, top: 0, ...film };
  const stage = {
    film,
    framing: { crop, place: crop },
    photo: film,
    seen: createPhotoAnalysis({ faces }),
    camera: 'approach',
  } as unknown as RenderContext;
  const picture = addWatermarkToScene(createPlainFrame, stage, { style: 'drift', begins: 0, mark: 'Kinframe' })({
    phase: 0,
    frame: 0,
  });
  const changedPixels = [...picture.subarray(0, size).entries()].filter(([, value]) => Math.abs(value - luma) > 40);
  return {
    rows: changedPixels.map(([at]) => Math.floor(at / film.width)),
    columns: changedPixels.map(([at]) => at % film.width),
    values: changedPixels.map(([, value]) => value),
  };
}

test('writes a small mark in a lower corner: dark on a bright picture, light on a dark one', () => {
  const markOnBright = drawMarkOn(230);
  expect(markOnBright.values.length).toBeGreaterThan(20);
  expect(Math.max(...markOnBright.values)).toBeLessThan(200);
  expect(Math.min(...markOnBright.rows)).toBeGreaterThan(0.8 * film.height);
  expect(Math.max(...markOnBright.columns) - Math.min(...markOnBright.columns)).toBeLessThan(0.25 * film.width);
  const night = drawMarkOn(40);
  expect(Math.max(...night.values)).toBeGreaterThan(150);
});

test('keeps away from faces: with faces at the bottom, the mark is at the top', () => {
  const { rows } = drawMarkOn(230, [createFaceAnalysis(0.1, 0.9, 0.3), createFaceAnalysis(0.9, 0.9, 0.3)]);
  expect(Math.max(...rows)).toBeLessThan(0.3 * film.height);
});
