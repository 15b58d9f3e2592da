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

/** Half the beam's width and its lean, in parts of the panel's width. */
const reach = 0.36;
const lean = 0.22;

function shineBeam(g: SKRSContext2D, { width, height }: Film, phase: number): void {
  const strength = Math.sin(Math.PI * phase) ** 1.5;
  const middle = (-0.3 + 1.6 * phase) * width;
  // The gradient runs across the leaning beam, from edge to edge through the middle of the panel.
  const across = { x: reach * width, y: (reach * width * lean * width) / height };
  const beam = g.createLinearGradient(middle - across.x, height / 2 - across.y, middle + across.x, height / 2 + across.y);
  for (let stop = 0; stop <= 8; stop++) {
    const glow = Math.exp(-(((stop / 8 - 0.5) / 0.19) ** 2)) * Math.sin((Math.PI * stop) / 8);
    beam.addColorStop(stop / 8, `rgba(255,${Math.round(222 - 14 * glow)},${Math.round(168 - 18 * glow)},${(0.4 * glow * strength).toFixed(4)})`);
  }
  g.globalCompositeOperation = 'screen';
  g.fillStyle = beam;
  g.fillRect(0, 0, width, height);
  g.globalCompositeOperation = 'source-over';
}
