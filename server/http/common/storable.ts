import { Refusal } from '#contract/refusals.ts';

/**
 * Refuse text that PostgreSQL cannot store: the NUL character, and half of a surrogate pair. JSON can contain both.
 * `values` is the input of a request, after its validation by the contract.
 */
export function refuseUnstorable(...values: unknown[]): void {
  // Do not use recursion, because a body of a megabyte may be nested very deep.
  while (values.length > 0) {
    const value = values.pop();
    if (typeof value === 'string') {
      if (value.includes('\0') || !value.isWellFormed()) throw new Refusal('invalid-request');
    } else if (typeof value === 'object' && value !== null && !Buffer.isBuffer(value))
      for (const part of Object.values(value)) values.push(part);
  }
}
