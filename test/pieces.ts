import { expect } from 'vitest';
import { limits } from '#contract/limits.ts';
import type { Browser } from './shop.ts';

const version = { 'tus-resumable': '1.0.0' };
const base64 = (text: string) => Buffer.from(text).toString('base64');
const metadataOf = (facts: Record<string, string | undefined>) =>
  Object.entries(facts)
    .flatMap(([name, value]) => (value === undefined ? [] : `${name} ${base64(value)}`))
    .join(',');

/** Say that a photo comes in pieces, and hear whatever the shop says. */
export const tryAnnouncing = (
  browser: Browser,
  deviceId: string | undefined,
  sizeBytes: number | string,
  { name = 'photo.jpg', key }: { name?: string; key?: string } = {},
) =>
  browser.post('/api/arrivals', undefined, {
    ...version,
    'upload-length': String(sizeBytes),
    'upload-metadata': metadataOf({ deviceId, filename: name, key }),
  });

/** The address for its pieces. */
export async function announce(...how: Parameters<typeof tryAnnouncing>): Promise<string> {
  const answer = await tryAnnouncing(...how);
  expect(answer.status, answer.text).toBe(201);
  return String(answer.headers['location']);
}

export const sendPiece = (browser: Browser, address: string, start: number | string, bytes: Buffer) =>
  browser.call('PATCH', address, bytes, {
    ...version,
    'content-type': 'application/offset+octet-stream',
    'upload-offset': String(start),
  });

export const howFar = (browser: Browser, address: string) => browser.head(address, version);
export const giveUp = (browser: Browser, address: string) => browser.delete(address, version);

/** From where it stands to its end; the last answer. */
export async function sendRest(
  browser: Browser,
  address: string,
  photo: Buffer,
  pieceBytes: number = limits.pieceBytes,
) {
  let start = Number((await howFar(browser, address)).headers['upload-offset']);
  for (;;) {
    const answer = await sendPiece(browser, address, start, photo.subarray(start, start + pieceBytes));
    if (answer.status !== 204) return answer;
    start = Number(answer.headers['upload-offset']);
  }
}
