/**
 * Readers of search params. Every route's search lands in the code all pages load first, so it is read without a schema
 * library. A value that makes no sense reads as absent; defaults belong to the component, or a bare address redirects.
 */
type Reader<T> = (value: unknown) => T | undefined;

export const text =
  (most = 500): Reader<string> =>
  (value) =>
    typeof value === 'string' && value.length <= most ? value : undefined;

export const number: Reader<number> = (value) => {
  const read = typeof value === 'string' && value.trim() !== '' ? Number(value) : value;
  return typeof read === 'number' && Number.isFinite(read) ? read : undefined;
};

export const oneOf =
  <const T extends string>(...values: T[]): Reader<T> =>
  (value) =>
    values.find((it) => it === value);

type Read<R extends Record<string, Reader<unknown>>> = { [K in keyof R]?: ReturnType<R[K]> };

/** `validateSearch: searchParams({ token: text(), page: number })`; every param is optional. */
export const searchParams =
  <R extends Record<string, Reader<unknown>>>(readers: R) =>
  (given: Record<string, unknown>) =>
    // What is left out here would be taken from the address as it is: the router lays the answer over that.
    Object.fromEntries(
      Object.entries(readers)
        .filter(([name]) => name in given)
        .map(([name, read]) => [name, read(given[name])]),
    ) as Read<R>;
