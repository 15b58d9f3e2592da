import type { Canvas } from '@napi-rs/canvas';
import sharp from 'sharp';
import { clamp } from '../../../seeing/grid.ts';
import { loadCanvasLibrary } from '../canvas.ts';
import {
  fullTurnRadians,
  createRandom,
  computeRiseAndFall,
  computeSwing,
  type VideoDimensions,
  type LoopPosition,
  type SceneRenderer,
} from '../motion.ts';
import type { PlanePoint } from '../framing.ts';
import { drawBackground, darkenPlateCorners, type RenderContext } from '../render-context.ts';
import { setLayerView } from '../warp/camera.ts';
import { createCompositor, type Compositor, type Grain } from '../warp/compositor.ts';
import type { Plate } from '../warp/plates.ts';
import { paintColorInBox, convertRgbToYuv, type YuvColor } from '../warp/video-planes.ts';
import { limitZoom } from './camera-work.ts';

/** An old home movie: faded colors, grain, dust and scratches, with a picture that shakes and flickers a little. */
export async function createVintageScene(stage: RenderContext): Promise<SceneRenderer> {
  const { film, framing } = stage;
  const random = createRandom(42);
  const extraZoom = limitZoom(framing, 1.05) - 1;
  const grain = createGrain(film, random);
  const offsets = computeGrainOffsets(grain, film, random);
  const specks = createSpecks(film, random);
  const scratches = createScratches(film, random);
  const compositor = createCompositor(film, [{ plate: await createFadedPlate(stage) }], grain);
  const picture = compositor.layers[0]!;

  return (moment) => {
    const { phase, frame } = moment;
    setLayerView(picture, film, {
      // The picture is larger than the video, so that shaking shows no empty edge.
      zoom: 1.004 + extraZoom * computeRiseAndFall(phase),
      towards: framing.towards,
      shift: {
        x: 0.9 * computeSwing(phase, 3) + 0.5 * computeSwing(phase, 7, 1),
        y: 0.7 * computeSwing(phase, 5, 2),
      },
    });
    picture.take();
    // Old film has fewer pictures per second than video, so the grain stays for two frames. Its strength is about an
    // eighth.
    compositor.grain(2 * 0.13, offsets[(frame >> 1) % offsets.length]!);
    applyFlicker(compositor, phase);
    for (const speck of specks) drawSpeck(compositor.planes, speck, film, moment);
    for (const scratch of scratches) drawScratch(compositor.planes, scratch, film, moment);
    return compositor.planes;
  };
}

async function createFadedPlate(stage: RenderContext): Promise<Plate> {
  const { width, height, pixels } = drawBackground(stage, stage.picture);
  const fadedPixels = sharp(pixels, { raw: { width, height, channels: 4 } })
    .removeAlpha()
    .modulate({ saturation: 0.55, brightness: 1.02 })
    .recomb([
      [1.06, 0.1, 0.02],
      [0.04, 0.96, 0.03],
      [0.02, 0.1, 0.78],
    ])
    .linear(0.93, 10);
  const plate = { width, height, pixels: await fadedPixels.ensureAlpha().raw().toBuffer() };
  darkenPlateCorners(plate, 0.55);
  return plate;
}

const grainSide = 256;
const grainScale = 1.6;

/** Makes grain that is larger than the video, so that it looks different at each offset. */
function createGrain({ width, height }: VideoDimensions, random: () => number): Grain {
  const extraPixels = Math.ceil(grainSide * grainScale);
  const canvas = loadCanvasLibrary().createCanvas(width + extraPixels, height + extraPixels);
  const g = canvas.getContext('2d', { alpha: false });
  g.scale(grainScale, grainScale);
  g.fillStyle = g.createPattern(createGrainTile(random), 'repeat') ?? 'transparent';
  g.fillRect(0, 0, canvas.width, canvas.height);
  const pixels = canvas.data();
  const noise = new Int8Array(canvas.width * canvas.height);
  for (let at = 0; at < noise.length; at++) noise[at] = pixels[4 * at]! - 128;
  return { width: canvas.width, height: canvas.height, noise };
}
/** Chooses the offsets of the grain, which are used one after another. */
function computeGrainOffsets(grain: Grain, film: VideoDimensions, random: () => number): PlanePoint[] {
  const randomBelow = (spare: number) => Math.floor(random() * spare);
  return Array.from({ length: 6 }, () => ({
    x: randomBelow(grain.width - film.width),
    y: randomBelow(grain.height - film.height),
  }));
}

