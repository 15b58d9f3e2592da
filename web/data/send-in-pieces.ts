import type { DetailedError, Upload } from 'tus-js-client';
import { limits } from '#contract/limits.ts';
import { ApiError, createRequestInit } from './api.ts';

interface PiecewiseUpload {
  /** The URL that creates the upload. */
  endpoint: string;
  file: Blob;
  metadata: { deviceId?: string; filename: string; key: string; selection?: string; place?: string };
  /** The URL for the pieces, once the server has returned it. With it, an interrupted upload resumes. */
  address: string | undefined;
  onAddress: (address: string) => void;
  /** Called with the progress, 0 to 1. */
  onProgress: (done: number) => void;
  /** Stops the upload. The pieces that have arrived stay on the server. */
  signal: AbortSignal;
}

/** Loads the upload library. Call this early: once the connection is lost, the library can no longer be loaded. */
export const loadTus = () => import('tus-js-client');

/** A connection that transfers nothing for this long is treated as broken, even without an error. */
const stalledAfterMs = 30_000;
/** The longest wait for the response after the last byte. The photo waits in a queue and is processed first. */
const developedAfterMs = 5 * 60_000;

/**
 * Sends a photo in pieces and resumes an earlier attempt. Returns the photo, or null if it had arrived before. Rejects
 * like any other request: with a TypeError for a broken connection, with an ApiError for an error response.
 */
export async function sendInPieces<Photo>({
  endpoint,
  file,
  metadata,
  address,
  signal,
  ...callbacks
}: PiecewiseUpload): Promise<Photo | null> {
  const tus = await loadTus();
  return new Promise((resolve, reject) => {
    let watchdog: ReturnType<typeof setTimeout>;
    const settleUpload = (settle: () => void) => {
      clearTimeout(watchdog);
      signal.removeEventListener('abort', abortUpload);
      settle();
    };
    const createNetworkError = () => new TypeError('Failed to fetch');
    const abortUpload = () => {
      void upload.abort();
      settleUpload(() => reject(new DOMException('The upload was cancelled', 'AbortError')));
    };
    const restartWatchdog = (untilMs = stalledAfterMs) => {
      clearTimeout(watchdog);
      watchdog = setTimeout(() => {
        void upload.abort();
        settleUpload(() => reject(createNetworkError()));
      }, untilMs);
    };
    const upload: Upload = new tus.Upload(file as File, {
      endpoint,
      uploadUrl: address ?? null,
      chunkSize: limits.pieceBytes,
      metadata,
      headers: createRequestInit().headers,
      // No retries here: the caller decides when to retry for all photos together.
      retryDelays: null,
      storeFingerprintForResuming: false,
      onBeforeRequest: () => restartWatchdog(),
      onAfterResponse: () => restartWatchdog(),
      onProgress: (sent, all) => {
        restartWatchdog(sent === all ? developedAfterMs : stalledAfterMs);
        callbacks.onProgress(sent / all);
      },
      onUploadUrlAvailable: () => callbacks.onAddress(upload.url!),
      onSuccess: ({ lastResponse }) => {
        const body = lastResponse.getBody();
        settleUpload(() => resolve(body === '' ? null : (JSON.parse(body) as Photo)));
      },
      onError: (error) => {
        const errorResponse = (error as DetailedError).originalResponse;
        settleUpload(() =>
          reject(
            errorResponse
              ? new ApiError(errorResponse.getStatus(), errorResponse.getBody(), errorResponse.getHeader('retry-after'))
              : createNetworkError(),
          ),
        );
      },
    });
    signal.addEventListener('abort', abortUpload);
    if (signal.aborted) abortUpload();
    else upload.start();
  });
}

/** Deletes the pieces that have arrived. Best effort: the server deletes them after a day in any case. */
export const deleteSentPieces = (address: string) =>
  fetch(address, {
    method: 'DELETE',
    credentials: 'include',
    headers: { ...createRequestInit().headers, 'tus-resumable': '1.0.0' },
  }).catch(() => {});
