import { createRandomGenerator } from '../../noise.ts';
import { readRenderNotePoints } from '../../places.ts';
import {
  type GalleryAnimation,
  type CanvasContext,
  createBirdPainter,
  createCloudPainter,
  type DrawCanvasFrame,
  CANVAS_HEIGHT,
  openBlenderScene,
  createWaterWaves,
  TAU,
  drawCornerShade,
  fillWithGradient,
  CANVAS_WIDTH,
} from '../stage.ts';
import { WATER_OBJECT_ID, toCanvasPoint } from './common.ts';

export async function createPromenadeAnimation(): Promise<GalleryAnimation> {
  const stage = await openBlenderScene('promenade');
  const horizon = CANVAS_HEIGHT * 0.455;
  const drawSky = createCloudPainter({
    seed: 19,
    horizon,
    cover: 0.54,
    lit: [252, 250, 244],
    shade: [176, 178, 184],
    sunX: -60,
    sunY: 60,
  });
  const drawGulls = createBirdPainter(
    [
      { x: 560, y: 170, size: 16, phase: 0 },
      { x: 650, y: 130, size: 12, phase: 1.2 },
      { x: 850, y: 190, size: 9, phase: 2.4 },
    ],
    'rgba(60,56,54,.85)',
    110,
  );
  const lamps = readRenderNotePoints(stage.note, 'lamps').map(toCanvasPoint);
  const drawOldPrint = createOldPrint();
  return {
    drawBehind(g, t) {
      fillWithGradient(g, [
        [0, '#9fbacb'],
        [0.46, '#eee8da'],
      ]);
      drawSky(g, t, 60);
    },
    waves: createWaterWaves(await stage.createObjectMask(WATER_OBJECT_ID, 1.5), horizon, 2.2, 0.13),
    drawInFront(g, t) {
      for (const [i, [x, y]] of lamps.entries()) drawPennant(g, x + 6, y + 52, t, i);
      drawGulls(g, t);
    },
    grade(g, t) {
      g.save();
      g.globalCompositeOperation = 'saturation';
      g.fillStyle = '#808080';
      g.fillRect(0, 0, CANVAS_WIDTH, CANVAS_HEIGHT);
      g.globalCompositeOperation = 'soft-light';
      g.fillStyle = 'rgba(255,250,240,.4)';
      g.fillRect(0, 0, CANVAS_WIDTH, CANVAS_HEIGHT);
      g.globalCompositeOperation = 'multiply';
      g.fillStyle = '#fbe9cb';
      g.fillRect(0, 0, CANVAS_WIDTH, CANVAS_HEIGHT);
      g.globalCompositeOperation = 'lighten';
      g.fillStyle = '#3b2a1c';
      g.fillRect(0, 0, CANVAS_WIDTH, CANVAS_HEIGHT);
      g.globalCompositeOperation = 'color';
      g.fillStyle = 'rgba(178,124,66,.4)';
      g.fillRect(0, 0, CANVAS_WIDTH, CANVAS_HEIGHT);
      g.restore();
      drawOldPrint(g, t);
      drawCornerShade(g, 0.42, '#2b1808');
    },
  };
}

function drawPennant(g: CanvasContext, x: number, y: number, t: number, seed: number) {
  const points = Array.from({ length: 15 }, (_, i) => {
    const q = i / 14;
    return [q * 92, 7 * q * Math.sin(q * 7 - TAU * 4 * t + seed) + 8 * q, 15 * (1 - q)] as const;
  });
  g.fillStyle = seed ? '#8a3a2a' : '#a8452f';
  g.beginPath();
  g.moveTo(x, y - 15);
  for (const [px, py, h] of points) g.lineTo(x + px, y + py - h);
  for (const [px, py, h] of [...points].reverse()) g.lineTo(x + px, y + py + h);
  g.fill();
}

/** An old print: specks, hairs and a faint flicker of the light, the same in every loop. */
function createOldPrint(): DrawCanvasFrame {
  const random = createRandomGenerator(55);
  const specks = Array.from({ length: 150 }, () => ({
    x: random() * CANVAS_WIDTH,
    y: random() * CANVAS_HEIGHT,
    s: 0.4 + random() ** 3 * 1.7,
    light: random() > 0.35,
  }));
  const hairs = Array.from({ length: 7 }, () => ({
    x: random() * CANVAS_WIDTH,
    y: random() * CANVAS_HEIGHT,
    a: random() * TAU,
    l: 14 + random() * 40,
    c: (random() - 0.5) * 30,
  }));
  return (g, t) => {
    for (const speck of specks) {
      g.fillStyle = speck.light ? 'rgba(255,246,226,.5)' : 'rgba(50,30,14,.4)';
      g.beginPath();
      g.arc(speck.x, speck.y, speck.s, 0, TAU);
      g.fill();
    }
    g.strokeStyle = 'rgba(255,246,226,.35)';
    g.lineWidth = 0.8;
    for (const hair of hairs) {
      g.beginPath();
      g.moveTo(hair.x, hair.y);
      g.quadraticCurveTo(
        hair.x + hair.l * 0.5 * Math.cos(hair.a) + hair.c,
        hair.y + hair.l * 0.5 * Math.sin(hair.a),
        hair.x + hair.l * Math.cos(hair.a),
        hair.y + hair.l * Math.sin(hair.a),
      );
      g.stroke();
    }
    g.fillStyle = `rgba(255,240,214,${0.03 + 0.025 * Math.sin(TAU * 3 * t) + 0.015 * Math.sin(TAU * 7 * t)})`;
    g.fillRect(0, 0, CANVAS_WIDTH, CANVAS_HEIGHT);
  };
}
