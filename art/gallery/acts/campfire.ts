import { computeValueNoise, createRandomGenerator } from '../../noise.ts';
import { readRenderNotePoint, readRenderNotePoints } from '../../places.ts';
import {
  type GalleryAnimation,
  type CanvasContext,
  drawFlame,
  drawGlow,
  createLightParticlePainter,
  openBlenderScene,
  drawSmoke,
  TAU,
  drawCornerShade,
  fillWithGradient,
} from '../stage.ts';
import { GRASS_OBJECT_ID, toCanvasPoint, createStarPainter } from './common.ts';

export async function createCampfireAnimation(): Promise<GalleryAnimation> {
  const stage = await openBlenderScene('campfire');
  const [fire, above] = readRenderNotePoints(stage.note, 'fire').map(toCanvasPoint);
  const [fx, fy] = fire!;
  const flameHeight = fy - above![1];
  const tent = toCanvasPoint(readRenderNotePoint(stage.note, 'tent'));
  const drawStars = createStarPainter(520, 2, 520);
  const drawFireflies = createLightParticlePainter(26, 9, [80, 430, 1200, 690], '#e6f08a', [2, 3.6], 0.9);
  const grass = await stage.createObjectMask(GRASS_OBJECT_ID, 2);
  const random = createRandomGenerator(30);
  const sparks = Array.from({ length: 46 }, () => ({
    at: random(),
    x: (random() - 0.5) * 50,
    lean: (random() - 0.35) * 130,
    rise: 150 + random() * 260,
    s: 0.8 + random() * 1.5,
    k: 1 + Math.floor(random() * 2),
    p: random() * TAU,
  }));
  return {
    drawBehind(g, t) {
      fillWithGradient(g, [
        [0, '#0d1838'],
        [0.3, '#1b2c5c'],
        [0.55, '#3b4f85'],
        [0.66, '#6d719a'],
      ]);
      drawMilkyWay(g);
      drawStars(g, t);
      drawShootingStar(g, t);
    },
    waves: [
      {
        cycles: 6,
        reach: (x, y) => 0.12 * Math.exp(-(((x - fx) / 330) ** 2) - ((y - fy) / 210) ** 2),
        phase: () => 0,
        light: true,
      },
      {
        cycles: 11,
        reach: (x, y) => 0.07 * Math.exp(-(((x - fx) / 330) ** 2) - ((y - fy) / 210) ** 2),
        phase: () => 1.3,
        light: true,
      },
      {
        cycles: 2,
        reach: (x, y) => grass(x, y) * 1.6,
        phase: (x, y) => x * 0.012 + 4 * computeValueNoise(x / 120, y / 120),
        dx: 1,
      },
    ],
    drawInFront(g, t) {
      const loopAngle = TAU * t;
      const breath = 0.05 * Math.sin(loopAngle * 6) + 0.04 * Math.sin(loopAngle * 11 + 1.3);
      drawSmoke(g, fx, fy - flameHeight * 0.6, t, { rise: 300, from: 16, to: 80, alpha: 0.09, lean: 70, count: 12 });
      drawGlow(g, fx, fy - flameHeight * 0.3, 420, '#ff8a3a', 0.3 + breath);
      drawGlow(g, tent[0], tent[1], 190, '#ffb45e', 0.2 + 0.02 * Math.sin(loopAngle * 2));
      g.save();
      g.filter = 'blur(2.2px)';
      for (const [i, [dx, size]] of [
        [-34, 0.3],
        [33, 0.32],
        [-24, 0.46],
        [22, 0.5],
        [-12, 0.62],
        [11, 0.58],
        [0, 0.72],
      ].entries())
        drawFlame(g, fx + dx!, fy + 3 - (i % 3) * 3, flameHeight * size!, t, i * 1.7 + 1, 0.34);
      g.restore();
      g.save();
      g.globalCompositeOperation = 'lighter';
      for (const spark of sparks) {
        const q = (spark.at + t * spark.k) % 1;
        g.globalAlpha = (1 - q) ** 1.4;
        g.fillStyle = q < 0.4 ? '#ffd98a' : '#ff9a4a';
        g.beginPath();
        g.arc(
          fx + spark.x + spark.lean * q + 12 * Math.sin(q * 9 + spark.p),
          fy - 30 - spark.rise * q,
          spark.s,
          0,
          TAU,
        );
        g.fill();
      }
      g.restore();
      drawFireflies(g, t);
    },
    grade: (g) => drawCornerShade(g, 0.45, '#040818'),
  };
}

function drawMilkyWay(g: CanvasContext) {
  g.save();
  g.translate(820, 210);
  g.rotate(-0.55);
  const random = createRandomGenerator(3);
  for (let i = 0; i < 90; i++)
    drawGlow(
      g,
      (random() - 0.5) * 1200,
      (random() + random() - 1) * 85,
      40 + random() * 80,
      random() > 0.6 ? '#8f88b8' : '#6d7fc0',
      0.045,
    );
  g.fillStyle = '#e9eeff';
  for (let i = 0; i < 900; i++) {
    g.globalAlpha = 0.12 + random() * 0.4;
    g.fillRect((random() - 0.5) * 1300, (random() + random() + random() - 1.5) * 110, 1, 1);
  }
  g.restore();
}

function drawShootingStar(g: CanvasContext, t: number) {
  const q = (t - 0.55) / 0.09;
  if (q < 0 || q > 1) return;
  const x = 330 + 250 * q;
  const y = 90 + 95 * q;
  const trailGradient = g.createLinearGradient(x - 90, y - 34, x, y);
  trailGradient.addColorStop(0, 'rgba(255,255,255,0)');
  trailGradient.addColorStop(1, `rgba(255,252,240,${Math.sin(Math.PI * q)})`);
  g.strokeStyle = trailGradient;
  g.lineWidth = 2;
  g.beginPath();
  g.moveTo(x - 90, y - 34);
  g.lineTo(x, y);
  g.stroke();
}
