import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { AnimationError } from '#shop/ports/animator.ts';
import type { PlaybackFacts, VideoColors } from './playback-facts.ts';
import { videoColorFilter } from './local/encoder.ts';

const runProgram = promisify(execFile);

/**
 * The ffmpeg filters that convert to BT.709 for an SDR screen. HDR is tone mapped: paper white (203 cd/m²) stays
 * bright, and highlights are compressed.
 */
export function createBt709Filters({
  colors,
  hasMatrix,
  width,
  height,
}: Pick<PlaybackFacts, 'colors' | 'hasMatrix' | 'width' | 'height'>): string {
  if (colors === 'bt709') {
    const sourceMatrix = hasMatrix ? 'auto' : width >= 1280 || height >= 720 ? 'bt709' : 'bt601';
    return videoColorFilter.replace('scale=', `scale=in_color_matrix=${sourceMatrix}:`);
  }
  const sdrColors = 'primaries=bt709:transfer=bt709:matrix=bt709:range=tv';
  const hdrColors = 'primariesin=bt2020:matrixin=bt2020nc';
  if (colors === 'bt2020') return `zscale=${hdrColors}:transferin=bt709:${sdrColors},format=yuv420p`;
  const transfer = colors === 'pq' ? 'smpte2084' : 'arib-std-b67';
  return [
    `zscale=${hdrColors}:transferin=${transfer}:transfer=linear:npl=${paperWhite}`,
    'format=gbrpf32le',
    'zscale=primaries=bt709',
    `tonemap=mobius:desat=0:peak=${brightestNits / paperWhite}`,
    `zscale=${sdrColors}`,
    'format=yuv420p',
  ].join(',');
}
/** In cd/m²: paper white by ITU-R BT.2408, and the brightest light that phones and cameras record. */
const paperWhite = 203;
const brightestNits = 1000;

export async function hasHdrFilters(ffmpegPath: string): Promise<boolean> {
  const { stdout } = await runProgram(ffmpegPath, ['-hide_banner', '-filters'], { timeout: 10_000, env: {} });
  return ['zscale', 'tonemap'].every((name) => new RegExp(`\\b${name}\\b`).test(stdout));
}

/**
 * Throws if this ffmpeg lacks the filters that convert these colors. Without the conversion, the video would look dull
 * and gray.
 */
export async function requireColorFilters(ffmpegPath: string, colors: VideoColors): Promise<void> {
  if (await hasHdrFilters(ffmpegPath)) return;
  const colorDescription = colors === 'bt2020' ? 'in BT.2020 colors' : 'an HDR film';
  throw new AnimationError(
    `the film is ${colorDescription}, and the ffmpeg of this machine cannot convert it (it has no zscale): ` +
      'export the film in SDR (Rec. 709), or set FFMPEG_PATH to an ffmpeg with zscale',
    false,
  );
}
