import type { SKRSContext2D } from '@napi-rs/canvas';
import { onCanvas, swell, type Film, type Scene } from '../motion.ts';
import type { Photo } from '../photo.ts';
import { setStage } from '../stage.ts';

/** A warm beam of light wanders over the picture from left to right, as through a window when clouds move on. */
export async function lightSweep(photo: Photo, film: Film): Promise<Scene> {
  const stage = await setStage(photo, film, { vignette: 0.3 });
  return onCanvas(film, (g, { phase }) => {
    stage.show(g, { zoom: 1.01 + 0.05 * swell(phase), towards: stage.focus });
    shineBeam(g, film, phase);
  });
}

/** Half the beam's width, and how far its middle leans over from top to bottom, in parts of the panel's width. */
const reach = 0.26;
const lean = 0.1;
const warmLight = { red: 66, green: 55, blue: 36 };

function shineBeam(g: SKRSContext2D, { width, height }: Film, phase: number): void {
  // Out of the picture at either end of the loop.
  const middle = (-reach - lean + (1 + 2 * (reach + lean)) * phase) * width;
  const half = reach * width;
  const slope = (2 * lean * width) / height;
  // The gradient runs square to the leaning beam; its length is the beam's width seen that way.
  const square = half / (1 + slope ** 2);
  const beam = g.createLinearGradient(
    middle - square,
    height / 2 - square * slope,
    middle + square,
    height / 2 + square * slope,
  );
  const { red, green, blue } = warmLight;
  for (let stop = 0; stop <= 8; stop++) {
    beam.addColorStop(
      stop / 8,
      `rgba(${red},${green},${blue},${((1 - Math.cos((2 * Math.PI * stop) / 8)) / 2).toFixed(3)})`,
    );
  }
  // Light multiplies what it falls on, so shadows stay deep: dodging, not a veil of white.
  g.globalCompositeOperation = 'color-dodge';
  g.fillStyle = beam;
  g.beginPath();
  const [top, bottom] = [middle + lean * width, middle - lean * width];
  g.moveTo(top - half, 0);
  g.lineTo(top + half, 0);
  g.lineTo(bottom + half, height);
  g.lineTo(bottom - half, height);
  g.fill();
  g.globalCompositeOperation = 'source-over';
}
