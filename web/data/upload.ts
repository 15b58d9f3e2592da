import type { Api } from '#contract/api.ts';
import { type AnyInput, type ApiResponseBody, ApiError, createRequestInit, buildUrl } from './api.ts';

type Multipart = { [R in keyof Api]: Api[R] extends { multipart: true } ? R : never }[keyof Api];

/** The server allows two minutes for a request to arrive. If no response follows within a third minute, none will. */
const uploadTimeoutMs = 180_000;

/** Sends a form with files and reports progress, 0 to 1. This uses XMLHttpRequest: fetch reports no upload progress. */
export async function upload<R extends Multipart>(
  route: R,
  form: FormData,
  { onProgress, signal, ...input }: { onProgress?: (done: number) => void; signal?: AbortSignal } & AnyInput = {},
): Promise<ApiResponseBody<R>> {
  const [method, path] = route.split(' ') as [string, string];
  const call = async (more: Record<string, string> = {}): Promise<unknown> => {
    // The page may have been left during the proof of work.
    signal?.throwIfAborted();
    const text = await new Promise<string>((resolve, reject) => {
      const uploadRequest = new XMLHttpRequest();
      uploadRequest.open(method, buildUrl(path, input));
      uploadRequest.withCredentials = true;
      uploadRequest.timeout = uploadTimeoutMs;
      for (const [name, value] of Object.entries({ ...createRequestInit().headers, ...more }))
        uploadRequest.setRequestHeader(name, value);
      uploadRequest.upload.addEventListener('progress', (event) => {
        if (event.lengthComputable) onProgress?.(event.loaded / event.total);
      });
      uploadRequest.addEventListener('load', () => {
        if (uploadRequest.status >= 200 && uploadRequest.status < 300) resolve(uploadRequest.responseText);
        else reject(new ApiError(uploadRequest.status, uploadRequest.responseText || uploadRequest.statusText));
      });
      for (const failureEvent of ['error', 'timeout'])
        uploadRequest.addEventListener(failureEvent, () => reject(new TypeError('Failed to fetch')));
      uploadRequest.addEventListener('abort', () => reject(new DOMException('The upload was cancelled', 'AbortError')));
      const abortUpload = () => uploadRequest.abort();
      signal?.addEventListener('abort', abortUpload, { once: true });
      uploadRequest.addEventListener('loadend', () => signal?.removeEventListener('abort', abortUpload));
      uploadRequest.send(form);
    });
    return JSON.parse(text);
  };
  try {
    return (await call()) as ApiResponseBody<R>;
  } catch (error) {
    if (!(error instanceof ApiError) || error.code !== 'proof-of-work-needed') throw error;
    // Load this code only when it is needed, because few visitors need it.
    const { callWithProofOfWork } = await import('./proof-of-work.ts');
    return (await callWithProofOfWork(call, error)) as ApiResponseBody<R>;
  }
}
