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
  const isFillable = (field: keyof CityAndState) => now[field].trim() === '' || now[field] === filledBefore[field];
  if (!isFillable('state') && isOtherState(found, now)) return undefined;
  const fillableFields = (['city', 'state'] as const).filter(isFillable);
  return fillableFields.length === 0
    ? undefined
    : Object.fromEntries(fillableFields.map((field) => [field, found[field]]));
}

/** True if a state is chosen, and the ZIP code is in another one. */
export const isOtherState = (found: CityAndState, now: CityAndState) => now.state !== '' && now.state !== found.state;
