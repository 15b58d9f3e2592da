import type { ListResponse } from '#contract/lists.ts';

/** The sort after a click on a column's heading. The first click sorts by the column, the second reverses the sort. */
export const toggleSort = (now: string | undefined, first: string): string =>
  now !== first ? first : first.startsWith('-') ? first.slice(1) : `-${first}`;

/** The previous or next row, for keyboard navigation. Returns the first row if no row is selected. */
export function findNeighbor(ids: readonly string[], id: string | undefined, by: 1 | -1): string | undefined {
  const index = id === undefined ? -1 : ids.indexOf(id);
  if (index < 0) return ids[0];
  return ids[Math.min(ids.length - 1, Math.max(0, index + by))];
}

interface NamedColumn {
  name: string;
  spare?: string | undefined;
  isExtra?: true;
}

/** The columns that the address names, or the list's default columns if the address names no valid column. */
export function filterShownColumns<C extends NamedColumn>(
  columns: readonly C[],
  columnsParam: string | undefined,
): C[] {
  const names = columnsParam?.split(',') ?? [];
  const chosenColumns = columns.filter((it) => names.includes(it.name)).map((it) => ({ ...it, spare: undefined }));
  return chosenColumns.length > 0 ? chosenColumns : columns.filter((it) => !it.isExtra);
}

/** The search param for the columns after a column is shown or hidden. Undefined for the list's default columns. */
export function createColumnsParam(
  columns: readonly NamedColumn[],
  columnsParam: string | undefined,
  name: string,
  isShown: boolean,
): string | undefined {
  const shownNames = new Set(filterShownColumns(columns, columnsParam).map((it) => it.name));
  const nextColumns = columns.filter((it) => (it.name === name ? isShown : shownNames.has(it.name)));
  const isOwnChoice = columns.every((it) => nextColumns.includes(it) !== (it.isExtra === true));
  return isOwnChoice ? undefined : nextColumns.map((it) => it.name).join(',');
}

const countFormat = new Intl.NumberFormat('en-US');

/** The visible rows and the total as text: `51–100 of 520 orders`, `1–50 of more than 1,000 orders`, `1 order`. */
export function rowRangeText(
  { rows, from, total, isTotalExact }: Pick<ListResponse<unknown>, 'rows' | 'from' | 'total' | 'isTotalExact'>,
  [one, many]: readonly [one: string, many: string],
): string {
  const totalCountText = countFormat.format(total);
  const totalText = isTotalExact
    ? `${totalCountText} ${total === 1 ? one : many}`
    : `more than ${totalCountText} ${many}`;
  if (rows.length === 0 || (isTotalExact && rows.length === total)) return totalText;
  return `${countFormat.format(from + 1)}–${countFormat.format(from + rows.length)} of ${totalText}`;
}
