import { createHash, randomBytes, timingSafeEqual } from 'node:crypto';

const ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789';

/** `pi_3Qx…`: a prefix and 24 random characters, over 140 bits. */
export const newId = (prefix: string): string => `${prefix}_${randomText(24)}`;

/** What lets a buyer's browser finish one payment intent and nothing else. */
export const newClientSecret = (intentId: string): string => `${intentId}_secret_${randomText(25)}`;

const randomText = (length: number) =>
  Array.from(randomBytes(length), (byte) => ALPHABET[byte % ALPHABET.length]).join('');

/** Compared by digest, so that neither length nor likeness shows in the time it takes. */
export function isSame(given: string, expected: string): boolean {
  return timingSafeEqual(digest(given), digest(expected));
}

const digest = (text: string) => createHash('sha256').update(text).digest();
