/**
 * Converts the raw value of a search param. Returns undefined for an invalid value. Readers do not use a schema
 * library, because every page loads the readers of all routes. Put default values in the component: a default in the
 * route would redirect an address without the param.
 */
type ParamReader<T> = (value: unknown) => T | undefined;

export const textParam =
  (most = 500): ParamReader<string> =>
  (value) =>
    typeof value === 'string' && value.length <= most ? value : undefined;

export const numberParam: ParamReader<number> = (value) => {
  const parsedNumber = typeof value === 'string' && value.trim() !== '' ? Number(value) : value;
  return typeof parsedNumber === 'number' && Number.isFinite(parsedNumber) ? parsedNumber : undefined;
};

export const oneOfParam =
  <const T extends string>(...values: T[]): ParamReader<T> =>
  (value) =>
    values.find((it) => it === value);

type ParsedParams<R extends Record<string, ParamReader<unknown>>> = { [K in keyof R]?: ReturnType<R[K]> };

/** `validateSearch: defineSearchParams({ token: text(), page: number })`; every param is optional. */
export const defineSearchParams =
  <R extends Record<string, ParamReader<unknown>>>(readers: R) =>
  (given: Record<string, unknown>) =>
    // Set invalid params to undefined instead of leaving them out: the router spreads this result over the raw search.
    Object.fromEntries(
      Object.entries(readers)
        .filter(([name]) => name in given)
        .map(([name, read]) => [name, read(given[name])]),
    ) as ParsedParams<R>;
