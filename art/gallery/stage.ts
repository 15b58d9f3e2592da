// A stage for one gallery picture: a painted sky, the rendered plate with moving water, leaves and cloth, sprites, and
// drawings on top. Every motion completes whole cycles, so the loop has no visible jump.
import { readFileSync } from 'node:fs';
import { type Canvas, createCanvas, ImageData, loadImage, type SKRSContext2D } from '@napi-rs/canvas';
import sharp from 'sharp';
import { computeFractalNoise, interpolateLinearly, createRandomGenerator, smoothstep } from '../noise.ts';
import { readRenderNote, rawFilePath, type RenderNote } from '../places.ts';

export const TAU = Math.PI * 2;
export const CANVAS_WIDTH = 1280;
export const CANVAS_HEIGHT = 800;
export const LOOP_DURATION_SECONDS = 7;
export const FRAMES_PER_SECOND = 25;
export const LOOP_FRAME_COUNT = LOOP_DURATION_SECONDS * FRAMES_PER_SECOND;

export type CanvasContext = SKRSContext2D;
/** Draws one frame. `t` runs from 0 to 1 over the loop. */
export type DrawCanvasFrame = (g: CanvasContext, t: number) => void;

/**
 * How the rendered plate moves at a point: a wave of `cycles` per loop, `reach` pixels along (dx, dy), and a shimmer of
 * light.
 */
export interface PixelWave {
  cycles: number;
  reach: (x: number, y: number) => number;
  phase: (x: number, y: number) => number;
  dx?: number;
  dy?: number;
  light?: boolean;
}

export interface Sprite {
  image: Canvas;
  x: number;
  y: number;
  width: number;
  height: number;
}

/**
 * Returns how much a pixel belongs to one object of the render, from 0 to 1 with blurred edges. x and y are stage
 * pixels.
 */
export type Mask = (x: number, y: number) => number;

export interface BlenderScene {
  note: RenderNote;
  createObjectMask: (index: number, blur?: number) => Promise<Mask>;
  loadSprite: (name: string) => Promise<Sprite>;
}

export interface GalleryAnimation {
  drawBehind?: DrawCanvasFrame;
  waves?: PixelWave[];
  drawInFront?: DrawCanvasFrame;
  /** Drawn last: light and color over everything. */
  grade?: DrawCanvasFrame;
}

export async function openBlenderScene(name: string): Promise<BlenderScene> {
  const note = readRenderNote(name);
  const ids = readFileSync(rawFilePath(`${name}-ids.u8`));
  return {
    note,
    async createObjectMask(index, blur = 3) {
      const objectMask = Buffer.alloc(ids.length);
      for (let i = 0; i < ids.length; i++) objectMask[i] = ids[i] === index ? 255 : 0;
      const softMask = await sharp(objectMask, { raw: { width: note.width, height: note.height, channels: 1 } })
        .resize(CANVAS_WIDTH, CANVAS_HEIGHT, { fit: 'fill' })
        .blur(blur)
        .toColourspace('b-w')
        .raw()
        .toBuffer();
      return (x, y) => softMask[y * CANVAS_WIDTH + x]! / 255;
    },
    async loadSprite(file) {
      const renderNote = readRenderNote(file);
      const image = await loadImageAsCanvas(rawFilePath(`${file}.png`));
      return {
        image,
        x: renderNote.x! * CANVAS_WIDTH,
        y: renderNote.y! * CANVAS_HEIGHT,
        width: renderNote.w! * CANVAS_WIDTH,
        height: renderNote.h! * CANVAS_HEIGHT,
      };
    },
  };
}

export async function loadImageAsCanvas(file: string, width?: number, height?: number) {
  const pipeline = sharp(file).toColourspace('srgb');
  if (width) pipeline.resize(width, height ?? null, { fit: 'fill', kernel: 'lanczos3' });
  const image = await loadImage(await pipeline.png({ compressionLevel: 1 }).toBuffer());
  const canvas = createCanvas(image.width, image.height);
  canvas.getContext('2d').drawImage(image, 0, 0);
  return canvas;
}

