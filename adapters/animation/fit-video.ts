import { execFile } from 'node:child_process';
import { rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { framePanelSize } from '#contract/motion.ts';
import { AnimationError, type AnimatedVideo } from '#shop/ports/animator.ts';
import { describeProgramRestrictions, runSandboxedProgram } from '../imaging/confinement.ts';
import { readPlaybackFacts, type PlaybackFacts } from './playback-facts.ts';
import { createH264Arguments } from './local/encoder.ts';
import { framesPerSecond } from './local/render-job.ts';
import { createProvenanceTags } from './provenance-tags.ts';
import { hasHdrFilters, createBt709Filters, requireColorFilters } from './video-colors.ts';
import { isFaststart, readVideoFacts } from './video-facts.ts';

const runProgram = promisify(execFile);

/** A frame shows each photo for some seconds, so longer videos are cut. */
const longestSeconds = 30;
const timeoutMs = 300_000;

interface FitRequest {
  ffmpegPath: string;
  source: string;
  /** How ffmpeg reads the source: as an MP4, which is the default, or as a WebM. */
  demuxer?: 'mov' | 'matroska';
  /** The folder for the video and the poster. */
  folder: string;
  /** Written into the video's metadata, in place of the original metadata. */
  provenance: AnimatedVideo['provenance'];
}

/**
 * Converts an untrusted MP4 or WebM to a video for the frame, and makes a poster. The video is upright, with square
 * pixels, 25 frames per second, H.264 High 4.0, BT.709, and no sound or other streams. A video that already fits is
 * only repackaged. Any other video is re-encoded completely, with a blurred background if its shape differs from the
 * panel's. ffmpeg reads the file only in the given format, behind the kernel's fences. Rejects with AnimationError if
 * the file cannot be converted. After a rejection, no file is left.
 */
export async function fitVideo(
  { ffmpegPath, source, demuxer = 'mov', folder, provenance }: FitRequest,
  signal?: AbortSignal,
): Promise<AnimatedVideo> {
  const [videoPath, posterPath] = [join(folder, 'video.mp4'), join(folder, 'poster.jpg')];
  const access = { reads: [source], writes: [folder], cpuSeconds: timeoutMs / 1000 };
  try {
    return await runSandboxedProgram(ffmpegPath, access, async (fenced) => {
      const runFfmpeg = async (...args: string[]) => {
        const command = [ffmpegPath, '-nostdin', '-v', 'error', '-y', '-protocol_whitelist', 'file', ...args];
        const [program = '', ...rest] = fenced(command);
        await runProgram(program, rest, { timeout: timeoutMs, killSignal: 'SIGKILL', signal, env: {} });
      };
      const playbackFacts = await readPlaybackFacts(ffmpegPath, source, { framesPerSecond, wrap: fenced, demuxer });
      if (!playbackFacts) throw new AnimationError('the file holds no video', false);
      if (playbackFacts.frames === 0 || !(playbackFacts.seconds > 0))
        throw new AnimationError('the film has no pictures in it', false);
      const { size: sourceBytes } = await stat(source);
      const isFitting = fitsPanel(playbackFacts, sourceBytes);
      if (!isFitting && playbackFacts.colors !== 'bt709') await requireColorFilters(ffmpegPath, playbackFacts.colors);
      const pictureArguments = isFitting ? repackArguments : createReencodingArguments(playbackFacts);
      const onlyVideoArgs = ['-map', '0:V:0', '-map_metadata', '-1', '-map_chapters', '-1', '-an', '-sn', '-dn'];
      const durationAndTagArguments = ['-t', `${longestSeconds}`, ...createProvenanceTags(provenance)];
      await runFfmpeg(
        '-f',
        demuxer,
        '-i',
        `file:${source}`,
        ...onlyVideoArgs,
        ...durationAndTagArguments,
        ...pictureArguments,
        videoPath,
      );
      await runFfmpeg('-i', `file:${videoPath}`, '-frames:v', '1', '-q:v', '3', posterPath);
      const videoFacts = await readVideoFacts(ffmpegPath, videoPath, fenced);
      if (!videoFacts || !(await isFaststart(videoPath)))
        throw new AnimationError('the video cannot be converted', false);
      const { width, height, seconds } = videoFacts;
      const { size: sizeBytes } = await stat(videoPath);
      return { videoPath, posterPath, width, height, seconds, sizeBytes, provenance };
    });
  } catch (error) {
    await Promise.all([videoPath, posterPath].map((path) => rm(path, { force: true })));
    if (error instanceof AnimationError || signal?.aborted) throw error;
    throw new AnimationError('the video cannot be converted', false, { cause: error });
  }
}

/** Files above this size are re-encoded, because screens and archives must download them. */
const maxRepackedBytes = 12 * 1024 * 1024;
const fitsPanel = (film: PlaybackFacts, bytes: number) =>
  bytes <= maxRepackedBytes &&
  film.codec === 'h264' &&
  film.pixelFormat === 'yuv420p' &&
  film.width === framePanelSize.width &&
  film.height === framePanelSize.height &&
  film.seconds <= longestSeconds &&
  film.isSteady &&
  film.isUpright &&
  film.isPlain &&
  film.colors === 'bt709';

/**
 * ffmpeg arguments that repackage a video. They remove the SEI messages next to the pictures: captions, locations and
 * so on.
 */
const repackArguments = ['-c:v', 'copy', '-bsf:v', 'filter_units=remove_types=6', '-movflags', '+faststart'];

/** ffmpeg arguments that re-encode a video. ffmpeg turns the pictures upright before these filters. */
function createReencodingArguments(film: PlaybackFacts): string[] {
  const { width, height } = framePanelSize;
  const size = `${width}:${height}`;
  // The result is never larger than the panel, whatever pixel shape the video claims to have.
  const scaleFilter = `scale=w='max(2,min(${width},2*round(${height}*dar/2)))':h='max(2,min(${height},2*round(${width}/dar/2)))'`;
  const wideScaleFilter = `scale=w='max(${width},min(${4 * width},2*ceil(iw*${height}/ih/2)))':h='max(${height},min(${4 * height},2*ceil(ih*${width}/iw/2)))'`;
  const filters = [
    // Frames may have irregular times. `fps` chooses the frame for each moment.
    `setpts=PTS-STARTPTS,bwdif=mode=send_frame:deint=interlaced,fps=${framesPerSecond}`,
    `,${scaleFilter},setsar=1,${createBt709Filters(film)},split[whole][copy]`,
    `;[copy]${wideScaleFilter},crop=${size},boxblur=32:3[soft]`,
    `;[soft][whole]overlay=(W-w)/2:(H-h)/2,setsar=1`,
  ];
  // `-a53cc 0` also removes captions that are hidden in the pictures.
  return [
    '-vf',
    filters.join(''),
    ...createH264Arguments({ ...framePanelSize, frames: 10 * framesPerSecond }),
    '-a53cc',
    '0',
  ];
}

/** For `npm run doctor`: which fences confine ffmpeg, and whether it can convert HDR. */
export async function describeFfmpeg(ffmpegPath: string): Promise<string> {
  const hdr = (await hasHdrFilters(ffmpegPath))
    ? 'HDR films are tone-mapped (zscale)'
    : 'HDR films are refused: this ffmpeg has no zscale. FFMPEG_PATH may name one that has it';
  return `${await describeProgramRestrictions(ffmpegPath)}; ${hdr}`;
}
