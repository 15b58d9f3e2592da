import { createRandomGenerator, smoothstep } from '../../noise.ts';
import { readRenderNotePoint } from '../../places.ts';
import {
  type GalleryAnimation,
  type CanvasContext,
  type DrawCanvasFrame,
  createFallingLeavesPainter,
  drawGlow,
  CANVAS_HEIGHT,
  createLightParticlePainter,
  openBlenderScene,
  drawSmoke,
  type Sprite,
  TAU,
  fillWithGradient,
  CANVAS_WIDTH,
} from '../stage.ts';
import { CLOTH_OBJECT_ID, toCanvasPoint, createEveningLightPainter } from './common.ts';

export async function createCatAnimation(): Promise<GalleryAnimation> {
  const stage = await openBlenderScene('cat');
  const tailSprite = await stage.loadSprite('cat-tail');
  const cup = toCanvasPoint(readRenderNotePoint(stage.note, 'cup'));
  const cloth = await stage.createObjectMask(CLOTH_OBJECT_ID, 3);
  const drawLeaves = createFallingLeavesPainter(
    26,
    12,
    ['#c9652a', '#dd9c34', '#b9742f', '#e6bd5c'],
    [5, 10],
    200,
    [1, 2],
  );
  const view = createGardenBehindGlass();
  return {
    drawBehind(g, t) {
      view(g, t);
      drawLeaves(g, t);
      drawGlow(g, 980, 90, 560, '#ffe9bd', 0.5);
    },
    waves: [
      {
        cycles: 1,
        reach: (x, y) => cloth(x, y) * 5 * smoothstep(0, 700, y),
        phase: (x, y) => x * 0.012 + y * 0.004,
        dx: 1,
      },
      { cycles: 2, reach: (x, y) => cloth(x, y) * 0.04, phase: (x, y) => x * 0.05 + y * 0.004, light: true },
    ],
    drawInFront(g, t) {
      const loopAngle = TAU * t;
      g.save();
      g.translate(655, 680);
      g.scale(1, 0.1);
      drawGlow(g, 0, 0, 130, '#3a1c08', 0.55, 'multiply');
      g.restore();
      g.save();
      g.beginPath();
      g.rect(561, 0, CANVAS_WIDTH, CANVAS_HEIGHT); // the fur hides the root of the tail
      g.clip();
      drawTailSwish(
        g,
        tailSprite,
        tailSprite.y + tailSprite.height * 0.72,
        0.16 * Math.sin(loopAngle * 2) + 0.07 * Math.sin(loopAngle * 3 + 1),
        t,
      );
      g.restore();
      drawSmoke(g, cup[0], cup[1] + 6, t, { rise: 150, from: 9, to: 36, alpha: 0.34, lean: 14, count: 12, cycles: 2 });
      createLightParticlePainter(18, 3, [380, 90, 1180, 560], '#ffe6b0', [1.2, 2.6], 0.5)(g, t);
    },
    grade: createEveningLightPainter(960, 80, '#ffe2ae', 0.34, 0.3),
  };
}

/** Draws the raised tail of a resting cat: cuts a sprite into thin rows and moves the higher rows further. */
function drawTailSwish(g: CanvasContext, s: Sprite, base: number, bend: number, t: number) {
  const rowHeight = 2;
  const ratio = s.image.height / s.height;
  for (let k = 0; k < s.height; k += rowHeight) {
    const y = s.y + k;
    const q = Math.max(0, (base - y) / (base - s.y));
    const dx = bend * q ** 1.6 * 200 + 5 * q * Math.sin(TAU * 2 * t - q * 2.4);
    g.drawImage(s.image, 0, k * ratio, s.image.width, rowHeight * ratio, s.x + dx, y, s.width, rowHeight + 0.3);
  }
}

/** An autumn garden out of focus: rows of soft colored discs, brighter toward the sky. */
function createGardenBehindGlass(): DrawCanvasFrame {
  const random = createRandomGenerator(77);
  const discs: { x: number; y: number; s: number; c: string; p: number }[] = [];
  const rows: [number, number, number, string[]][] = [
    [330, 130, 120, ['#d9b36a', '#c98f4a', '#b9783c', '#e0c07c']],
    [420, 90, 95, ['#b9803c', '#8f8a46', '#a8652f', '#c99a4a']],
    [520, 70, 85, ['#8a8c45', '#75803f', '#a1924a', '#6a7538']],
    [640, 80, 90, ['#8f9a4c', '#7b8a42', '#a3a558', '#6d7c3a']],
  ];
  for (const [y, spread, size, colors] of rows) {
    for (let i = 0; i < 60; i++)
      discs.push({
        x: random() * 1400 - 60,
        y: y + (random() - 0.5) * spread * 1.6,
        s: size * (0.45 + random() * 0.7),
        c: colors[Math.floor(random() * colors.length)]!,
        p: random() * TAU,
      });
  }
  return (g, t) => {
    fillWithGradient(g, [
      [0, '#a8cbdc'],
      [0.26, '#dfe2d2'],
      [0.5, '#f4dca6'],
      [1, '#8d9a50'],
    ]);
    for (const disc of discs) {
      const x = disc.x + 5 * Math.sin(TAU * t + disc.p);
      const lightGradient = g.createRadialGradient(x, disc.y, 0, x, disc.y, disc.s);
      lightGradient.addColorStop(0, `${disc.c}99`);
      lightGradient.addColorStop(0.7, `${disc.c}66`);
      lightGradient.addColorStop(1, `${disc.c}00`);
      g.fillStyle = lightGradient;
      g.fillRect(x - disc.s, disc.y - disc.s, disc.s * 2, disc.s * 2);
    }
  };
}
