import { readRenderNotePoint } from '../../places.ts';
import {
  type GalleryAnimation,
  createBirdPainter,
  createWindWaves,
  createCloudPainter,
  drawGlow,
  CANVAS_HEIGHT,
  openBlenderScene,
  measureSpriteBounds,
  drawSprite,
  createWaterWaves,
  TAU,
  fillWithGradient,
} from '../stage.ts';
import { WATER_OBJECT_ID, GRASS_OBJECT_ID, toCanvasPoint, createEveningLightPainter } from './common.ts';

export async function createKiteAnimation(): Promise<GalleryAnimation> {
  const stage = await openBlenderScene('kite');
  const toy = await stage.loadSprite('kite-toy');
  const [hx, hy] = toCanvasPoint(readRenderNotePoint(stage.note, 'hand'));
  const shape = measureSpriteBounds(toy);
  const [kx, ky] = [shape.left + (shape.right - shape.left) * 0.52, shape.top + (shape.bottom - shape.top) * 0.4];
  const [tx, ty] = [shape.lowestX, shape.bottom - 2];
  const horizon = CANVAS_HEIGHT * 0.47;
  const drawSky = createCloudPainter({
    seed: 12,
    horizon,
    cover: 0.5,
    lit: [255, 244, 224],
    shade: [196, 178, 190],
    sunX: 1220,
    sunY: 60,
  });
  return {
    drawBehind(g, t) {
      fillWithGradient(g, [
        [0, '#5b93c7'],
        [0.22, '#93bada'],
        [0.38, '#d6d2cb'],
        [0.5, '#f4d9b0'],
      ]);
      drawSky(g, t, 60);
      drawGlow(g, 1240, 60, 760, '#ffe3ac', 0.55);
    },
    waves: [
      ...createWindWaves(await stage.createObjectMask(GRASS_OBJECT_ID, 2), 3.4, 2),
      ...createWaterWaves(await stage.createObjectMask(WATER_OBJECT_ID, 2), horizon, 1.8, 0.14),
    ],
    drawInFront(g, t) {
      const loopAngle = TAU * t;
      const dx = 26 * Math.sin(loopAngle);
      const dy = 13 * Math.sin(2 * loopAngle + 0.6);
      const kiteAngle = 0.1 * Math.sin(loopAngle + 1.1);
      const [c, s] = [Math.cos(kiteAngle), Math.sin(kiteAngle)];
      const swingAt = (x: number, y: number) =>
        [kx + dx + (x - kx) * c - (y - ky) * s, ky + dy + (x - kx) * s + (y - ky) * c] as const;
      const [lx, ly] = swingAt(tx, ty);
      const [mx, my] = swingAt(kx, ky);
      drawSprite(g, toy, dx, dy, kiteAngle, [(kx - toy.x) / toy.width, (ky - toy.y) / toy.height]);
      g.strokeStyle = 'rgba(255,250,238,.8)';
      g.lineWidth = 1.3;
      g.beginPath();
      g.moveTo(hx, hy);
      g.quadraticCurveTo(
        (hx + mx) / 2 + 30 + 10 * Math.sin(loopAngle - 0.6),
        (hy + my) / 2 + 70 + 6 * Math.cos(loopAngle),
        mx,
        my,
      );
      g.stroke();
      const tailPointAt = (q: number) =>
        [
          lx - 52 * q + (4 + 15 * q) * Math.sin(q * 6.4 - 3 * loopAngle),
          ly + 92 * q + 6 * Math.cos(q * 5 - 2 * loopAngle),
        ] as const;
      g.strokeStyle = '#8c3a24';
      g.lineWidth = 2;
      g.beginPath();
      g.moveTo(lx, ly);
      for (let i = 1; i <= 26; i++) g.lineTo(...tailPointAt(i / 26));
      g.stroke();
      for (const [i, q] of [0.3, 0.58, 0.86].entries()) {
        const [x, y] = tailPointAt(q);
        g.save();
        g.translate(x, y);
        g.rotate(0.5 * Math.sin(3 * loopAngle - q * 6) + 0.3);
        g.fillStyle = i % 2 ? '#35576d' : '#e3a83a';
        g.beginPath();
        g.moveTo(0, 0);
        g.lineTo(-11, -6);
        g.lineTo(-11, 6);
        g.lineTo(11, -6);
        g.lineTo(11, 6);
        g.fill();
        g.restore();
      }
      drawFlock(g, t);
    },
    grade: createEveningLightPainter(1250, 40, '#ffcf8a', 0.26, 0.26),
  };
}

const drawFlock = createBirdPainter(
  [
    { x: 880, y: 225, size: 10, phase: 0 },
    { x: 925, y: 205, size: 8, phase: 0.9 },
    { x: 850, y: 198, size: 7, phase: 1.7 },
  ],
  'rgba(70,66,80,.65)',
  70,
);
