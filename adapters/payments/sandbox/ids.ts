import { createHash, randomBytes, timingSafeEqual } from 'node:crypto';

const ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789';

/** Makes an id such as `pi_3Qx…`: a prefix and 24 random characters, which have over 140 bits. */
export const createId = (prefix: string): string => `${prefix}_${createRandomText(24)}`;

/** Makes the secret with which a buyer's browser can complete one payment intent and nothing else. */
export const createClientSecret = (intentId: string): string => `${intentId}_secret_${createRandomText(25)}`;

const createRandomText = (length: number) =>
  Array.from(randomBytes(length), (byte) => ALPHABET[byte % ALPHABET.length]).join('');

/**
 * Compares two secrets by their digests, so that the time of the comparison does not reveal the length or the matching
 * part.
 */
export function isSameSecret(given: string, expected: string): boolean {
  return timingSafeEqual(computeSha256(given), computeSha256(expected));
}

const computeSha256 = (text: string) => createHash('sha256').update(text).digest();
