import { writeFile } from 'node:fs/promises';
import sharp from 'sharp';
import { panel, type MotionStyle } from '#contract/motion.ts';
import { EncoderFailed, openEncoder, type Encoder } from './encoder.ts';
import { onCanvas, type Film, type Scene } from './motion.ts';
import { openPhoto, type Photo } from './photo.ts';
import { framesPerSecond, type RenderAnswer, type RenderJob } from './render-job.ts';
import { breathe } from './styles/breathe.ts';
import { depth } from './styles/depth.ts';
import { drift } from './styles/drift.ts';
import { floatingPrint } from './styles/floating-print.ts';
import { lightSweep } from './styles/light-sweep.ts';
import { pushIn } from './styles/push-in.ts';
import { vintage } from './styles/vintage.ts';

interface Style {
  prepare: (photo: Photo, film: Film) => Promise<Scene>;
  /** Where the loop begins. Motion that rests at phase 0 begins a quarter of its cycle later: a rest at the seam would catch the eye. */
  begins: number;
}
const styles: Record<MotionStyle, Style> = {
  'push-in': { prepare: pushIn, begins: 0.25 },
  drift: { prepare: drift, begins: 0.25 },
  breathe: { prepare: breathe, begins: 0.125 },
  // Its beam is out of the picture at phase 0 only.
  'light-sweep': { prepare: lightSweep, begins: 0 },
  'floating-print': { prepare: floatingPrint, begins: 0.25 },
  vintage: { prepare: vintage, begins: 0.25 },
  depth: { prepare: depth, begins: 0.25 },
};

/** Draw a video picture by picture and encode it as it is drawn. Runs in a child process. */
export async function renderVideo(job: RenderJob, tellProgress: (fraction: number) => void): Promise<RenderAnswer> {
  const film: Film = { ...panel, frames: job.frames };
  let photo: Photo;
  try {
    photo = await openPhoto(job.sourcePath, job.focus);
  } catch (error) {
    return { failed: `the photo cannot be opened: ${messageOf(error)}`, retryable: false };
  }
  try {
    const { prepare, begins } = styles[job.style];
    const scene = await prepare(photo, film);
    await writePoster(scene({ phase: begins, frame: 0 }), film, job.posterPath);
    await encode(scene, film, begins, openEncoder(job.ffmpegPath, film, [job.videoPath]), tellProgress);
    return 'rendered';
  } catch (error) {
    // A full disk or a killed ffmpeg may be otherwise next time; anything else is a bug and ends the process.
    if (error instanceof EncoderFailed || isSystemError(error)) return { failed: error.message, retryable: true };
    throw error;
  }
}

/** Draw and encode four small pictures to nowhere: the canvas and ffmpeg both work. */
export async function tryRendering(ffmpegPath: string): Promise<RenderAnswer> {
  const film: Film = { width: 64, height: 64, frames: 4 };
  const scene = onCanvas(film, (g, { phase }) => {
    g.fillStyle = `hsl(${360 * phase}, 60%, 50%)`;
    g.fillRect(0, 0, film.width, film.height);
  });
  try {
    await encode(scene, film, 0, openEncoder(ffmpegPath, film, ['-f', 'null', '-']), () => {});
    return 'rendered';
  } catch (error) {
    return { failed: messageOf(error), retryable: true };
  }
}

async function encode(
  scene: Scene,
  film: Film,
  begins: number,
  encoder: Encoder,
  tellProgress: (fraction: number) => void,
): Promise<void> {
  for (let frame = 0; frame < film.frames; frame++) {
    await encoder.write(scene({ phase: (frame / film.frames + begins) % 1, frame }));
    // Each picture is 4 MB that the collector does not see: let go at once, the next takes its place.
    globalThis.gc?.({ type: 'minor' });
    if (frame % framesPerSecond === 0) tellProgress(frame / film.frames);
  }
  await encoder.finish();
  tellProgress(1);
}

async function writePoster(picture: Uint8Array, { width, height }: Film, path: string): Promise<void> {
  const poster = sharp(picture, { raw: { width, height, channels: 4 } })
    .removeAlpha()
    .jpeg({ quality: 86 });
  await writeFile(path, await poster.toBuffer());
}

function isSystemError(error: unknown): error is NodeJS.ErrnoException {
  return error instanceof Error && 'syscall' in error;
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