/** Draws an act (the animation of one gallery picture) frame by frame, at `scale` times 1280x800. */
export async function createGalleryRenderer(name: string, act: GalleryAnimation, scale = 1) {
  const width = Math.round(CANVAS_WIDTH * scale);
  const height = Math.round(CANVAS_HEIGHT * scale);
  const plate = createCanvas(width, height);
  const stillImage = await sharp(rawFilePath(`${name}.png`))
    .toColourspace('srgb')
    .ensureAlpha()
    .resize(width, height, { kernel: 'lanczos3' })
    .raw()
    .toBuffer();
  const bendPixels = createBender(new Uint8ClampedArray(stillImage), width, height, scale, act.waves ?? []);
  const canvas = createCanvas(width, height);
  const g = canvas.getContext('2d');
  g.imageSmoothingEnabled = true;
  g.imageSmoothingQuality = 'high';
  return {
    canvas,
    draw(n: number) {
      const t = n / LOOP_FRAME_COUNT;
      g.setTransform(scale, 0, 0, scale, 0, 0);
      g.globalAlpha = 1;
      g.globalCompositeOperation = 'source-over';
      g.clearRect(0, 0, CANVAS_WIDTH, CANVAS_HEIGHT);
      act.drawBehind?.(g, t);
      plate.getContext('2d').putImageData(new ImageData(bendPixels(t), width, height), 0, 0);
      g.drawImage(plate, 0, 0, CANVAS_WIDTH, CANVAS_HEIGHT);
      act.drawInFront?.(g, t);
      act.grade?.(g, t);
      return canvas.data();
    },
  };
}

/**
 * Moves pixels of the plate by a sum of waves. Each wave is stored as its sine and cosine part, so a frame needs only
 * two products.
 */
function createBender(source: Uint8ClampedArray, width: number, height: number, scale: number, waves: PixelWave[]) {
  const premultiplied = new Float32Array(source.length);
  for (let i = 0; i < source.length; i += 4) {
    const a = source[i + 3]! / 255;
    for (let c = 0; c < 3; c++) premultiplied[i + c] = source[i + c]! * a;
    premultiplied[i + 3] = source[i + 3]!;
  }
  const movingPixels: number[] = [];
  const parts = waves.map(() => ({ sine: [] as number[], cosine: [] as number[] }));
  for (let y = 0; y < height; y++) {
    const sy = Math.min(CANVAS_HEIGHT - 1, Math.floor(y / scale));
    for (let x = 0; x < width; x++) {
      const sx = Math.min(CANVAS_WIDTH - 1, Math.floor(x / scale));
      const waveReaches = waves.map((w) => w.reach(sx, sy));
      if (!waveReaches.some((r) => Math.abs(r) > 0.02)) continue;
      movingPixels.push(y * width + x);
      waves.forEach((w, k) => {
        const phase = waveReaches[k] ? w.phase(sx, sy) : 0;
        const amount = waveReaches[k]! * (w.light ? 1 : scale);
        parts[k]!.sine.push(amount * Math.sin(phase));
        parts[k]!.cosine.push(amount * Math.cos(phase));
      });
    }
  }
  const pixels = Int32Array.from(movingPixels);
  const packedWaves = parts.map((p, k) => ({
    wave: waves[k]!,
    sine: Float32Array.from(p.sine),
    cosine: Float32Array.from(p.cosine),
  }));
  const outputPixels = new Uint8ClampedArray(source);
  const tapWeights = new Float32Array(4);
  return (t: number) => {
    const waveTurns = packedWaves.map(
      (p) => [Math.cos(TAU * p.wave.cycles * t), Math.sin(TAU * p.wave.cycles * t)] as const,
    );
    for (let i = 0; i < pixels.length; i++) {
      const pixelOffset = pixels[i]!;
      let dx = 0;
      let dy = 0;
      let light = 1;
      for (let k = 0; k < packedWaves.length; k++) {
        const p = packedWaves[k]!;
        const waveTurn = waveTurns[k]!;
        const value = p.sine[i]! * waveTurn[0] + p.cosine[i]! * waveTurn[1];
        if (p.wave.light) light += value;
        else {
          dx += value * (p.wave.dx ?? 1);
          dy += value * (p.wave.dy ?? 0);
        }
      }
      sampleAt(
        premultiplied,
        width,
        height,
        (pixelOffset % width) + dx,
        Math.floor(pixelOffset / width) + dy,
        tapWeights,
      );
      const a = tapWeights[3]!;
      const gain = a > 0.5 ? (255 / a) * light : 0;
      const o = pixelOffset * 4;
      outputPixels[o] = tapWeights[0]! * gain;
      outputPixels[o + 1] = tapWeights[1]! * gain;
      outputPixels[o + 2] = tapWeights[2]! * gain;
      outputPixels[o + 3] = a;
    }
    return outputPixels;
  };
}

