import type { DetailedError, Upload } from 'tus-js-client';
import { limits } from '#contract/limits.ts';
import { ApiError, requestInit } from './api.ts';

interface Sent {
  /** Where it is announced. */
  endpoint: string;
  file: Blob;
  metadata: { deviceId?: string; filename: string; key: string; selection?: string; place?: string };
  /** Where its pieces go, once the shop has told; a photo that has one goes on from where it stands. */
  address: string | undefined;
  onAddress: (address: string) => void;
  /** 0 to 1. */
  onProgress: (done: number) => void;
  /** Stops it; what has arrived stays with the shop. */
  signal: AbortSignal;
}

/** What sends: had before the first photo is chosen, or a line that dies then would keep it away. */
export const loadSending = () => import('tus-js-client');

/** A line that carries nothing for so long is dead, though nobody has said so. */
const deadAfterMs = 30_000;
/** One that is all there waits for its turn to be developed before the shop answers. */
const developedAfterMs = 5 * 60_000;

/**
 * Send a photo piece by piece, from where an earlier try has got to. Answers the photo, or null where it had arrived
 * before. Rejects as any other call does: a TypeError for a line that died, an ApiError for what the shop said.
 */
export async function sendInPieces<Photo>({
  endpoint,
  file,
  metadata,
  address,
  signal,
  ...tell
}: Sent): Promise<Photo | null> {
  const tus = await loadSending();
  return new Promise((resolve, reject) => {
    let watchdog: ReturnType<typeof setTimeout>;
    const end = (settle: () => void) => {
      clearTimeout(watchdog);
      signal.removeEventListener('abort', stop);
      settle();
    };
    const lost = () => new TypeError('Failed to fetch');
    const stop = () => {
      void upload.abort();
      end(() => reject(new DOMException('The upload was cancelled', 'AbortError')));
    };
    const isAlive = (untilMs = deadAfterMs) => {
      clearTimeout(watchdog);
      watchdog = setTimeout(() => {
        void upload.abort();
        end(() => reject(lost()));
      }, untilMs);
    };
    const upload: Upload = new tus.Upload(file as File, {
      endpoint,
      uploadUrl: address ?? null,
      chunkSize: limits.pieceBytes,
      metadata,
      headers: requestInit().headers,
      // When it is worth another try is decided for all photos together.
      retryDelays: null,
      storeFingerprintForResuming: false,
      onBeforeRequest: () => isAlive(),
      onAfterResponse: () => isAlive(),
      onProgress: (sent, all) => {
        isAlive(sent === all ? developedAfterMs : deadAfterMs);
        tell.onProgress(sent / all);
      },
      onUploadUrlAvailable: () => tell.onAddress(upload.url!),
      onSuccess: ({ lastResponse }) => {
        const body = lastResponse.getBody();
        end(() => resolve(body === '' ? null : (JSON.parse(body) as Photo)));
      },
      onError: (error) => {
        const answer = (error as DetailedError).originalResponse;
        end(() =>
          reject(answer ? new ApiError(answer.getStatus(), answer.getBody(), answer.getHeader('retry-after')) : lost()),
        );
      },
    });
    signal.addEventListener('abort', stop);
    if (signal.aborted) stop();
    else upload.start();
  });
}

/** The shop forgets what has arrived of it. Best effort: it does so by itself after a day. */
export const forgetPieces = (address: string) =>
  fetch(address, {
    method: 'DELETE',
    credentials: 'include',
    headers: { ...requestInit().headers, 'tus-resumable': '1.0.0' },
  }).catch(() => {});
