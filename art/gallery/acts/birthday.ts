import { createRandomGenerator } from '../../noise.ts';
import { readRenderNotePoints } from '../../places.ts';
import {
  type GalleryAnimation,
  drawFlame,
  drawGlow,
  CANVAS_HEIGHT,
  openBlenderScene,
  drawSprite,
  TAU,
  drawCornerShade,
  CANVAS_WIDTH,
} from '../stage.ts';

export async function createBirthdayAnimation(): Promise<GalleryAnimation> {
  const stage = await openBlenderScene('birthday');
  const balloonSprites = await Promise.all([1, 2, 3, 4].map((i) => stage.loadSprite(`birthday-${i}`)));
  const flames = readRenderNotePoints(stage.note, 'flames').map(
    (f) => [f[0] * CANVAS_WIDTH, f[1] * CANVAS_HEIGHT, f[2]] as const,
  );
  const random = createRandomGenerator(21);
  const bokeh = Array.from({ length: 34 }, (_, i) => ({
    x: (i + random()) * 39 - 20,
    y: 70 + 120 * Math.sin((i / 33) * Math.PI * 3) ** 2 + random() * 36,
    s: 13 + random() * 15,
    k: 1 + Math.floor(random() * 2),
    p: random() * TAU,
    warm: random(),
  }));
  return {
    drawInFront(g, t) {
      const loopAngle = TAU * t;
      g.save();
      g.globalCompositeOperation = 'screen';
      for (const bokehDisc of bokeh) {
        const alpha = 0.3 + 0.16 * Math.sin(loopAngle * bokehDisc.k + bokehDisc.p);
        const bokehGradient = g.createRadialGradient(
          bokehDisc.x,
          bokehDisc.y,
          0,
          bokehDisc.x,
          bokehDisc.y,
          bokehDisc.s,
        );
        const rgb = bokehDisc.warm > 0.5 ? '255,206,130' : bokehDisc.warm > 0.25 ? '255,168,120' : '255,232,190';
        bokehGradient.addColorStop(0, `rgba(${rgb},${alpha * 0.8})`);
        bokehGradient.addColorStop(0.82, `rgba(${rgb},${alpha})`);
        bokehGradient.addColorStop(1, `rgba(${rgb},0)`);
        g.fillStyle = bokehGradient;
        g.fillRect(bokehDisc.x - bokehDisc.s, bokehDisc.y - bokehDisc.s, bokehDisc.s * 2, bokehDisc.s * 2);
      }
      g.restore();
      g.save();
      g.beginPath();
      g.rect(0, 0, CANVAS_WIDTH, 545); // the strings of the balloons end behind the table
      g.clip();
      balloonSprites.forEach((b, i) =>
        drawSprite(
          g,
          b,
          7 * Math.sin(loopAngle + i * 1.9) + (i === 3 ? 36 : 0),
          11 * Math.sin(loopAngle + i * 1.3),
          0.035 * Math.sin(loopAngle + i * 2.2),
          [0.5, 0.9],
        ),
      );
      g.restore();
      const breath = 0.05 * Math.sin(loopAngle * 7) + 0.03 * Math.sin(loopAngle * 11);
      drawGlow(g, 640, 290, 430, '#ffb45e', 0.24 + breath);
      for (const [i, [x, y]] of [...flames].sort((p, q) => q[2] - p[2]).entries()) {
        drawGlow(g, x, y - 10, 70, '#ffb050', 0.55 + breath);
        drawFlame(g, x, y + 2, 30, t, i + 1);
      }
    },
    grade: (g) => drawCornerShade(g, 0.5, '#1c0a06'),
  };
}