/** Catmull-Rom interpolation keeps leaves sharp; linear sampling would blur them. */
function sampleAt(pixels: Float32Array, width: number, height: number, x: number, y: number, into: Float32Array) {
  const xi = Math.floor(x);
  const yi = Math.floor(y);
  const u = x - xi;
  const v = y - yi;
  const u2 = u * u;
  const v2 = v * v;
  const wx0 = -0.5 * u + u2 - 0.5 * u2 * u;
  const wx1 = 1 - 2.5 * u2 + 1.5 * u2 * u;
  const wx2 = 0.5 * u + 2 * u2 - 1.5 * u2 * u;
  const wx3 = -0.5 * u2 + 0.5 * u2 * u;
  let r = 0;
  let g = 0;
  let b = 0;
  let a = 0;
  for (let j = -1; j <= 2; j++) {
    const w =
      j === -1
        ? -0.5 * v + v2 - 0.5 * v2 * v
        : j === 0
          ? 1 - 2.5 * v2 + 1.5 * v2 * v
          : j === 1
            ? 0.5 * v + 2 * v2 - 1.5 * v2 * v
            : -0.5 * v2 + 0.5 * v2 * v;
    const row = Math.min(height - 1, Math.max(0, yi + j)) * width;
    const p0 = (row + Math.min(width - 1, Math.max(0, xi - 1))) * 4;
    const p1 = (row + Math.min(width - 1, Math.max(0, xi))) * 4;
    const p2 = (row + Math.min(width - 1, Math.max(0, xi + 1))) * 4;
    const p3 = (row + Math.min(width - 1, Math.max(0, xi + 2))) * 4;
    r += w * (wx0 * pixels[p0]! + wx1 * pixels[p1]! + wx2 * pixels[p2]! + wx3 * pixels[p3]!);
    g += w * (wx0 * pixels[p0 + 1]! + wx1 * pixels[p1 + 1]! + wx2 * pixels[p2 + 1]! + wx3 * pixels[p3 + 1]!);
    b += w * (wx0 * pixels[p0 + 2]! + wx1 * pixels[p1 + 2]! + wx2 * pixels[p2 + 2]! + wx3 * pixels[p3 + 2]!);
    a += w * (wx0 * pixels[p0 + 3]! + wx1 * pixels[p1 + 3]! + wx2 * pixels[p2 + 3]! + wx3 * pixels[p3 + 3]!);
  }
  into[0] = r;
  into[1] = g;
  into[2] = b;
  into[3] = Math.min(255, Math.max(0, a));
}

// ---------------------------------------------------------------- waves that most pictures share

