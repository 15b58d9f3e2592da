import { createCanvas } from '@napi-rs/canvas';
import sharp from 'sharp';
import { expect, test } from 'vitest';
import { createPhotoAnalysis } from '#test/photo-analysis.ts';
import { computeFraming } from '../framing.ts';
import { createRenderContext } from '../render-context.ts';
import { createLightSweepScene } from './light-sweep.ts';

const film = { width: 640, height: 400, frames: 8 };

test.each([
  ['in black and white', ['#101010', '#e8e8e8'], false],
  ['in brown', ['#2a1c10', '#e0c8a0'], true],
] as const)('added light has the color of the light in a photo %s', async (_, [dark, bright], isWarm) => {
  const canvas = createCanvas(film.width, film.height);
  const g = canvas.getContext('2d');
  g.fillStyle = g.createLinearGradient(0, 0, film.width, 0);
  g.fillStyle.addColorStop(0, dark);
  g.fillStyle.addColorStop(1, bright);
  g.fillRect(0, 0, film.width, film.height);
  const photo = { ...film, pixels: () => sharp(canvas.toBuffer('image/png')).removeAlpha() };
  const light = { ...createPhotoAnalysis().light, color: isWarm ? 0.2 : 0 };
  const stage = await createRenderContext(photo, film, computeFraming(photo, film, {}), {
    seen: createPhotoAnalysis({ light }),
  });
  const scene = createLightSweepScene(stage);
  const area = film.width * film.height;
  /** The blue-difference value of one pixel (gray is 128), without and with the light. */
  const readBlueDifference = (phase: number) =>
    scene({ phase, frame: 0 })[area + (film.width / 2) * 100 + film.width / 4]!;
  const [before, under] = [readBlueDifference(0), readBlueDifference(0.5)];
  if (isWarm) expect(before - under).toBeGreaterThan(2);
  else expect([before, under]).toEqual([128, 128]);
});
