// Drawing functions that several acts share. An act animates one gallery picture.
import { random, smoothstep } from '../../noise.ts';
import { type Draw, glow, HEIGHT, TAU, vignette, WIDTH } from '../stage.ts';

export const WATER = 1;
export const LEAVES = 2;
export const GRASS = 3;
export const CLOTH = 4;

export const at = ([x, y]: [number, number, number]) => [x * WIDTH, y * HEIGHT] as const;

/** Light over the picture: dark corners, and warm light from one side. */
export function evening(x: number, y: number, color: string, warmth: number, corners: number): Draw {
  return (g) => {
    glow(g, x, y, 900, color, warmth);
    vignette(g, corners);
  };
}

export function stars(count: number, seed: number, bottom: number): Draw {
  const r = random(seed);
  const list = Array.from({ length: count }, () => ({
    x: r() * WIDTH,
    y: r() ** 1.15 * bottom,
    s: 0.45 + r() ** 6 * 1.9,
    k: 1 + Math.floor(r() * 4),
    p: r() * TAU,
    warm: r() > 0.75,
  }));
  return (g, t) => {
    for (const s of list) {
      g.globalAlpha = (0.5 + 0.42 * Math.sin(TAU * s.k * t + s.p)) * smoothstep(bottom, bottom * 0.5, s.y);
      g.fillStyle = s.warm ? '#ffe9cf' : '#e6eeff';
      g.beginPath();
      g.arc(s.x, s.y, s.s, 0, TAU);
      g.fill();
      if (s.s > 1.5) glow(g, s.x, s.y, s.s * 7, '#cfdcff', 0.35 * g.globalAlpha);
    }
    g.globalAlpha = 1;
  };
}
