import { Refusal } from '#contract/refusals.ts';
import type { PostalCode, PostalCodes } from '../ports/postal-codes.ts';

/** Finds the city and the state of a ZIP code with five or nine digits. The last four digits are for a street only. */
export async function findPostalCode(postalCodes: PostalCodes, code: string): Promise<PostalCode> {
  const foundPostalCode = await postalCodes.find(code.slice(0, 5));
  if (!foundPostalCode) throw new Refusal('not-found');
  return foundPostalCode;
}
