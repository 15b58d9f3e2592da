import { randomInt } from 'node:crypto';

/** Without I, L, O, U, 0 and 1, so that people can read it aloud and type it without confusion. */
export const unambiguousCharacters = '23456789ABCDEFGHJKMNPQRSTVWXYZ';

/**
 * Returns a short, unguessable number that is easy to say: `KF-7Q4M-2XPA` for orders, `T-…` for tickets. The database
 * guarantees that it is unique.
 */
export function createReadableNumber(prefix: string): string {
  const createFourCharacters = () =>
    Array.from({ length: 4 }, () => unambiguousCharacters[randomInt(unambiguousCharacters.length)]).join('');
  return `${prefix}-${createFourCharacters()}-${createFourCharacters()}`;
}