/** Leaves and grass in a light wind. */
export function createWindWaves(mask: Mask, reach: number, seed = 1): PixelWave[] {
  const phaseAt = (x: number, y: number) => x * 0.011 - y * 0.004 + 5 * computeFractalNoise(x / 150, y / 150, 2, seed);
  const flutterAt = (x: number, y: number) => 14 * computeFractalNoise(x / 34, y / 34, 2, seed + 5);
  return [
    { cycles: 2, reach: (x, y) => mask(x, y) * reach, phase: phaseAt, dx: 1, dy: 0.25 },
    { cycles: 5, reach: (x, y) => mask(x, y) * reach * 0.38, phase: flutterAt, dx: 0.7, dy: 0.7 },
  ];
}

/** Water with a horizon at `horizon` pixels: ripples get wider toward the viewer, and light moves over them. */
export function createWaterWaves(mask: Mask, horizon: number, reach: number, shimmer = 0.16, seed = 3): PixelWave[] {
  const depthAt = (y: number) => Math.max(0.02, (y - horizon) / (CANVAS_HEIGHT - horizon));
  const distanceAt = (y: number) => 26 / (depthAt(y) + 0.05);
  const waveOffset = (x: number, y: number) =>
    22 * computeFractalNoise(x / (40 + 160 * depthAt(y)), distanceAt(y) * 0.2, 3, seed);
  const rippleAmount = (x: number, y: number) => mask(x, y) * (0.25 + depthAt(y)) * reach;
  return [
    { cycles: 3, reach: rippleAmount, phase: (x, y) => waveOffset(x, y) + distanceAt(y) * 0.7, dx: 1, dy: 0.35 },
    {
      cycles: 4,
      reach: (x, y) => rippleAmount(x, y) * 0.6,
      phase: (x, y) => waveOffset(x, y + 31) * 1.4 - distanceAt(y),
      dx: 0.5,
      dy: 0.7,
    },
    {
      cycles: 3,
      reach: (x, y) => mask(x, y) * shimmer,
      phase: (x, y) => 15 * computeFractalNoise(x / (14 + 60 * depthAt(y)), y / (3 + 8 * depthAt(y)), 2, seed + 9),
      light: true,
    },
    {
      cycles: 5,
      reach: (x, y) => mask(x, y) * shimmer * 0.7,
      phase: (x, y) => 17 * computeFractalNoise(x / (9 + 40 * depthAt(y)), y / (2.4 + 6 * depthAt(y)), 2, seed + 19),
      light: true,
    },
  ];
}

// ---------------------------------------------------------------- sky

export type GradientStop = [at: number, color: string];

export function fillWithGradient(g: CanvasContext, stops: GradientStop[], bottom = CANVAS_HEIGHT) {
  const fill = g.createLinearGradient(0, 0, 0, bottom);
  for (const [at, color] of stops) fill.addColorStop(at, color);
  g.fillStyle = fill;
  g.fillRect(0, 0, CANVAS_WIDTH, CANVAS_HEIGHT);
}

export function drawGlow(
  g: CanvasContext,
  x: number,
  y: number,
  r: number,
  color: string,
  alpha: number,
  blend: 'screen' | 'lighter' | 'source-over' | 'multiply' = 'screen',
) {
  const fill = g.createRadialGradient(x, y, 0, x, y, r);
  const rgb = [1, 3, 5].map((i) => parseInt(color.slice(i, i + 2), 16)).join(',');
  for (const [at, k] of [
    [0, 1],
    [0.15, 0.72],
    [0.35, 0.38],
    [0.6, 0.14],
    [0.8, 0.04],
    [1, 0],
  ] as const)
    fill.addColorStop(at, `rgba(${rgb},${alpha * k})`);
  g.save();
  g.globalCompositeOperation = blend;
  g.fillStyle = fill;
  g.fillRect(x - r, y - r, r * 2, r * 2);
  g.restore();
}

interface CloudStyle {
  seed: number;
  horizon: number;
  cover: number;
  size?: number;
  lit: [number, number, number];
  shade: [number, number, number];
  sunX: number;
  sunY: number;
  opacity?: number;
}

