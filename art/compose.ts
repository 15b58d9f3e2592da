// Composites moving pictures into the dark screens of a render: a perspective map per pixel, and light added to the
// reflections.
import sharp from 'sharp';
import { createRandomGenerator } from './noise.ts';
import { readRenderNote, rawFilePath } from './places.ts';

type Corner = [x: number, y: number];

export interface RenderedImage {
  width: number;
  height: number;
  /** The picture's linear light, three floats per pixel. */
  light: Float32Array;
  screens: Record<string, Corner[]>;
}

export interface ColorGrade {
  /** Multiplies the brightness at the end; 1 has no effect. */
  gain?: number;
  /** Shifts the brightest background to this color. */
  white?: [number, number, number];
}

const linearTable = Float32Array.from({ length: 65536 }, (_, i) => {
  const c = i / 65535;
  return c <= 0.04045 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4;
});

const gammaTable = Float32Array.from({ length: 4097 }, (_, i) => {
  const c = i / 4096;
  return 255 * (c <= 0.0031308 ? c * 12.92 : 1.055 * c ** (1 / 2.4) - 0.055);
});

export async function openRenderedImage(name: string, width?: number): Promise<RenderedImage> {
  const note = readRenderNote(name);
  const pipeline = sharp(rawFilePath(`${name}.png`))
    .removeAlpha()
    .toColourspace('rgb16');
  if (width) pipeline.resize(width, null, { kernel: 'lanczos3' });
  const { data, info } = await pipeline.raw({ depth: 'ushort' }).toBuffer({ resolveWithObject: true });
  const values = new Uint16Array(data.buffer, data.byteOffset, data.length / 2);
  return {
    width: info.width,
    height: info.height,
    light: Float32Array.from(values, (v) => linearTable[v]!),
    screens: note.screens,
  };
}

/**
 * The perspective map from pixels in a quad (bottom-left, bottom-right, top-right, top-left) to picture coordinates,
 * 0 to 1.
 */
function computeHomography(quad: Corner[], width: number, height: number) {
  const unitCorners: Corner[] = [
    [0, 1],
    [1, 1],
    [1, 0],
    [0, 0],
  ];
  const rows: number[][] = [];
  quad.forEach(([fx, fy], i) => {
    const [x, y] = [fx * width, fy * height];
    const [u, v] = unitCorners[i]!;
    rows.push([x, y, 1, 0, 0, 0, -u * x, -u * y, u], [0, 0, 0, x, y, 1, -v * x, -v * y, v]);
  });
  for (let i = 0; i < 8; i++) {
    let best = i;
    for (let j = i; j < 8; j++) if (Math.abs(rows[j]![i]!) > Math.abs(rows[best]![i]!)) best = j;
    [rows[i], rows[best]] = [rows[best]!, rows[i]!];
    for (let j = 0; j < 8; j++) {
      if (j === i) continue;
      const f = rows[j]![i]! / rows[i]![i]!;
      for (let k = i; k < 9; k++) rows[j]![k]! -= f * rows[i]![k]!;
    }
  }
  return rows.map((r, i) => r[8]! / r[i]!);
}

/**
 * Finds the source positions that give each pixel of the screen its color. The result is computed once, and used for
 * stills and for every frame of a video.
 */
export function computeScreenMapping(
  plate: RenderedImage,
  screen: string,
  source: { width: number; height: number },
  supersample = 4,
) {
  const { width, height } = plate;
  const quad = plate.screens[screen];
  if (!quad) throw new Error(`no screen ${screen}`);
  const homography = computeHomography(quad, width, height);
  const xs = quad.map(([x]) => x * width);
  const ys = quad.map(([, y]) => y * height);
  const pixels: number[] = [];
  const allSourceIndexes: number[] = [];
  const n = supersample;
  for (let y = Math.max(0, Math.floor(Math.min(...ys))); y <= Math.min(height - 1, Math.max(...ys)); y++) {
    for (let x = Math.max(0, Math.floor(Math.min(...xs))); x <= Math.min(width - 1, Math.max(...xs)); x++) {
      const sourceIndexes: number[] = [];
      for (let k = 0; k < n * n; k++) {
        const px = x + ((k % n) + 0.5) / n;
        const py = y + (Math.floor(k / n) + 0.5) / n;
        const w = homography[6]! * px + homography[7]! * py + 1;
        const u = (homography[0]! * px + homography[1]! * py + homography[2]!) / w;
        const v = (homography[3]! * px + homography[4]! * py + homography[5]!) / w;
        const isInside = u >= 0 && u < 1 && v >= 0 && v < 1;
        sourceIndexes.push(isInside ? Math.floor(v * source.height) * source.width + Math.floor(u * source.width) : -1);
      }
      if (sourceIndexes.some((f) => f >= 0)) {
        pixels.push(y * width + x);
        allSourceIndexes.push(...sourceIndexes);
      }
    }
  }
  return { pixels: Int32Array.from(pixels), from: Int32Array.from(allSourceIndexes), taps: n * n };
}

