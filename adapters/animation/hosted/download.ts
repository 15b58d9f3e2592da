import { createWriteStream } from 'node:fs';
import { rm } from 'node:fs/promises';
import { get as getHttp, type IncomingMessage } from 'node:http';
import { get as getHttps } from 'node:https';
import { Transform } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { isPublicHost, PrivateAddressError, lookUpPublicAddress } from '../../network/public-address.ts';
import { createAnimationError } from './failures.ts';

export interface DownloadLimits {
  /** The service's own origin. It is trusted even on a private network. */
  origin: string;
  /** Headers for the service's own origin. They are sent to no other address. */
  headers?: Record<string, string> | undefined;
  bytes: number;
  timeoutMs: number;
}

/**
 * Saves a finished video. The URL is untrusted, so it must be https on the public network, or on the service's own
 * origin. Rejects with AnimationError; then no file is left at `path`.
 */
export async function downloadVideo(url: string, path: string, bounds: DownloadLimits): Promise<void> {
  const { bytes, timeoutMs } = bounds;
  const signal = AbortSignal.timeout(timeoutMs);
  try {
    const response = await requestVideo(url, bounds, signal);
    const announcedBytes = Number(response.headers['content-length'] ?? 0);
    if (announcedBytes > bytes) {
      response.destroy();
      throw tooLargeError();
    }
    await pipeline(response, limitBytes(bytes), createWriteStream(path), { signal });
  } catch (error) {
    await rm(path, { force: true });
    if (error instanceof Error && error.name === 'AnimationError') throw error;
    throw createAnimationError(
      'unavailable',
      'The finished video could not be fetched from the hosted animator.',
      error,
    );
  }
}

async function requestVideo(
  url: string,
  { origin, headers }: DownloadLimits,
  signal: AbortSignal,
): Promise<IncomingMessage> {
  const address = URL.canParse(url) ? new URL(url) : undefined;
  const isTrusted = address?.origin === origin;
  if (!address || !(isTrusted || address.protocol === 'https:') || !/^https?:$/.test(address.protocol))
    throw createAnimationError('output', 'The hosted animator named no address of a video.');
  if (!isTrusted && !isPublicHost(address.hostname)) throw createPrivateNetworkError();
  const response = await new Promise<IncomingMessage>((resolve, reject) => {
    const options = { signal, ...(isTrusted ? { headers } : { lookup: lookUpPublicAddress }) };
    const sendGetRequest = address.protocol === 'https:' ? getHttps : getHttp;
    sendGetRequest(address, options, resolve).on('error', (error) =>
      reject(error instanceof PrivateAddressError ? createPrivateNetworkError(error) : error),
    );
  });
  if (response.statusCode === 200) return response;
  response.destroy();
  const isTemporary = response.statusCode === 429 || (response.statusCode ?? 0) >= 500;
  const message = `The finished video could not be fetched: the hosted animator answered ${response.statusCode}.`;
  throw createAnimationError(isTemporary ? 'unavailable' : 'output', message);
}

const createPrivateNetworkError = (cause?: unknown) =>
  createAnimationError('output', 'The hosted animator named an address on a private network.', cause);
const tooLargeError = () => createAnimationError('output', 'The finished video is too large.');

function limitBytes(limit: number): Transform {
  let taken = 0;
  return new Transform({
    transform(chunk: Buffer, _encoding, done) {
      taken += chunk.length;
      done(taken > limit ? tooLargeError() : null, chunk);
    },
  });
}