/** Clouds in perspective, lit from the side of the sun, on a sheet wider than the picture. */
export function createCloudPainter(look: CloudStyle) {
  const scale = 0.5;
  const margin = 90;
  const w = Math.round((CANVAS_WIDTH + 2 * margin) * scale);
  const h = Math.round(look.horizon * scale);
  const data = new Uint8ClampedArray(w * h * 4);
  const size = look.size ?? 1;
  const densityAt = (x: number, y: number) => {
    const wingLift = 0.16 + (look.horizon - y) / look.horizon;
    const u = ((x - CANVAS_WIDTH / 2) / 330 / wingLift) * 0.62 * size + 40;
    const v = (1.5 / wingLift) * 1.5 * size;
    const shape = computeFractalNoise(u, v, 6, look.seed);
    const field = computeFractalNoise(u * 0.35 + 9, v * 0.35, 2, look.seed + 50);
    return shape * 0.72 + field * 0.42 - 0.07;
  };
  for (let j = 0; j < h; j++) {
    for (let i = 0; i < w; i++) {
      const x = i / scale - margin;
      const y = j / scale;
      const d = densityAt(x, y);
      const a = smoothstep(1 - look.cover, 1 - look.cover + 0.2, d);
      if (a <= 0) continue;
      const distance = Math.hypot(look.sunX - x, look.sunY - y) + 1;
      const densityTowardsSun = densityAt(x + ((look.sunX - x) / distance) * 26, y + ((look.sunY - y) / distance) * 18);
      const light = Math.min(1, Math.max(0, 0.55 + (d - densityTowardsSun) * 5.5 - a * 0.12));
      const o = (j * w + i) * 4;
      for (let c = 0; c < 3; c++) data[o + c] = interpolateLinearly(look.shade[c]!, look.lit[c]!, light);
      const fade = smoothstep(1, 0.86, y / look.horizon);
      data[o + 3] = 255 * a * (look.opacity ?? 0.92) * interpolateLinearly(0.35, 1, fade);
    }
  }
  const sheet = createCanvas(w, h);
  sheet.getContext('2d').putImageData(new ImageData(data, w, h), 0, 0);
  /** Two copies cross-fade while they drift in one direction, so the drift never jumps back. */
  return (g: CanvasContext, t: number, drift = 46) => {
    for (const phaseOffset of [0, 0.5]) {
      const q = (t + phaseOffset) % 1;
      g.globalAlpha = Math.sin(Math.PI * q) ** 2;
      g.drawImage(sheet, -margin + (q - 0.5) * drift, 0, CANVAS_WIDTH + 2 * margin, look.horizon);
    }
    g.globalAlpha = 1;
  };
}

// ---------------------------------------------------------------- small things that move

export function drawSprite(
  g: CanvasContext,
  s: Sprite,
  dx = 0,
  dy = 0,
  turn = 0,
  pivot: [number, number] = [0.5, 0.5],
  scale = 1,
) {
  const pivotX = s.x + s.width * pivot[0];
  const pivotY = s.y + s.height * pivot[1];
  g.save();
  g.translate(pivotX + dx, pivotY + dy);
  g.rotate(turn);
  g.scale(scale, scale);
  g.drawImage(s.image, -s.width * pivot[0], -s.height * pivot[1], s.width, s.height);
  g.restore();
}

/** The bounds of a sprite's opaque pixels on the stage, and the x of its lowest point. */
export function measureSpriteBounds(s: Sprite) {
  const { width, height } = s.image;
  const pixels = s.image.data();
  const box = { left: width, right: 0, top: height, bottom: 0, lowestX: 0 };
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width; x++) {
      if (pixels[(y * width + x) * 4 + 3]! < 128) continue;
      box.left = Math.min(box.left, x);
      box.right = Math.max(box.right, x);
      box.top = Math.min(box.top, y);
      if (y > box.bottom) [box.bottom, box.lowestX] = [y, x];
    }
  }
  const kx = s.width / width;
  const ky = s.height / height;
  return {
    left: s.x + box.left * kx,
    right: s.x + box.right * kx,
    top: s.y + box.top * ky,
    bottom: s.y + box.bottom * ky,
    lowestX: s.x + box.lowestX * kx,
  };
}

