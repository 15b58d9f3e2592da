import { createHash } from 'node:crypto';
import { and, asc, desc, getTableColumns, getTableName, sql, type SQL } from 'drizzle-orm';
import type { PgColumn, PgTable } from 'drizzle-orm/pg-core';
import { listLimits, type Asked, type ListAnswer } from '#contract/lists.ts';
import { Refusal } from '#contract/refusals.ts';
import type { Db } from './ports/database.ts';

/** Whether what is searched for is in a text that `searchable` wrote. */
export type IsFoundIn = (text: PgColumn) => SQL;

/** A list, declared beside its tables. */
export interface List<Table extends PgTable, Sort extends string, Filter extends string> {
  table: Table;
  /**
   * The columns of each sort, the row's id last. Each needs an index over exactly these, ascending as they stand (read
   * backwards for the other direction; `.desc()` would sort nulls in, and could not be used). None may be null.
   */
  sorts: Record<Sort, readonly [PgColumn, ...PgColumn[]]>;
  /** The first page, when nothing is asked for. */
  sort: Sort | `-${Sort}`;
  /** Each needs an index that begins with it, or holds such rows alone. */
  filters: Record<Filter, SQL>;
  /** Rows whose text, under a trigram index, has in it what is searched for. */
  search?: (isIn: IsFoundIn) => SQL;
}

/**
 * One page of a list, by key: the page after a million rows costs what the first one does. `within` narrows the list
 * beside its filter, to one order's rows say.
 */
export async function readList<Table extends PgTable, Sort extends string, Filter extends string>(
  db: Db,
  list: List<Table, Sort, Filter>,
  { q = '', filter, sort = list.sort, after, limit = listLimits.rows, isCounted = q === '' }: Asked<Sort, Filter>,
  within?: SQL,
): Promise<ListAnswer<Table['$inferSelect']>> {
  const keys = list.sorts[nameOf(sort)];
  const question = JSON.stringify([getTableName(list.table), sort, filter, q]);
  const place = after === undefined ? firstPage : placeOf(after, question);
  const wanted = and(within, filter && list.filters[filter], q === '' ? undefined : searchFor(list, q));
  // Towards the front the list is read backwards, and turned round.
  const isDown = sort.startsWith('-') !== place.isBack;
  // Counting all that match a search may cost more than finding some.
  const total = isCounted ? countUpTo(db, list, wanted) : sql<number>`null`;
  const found = await rowsBeyond(db, list, { keys, isDown, wanted, place: place.keys, limit: limit + 1, total });

  const isCut = found.length > limit;
  const rows = place.isBack ? found.slice(0, limit).toReversed() : found.slice(0, limit);
  const isFirst = place.isBack ? !isCut : place.from === 0;
  const isLast = !place.isBack && !isCut;
  const from = isFirst ? 0 : place.isBack ? Math.max(1, place.from - rows.length) : place.from;
  const to = from + rows.length;
  const [first, last] = [rows[0], rows.at(-1)];
  return {
    rows: rows.map((it) => it.row),
    next: isLast || !last ? null : written({ keys: last.keys, isBack: false, from: to }, question),
    previous: isFirst || !first ? null : written({ keys: first.keys, isBack: true, from }, question),
    from,
    ...(isLast || !last || !isCounted
      ? { total: to, isTotalExact: isLast }
      : { total: Math.min(last.total, listLimits.total), isTotalExact: last.total <= listLimits.total }),
  };
}

/** Few enough that what was read is forgotten before memory has grown for it. */
const rowsAtOnce = 200;

/**
 * All rows of a question, some at a time, the next ones read when they are asked for. What changes meanwhile is read as it
 * is by then.
 */
export async function* readAll<Table extends PgTable, Sort extends string, Filter extends string>(
  db: Db,
  list: List<Table, Sort, Filter>,
  { q = '', filter, sort = list.sort }: Omit<Asked<Sort, Filter>, 'after' | 'limit'>,
  within?: SQL,
): AsyncGenerator<Table['$inferSelect'][], void> {
  const keys = list.sorts[nameOf(sort)];
  const wanted = and(within, filter && list.filters[filter], q === '' ? undefined : searchFor(list, q));
  const isDown = sort.startsWith('-');
  const limit = rowsAtOnce;
  for (let place: readonly string[] | undefined; ;) {
    const found = await rowsBeyond(db, list, { keys, isDown, wanted, place, limit, total: sql<number>`null` });
    if (found.length > 0) yield found.map((it) => it.row);
    if (found.length < limit) return;
    place = found.at(-1)!.keys;
  }
}

async function rowsBeyond<Table extends PgTable>(
  db: Db,
  { table }: { table: Table },
  from: {
    keys: readonly PgColumn[];
    isDown: boolean;
    wanted: SQL | undefined;
    place: readonly string[] | undefined;
    limit: number;
    total: SQL<number>;
  },
): Promise<{ row: Table['$inferSelect']; keys: string[]; total: number }[]> {
  const { keys, isDown, wanted, place, limit, total } = from;
  return db
    .select({ row: getTableColumns(table), keys: textsOf(keys), total })
    .from<PgTable>(table)
    .where(and(wanted, place && beyond(keys, place, isDown)))
    .orderBy(...keys.map((it) => (isDown ? desc(it) : asc(it))))
    .limit(limit);
}

