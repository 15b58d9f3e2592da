/**
 * Converts the raw value of a search param. Returns undefined for an invalid value. Readers do not use a schema
 * library, because every page loads the readers of all routes. Put default values in the component: a default in the
 * route would redirect an address without the param.
 */
type Reader<T> = (value: unknown) => T | undefined;

export const textParam =
  (most = 500): Reader<string> =>
  (value) =>
    typeof value === 'string' && value.length <= most ? value : undefined;

export const numberParam: Reader<number> = (value) => {
  const readNumber = typeof value === 'string' && value.trim() !== '' ? Number(value) : value;
  return typeof readNumber === 'number' && Number.isFinite(readNumber) ? readNumber : undefined;
};

export const oneOfParam =
  <const T extends string>(...values: T[]): Reader<T> =>
  (value) =>
    values.find((it) => it === value);

type Read<R extends Record<string, Reader<unknown>>> = { [K in keyof R]?: ReturnType<R[K]> };

/** `validateSearch: searchParams({ token: text(), page: number })`; every param is optional. */
export const searchParams =
  <R extends Record<string, Reader<unknown>>>(readers: R) =>
  (given: Record<string, unknown>) =>
    // Set invalid params to undefined instead of leaving them out: the router spreads this result over the raw search.
    Object.fromEntries(
      Object.entries(readers)
        .filter(([name]) => name in given)
        .map(([name, read]) => [name, read(given[name])]),
    ) as Read<R>;
