import type { ListAnswer } from '#contract/lists.ts';

/** What a click on a column's heading asks for: that column, and the other way round the second time. */
export const turnedSort = (now: string | undefined, first: string): string =>
  now !== first ? first : first.startsWith('-') ? first.slice(1) : `-${first}`;

/** The row before or after, for the keyboard; from nowhere, the first. */
export function neighbour(ids: readonly string[], id: string | undefined, by: 1 | -1): string | undefined {
  const place = id === undefined ? -1 : ids.indexOf(id);
  if (place < 0) return ids[0];
  return ids[Math.min(ids.length - 1, Math.max(0, place + by))];
}

const figure = new Intl.NumberFormat('en-US');

/** `51–100 of 520 orders`, `1–50 of more than 1,000 orders`, `1 order`. */
export function placeWords(
  { rows, from, total, isTotalExact }: Pick<ListAnswer<unknown>, 'rows' | 'from' | 'total' | 'isTotalExact'>,
  [one, many]: readonly [one: string, many: string],
): string {
  const count = figure.format(total);
  const all = isTotalExact ? `${count} ${total === 1 ? one : many}` : `more than ${count} ${many}`;
  if (rows.length === 0 || (isTotalExact && rows.length === total)) return all;
  return `${figure.format(from + 1)}–${figure.format(from + rows.length)} of ${all}`;
}
