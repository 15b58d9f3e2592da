export interface CityAndState {
  city: string;
  state: string;
}

/**
 * Returns the values to fill in for a ZIP code: those of fields that are empty, or still have the value that the last
 * lookup filled in. Undefined if there are none. A person who chose another state is asked first.
 */
export function findValuesToFill(
  found: CityAndState,
  now: CityAndState,
  filledBefore: Partial<CityAndState> = {},
): Partial<CityAndState> | undefined {
  const isFree = (field: keyof CityAndState) => now[field].trim() === '' || now[field] === filledBefore[field];
  if (!isFree('state') && isOtherState(found, now)) return undefined;
  const freeFields = (['city', 'state'] as const).filter(isFree);
  return freeFields.length === 0 ? undefined : Object.fromEntries(freeFields.map((field) => [field, found[field]]));
}

/** True if a state is chosen, and the ZIP code is in another one. */
export const isOtherState = (found: CityAndState, now: CityAndState) => now.state !== '' && now.state !== found.state;