/** A sprite mirrored in rippled water below `waterline`. */
export function drawReflection(
  g: CanvasContext,
  s: Sprite,
  waterline: number,
  t: number,
  opacity: number,
  dx = 0,
  squash = 0.72,
  shore = CANVAS_HEIGHT,
) {
  const rows = 3;
  const reflectedHeight = Math.min(s.height, waterline - s.y);
  const ratio = s.image.height / s.height;
  g.save();
  g.beginPath();
  g.rect(0, 0, CANVAS_WIDTH, shore);
  g.clip();
  for (let k = 0; k < reflectedHeight * squash; k += rows) {
    const sourceY = waterline - s.y - k / squash;
    const wave = (2 + k * 0.05) * Math.sin(TAU * 3 * t + k * 0.32 + Math.sin(k * 0.11) * 2);
    g.globalAlpha = opacity * (1 - (k / (reflectedHeight * squash)) * 0.75);
    g.drawImage(
      s.image,
      0,
      Math.max(0, (sourceY - rows / squash) * ratio),
      s.image.width,
      (rows / squash) * ratio,
      s.x + dx + wave,
      waterline + k,
      s.width,
      rows,
    );
  }
  g.restore();
}

/** A flame of three flickering glows. */
export function drawFlame(g: CanvasContext, x: number, y: number, size: number, t: number, seed: number, strength = 1) {
  const a = TAU * t;
  const sway = size * 0.16 * (Math.sin(a * 5 + seed * 3.1) + 0.6 * Math.sin(a * 11 + seed * 7.7));
  const flameHeight = size * (1 + 0.13 * Math.sin(a * 9 + seed * 5.3) + 0.08 * Math.sin(a * 14 + seed));
  g.save();
  g.globalCompositeOperation = 'lighter';
  g.globalAlpha = strength;
  for (const [color, wide, high] of [
    ['rgba(255,120,30,.55)', 0.34, 1.12],
    ['rgba(255,190,80,.85)', 0.25, 0.9],
    ['rgba(255,246,214,.95)', 0.14, 0.55],
  ] as const) {
    const top = y - flameHeight * high;
    g.fillStyle = color;
    g.beginPath();
    g.moveTo(x, y);
    g.bezierCurveTo(
      x - size * wide * 1.15,
      y - flameHeight * 0.12,
      x - size * wide + sway * 0.3,
      y - flameHeight * high * 0.55,
      x + sway,
      top,
    );
    g.bezierCurveTo(
      x + size * wide + sway * 0.3,
      y - flameHeight * high * 0.55,
      x + size * wide * 1.15,
      y - flameHeight * 0.12,
      x,
      y,
    );
    g.fill();
  }
  g.restore();
}

const smokePuff = (() => {
  const size = 160;
  const data = new Uint8ClampedArray(size * size * 4);
  for (let y = 0; y < size; y++) {
    for (let x = 0; x < size; x++) {
      const r = Math.hypot(x - size / 2, y - size / 2) / (size / 2);
      const opacity = Math.max(0, 1 - r) ** 1.3 * smoothstep(0.25, 0.7, computeFractalNoise(x / 34, y / 34, 4, 8));
      data.set([255, 255, 255, 255 * opacity], (y * size + x) * 4);
    }
  }
  const c = createCanvas(size, size);
  c.getContext('2d').putImageData(new ImageData(data, size, size), 0, 0);
  return c;
})();

