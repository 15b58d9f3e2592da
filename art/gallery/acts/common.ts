// Drawing functions that several acts share. An act animates one gallery picture.
import { createRandomGenerator, smoothstep } from '../../noise.ts';
import { type DrawCanvasFrame, drawGlow, CANVAS_HEIGHT, TAU, drawCornerShade, CANVAS_WIDTH } from '../stage.ts';

export const WATER_OBJECT_ID = 1;
export const LEAVES_OBJECT_ID = 2;
export const GRASS_OBJECT_ID = 3;
export const CLOTH_OBJECT_ID = 4;

export const toCanvasPoint = ([x, y]: [number, number, number]) => [x * CANVAS_WIDTH, y * CANVAS_HEIGHT] as const;

/** Light over the picture: dark corners, and warm light from one side. */
export function createEveningLightPainter(
  x: number,
  y: number,
  color: string,
  warmth: number,
  corners: number,
): DrawCanvasFrame {
  return (g) => {
    drawGlow(g, x, y, 900, color, warmth);
    drawCornerShade(g, corners);
  };
}

export function createStarPainter(count: number, seed: number, bottom: number): DrawCanvasFrame {
  const random = createRandomGenerator(seed);
  const list = Array.from({ length: count }, () => ({
    x: random() * CANVAS_WIDTH,
    y: random() ** 1.15 * bottom,
    s: 0.45 + random() ** 6 * 1.9,
    k: 1 + Math.floor(random() * 4),
    p: random() * TAU,
    warm: random() > 0.75,
  }));
  return (g, t) => {
    for (const s of list) {
      g.globalAlpha = (0.5 + 0.42 * Math.sin(TAU * s.k * t + s.p)) * smoothstep(bottom, bottom * 0.5, s.y);
      g.fillStyle = s.warm ? '#ffe9cf' : '#e6eeff';
      g.beginPath();
      g.arc(s.x, s.y, s.s, 0, TAU);
      g.fill();
      if (s.s > 1.5) drawGlow(g, s.x, s.y, s.s * 7, '#cfdcff', 0.35 * g.globalAlpha);
    }
    g.globalAlpha = 1;
  };
}
