import * as z from 'zod';

/** Numbers of every list. Rows of one answer or plain array, characters of one search, and how far a total is counted. */
export const listLimits = { rows: 50, arrayRows: 500, mostRows: 1000, searchCharacters: 200, total: 1000 } as const;

/** The direction is part of the sort: `-date` begins with the newest. */
type Sort<S extends string> = S | `-${S}`;
const directed = <const S extends string>(sorts: readonly S[]) => sorts.flatMap((it): Sort<S>[] => [it, `-${it}`]);

/**
 * How any list is asked for: words searched for, the name of one filter and of one sort, where to go on, how many rows.
 * What a list does not know is refused, never left out: an owner who misspells a filter must not believe in the answer.
 */
export function listQuery<const S extends string, const F extends string>({
  sorts,
  filters,
}: {
  sorts: readonly S[];
  filters: readonly F[];
}) {
  const { mostRows, searchCharacters } = listLimits;
  const limitWords = `Please ask for 1 to ${mostRows} rows.`;
  return z.strictObject(
    {
      q: z
        .string('Please search for one text.')
        .trim()
        .max(searchCharacters, `Please search for at most ${searchCharacters} characters.`)
        .optional(),
      filter: z.enum(filters, `This list has no such filter. It has ${orNothing(filters)}.`).optional(),
      sort: z.enum(directed(sorts), `This list cannot be sorted so. It sorts by ${sorts.join(', ')}.`).optional(),
      /** `next` or `previous` of another answer to the same question. */
      after: z.string('Please name one page.').max(2000, 'This is no page of the list.').optional(),
      limit: z.coerce.number(limitWords).int(limitWords).min(1, limitWords).max(mostRows, limitWords).optional(),
      /** Let in by the guard. */
      admin_key: z.string().max(256, 'This is no admin key.').optional(),
    },
    {
      error: ({ code, keys }) =>
        code === 'unrecognized_keys' ? `This list is not asked by ${keys.join(', ')}.` : undefined,
    },
  );
}
const orNothing = (names: readonly string[]) => names.join(', ') || 'none';

/** What a list is asked for, once it is read. */
export interface Asked<S extends string = string, F extends string = string> {
  q?: string | undefined;
  filter?: F | undefined;
  sort?: Sort<S> | undefined;
  after?: string | undefined;
  limit?: number | undefined;
  /** False where only rows are answered; no call can ask for it. */
  isCounted?: boolean | undefined;
}

/** Every list may be asked wrongly. */
export const listRefusals = ['search-too-short', 'page-unknown'] as const;

/** How any list is answered. */
export const listAnswer = <Row extends z.ZodType>(row: Row) =>
  z.object({
    rows: z.array(row),
    /** For `after`: the pages beside this one; null at the ends. */
    next: z.string().nullable(),
    previous: z.string().nullable(),
    /** How many rows stand before these, as far as was counted on the way here. */
    from: z.int(),
    /** All rows of this question. Counted to the end only where that is cheap: else there are more than this. */
    total: z.int(),
    isTotalExact: z.boolean(),
  });
export interface ListAnswer<Row> {
  rows: Row[];
  next: string | null;
  previous: string | null;
  from: number;
  total: number;
  isTotalExact: boolean;
}
