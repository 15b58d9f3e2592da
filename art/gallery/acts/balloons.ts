import { random } from '../../noise.ts';
import {
  type Act,
  type Ctx,
  birds,
  breeze,
  clouds,
  glow,
  openStage,
  drawSprite,
  TAU,
  fillWithGradient,
  WIDTH,
} from '../stage.ts';
import { LEAVES, evening } from './common.ts';

export async function balloons(): Promise<Act> {
  const stage = await openStage('balloons');
  const fleet = await Promise.all([4, 3, 2, 1].map((i) => stage.sprite(`balloons-${i}`)));
  const sky = clouds({
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
  const swallows = birds(
    [
      { x: 330, y: 300, size: 9, phase: 0 },
      { x: 372, y: 288, size: 8, phase: 0.7 },
      { x: 300, y: 276, size: 7, phase: 1.5 },
    ],
    'rgba(80,70,90,.7)',
    90,
  );
  const leaves = await stage.mask(LEAVES, 3);
  return {
    behind(g, t) {
      fillWithGradient(g, [
        [0, '#7fa3cf'],
        [0.22, '#b9bfd8'],
        [0.4, '#efcfbc'],
        [0.55, '#f8dab0'],
      ]);
      sky(g, t, 40);
      glow(g, 1240, 380, 620, '#ffd698', 0.7);
    },
    waves: breeze(leaves, 1.4, 2),
    front(g, t) {
      const a = TAU * t;
      mist(g, t);
      fleet.forEach((b, i) => {
        const size = [0.5, 0.45, 0.7, 1.2][i]!;
        drawSprite(
          g,
          b,
          16 * size * Math.sin(a + i * 1.7),
          24 * size * Math.sin(a + i * 2.3),
          0.018 * Math.sin(a + i),
          [0.5, 0.4],
        );
        const burn = Math.max(0, Math.sin(a * 2 + i * 2.1)) ** 8;
        if (burn > 0.05)
          glow(
            g,
            b.x + b.width / 2 + 16 * size * Math.sin(a + i * 1.7),
            b.y + b.height * 0.72 + 24 * size * Math.sin(a + i * 2.3),
            b.width * 0.5,
            '#ffb85a',
            burn * 0.55,
          );
      });
      swallows(g, t);
    },
    grade: evening(1240, 340, '#ffce90', 0.34, 0.26),
  };
}

const banks = (() => {
  const r = random(66);
  return Array.from({ length: 26 }, () => ({
    x: r() * WIDTH,
    y: 505 + r() ** 1.5 * 190,
    s: 120 + r() * 190,
    p: r() * TAU,
    d: 30 + r() * 50,
  }));
})();

/** Morning mist in the hollows. */
function mist(g: Ctx, t: number) {
  for (const b of banks) {
    const x = b.x + b.d * Math.sin(TAU * t + b.p);
    const alpha = 0.1 + 0.035 * Math.sin(TAU * t * 2 + b.p);
    g.save();
    g.translate(x, b.y);
    g.scale(1, 0.17);
    glow(g, 0, 0, b.s, '#fde6d2', alpha, 'source-over');
    g.restore();
  }
}
