import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { describeVideoInput, parseVideoFacts, findVideoStreamText, type VideoFacts } from './video-facts.ts';

const runProgram = promisify(execFile);

type WrapCommand = (command: string[]) => string[];

/**
 * The colors of a video: `pq` and `hlg` are HDR curves, `bt2020` means BT.2020 colors without an HDR curve, and `bt709`
 * means all other colors, including BT.601.
 */
export type VideoColors = 'bt709' | 'bt2020' | 'pq' | 'hlg';

/** All properties of a video that decide whether a frame can play it unchanged. */
export interface PlaybackFacts extends VideoFacts {
  /** Number of pictures in the first `probedSeconds` of the video. */
  frames: number;
  /** Whether the pictures start every 1 / `framesPerSecond` seconds from time 0 on, within a fifth of that. */
  isSteady: boolean;
  /** Whether its pictures are stored upright with square pixels. */
  isUpright: boolean;
  /** Whether its H.264 is at most High 4.0, progressive, and in colors that all players show the same way. */
  isPlain: boolean;
  colors: VideoColors;
  /**
   * Whether the video names a color matrix. Without one, players assume BT.709 for HD and BT.601 for smaller videos.
   */
  hasMatrix: boolean;
}

/** Only this part of a video is checked, because the rest is cut off. */
const probedSeconds = 31;
const timeoutMs = 60_000;

/**
 * Reads a video's properties: size and colors from ffmpeg's description, frame times from the packets, and the coding
 * of H.264 from the bitstream. Undefined if the file contains no video; a cover picture does not count.
 */
export async function readPlaybackFacts(
  ffmpegPath: string,
  source: string,
  {
    framesPerSecond,
    wrap,
    demuxer = 'mov',
  }: { framesPerSecond: number; wrap: WrapCommand; demuxer?: 'mov' | 'matroska' },
): Promise<PlaybackFacts | undefined> {
  const demuxerArgs = ['-f', demuxer];
  const report = await describeVideoInput(ffmpegPath, source, wrap, demuxerArgs);
  const videoFacts = parseVideoFacts(report);
  if (!videoFacts) return undefined;
  const copyArgs = ['-map', '0:V:0', '-c', 'copy', '-t', `${probedSeconds}`];
  const runFfmpeg = async (...args: string[]) => {
    const input = ['-hide_banner', '-nostdin', '-protocol_whitelist', 'file', ...demuxerArgs, '-i', `file:${source}`];
    const [program = '', ...rest] = wrap([ffmpegPath, ...input, ...copyArgs, ...args]);
    return runProgram(program, rest, {
      timeout: timeoutMs,
      killSignal: 'SIGKILL',
      env: {},
      maxBuffer: 16 * 1024 * 1024,
    });
  };
  const { stdout: packets } = await runFfmpeg('-v', 'error', '-f', 'framecrc', 'pipe:1');
  const bitstream =
    videoFacts.codec === 'h264'
      ? (await runFfmpeg('-v', 'info', '-frames:v', '1', '-bsf:v', 'trace_headers', '-f', 'null', '-')).stderr
      : '';
  const streamLine = findVideoStreamText(report) ?? '';
  return {
    ...videoFacts,
    ...readTimesIn(packets, framesPerSecond),
    isUpright:
      !/displaymatrix|\brotate\b/i.test(report) && /^#sar 0: (0\/1|1\/1)$/m.test(packets) && !hasOddSar(streamLine),
    isPlain: isPlain(bitstream),
    colors: detectColors(streamLine, bitstream),
    hasMatrix: /\((?:(?:tv|pc), )?(bt709|smpte170m|bt470bg|fcc|smpte240m)\b/.test(streamLine),
  };
}

const hasOddSar = (streamLine: string) => /\bSAR (?!1:1\b)/.test(streamLine);

/** Parses `framecrc` output: one line per packet, with its time in the unit given in the header. */
function readTimesIn(packets: string, framesPerSecond: number): Pick<PlaybackFacts, 'frames' | 'isSteady'> {
  const [, over = '0', under = '1'] = /^#tb 0: (\d+)\/(\d+)$/m.exec(packets) ?? [];
  const times = Array.from(
    packets.matchAll(/^0,\s*-?\d+,\s*(-?\d+),/gm),
    ([, time]) => Number(time) * (Number(over) / Number(under)),
  );
  times.sort((one, other) => one - other);
  const isOnTime = (time: number, at: number) => Math.abs(time - at / framesPerSecond) < 0.2 / framesPerSecond;
  return { frames: times.length, isSteady: times.every(isOnTime) };
}

/** All values with this name in the output of `trace_headers`. */
const findHeaderValues = (bitstream: string, name: string): number[] =>
  Array.from(bitstream.matchAll(new RegExp(`\\b${name}\\b.* = (\\d+)$`, 'gm')), ([, value]) => Number(value));

const plainProfiles = new Set([66, 77, 100]);
const maxH264Level = 40;
/** Whether a code of ITU-T H.273 means BT.709 or "unspecified". */
const isPlainColor = (value: number) => value === 1 || value === 2;
/** Also accepts code 6, which is BT.709's curve under another name. */
const isPlainCurve = (value: number) => isPlainColor(value) || value === 6;

function isPlain(bitstream: string): boolean {
  const allValuesMatch = (name: string, is: (value: number) => boolean) => findHeaderValues(bitstream, name).every(is);
  return (
    findHeaderValues(bitstream, 'level_idc').length > 0 &&
    allValuesMatch('profile_idc', (value) => plainProfiles.has(value)) &&
    allValuesMatch('level_idc', (value) => value <= maxH264Level) &&
    allValuesMatch('frame_mbs_only_flag', (value) => value === 1) &&
    allValuesMatch('video_full_range_flag', (value) => value === 0) &&
    allValuesMatch('colour_primaries', isPlainColor) &&
    allValuesMatch('transfer_characteristics', isPlainCurve) &&
    allValuesMatch('matrix_coefficients', isPlainColor)
  );
}

function detectColors(streamLine: string, bitstream: string): VideoColors {
  const curves = findHeaderValues(bitstream, 'transfer_characteristics');
  if (/\bsmpte2084\b/.test(streamLine) || curves.includes(16)) return 'pq';
  if (/\barib-std-b67\b/.test(streamLine) || curves.includes(18)) return 'hlg';
  return /\bbt2020/.test(streamLine) ? 'bt2020' : 'bt709';
}
