import { readRenderNotePoint } from '../../places.ts';
import {
  type GalleryAnimation,
  createWindWaves,
  createCloudPainter,
  type DrawCanvasFrame,
  createFallingLeavesPainter,
  openBlenderScene,
  drawSmoke,
  TAU,
  fillWithGradient,
} from '../stage.ts';
import {
  LEAVES_OBJECT_ID,
  GRASS_OBJECT_ID,
  CLOTH_OBJECT_ID,
  toCanvasPoint,
  createEveningLightPainter,
} from './common.ts';

export async function createGardenAnimation(): Promise<GalleryAnimation> {
  const stage = await openBlenderScene('garden');
  const drawSky = createCloudPainter({
    seed: 31,
    horizon: 400,
    cover: 0.5,
    size: 0.9,
    lit: [255, 252, 240],
    shade: [206, 208, 214],
    sunX: -60,
    sunY: 40,
  });
  const cloth = await stage.createObjectMask(CLOTH_OBJECT_ID, 2);
  const createButterflyPainter =
    (cx: number, cy: number, rx: number, ry: number, k: number, phase: number, color: string): DrawCanvasFrame =>
    (g, t) => {
      const loopAngle = TAU * t;
      const x = cx + rx * Math.sin(loopAngle * k + phase) + 12 * Math.sin(loopAngle * 3 + phase);
      const y = cy + ry * Math.sin(loopAngle * k * 2 + phase) + 7 * Math.cos(loopAngle * 4 + phase);
      const wingOpening = 0.25 + 0.75 * Math.abs(Math.sin(loopAngle * 14 + phase));
      g.save();
      g.translate(x, y);
      g.rotate(0.5 * Math.cos(loopAngle * k + phase));
      g.fillStyle = color;
      for (const wingSide of [-1, 1]) {
        g.beginPath();
        g.ellipse(wingSide * 5 * wingOpening, -3, 6 * wingOpening, 7, wingSide * 0.5, 0, TAU);
        g.ellipse(wingSide * 4 * wingOpening, 5, 4.4 * wingOpening, 5, wingSide * -0.4, 0, TAU);
        g.fill();
      }
      g.fillStyle = '#3a2a20';
      g.fillRect(-1, -6, 2, 13);
      g.restore();
    };
  const butterflyPainters = [
    createButterflyPainter(905, 590, 90, 26, 1, 0.4, '#f4b63f'),
    createButterflyPainter(690, 520, 60, 34, 2, 2.1, '#f7f1e2'),
    createButterflyPainter(1060, 520, 70, 22, 1, 4, '#d9643a'),
  ];
  const drawPetals = createFallingLeavesPainter(16, 5, ['#f6d8dc', '#f9ebe6', '#efc2cb'], [3.2, 5.6], 170);
  const chimney = toCanvasPoint(readRenderNotePoint(stage.note, 'chimney'));
  return {
    drawBehind(g, t) {
      fillWithGradient(g, [
        [0, '#6fa6d2'],
        [0.3, '#b7d2df'],
        [0.55, '#f2e8cf'],
      ]);
      drawSky(g, t, 40);
    },
    waves: [
      ...createWindWaves(await stage.createObjectMask(LEAVES_OBJECT_ID, 3), 2.4, 4),
      ...createWindWaves(await stage.createObjectMask(GRASS_OBJECT_ID, 2), 2.2, 7),
      { cycles: 3, reach: (x, y) => cloth(x, y) * 6, phase: (x, y) => x * 0.045 + y * 0.03, dx: 1, dy: 0.2 },
      { cycles: 4, reach: (x, y) => cloth(x, y) * 0.09, phase: (x, y) => x * 0.09 + y * 0.035, light: true },
    ],
    drawInFront(g, t) {
      drawSmoke(g, chimney[0], chimney[1], t, {
        rise: 150,
        from: 8,
        to: 46,
        alpha: 0.22,
        lean: 60,
        count: 12,
        cycles: 1,
      });
      for (const paintButterfly of butterflyPainters) paintButterfly(g, t);
      drawPetals(g, t);
    },
    grade: createEveningLightPainter(60, 20, '#ffe2a8', 0.3, 0.24),
  };
}
