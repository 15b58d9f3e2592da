import { Refusal } from '#contract/refusals.ts';

/**
 * Refuse text that PostgreSQL cannot hold: NUL, and half a surrogate pair (JSON can spell both). `values` is what a
 * request brought, already checked by the contract where it has one.
 */
export function refuseUnstorable(...values: unknown[]): void {
  // Without recursion: a body may be nested as deep as a megabyte allows.
  while (values.length > 0) {
    const value = values.pop();
    if (typeof value === 'string') {
      if (value.includes('\0') || !value.isWellFormed()) throw new Refusal('invalid-request');
    } else if (typeof value === 'object' && value !== null && !Buffer.isBuffer(value))
      for (const part of Object.values(value)) values.push(part);
  }
}
