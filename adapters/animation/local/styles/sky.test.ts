import { createCanvas } from '@napi-rs/canvas';
import sharp from 'sharp';
import { expect, test } from 'vitest';
import { createPhotoAnalysis } from '#test/photo-analysis.ts';
import { computeFraming } from '../framing.ts';
import { computePhotoBox, createRenderContext } from '../render-context.ts';
import { convertPlanesToRgb } from '../warp/video-planes.ts';
import { createSkyScene } from './sky.ts';

const film = { width: 640, height: 400, frames: 8 };

test.each([
  { width: 300, height: 600 },
  { width: 600, height: 300 },
  { width: 640, height: 400 },
])('drifting clouds leave no dark edges around a photo of $width x $height', async (size) => {
  const canvas = createCanvas(size.width, size.height);
  const g = canvas.getContext('2d');
  g.fillStyle = '#9ab8d8';
  g.fillRect(0, 0, size.width, size.height);
  g.fillStyle = '#7a8a5c';
  g.fillRect(0, size.height / 2, size.width, size.height / 2);
  const photo = { ...size, pixels: () => sharp(canvas.toBuffer('image/png')).removeAlpha() };
  const skyAnalysis = { ...createPhotoAnalysis(), sky: { horizon: 0.5, part: 0.5, hasClouds: true } };
  const framing = computeFraming(photo, film, { seen: skyAnalysis });
  const { width, height } = computePhotoBox(framing, film);
  const matte = new Uint8Array(width * height).fill(255, 0, width * Math.floor(height / 2));
  const scene = await createSkyScene(
    await createRenderContext(photo, film, framing, {
      seen: skyAnalysis,
      cut: { sky: matte, paintedByModel: false, meshes: [] },
    }),
  );
  for (const phase of [0, 0.3, 0.6]) {
    const picture = convertPlanesToRgb(scene!({ phase, frame: 8 * phase }), film);
    const darkestGreen = Array.from({ length: film.width * film.height }, (_, at) => picture[3 * at + 1]!).reduce(
      (a, b) => Math.min(a, b),
    );
    // Far from the photo, the picture is softer and a little darker, but never black.
    expect(darkestGreen, `at ${phase}`).toBeGreaterThan(70);
  }
});
