import { execFile } from 'node:child_process';
import { rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { panel } from '#contract/motion.ts';
import { AnimationError, type AnimatedVideo } from '#shop/ports/animator.ts';
import { fencedProgram } from '../imaging/imaging.ts';
import { h264, intoVideoColours } from './local/encoder.ts';
import { framesPerSecond } from './local/render-job.ts';
import { provenanceTags } from './provenance-tags.ts';
import { isFaststart, videoFacts, type VideoFacts } from './video-facts.ts';

const run = promisify(execFile);

/** A frame shows each photo for seconds: what is longer is cut. */
const longestSeconds = 30;
const timeoutMs = 300_000;

interface FitRequest {
  ffmpegPath: string;
  source: string;
  /** Where the video and the poster are written. */
  folder: string;
  /** Told in the video's metadata, in the place of what it brought. */
  provenance: AnimatedVideo['provenance'];
}

/**
 * Somebody else's MP4 as the frame plays it, with a poster: what fits already is only packed anew, anything else is drawn
 * again, whole, over a soft surround of its own where its shape differs. The file is not trusted: ffmpeg reads it as an
 * MP4 and nothing else, behind fences. Rejects with AnimationError where there is no video in it; then nothing is left.
 */
export async function fitVideo(
  { ffmpegPath, source, folder, provenance }: FitRequest,
  signal?: AbortSignal,
): Promise<AnimatedVideo> {
  const [videoPath, posterPath] = [join(folder, 'video.mp4'), join(folder, 'poster.jpg')];
  const fenced = await fencedProgram(timeoutMs / 1000);
  const ffmpeg = async (...args: string[]) => {
    const command = [ffmpegPath, '-nostdin', '-v', 'error', '-y', '-protocol_whitelist', 'file', ...args];
    const [program = '', ...rest] = fenced(command);
    await run(program, rest, { timeout: timeoutMs, killSignal: 'SIGKILL', signal });
  };
  try {
    const facts = await videoFacts(ffmpegPath, source, fenced);
    if (!facts || !(facts.seconds > 0)) throw new AnimationError('the file holds no video', false);
    const { size: sourceBytes } = await stat(source);
    const picture = fitsPanel(facts, sourceBytes) ? ['-c:v', 'copy', '-movflags', '+faststart'] : drawnAgain;
    const alone = ['-map', '0:v:0', '-map_metadata', '-1', '-an', '-sn', '-dn', '-t', `${longestSeconds}`];
    const tags = provenanceTags(provenance);
    await ffmpeg('-f', 'mov', '-i', `file:${source}`, ...alone, ...tags, ...picture, videoPath);
    await ffmpeg('-i', `file:${videoPath}`, '-frames:v', '1', '-q:v', '3', posterPath);
    const made = await videoFacts(ffmpegPath, videoPath);
    if (!made || !(await isFaststart(videoPath))) throw new AnimationError('the video cannot be converted', false);
    const { width, height, seconds } = made;
    const { size: sizeBytes } = await stat(videoPath);
    return { videoPath, posterPath, width, height, seconds, sizeBytes, provenance };
  } catch (error) {
    await Promise.all([videoPath, posterPath].map((path) => rm(path, { force: true })));
    if (error instanceof AnimationError || signal?.aborted) throw error;
    throw new AnimationError('the video cannot be converted', false, { cause: error });
  }
}

/** Heavier ones are drawn again: screens and archives carry them. */
const mostBytes = 12 * 1024 * 1024;
const fitsPanel = ({ codec, pixelFormat, width, height, seconds }: VideoFacts, bytes: number) =>
  bytes <= mostBytes &&
  codec === 'h264' &&
  pixelFormat === 'yuv420p' &&
  width === panel.width &&
  height === panel.height &&
  seconds <= longestSeconds;

const size = `${panel.width}:${panel.height}`;
const drawnAgain = [
  '-vf',
  [
    `fps=${framesPerSecond},split[wide][whole]`,
    `[wide]scale=${size}:force_original_aspect_ratio=increase,crop=${size},boxblur=32:3[soft]`,
    `[whole]scale=${size}:force_original_aspect_ratio=decrease[shown]`,
    `[soft][shown]overlay=(W-w)/2:(H-h)/2,setsar=1,${intoVideoColours}`,
  ].join(';'),
  ...h264({ ...panel, frames: 10 * framesPerSecond }),
];