/** Steam or smoke: puffs rise, widen and fade, each at a different point of the same cycle. */
export function drawSmoke(
  g: CanvasContext,
  x: number,
  y: number,
  t: number,
  look: {
    rise: number;
    from: number;
    to: number;
    alpha: number;
    lean?: number;
    count?: number;
    cycles?: number;
    tint?: (canvas: CanvasContext) => void;
  },
) {
  const count = look.count ?? 14;
  for (let i = 0; i < count; i++) {
    const q = ((look.cycles ?? 1) * t + i / count) % 1;
    const r = interpolateLinearly(look.from, look.to, q ** 0.8);
    const wobble = Math.sin(q * 5.5 + i * 2.4) * look.to * 0.22 * q;
    g.save();
    g.globalAlpha = look.alpha * Math.min(1, q * 14) * (1 - q) ** 1.1;
    g.translate(x + (look.lean ?? 0) * q ** 1.4 + wobble, y - look.rise * q);
    g.rotate(i * 1.7 + q * 0.8);
    g.drawImage(smokePuff, -r, -r, r * 2, r * 2);
    g.restore();
  }
}

/** Leaves or petals that tumble down across the whole picture, repeatedly. */
export function createFallingLeavesPainter(
  count: number,
  seed: number,
  colors: string[],
  size: [number, number],
  drift = 120,
  cycles: [number, number] = [1, 1],
): DrawCanvasFrame {
  const random = createRandomGenerator(seed);
  const leaves = Array.from({ length: count }, () => ({
    x: random() * (CANVAS_WIDTH + 200) - 100,
    at: random(),
    size: interpolateLinearly(size[0], size[1], random() ** 1.6),
    color: colors[Math.floor(random() * colors.length)]!,
    spin: Math.floor(random() * 3 + 2) * (random() > 0.5 ? 1 : -1),
    sway: 20 + random() * 40,
    phase: random() * TAU,
    speed: Math.round(interpolateLinearly(cycles[0], cycles[1], random())),
  }));
  return (g, t) => {
    for (const leaf of leaves) {
      const q = (leaf.at + t * leaf.speed) % 1;
      const a = TAU * (t * leaf.spin) + leaf.phase;
      g.save();
      g.translate(
        leaf.x + drift * (q - 0.5) + leaf.sway * Math.sin(TAU * q * 2 + leaf.phase),
        -30 + q * (CANVAS_HEIGHT + 60),
      );
      g.rotate(0.7 * Math.sin(a) + leaf.phase);
      g.scale(1, 0.3 + 0.7 * Math.abs(Math.cos(a)));
      const s = leaf.size;
      g.fillStyle = leaf.color;
      g.beginPath();
      g.moveTo(-s, 0);
      g.bezierCurveTo(-s * 0.4, -s * 0.75, s * 0.5, -s * 0.6, s, 0);
      g.bezierCurveTo(s * 0.5, s * 0.6, -s * 0.4, s * 0.75, -s, 0);
      g.fill();
      g.strokeStyle = 'rgba(70,35,10,.35)';
      g.lineWidth = s * 0.09;
      g.beginPath();
      g.moveTo(-s * 1.25, 0);
      g.lineTo(s * 0.8, 0);
      g.stroke();
      g.restore();
    }
  };
}

/** Snow. Near flakes are larger, more transparent and faster. */
export function createSnowPainter(count: number, seed: number): DrawCanvasFrame {
  const random = createRandomGenerator(seed);
  const flakes = Array.from({ length: count }, () => {
    const nearness = random() ** 2.4;
    return {
      x: random() * (CANVAS_WIDTH + 120) - 60,
      at: random(),
      size: interpolateLinearly(1.1, 5.2, nearness),
      alpha: interpolateLinearly(0.85, 0.45, nearness),
      speed: nearness > 0.55 ? 2 : 1,
      sway: interpolateLinearly(8, 34, nearness),
      phase: random() * TAU,
    };
  });
  return (g, t) => {
    g.fillStyle = '#f4f6fb';
    for (const flake of flakes) {
      const q = (flake.at + t * flake.speed) % 1;
      g.globalAlpha = flake.alpha;
      g.beginPath();
      g.arc(
        flake.x + flake.sway * Math.sin(TAU * q * 2 + flake.phase) + 40 * (q - 0.5),
        -10 + q * (CANVAS_HEIGHT + 20),
        flake.size,
        0,
        TAU,
      );
      g.fill();
    }
    g.globalAlpha = 1;
  };
}

