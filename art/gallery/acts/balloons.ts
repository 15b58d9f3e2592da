import { createRandomGenerator } from '../../noise.ts';
import {
  type GalleryAnimation,
  type CanvasContext,
  createBirdPainter,
  createWindWaves,
  createCloudPainter,
  drawGlow,
  openBlenderScene,
  drawSprite,
  TAU,
  fillWithGradient,
  CANVAS_WIDTH,
} from '../stage.ts';
import { LEAVES_OBJECT_ID, createEveningLightPainter } from './common.ts';

export async function createBalloonsAnimation(): Promise<GalleryAnimation> {
  const stage = await openBlenderScene('balloons');
  const balloonSprites = await Promise.all([4, 3, 2, 1].map((i) => stage.loadSprite(`balloons-${i}`)));
  const drawSky = createCloudPainter({
    seed: 41,
    horizon: 430,
    cover: 0.5,
    size: 0.8,
    lit: [255, 232, 206],
    shade: [190, 172, 196],
    sunX: 1300,
    sunY: 360,
    opacity: 0.85,
  });
  const drawSwallows = createBirdPainter(
    [
      { x: 330, y: 300, size: 9, phase: 0 },
      { x: 372, y: 288, size: 8, phase: 0.7 },
      { x: 300, y: 276, size: 7, phase: 1.5 },
    ],
    'rgba(80,70,90,.7)',
    90,
  );
  const leavesMask = await stage.createObjectMask(LEAVES_OBJECT_ID, 3);
  return {
    drawBehind(g, t) {
      fillWithGradient(g, [
        [0, '#7fa3cf'],
        [0.22, '#b9bfd8'],
        [0.4, '#efcfbc'],
        [0.55, '#f8dab0'],
      ]);
      drawSky(g, t, 40);
      drawGlow(g, 1240, 380, 620, '#ffd698', 0.7);
    },
    waves: createWindWaves(leavesMask, 1.4, 2),
    drawInFront(g, t) {
      const loopAngle = TAU * t;
      drawMist(g, t);
      balloonSprites.forEach((b, i) => {
        const size = [0.5, 0.45, 0.7, 1.2][i]!;
        drawSprite(
          g,
          b,
          16 * size * Math.sin(loopAngle + i * 1.7),
          24 * size * Math.sin(loopAngle + i * 2.3),
          0.018 * Math.sin(loopAngle + i),
          [0.5, 0.4],
        );
        const burn = Math.max(0, Math.sin(loopAngle * 2 + i * 2.1)) ** 8;
        if (burn > 0.05)
          drawGlow(
            g,
            b.x + b.width / 2 + 16 * size * Math.sin(loopAngle + i * 1.7),
            b.y + b.height * 0.72 + 24 * size * Math.sin(loopAngle + i * 2.3),
            b.width * 0.5,
            '#ffb85a',
            burn * 0.55,
          );
      });
      drawSwallows(g, t);
    },
    grade: createEveningLightPainter(1240, 340, '#ffce90', 0.34, 0.26),
  };
}

const mistBanks = (() => {
  const random = createRandomGenerator(66);
  return Array.from({ length: 26 }, () => ({
    x: random() * CANVAS_WIDTH,
    y: 505 + random() ** 1.5 * 190,
    s: 120 + random() * 190,
    p: random() * TAU,
    d: 30 + random() * 50,
  }));
})();

/** Morning mist in the hollows. */
function drawMist(g: CanvasContext, t: number) {
  for (const mistBank of mistBanks) {
    const x = mistBank.x + mistBank.d * Math.sin(TAU * t + mistBank.p);
    const alpha = 0.1 + 0.035 * Math.sin(TAU * t * 2 + mistBank.p);
    g.save();
    g.translate(x, mistBank.y);
    g.scale(1, 0.17);
    drawGlow(g, 0, 0, mistBank.s, '#fde6d2', alpha, 'source-over');
    g.restore();
  }
}
