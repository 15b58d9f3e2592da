import { createCanvas, type Canvas, type Image, type SKRSContext2D } from '@napi-rs/canvas';
import { fullTurn, onCanvas, randomNumbers, swell, swing, type Film, type Moment, type Scene } from '../motion.ts';
import sharp from 'sharp';
import type { Spot } from '../framing.ts';
import { toImage } from '../photo.ts';
import { groundOf, vignette, type Stage } from '../stage.ts';
import { nearest } from './camera-work.ts';

/** Home cinema of the old days: faded colours, grain, dust and scratches, a picture that weaves and flickers a little. */
export async function vintage(stage: Stage): Promise<Scene> {
  const { film, framing } = stage;
  const random = randomNumbers(42);
  const picture = await faded(stage);
  const near = nearest(framing, 1.05) - 1;
  const grain = grainFor(film, random);
  const specks = specksOf(film, random);
  const scratches = scratchesOf(film, random);

  return onCanvas(film, (g, moment) => {
    const { phase } = moment;
    g.save();
    g.translate(0.9 * swing(phase, 3) + 0.5 * swing(phase, 7, 1), 0.7 * swing(phase, 5, 2));
    // Larger than the film by what it weaves.
    const zoom = 1.004 + near * swell(phase);
    const { x, y } = framing.towards;
    const { width, height } = film;
    g.drawImage(picture, (width - width * zoom) * x, (height - height * zoom) * y, width * zoom, height * zoom);
    g.restore();
    layGrain(g, grain, moment);
    flicker(g, film, phase);
    for (const speck of specks) drawSpeck(g, speck, film, moment);
    for (const scratch of scratches) drawScratch(g, scratch, film, moment);
  });
}

async function faded(stage: Stage): Promise<Image> {
  const { width, height, pixels } = groundOf(stage, stage.picture);
  const old = sharp(pixels, { raw: { width, height, channels: 4 } })
    .removeAlpha()
    .modulate({ saturation: 0.55, brightness: 1.02 })
    .recomb([
      [1.06, 0.1, 0.02],
      [0.04, 0.96, 0.03],
      [0.02, 0.1, 0.78],
    ])
    .linear(0.93, 10);
  const plate = { width, height, pixels: await old.ensureAlpha().raw().toBuffer() };
  vignette(plate, 0.55);
  return await toImage(sharp(plate.pixels, { raw: { width, height, channels: 4 } }).removeAlpha());
}

const grainSide = 256;
const grainEnlarged = 1.6;

interface Grain {
  /** Greys, larger than the panel. */
  canvas: Canvas;
  /** Where to lay it, one after the other: at each place it looks like another. */
  places: Spot[];
}

function grainFor({ width, height }: Film, random: () => number): Grain {
  // Enlarged once: a pattern enlarged for every picture costs more than drawing the photo.
  const spare = Math.ceil(grainSide * grainEnlarged);
  const canvas = createCanvas(width + spare, height + spare);
  const g = canvas.getContext('2d', { alpha: false });
  g.scale(grainEnlarged, grainEnlarged);
  g.fillStyle = g.createPattern(grainTile(random), 'repeat') ?? 'transparent';
  g.fillRect(0, 0, canvas.width, canvas.height);
  const place = () => -Math.floor(random() * spare);
  return { canvas, places: Array.from({ length: 6 }, () => ({ x: place(), y: place() })) };
}

function grainTile(random: () => number): Canvas {
  const tile = createCanvas(grainSide, grainSide);
  const g = tile.getContext('2d');
  const pixels = g.createImageData(grainSide, grainSide);
  for (let at = 0; at < pixels.data.length; at += 4) {
    // Three dice added come near the bell curve of real grain.
    const grey = 128 + (random() + random() + random() - 1.5) * 85;
    pixels.data.set([grey, grey, grey, 255], at);
  }
  g.putImageData(pixels, 0, 0);
  return tile;
}

function layGrain(g: SKRSContext2D, { canvas, places }: Grain, { frame }: Moment): void {
  // Film runs slower than video: the same grain for two frames.
  const { x, y } = places[(frame >> 1) % places.length]!;
  g.globalCompositeOperation = 'overlay';
  g.globalAlpha = 0.13;
  g.drawImage(canvas, x, y);
  g.globalAlpha = 1;
  g.globalCompositeOperation = 'source-over';
}

function flicker(g: SKRSContext2D, { width, height }: Film, phase: number): void {
  const light = 0.035 * swing(phase, 11) + 0.03 * swing(phase, 17, 1) + 0.02 * swing(phase, 29, 2);
  g.fillStyle = light > 0 ? `rgba(255,236,200,${light.toFixed(3)})` : `rgba(20,10,0,${(-light).toFixed(3)})`;
  g.fillRect(0, 0, width, height);
}

interface Speck {
  from: number;
  x: number;
  y: number;
  size: number;
  colour: string;
  turned: number;
  isHair: boolean;
}

function specksOf(film: Film, random: () => number): Speck[] {
  const shown = Math.round(film.frames * 0.22);
  return Array.from({ length: shown }, () => {
    const alpha = (0.25 + random() * 0.45).toFixed(2);
    return {
      from: Math.floor(random() * film.frames),
      x: random() * film.width,
      y: random() * film.height,
      size: 0.8 + random() * 2.4,
      colour: random() > 0.5 ? `rgba(20,14,8,${alpha})` : `rgba(255,248,230,${alpha})`,
      turned: random() * fullTurn,
      isHair: random() > 0.8,
    };
  });
}

function drawSpeck(g: SKRSContext2D, speck: Speck, film: Film, { frame }: Moment): void {
  if (framesSince(speck.from, frame, film) >= 2) return;
  g.beginPath();
  if (speck.isHair) {
    g.strokeStyle = speck.colour;
    g.lineWidth = 1;
    g.moveTo(speck.x, speck.y);
    g.quadraticCurveTo(speck.x + 9, speck.y + 4 * speck.size, speck.x + 2, speck.y + 12 * speck.size);
    g.stroke();
  } else {
    g.fillStyle = speck.colour;
    g.ellipse(speck.x, speck.y, speck.size, speck.size * 0.7, speck.turned, 0, fullTurn);
    g.fill();
  }
}

interface Scratch {
  from: number;
  lasts: number;
  x: number;
  speed: number;
}

function scratchesOf(film: Film, random: () => number): Scratch[] {
  return Array.from({ length: 3 }, () => ({
    from: Math.floor(random() * film.frames),
    lasts: 8 + random() * 14,
    x: random() * film.width,
    speed: (random() - 0.5) * 3,
  }));
}

function drawScratch(g: SKRSContext2D, scratch: Scratch, film: Film, { frame }: Moment): void {
  const age = framesSince(scratch.from, frame, film);
  if (age >= scratch.lasts) return;
  g.fillStyle = 'rgba(255,250,235,0.16)';
  g.fillRect(scratch.x + age * scratch.speed, 0, 1.2, film.height);
}

/** Counted round the loop, so that nothing pops at the seam. */
function framesSince(from: number, frame: number, film: Film): number {
  return (frame - from + film.frames) % film.frames;
}
