import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { fileTypeFromFile } from 'file-type';
import type { AnimationJob } from '#shop/ports/animator.ts';
import { fitVideo } from '../fit-video.ts';
import { downloadVideo, type DownloadLimits } from './download.ts';
import { convertApiCallError } from './failures.ts';

const maxVideoBytes = 200 * 1024 * 1024;
const downloadMs = 180_000;

interface FinishedVideo extends Pick<DownloadLimits, 'origin' | 'headers'> {
  /** The address of the video. Throws AnimationError if the job has none. */
  url: () => string;
  ffmpegPath: string;
  folder: string;
  /** The name of the model, if it is known. */
  model: string | undefined;
}

/**
 * Downloads the video of a finished job and converts it for the frame. Rejects with AnimationError if a later call may
 * succeed, because the video exists and may be paid for.
 */
export async function downloadFinishedVideo(finished: FinishedVideo): Promise<AnimationJob> {
  const { url, ffmpegPath, folder, model, origin, headers } = finished;
  const downloadedPath = join(folder, 'hosted.mp4');
  try {
    await downloadVideo(url(), downloadedPath, { origin, headers, bytes: maxVideoBytes, timeoutMs: downloadMs });
    const provenance = { by: 'hosted', ...(model !== undefined && { model }) } as const;
    const isWebm = /^video\/(webm|(x-)?matroska)$/.test((await fileTypeFromFile(downloadedPath))?.mime ?? '');
    const demuxer = isWebm ? 'matroska' : 'mov';
    return {
      state: 'done',
      video: await fitVideo({ ffmpegPath, source: downloadedPath, demuxer, folder, provenance }),
    };
  } catch (error) {
    const apiError = convertApiCallError('give the finished video', error);
    if (apiError.retryable) throw apiError;
    return { state: 'failed', error: apiError };
  } finally {
    await rm(downloadedPath, { force: true });
  }
}
