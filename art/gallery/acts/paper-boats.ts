import { spots } from '../../places.ts';
import { type Act, type Ctx, breeze, falling, mirror, openStage, drawSprite, ripples, TAU } from '../stage.ts';
import { WATER, LEAVES, GRASS, at, evening } from './common.ts';

export async function paperBoats(): Promise<Act> {
  const stage = await openStage('paper-boats');
  const fleet = await Promise.all([3, 2, 1].map((i) => stage.sprite(`paper-boats-${i}`)));
  const lines = spots(stage.note, 'water').map(at).reverse();
  const pads = await stage.mask(5, 4);
  const petals = falling(12, 8, ['#f2ccd4', '#f9e6e2'], [4, 7], 150);
  return {
    waves: [
      ...ripples(await stage.mask(WATER, 2), 250, 2.4, 0.13),
      { cycles: 1, reach: (x, y) => pads(x, y) * 3, phase: (x, y) => x * 0.004 + y * 0.01, dx: 1, dy: 0.5 },
      ...breeze(await stage.mask(LEAVES, 3), 2, 6),
      ...breeze(await stage.mask(GRASS, 2), 3, 2),
    ],
    front(g, t) {
      const a = TAU * t;
      fleet.forEach((b, i) => {
        const [x, y] = lines[i]!;
        const k = [0.5, 0.75, 1][i]!;
        const dx = 26 * k * Math.sin(a + i * 1.9);
        const dy = 4 * k * Math.sin(2 * a + i);
        rings(g, x + dx, y + 6 * k, b.width * 0.42, t, k);
        mirror(g, b, y + 8 * k, t, 0.5, dx, 0.6);
        drawSprite(g, b, dx, dy, 0.045 * Math.sin(2 * a + i * 2.4), [(x - b.x) / b.width, (y - b.y) / b.height]);
      });
      petals(g, t);
    },
    grade: evening(200, 20, '#fff0c2', 0.34, 0.36),
  };
}

function rings(g: Ctx, x: number, y: number, r: number, t: number, k: number) {
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
