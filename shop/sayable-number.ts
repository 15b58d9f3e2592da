import { randomInt } from 'node:crypto';

/** No I, L, O, U, 0 or 1: read aloud and typed without doubt. */
export const sayableLetters = '23456789ABCDEFGHJKMNPQRSTVWXYZ';

/** Short, unguessable and sayable: `KF-7Q4M-2XPA` for orders, `T-…` for tickets; uniqueness is the database's. */
export function sayableNumber(prefix: string): string {
  const four = () => Array.from({ length: 4 }, () => sayableLetters[randomInt(sayableLetters.length)]).join('');
  return `${prefix}-${four()}-${four()}`;
}