/** How many match, or one more than the limit; asked with the rows, since each statement costs more than it reads. */
function countUpTo<Table extends PgTable, Sort extends string, Filter extends string>(
  db: Db,
  list: List<Table, Sort, Filter>,
  wanted: SQL | undefined,
): SQL<number> {
  const matching = db
    .select({ one: sql`1`.as('one') })
    .from<PgTable>(list.table)
    .where(wanted)
    .orderBy(list.sorts[nameOf(list.sort)][0]) // so that an index is read, and no rows
    .limit(listLimits.total + 1)
    .as('matching');
  return db.$count(matching);
}

const nameOf = <Sort extends string>(sort: Sort | `-${Sort}`) => sort.replace(/^-/, '') as Sort;

/** As text, whole: a moment's microseconds would not survive JavaScript's dates. */
const textsOf = (keys: readonly PgColumn[]) =>
  sql<string[]>`jsonb_build_array(${sql.join(
    keys.map((it) => sql`${it}::text`),
    sql`, `,
  )})`;

const beyond = (keys: readonly PgColumn[], values: readonly string[], isDown: boolean) => sql`
  (${sql.join([...keys], sql`, `)}) ${sql.raw(isDown ? '<' : '>')}
  (${sql.join(
    keys.map((it, at) => sql`${values[at]}::${sql.raw(it.getSQLType())}`),
    sql`, `,
  )})`;

/** Where a page begins: the row beside it, and how many rows were counted before that place. */
interface Place {
  keys?: readonly string[];
  isBack: boolean;
  from: number;
}
const firstPage: Place = { isBack: false, from: 0 };

/** What `after` takes: the place, and a seal that ties it to its question. No secret; a damaged one must not mislead. */
function written({ keys, isBack, from }: Place, question: string): string {
  const text = JSON.stringify([keys, isBack, from]);
  return Buffer.from(`${sealOf(text, question)}${text}`).toString('base64url');
}
function placeOf(cursor: string, question: string): Place {
  const opened = Buffer.from(cursor, 'base64url').toString();
  const [seal, text] = [opened.slice(0, sealLength), opened.slice(sealLength)];
  if (sealOf(text, question) !== seal) throw new Refusal('page-unknown');
  const [keys, isBack, from] = JSON.parse(text) as [string[], boolean, number];
  return { keys, isBack, from };
}
const sealLength = 22;
const sealOf = (text: string, question: string) =>
  createHash('sha256').update(`${question}\n${text}`).digest('base64url').slice(0, sealLength);

/**
 * Every word of it must be there, in any order. A trigram index finds only what has three letters or digits together, or
 * one that is a syllable or more by itself; so where all words are shorter, they are what words begin with.
 */
function searchFor(list: List<PgTable, string, string>, q: string): SQL | undefined {
  const words = q.normalize('NFKD').split(/\s+/).filter(Boolean);
  const letters = words.map((it) => it.replace(/\p{M}/gu, ''));
  if (!letters.some((it) => /[\p{L}\p{N}]{2}|\p{Lo}/u.test(it))) throw new Refusal('search-too-short');
  const isAnyPart = letters.some((it) => /[\p{L}\p{N}]{3}|\p{Lo}/u.test(it));
  const patterns = isAnyPart ? words : words.map((it) => ` ${it}`);
  const pieces = piecesOf(words);
  // A pattern is looked up in the index; `is true` is asked of the rows that were found.
  const isLike = (text: PgColumn, part: string) => sql`${text} like search_pattern(${part})`;
  return list.search?.((text) =>
    sql.join(
      [
        ...pieces.map((it) => isLike(text, it)),
        ...patterns.map((it) => (isLong(it) ? sql`(${isLike(text, it)}) is true` : isLike(text, it))),
      ],
      sql` and `,
    ),
  );
}

/**
 * Pieces of the long words, those with most digits first; runs of digits without the letters beside them, which many rows
 * may share. A trigram index reads all it has of each trigram of a pattern, and half the orders may share an e-mail's
 * provider; of the next pattern it reads, for each row that the ones before have left, where that row would be. So a small
 * pattern that few orders have goes ahead, and where digits make it rare enough, it goes alone: on a million orders, a
 * twentieth and again a fifth of the time.
 */
function piecesOf(words: string[]): string[] {
  const pieces = words.filter(isLong).flatMap((word) => [...(word.match(/\p{N}{4,6}/gu) ?? []), ...inPieces(word)]);
  const digitsIn = (piece: string) => piece.match(/\p{N}/gu)?.length ?? 0;
  const sorted = pieces.filter(hasTrigram).toSorted((a, b) => digitsIn(b) - digitsIn(a));
  return digitsIn(sorted[0] ?? '') >= 4 ? sorted.slice(0, 1) : sorted;
}
/** Such a word has a piece with a trigram in it. */
const isLong = (word: string) => word.length > 6 && inPieces(word).some(hasTrigram);
const inPieces = (word: string) => word.match(/.{3,6}/gsu) ?? [];
const hasTrigram = (piece: string) => /[\p{L}\p{N}]{3}/u.test(piece);
