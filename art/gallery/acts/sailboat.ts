import { createRandomGenerator } from '../../noise.ts';
import { readRenderNotePoints } from '../../places.ts';
import {
  type GalleryAnimation,
  type CanvasContext,
  createBirdPainter,
  createCloudPainter,
  CANVAS_HEIGHT,
  drawReflection,
  openBlenderScene,
  drawSprite,
  createWaterWaves,
  TAU,
  fillWithGradient,
  CANVAS_WIDTH,
} from '../stage.ts';
import { WATER_OBJECT_ID, toCanvasPoint, createEveningLightPainter } from './common.ts';

export async function createSailboatAnimation(): Promise<GalleryAnimation> {
  const stage = await openBlenderScene('sailboat');
  const boatSprites = await Promise.all([3, 2, 1].map((i) => stage.loadSprite(`sailboat-${i}`)));
  const waterPoints = readRenderNotePoints(stage.note, 'water').map(toCanvasPoint).reverse();
  const horizon = CANVAS_HEIGHT * 0.515;
  const drawSky = createCloudPainter({
    seed: 5,
    horizon,
    cover: 0.52,
    lit: [255, 253, 246],
    shade: [188, 204, 218],
    sunX: -80,
    sunY: 60,
  });
  const drawGulls = createBirdPainter(
    [
      { x: 470, y: 190, size: 17, phase: 0.2 },
      { x: 560, y: 150, size: 13, phase: 1.3 },
      { x: 950, y: 120, size: 10, phase: 2.6 },
    ],
    'rgba(250,250,246,.95)',
    90,
  );
  return {
    drawBehind(g, t) {
      fillWithGradient(g, [
        [0, '#4f93cb'],
        [0.3, '#9bc6de'],
        [0.52, '#e9e6d6'],
      ]);
      drawSky(g, t, 56);
    },
    waves: createWaterWaves(await stage.createObjectMask(WATER_OBJECT_ID, 2), horizon, 2.6, 0.13),
    drawInFront(g, t) {
      const loopAngle = TAU * t;
      drawSparkle(g, t, horizon);
      boatSprites.forEach((boat, i) => {
        const [x, y] = waterPoints[i]!;
        const size = [1.6, 2.6, 5][i]!;
        const dx = [30, -18, 14][i]! * Math.sin(loopAngle + i * 2);
        const dy = size * 0.6 * Math.sin(2 * loopAngle + i * 1.7);
        const boatAngle = [0.02, 0.022, 0.03][i]! * Math.sin(2 * loopAngle + i * 2.2);
        drawReflection(g, boat, y + 1, t, 0.36, dx, 0.72, 736);
        g.save();
        g.beginPath();
        g.rect(0, 0, CANVAS_WIDTH, y + size * 0.9);
        g.clip();
        drawSprite(g, boat, dx, dy, boatAngle, [(x - boat.x) / boat.width, (y - boat.y) / boat.height]);
        g.restore();
        g.save();
        g.globalAlpha = 0.5;
        g.strokeStyle = '#f3f8f4';
        g.lineWidth = size * 0.35;
        for (const k of [0, 1]) {
          g.beginPath();
          g.ellipse(
            x + dx,
            y + 3 + k * size,
            boat.width * (0.42 + 0.08 * k + 0.02 * Math.sin(3 * loopAngle + k)),
            size * 1.1 + k * 2,
            0,
            0.15,
            Math.PI - 0.15,
          );
          g.stroke();
        }
        g.restore();
      });
      drawGulls(g, t);
    },
    grade: createEveningLightPainter(-40, 20, '#fff0c8', 0.3, 0.22),
  };
}

const drawSparkle = (() => {
  const random = createRandomGenerator(14);
  const list = Array.from({ length: 210 }, () => {
    const d = random() ** 1.8;
    return { x: 250 + random() * 1000, d, k: 1 + Math.floor(random() * 4), p: random() * TAU };
  });
  return (g: CanvasContext, t: number, horizon: number) => {
    g.fillStyle = '#fffdf0';
    for (const sparklePoint of list) {
      const b = Math.max(0, Math.sin(TAU * sparklePoint.k * t + sparklePoint.p)) ** 6;
      if (b < 0.05) continue;
      g.globalAlpha = b * 0.85;
      g.beginPath();
      g.ellipse(
        sparklePoint.x,
        horizon + 8 + sparklePoint.d * 215,
        1.5 + sparklePoint.d * 6,
        0.7 + sparklePoint.d * 1.2,
        0,
        0,
        TAU,
      );
      g.fill();
    }
    g.globalAlpha = 1;
  };
})();
