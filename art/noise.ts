// Smooth random fields, identical on every run.

export function createRandomGenerator(seed: number) {
  let s = seed >>> 0;
  return () => {
    s = (s + 0x6d2b79f5) | 0;
    let t = Math.imul(s ^ (s >>> 15), 1 | s);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 4294967296;
  };
}

function latticeValueAt(x: number, y: number, seed: number) {
  let h = Math.imul(x, 374761393) + Math.imul(y, 668265263) + Math.imul(seed, 974711);
  h = Math.imul(h ^ (h >>> 13), 1274126177);
  return ((h ^ (h >>> 16)) >>> 0) / 4294967296;
}

/** Value noise, 0..1. */
export function computeValueNoise(x: number, y: number, seed = 1) {
  const xi = Math.floor(x);
  const yi = Math.floor(y);
  const u = (x - xi) * (x - xi) * (3 - 2 * (x - xi));
  const v = (y - yi) * (y - yi) * (3 - 2 * (y - yi));
  const a = latticeValueAt(xi, yi, seed);
  const b = latticeValueAt(xi + 1, yi, seed);
  const c = latticeValueAt(xi, yi + 1, seed);
  const d = latticeValueAt(xi + 1, yi + 1, seed);
  return a + (b - a) * u + (c - a) * v + (a - b - c + d) * u * v;
}

/** Fractal noise, about 0..1 around one half. */
export function computeFractalNoise(x: number, y: number, octaves = 5, seed = 1) {
  let total = 0;
  let gain = 0.5;
  for (let i = 0; i < octaves; i++) {
    total += gain * computeValueNoise(x, y, seed + i * 17);
    gain *= 0.5;
    x = x * 2.03 + 11.7;
    y = y * 2.03 - 5.3;
  }
  return total / (1 - 0.5 ** octaves);
}

export const smoothstep = (a: number, b: number, x: number) => {
  const t = Math.min(1, Math.max(0, (x - a) / (b - a)));
  return t * t * (3 - 2 * t);
};

export const interpolateLinearly = (a: number, b: number, t: number) => a + (b - a) * t;