export type ScreenMap = ReturnType<typeof computeScreenMapping>;

/** Adds a picture's light (RGBA or RGB bytes) to the plate. Reduces the reflections on lit pixels to `reflection`. */
export function addScreenLight(
  plate: RenderedImage,
  map: ScreenMap,
  picture: Uint8Array,
  channels: 3 | 4,
  brightness = 0.92,
  reflection = 0.5,
) {
  const composedPixels = plate.light;
  for (let i = 0; i < map.pixels.length; i++) {
    let r = 0;
    let g = 0;
    let b = 0;
    let lit = 0;
    for (let k = i * map.taps; k < (i + 1) * map.taps; k++) {
      const sourceIndex = map.from[k]!;
      if (sourceIndex < 0) continue;
      const o = sourceIndex * channels;
      r += linearTable[picture[o]! * 257]!;
      g += linearTable[picture[o + 1]! * 257]!;
      b += linearTable[picture[o + 2]! * 257]!;
      lit++;
    }
    const keptPart = 1 - (1 - reflection) * (lit / map.taps);
    const k = brightness / map.taps;
    const o = map.pixels[i]! * 3;
    composedPixels[o] = composedPixels[o]! * keptPart + r * k;
    composedPixels[o + 1] = composedPixels[o + 1]! * keptPart + g * k;
    composedPixels[o + 2] = composedPixels[o + 2]! * keptPart + b * k;
  }
}

export async function placeOnScreen(
  plate: RenderedImage,
  screen: string,
  file: string | Buffer,
  brightness?: number,
  reflection?: number,
  blur = 0,
) {
  const { data, info } = await sharp(file)
    .resize(1600)
    .blur(blur || false)
    .removeAlpha()
    .toColourspace('srgb')
    .raw()
    .toBuffer({ resolveWithObject: true });
  addScreenLight(plate, computeScreenMapping(plate, screen, info), data, 3, brightness, reflection);
}

/** Converts the plate back to bytes, with a little grain that also hides banding on walls. */
export function encodePlate(plate: RenderedImage, grain = 1.6, channels: 3 | 4 = 3, seed = 3) {
  const random = createRandomGenerator(seed);
  const n = plate.width * plate.height;
  const composedPixels = new Uint8ClampedArray(n * channels);
  for (let i = 0; i < n; i++) {
    const q = (random() + random() - 1) * grain;
    for (let c = 0; c < 3; c++)
      composedPixels[i * channels + c] =
        gammaTable[Math.min(4096, Math.round(plate.light[i * 3 + c]! * 4096))]! + q + (random() - 0.5) * 0.8;
    if (channels === 4) composedPixels[i * 4 + 3] = 255;
  }
  return composedPixels;
}

export const encodePng = (plate: RenderedImage, pixels = encodePlate(plate)) =>
  sharp(pixels, { raw: { width: plate.width, height: plate.height, channels: 3 } })
    .png({ compressionLevel: 4 })
    .toBuffer();

/**
 * Draws a picture onto the screen of a developed plate (RGBA bytes), for one frame of a video. Pixels outside the
 * screen stay unchanged.
 */
export function drawOnScreen(
  plate: RenderedImage,
  map: ScreenMap,
  picture: Uint8Array,
  composedPixels: Uint8ClampedArray,
  brightness = 0.92,
  reflection = 0.5,
) {
  for (let i = 0; i < map.pixels.length; i++) {
    const sum = [0, 0, 0];
    let lit = 0;
    for (let k = i * map.taps; k < (i + 1) * map.taps; k++) {
      const sourceIndex = map.from[k]!;
      if (sourceIndex < 0) continue;
      for (let c = 0; c < 3; c++) sum[c]! += linearTable[picture[sourceIndex * 4 + c]! * 257]!;
      lit++;
    }
    const keptPart = 1 - (1 - reflection) * (lit / map.taps);
    const o = map.pixels[i]!;
    for (let c = 0; c < 3; c++) {
      const light = plate.light[o * 3 + c]! * keptPart + (sum[c]! * brightness) / map.taps;
      composedPixels[o * 4 + c] = gammaTable[Math.min(4096, Math.round(light * 4096))]!;
    }
  }
}

/** Scales the light so that the paper around a product becomes `target` (sRGB), regardless of the scene's lamps. */
export function normalizePaperBrightness(plate: RenderedImage, target: [number, number, number]) {
  const { width, height, light } = plate;
  const border: number[][] = [[], [], []];
  for (let x = 0; x < width; x += 7)
    for (const y of [4, Math.floor(height * 0.12)])
      for (let c = 0; c < 3; c++) border[c]!.push(light[(y * width + x) * 3 + c]!);
  const gain = border.map(
    (values, c) => linearTable[target[c]! * 257]! / values.sort((a, b) => a - b)[values.length >> 1]!,
  );
  for (let i = 0; i < light.length; i++) {
    const v = light[i]! * gain[i % 3]!;
    light[i] = v > 0.93 ? 0.93 + 0.05 * (1 - Math.exp(-(v - 0.93) / 0.05)) : v;
  }
}
