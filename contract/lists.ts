import * as z from 'zod';
import { tidySearch } from './tidy.ts';

/**
 * Limits of every list: rows per response, rows of a plain array, characters of a search, and how far a total is
 * counted.
 */
export const listLimits = { rows: 50, arrayRows: 500, mostRows: 1000, searchCharacters: 200, total: 1000 } as const;

/** A sort includes its direction: `-date` starts with the newest. */
type Sort<S extends string> = S | `-${S}`;
const withBothDirections = <const S extends string>(sorts: readonly S[]) =>
  sorts.flatMap((it): Sort<S>[] => [it, `-${it}`]);

/**
 * The query of any list: search text, one filter, one sort, a page cursor and the number of rows. Unknown values are
 * refused and not ignored. Otherwise an owner who misspells a filter would trust an unfiltered response.
 */
export function listQuerySchema<const S extends string, const F extends string>({
  sorts,
  filters,
}: {
  sorts: readonly S[];
  filters: readonly F[];
}) {
  const { mostRows, searchCharacters } = listLimits;
  const limitText = `Please request 1 to ${mostRows} rows.`;
  return z.strictObject(
    {
      q: z
        .string('Please send only one search term.')
        .overwrite(tidySearch)
        .max(searchCharacters, `Please search for at most ${searchCharacters} characters.`)
        .optional(),
      filter: z.enum(filters, `This list has no such filter. It has ${joinOrNone(filters)}.`).optional(),
      sort: z
        .enum(withBothDirections(sorts), `This list cannot be sorted that way. It sorts by ${sorts.join(', ')}.`)
        .optional(),
      /** The `next` or `previous` value of an earlier response to the same query. */
      after: z.string('Please request just one page.').max(2000, 'The list has no such page.').optional(),
      limit: z.coerce.number(limitText).int(limitText).min(1, limitText).max(mostRows, limitText).optional(),
      /** Accepted in the query, because the guard reads the admin key there. */
      admin_key: z.string().max(256, 'This is not an admin key.').optional(),
    },
    {
      error: ({ code, keys }) =>
        code === 'unrecognized_keys' ? `This list has no filter named ${keys.join(', ')}.` : undefined,
    },
  );
}
const joinOrNone = (names: readonly string[]) => names.join(', ') || 'none';

/** The parsed query of a list. */
export interface ListQuery<S extends string = string, F extends string = string> {
  q?: string | undefined;
  filter?: F | undefined;
  sort?: Sort<S> | undefined;
  after?: string | undefined;
  limit?: number | undefined;
  /** False if only the rows are needed, without counts. A client cannot set this. */
  isCounted?: boolean | undefined;
}

/** Refusals that every list can return. */
export const listRefusals = ['search-too-short', 'page-unknown'] as const;

/** The response of any list. */
export const listResponseSchema = <Row extends z.ZodType>(row: Row) =>
  z.object({
    rows: z.array(row),
    /** Cursors for `after`: the next and the previous page. Null at the ends. */
    next: z.string().nullable(),
    previous: z.string().nullable(),
    /** How many rows precede the rows of this page, as far as they were counted. */
    from: z.int(),
    /**
     * The number of all rows of this query. If counting to the end is expensive, counting stops early and there are
     * more rows than this.
     */
    total: z.int(),
    isTotalExact: z.boolean(),
  });
export interface ListResponse<Row> {
  rows: Row[];
  next: string | null;
  previous: string | null;
  from: number;
  total: number;
  isTotalExact: boolean;
}
