import { readRenderNotePoints } from '../../places.ts';
import {
  type GalleryAnimation,
  type CanvasContext,
  createWindWaves,
  createFallingLeavesPainter,
  drawReflection,
  openBlenderScene,
  drawSprite,
  createWaterWaves,
  TAU,
} from '../stage.ts';
import {
  WATER_OBJECT_ID,
  LEAVES_OBJECT_ID,
  GRASS_OBJECT_ID,
  toCanvasPoint,
  createEveningLightPainter,
} from './common.ts';

export async function createPaperBoatsAnimation(): Promise<GalleryAnimation> {
  const stage = await openBlenderScene('paper-boats');
  const boatSprites = await Promise.all([3, 2, 1].map((i) => stage.loadSprite(`paper-boats-${i}`)));
  const waterPoints = readRenderNotePoints(stage.note, 'water').map(toCanvasPoint).reverse();
  const lilyPadMask = await stage.createObjectMask(5, 4);
  const drawPetals = createFallingLeavesPainter(12, 8, ['#f2ccd4', '#f9e6e2'], [4, 7], 150);
  return {
    waves: [
      ...createWaterWaves(await stage.createObjectMask(WATER_OBJECT_ID, 2), 250, 2.4, 0.13),
      { cycles: 1, reach: (x, y) => lilyPadMask(x, y) * 3, phase: (x, y) => x * 0.004 + y * 0.01, dx: 1, dy: 0.5 },
      ...createWindWaves(await stage.createObjectMask(LEAVES_OBJECT_ID, 3), 2, 6),
      ...createWindWaves(await stage.createObjectMask(GRASS_OBJECT_ID, 2), 3, 2),
    ],
    drawInFront(g, t) {
      const loopAngle = TAU * t;
      boatSprites.forEach((b, i) => {
        const [x, y] = waterPoints[i]!;
        const k = [0.5, 0.75, 1][i]!;
        const dx = 26 * k * Math.sin(loopAngle + i * 1.9);
        const dy = 4 * k * Math.sin(2 * loopAngle + i);
        drawRings(g, x + dx, y + 6 * k, b.width * 0.42, t, k);
        drawReflection(g, b, y + 8 * k, t, 0.5, dx, 0.6);
        drawSprite(g, b, dx, dy, 0.045 * Math.sin(2 * loopAngle + i * 2.4), [
          (x - b.x) / b.width,
          (y - b.y) / b.height,
        ]);
      });
      drawPetals(g, t);
    },
    grade: createEveningLightPainter(200, 20, '#fff0c2', 0.34, 0.36),
  };
}

function drawRings(g: CanvasContext, x: number, y: number, r: number, t: number, k: number) {
  g.save();
  g.strokeStyle = '#eef6ee';
  for (let i = 0; i < 3; i++) {
    const q = (t * 2 + i / 3) % 1;
    g.globalAlpha = 0.24 * Math.sin(Math.PI * q);
    g.lineWidth = 1.6 * k;
    g.beginPath();
    g.ellipse(x, y, r * (1 + 0.75 * q), r * 0.24 * (1 + 0.75 * q), 0, 0, TAU);
    g.stroke();
  }
  g.restore();
}
