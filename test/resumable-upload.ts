import { expect } from 'vitest';
import { limits } from '#contract/limits.ts';
import type { Browser, TestShop } from './shop.ts';

const tusHeaders = { 'tus-resumable': '1.0.0' };
const encodeBase64 = (text: string) => Buffer.from(text).toString('base64');
const encodeMetadata = (facts: Record<string, string | undefined>) =>
  Object.entries(facts)
    .flatMap(([name, value]) => (value === undefined ? [] : `${name} ${encodeBase64(value)}`))
    .join(',');

interface UploadCreation {
  name?: string;
  key?: string;
  at?: string;
  selection?: string;
  place?: string;
}

/**
 * Creates a resumable photo upload without sending bytes, and returns the response, even if it is a refusal. Guests
 * pass the path of their API call in `at`.
 */
export const requestUploadCreation = (
  browser: Browser,
  deviceId: string | undefined,
  sizeBytes: number | string,
  { name = 'photo.jpg', at = '/api/arrivals', ...facts }: UploadCreation = {},
) =>
  browser.post(at, undefined, {
    ...tusHeaders,
    'upload-length': String(sizeBytes),
    'upload-metadata': encodeMetadata({ deviceId, filename: name, ...facts }),
  });

/** Creates an upload and returns the URL for its pieces. */
export async function createResumableUpload(...how: Parameters<typeof requestUploadCreation>): Promise<string> {
  const response = await requestUploadCreation(...how);
  expect(response.status, response.text).toBe(201);
  return String(response.headers['location']);
}

/** Returns the folders of all stored files, one entry per file. */
export async function listFileFolders(it: TestShop): Promise<string[]> {
  const keys: string[] = [];
  for await (const { key } of it.shop.storage.list('')) if (key.includes('/')) keys.push(key.split('/')[0]!);
  return keys.toSorted();
}

/**
 * Sends a whole photo in pieces of seven bytes, as a customer or a guest. Returns the last response, or the refusal to
 * create the upload.
 */
export async function sendPhotoInPieces(
  browser: Browser,
  photo: Buffer,
  { deviceId, at }: { deviceId?: string; at?: string },
) {
  const creationResponse = await requestUploadCreation(browser, deviceId, photo.length, at === undefined ? {} : { at });
  return creationResponse.status === 201
    ? sendRemainder(browser, String(creationResponse.headers['location']), photo, 7)
    : creationResponse;
}

export const sendPiece = (browser: Browser, address: string, start: number | string, bytes: Buffer) =>
  browser.call('PATCH', address, bytes, {
    ...tusHeaders,
    'content-type': 'application/offset+octet-stream',
    'upload-offset': String(start),
  });

export const fetchUploadOffset = (browser: Browser, address: string) => browser.head(address, tusHeaders);
export const cancelUpload = (browser: Browser, address: string) => browser.delete(address, tusHeaders);

/** Sends the rest of a photo from the current offset. Returns the last response. */
export async function sendRemainder(
  browser: Browser,
  address: string,
  photo: Buffer,
  pieceBytes: number = limits.pieceBytes,
) {
  let start = Number((await fetchUploadOffset(browser, address)).headers['upload-offset']);
  for (;;) {
    const response = await sendPiece(browser, address, start, photo.subarray(start, start + pieceBytes));
    if (response.status !== 204) return response;
    start = Number(response.headers['upload-offset']);
  }
}
