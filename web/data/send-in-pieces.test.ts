import type { UploadOptions } from 'tus-js-client';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { sendInPieces } from './send-in-pieces.ts';

let uploadOptions: UploadOptions;
vi.mock('tus-js-client', () => ({
  Upload: class {
    constructor(_file: unknown, options: UploadOptions) {
      uploadOptions = options;
    }
    start() {}
    async abort() {}
  },
}));
beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

async function sendOnePhoto() {
  const recordedEnds: unknown[] = [];
  const sendingPromise = sendInPieces({
    endpoint: '/api/arrivals',
    file: new Blob(['photo']),
    metadata: { deviceId: 'frame', filename: 'a.jpg', key: 'key' },
    address: undefined,
    onAddress: () => {},
    onProgress: () => {},
    signal: new AbortController().signal,
  });
  void sendingPromise.catch((error: unknown) => recordedEnds.push(error));
  await vi.dynamicImportSettled();
  return recordedEnds;
}

it('fails when the connection transfers nothing for half a minute', async () => {
  const recordedEnds = await sendOnePhoto();
  uploadOptions.onProgress!(2, 5);
  await vi.advanceTimersByTimeAsync(31_000);
  expect(recordedEnds).toEqual([new TypeError('Failed to fetch')]);
});

it('waits five minutes for the response after all bytes of a photo are sent', async () => {
  const recordedEnds = await sendOnePhoto();
  uploadOptions.onProgress!(5, 5);
  await vi.advanceTimersByTimeAsync(4 * 60_000);
  expect(recordedEnds).toEqual([]);
  await vi.advanceTimersByTimeAsync(2 * 60_000);
  expect(recordedEnds).toEqual([new TypeError('Failed to fetch')]);
});

it('reads Retry-After from a 503 response', async () => {
  const recordedEnds = await sendOnePhoto();
  const errorResponse = { getStatus: () => 503, getBody: () => '{}', getHeader: () => '30' };
  uploadOptions.onError!(Object.assign(new Error('busy'), { originalResponse: errorResponse }));
  await vi.advanceTimersByTimeAsync(0);
  expect(recordedEnds).toMatchObject([{ status: 503, retryAfterSeconds: 30 }]);
});
