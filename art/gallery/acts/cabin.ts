import { readRenderNotePoint, readRenderNotePoints } from '../../places.ts';
import {
  type GalleryAnimation,
  createCloudPainter,
  drawGlow,
  openBlenderScene,
  drawSmoke,
  createSnowPainter,
  TAU,
  drawCornerShade,
  fillWithGradient,
} from '../stage.ts';
import { toCanvasPoint, createStarPainter } from './common.ts';

export async function createCabinAnimation(): Promise<GalleryAnimation> {
  const stage = await openBlenderScene('cabin');
  const chimney = toCanvasPoint(readRenderNotePoint(stage.note, 'chimney'));
  const panes = readRenderNotePoints(stage.note, 'windows').map(toCanvasPoint);
  const drawSky = createCloudPainter({
    seed: 8,
    horizon: 480,
    cover: 0.44,
    lit: [255, 196, 168],
    shade: [104, 108, 156],
    sunX: 1200,
    sunY: 480,
    opacity: 0.8,
  });
  const drawStars = createStarPainter(90, 4, 300);
  const drawSnow = createSnowPainter(330, 6);
  return {
    drawBehind(g, t) {
      fillWithGradient(g, [
        [0, '#2a3f78'],
        [0.28, '#6a7db1'],
        [0.48, '#c79fae'],
        [0.62, '#f2b894'],
      ]);
      drawStars(g, t);
      drawSky(g, t, 44);
    },
    drawInFront(g, t) {
      drawSmoke(g, chimney[0], chimney[1] + 4, t, { rise: 250, from: 12, to: 78, alpha: 0.34, lean: 110, count: 18 });
      panes.forEach(([x, y], i) => {
        const flicker = 0.25 + 0.05 * Math.sin(TAU * 5 * t + i * 2) + 0.035 * Math.sin(TAU * 9 * t + i);
        drawGlow(g, x, y, 150, '#ffb052', flicker);
      });
      drawSnow(g, t);
    },
    grade: (g) => drawCornerShade(g, 0.4, '#101a3a'),
  };
}