function createGrainTile(random: () => number): Canvas {
  const tile = loadCanvasLibrary().createCanvas(grainSide, grainSide);
  const g = tile.getContext('2d');
  const pixels = g.createImageData(grainSide, grainSide);
  for (let at = 0; at < pixels.data.length; at += 4) {
    // The sum of three random numbers is close to the normal distribution of real grain.
    const grey = 128 + (random() + random() + random() - 1.5) * 85;
    pixels.data.set([grey, grey, grey, 255], at);
  }
  g.putImageData(pixels, 0, 0);
  return tile;
}

const warmWhite = convertRgbToYuv(255, 236, 200);
const shadeColor = convertRgbToYuv(20, 10, 0);
function applyFlicker(compositor: Compositor, phase: number): void {
  const light = 0.035 * computeSwing(phase, 11) + 0.03 * computeSwing(phase, 17, 1) + 0.02 * computeSwing(phase, 29, 2);
  compositor.veil(light > 0 ? warmWhite : shadeColor, Math.abs(light));
}

interface Speck {
  from: number;
  x: number;
  y: number;
  size: number;
  color: YuvColor;
  /** Opacity, 0 to 1. */
  strong: number;
  turned: number;
  isHair: boolean;
}

function createSpecks(film: VideoDimensions, random: () => number): Speck[] {
  const shownFrames = Math.round(film.frames * 0.22);
  return Array.from({ length: shownFrames }, () => ({
    strong: 0.25 + random() * 0.45,
    from: Math.floor(random() * film.frames),
    x: random() * film.width,
    y: random() * film.height,
    size: 0.8 + random() * 2.4,
    color: random() > 0.5 ? convertRgbToYuv(20, 14, 8) : convertRgbToYuv(255, 248, 230),
    turned: random() * fullTurnRadians,
    isHair: random() > 0.8,
  }));
}

function drawSpeck(planes: Uint8Array, speck: Speck, film: VideoDimensions, { frame }: LoopPosition): void {
  if (countFramesSince(speck.from, frame, film) >= 2) return;
  const { x, y, size, color, strong, turned, isHair } = speck;
  const [cos, sin] = [Math.cos(turned), Math.sin(turned)];
  const box = isHair
    ? { left: Math.floor(x) - 2, top: Math.floor(y) - 2, width: 12, height: Math.ceil(12 * size) + 4 }
    : { left: Math.floor(x - size) - 1, top: Math.floor(y - size) - 1, width: 2 * size + 3, height: 2 * size + 3 };
  const hair = isHair ? createHairPoints(size) : [];
  paintColorInBox(planes, film, box, color, (u, v) => {
    const [right, down] = [u + 0.5 - x, v + 0.5 - y];
    const distanceBeyondRadius = isHair
      ? Math.min(...hair.map((it) => Math.hypot(right - it.x, down - it.y))) - 0.5
      : Math.hypot(right * cos + down * sin, (down * cos - right * sin) / 0.7) - size;
    return strong * clamp(0.5 - distanceBeyondRadius);
  });
}

/** A bent hair, as points less than a pixel apart. */
const createHairPoints = (size: number): PlanePoint[] =>
  Array.from({ length: Math.ceil(14 * size) + 12 }, (_, at, along = at / (14 * size + 12)) => ({
    x: 18 * along * (1 - along) + 2 * along ** 2,
    y: size * (8 * along * (1 - along) + 12 * along ** 2),
  }));

interface Scratch {
  from: number;
  lasts: number;
  x: number;
  speed: number;
}

function createScratches(film: VideoDimensions, random: () => number): Scratch[] {
  return Array.from({ length: 3 }, () => ({
    from: Math.floor(random() * film.frames),
    lasts: 8 + random() * 14,
    x: random() * film.width,
    speed: (random() - 0.5) * 3,
  }));
}

const scratchColor = convertRgbToYuv(255, 250, 235);
const scratchWidth = 1.2;
function drawScratch(planes: Uint8Array, scratch: Scratch, film: VideoDimensions, { frame }: LoopPosition): void {
  const age = countFramesSince(scratch.from, frame, film);
  if (age >= scratch.lasts) return;
  const left = scratch.x + age * scratch.speed;
  const box = { left: Math.floor(left), top: 0, width: 3, height: film.height };
  paintColorInBox(
    planes,
    film,
    box,
    scratchColor,
    (u) => 0.16 * clamp(Math.min(u + 1, left + scratchWidth) - Math.max(u, left)),
  );
}

/** The number of frames since `from`, counted around the loop, so that nothing appears suddenly at the seam. */
function countFramesSince(from: number, frame: number, film: VideoDimensions): number {
  return (frame - from + film.frames) % film.frames;
}