/** Gulls or swallows: they glide in small arcs with a few wing beats. */
export function createBirdPainter(
  flock: { x: number; y: number; size: number; phase: number }[],
  color = 'rgba(52,48,58,.8)',
  reach = 60,
): DrawCanvasFrame {
  return (g, t) => {
    g.strokeStyle = color;
    g.lineCap = 'round';
    for (const bird of flock) {
      const a = TAU * t + bird.phase;
      const x = bird.x + reach * Math.sin(a);
      const y = bird.y + reach * 0.22 * Math.sin(2 * a + bird.phase);
      const wingBeat = Math.sin(a * 9) * smoothstep(-0.3, 0.5, Math.sin(a * 2 + bird.phase));
      const wingLift = bird.size * (0.32 + 0.34 * wingBeat);
      g.lineWidth = bird.size * 0.15;
      g.beginPath();
      g.moveTo(x - bird.size, y - wingLift * 0.6);
      g.quadraticCurveTo(x - bird.size * 0.45, y - wingLift, x, y);
      g.quadraticCurveTo(x + bird.size * 0.45, y - wingLift, x + bird.size, y - wingLift * 0.6);
      g.stroke();
    }
  };
}

/** Points of light that wander and pulse: fireflies, dust in the sun. */
export function createLightParticlePainter(
  count: number,
  seed: number,
  box: [number, number, number, number],
  color: string,
  size: [number, number],
  alpha = 0.9,
): DrawCanvasFrame {
  const random = createRandomGenerator(seed);
  const list = Array.from({ length: count }, () => ({
    x: interpolateLinearly(box[0], box[2], random()),
    y: interpolateLinearly(box[1], box[3], random()),
    s: interpolateLinearly(size[0], size[1], random() ** 2),
    k: 1 + Math.floor(random() * 3),
    p: random() * TAU,
    q: random() * TAU,
  }));
  return (g, t) => {
    for (const lightParticle of list) {
      const breath = Math.max(0, Math.sin(TAU * lightParticle.k * t + lightParticle.p)) ** 1.5;
      if (breath < 0.02) continue;
      const x =
        lightParticle.x + 26 * Math.sin(TAU * t + lightParticle.q) + 9 * Math.sin(TAU * 3 * t + lightParticle.p);
      const y =
        lightParticle.y + 18 * Math.cos(TAU * t + lightParticle.p) + 7 * Math.sin(TAU * 2 * t + lightParticle.q);
      drawGlow(g, x, y, lightParticle.s * 3.2, color, alpha * breath, 'lighter');
    }
  };
}

export function drawCornerShade(g: CanvasContext, strength: number, color = '#2a1608') {
  const fill = g.createRadialGradient(
    CANVAS_WIDTH / 2,
    CANVAS_HEIGHT * 0.5,
    CANVAS_HEIGHT * 0.42,
    CANVAS_WIDTH / 2,
    CANVAS_HEIGHT * 0.5,
    CANVAS_HEIGHT * 0.98,
  );
  const rgb = [1, 3, 5].map((i) => parseInt(color.slice(i, i + 2), 16)).join(',');
  fill.addColorStop(0, `rgba(${rgb},0)`);
  fill.addColorStop(1, `rgba(${rgb},${strength})`);
  g.fillStyle = fill;
  g.fillRect(0, 0, CANVAS_WIDTH, CANVAS_HEIGHT);
}
