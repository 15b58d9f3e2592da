import { createCanvas } from '@napi-rs/canvas';
import {
  type GalleryAnimation,
  type CanvasContext,
  createWindWaves,
  createFallingLeavesPainter,
  CANVAS_HEIGHT,
  openBlenderScene,
  TAU,
  fillWithGradient,
  CANVAS_WIDTH,
} from '../stage.ts';
import { LEAVES_OBJECT_ID, GRASS_OBJECT_ID, createEveningLightPainter } from './common.ts';

export async function createAutumnAnimation(): Promise<GalleryAnimation> {
  const stage = await openBlenderScene('autumn');
  const leafColors = ['#c9652a', '#dd9c34', '#a8402a', '#e6bd5c', '#b9742f'];
  const drawNearLeaves = createFallingLeavesPainter(16, 6, leafColors, [9, 15], 210, [1, 2]);
  const drawFarLeaves = createFallingLeavesPainter(44, 14, leafColors, [3, 7], 130, [1, 1]);
  return {
    drawBehind(g) {
      fillWithGradient(g, [
        [0, '#a9c4d4'],
        [0.3, '#e6dcc0'],
        [0.55, '#f9e2b0'],
      ]);
    },
    waves: [
      ...createWindWaves(await stage.createObjectMask(LEAVES_OBJECT_ID, 3), 2.9, 3),
      ...createWindWaves(await stage.createObjectMask(GRASS_OBJECT_ID, 2), 2, 8),
    ],
    drawInFront(g, t) {
      drawFarLeaves(g, t);
      drawLightShafts(g, t);
      drawNearLeaves(g, t);
    },
    grade: createEveningLightPainter(760, 260, '#ffd894', 0.36, 0.34),
  };
}

/** Soft beams of sunlight between the trees. Each beam is drawn once and pulses slowly at its own pace. */
const beams = Array.from({ length: 6 }, (_, i) => {
  const beam = createCanvas(CANVAS_WIDTH, CANVAS_HEIGHT);
  const g = beam.getContext('2d');
  const x = 640 + i * 80;
  const beamGradient = g.createLinearGradient(x, 0, x - 330, 700);
  beamGradient.addColorStop(0, 'rgba(255,226,160,0)');
  beamGradient.addColorStop(0.3, 'rgba(255,226,160,.9)');
  beamGradient.addColorStop(1, 'rgba(255,226,160,0)');
  g.filter = 'blur(16px)';
  g.fillStyle = beamGradient;
  g.beginPath();
  g.moveTo(x - 10, -20);
  g.lineTo(x + 36, -20);
  g.lineTo(x - 330, CANVAS_HEIGHT);
  g.lineTo(x - 440, CANVAS_HEIGHT);
  g.fill();
  return beam;
});

function drawLightShafts(g: CanvasContext, t: number) {
  g.save();
  g.globalCompositeOperation = 'screen';
  beams.forEach((beam, i) => {
    g.globalAlpha = 0.1 + 0.07 * Math.sin(TAU * t * (1 + (i % 2)) + i * 1.9);
    g.drawImage(beam, 0, 0);
  });
  g.restore();
}
