import { ArrowDown, ArrowUp, ChevronRight } from 'lucide-react';
import type { ReactNode } from 'react';
import { joinClassNames } from '../../ui/classes.ts';
import { useIsWideScreen } from '../../ui/media-queries.ts';
import { Skeleton } from '../../ui/surfaces.tsx';
import { toggleSort } from './list-rules.ts';
import type { Selection } from './selection.tsx';

/** A column of a list. On a phone it is a line of a card. */
export interface Column<Row> {
  /** The column's name in the address. */
  name: string;
  heading: string;
  /** The sort after the first click on the heading. */
  sort?: string;
  cell: (row: Row) => ReactNode;
  className?: string;
  /** True for an amount or a count. The cells and the heading are right-aligned. */
  isNumber?: true;
  /** Classes that hide the column when there is little space. Not used if the address names the column. */
  spare?: string | undefined;
  /** True for a column that is shown only if the address names it. */
  isExtra?: true;
}

interface TableProps<Row extends { id: string }> {
  rows: readonly Row[];
  /** The title of a row. It is a button in the first column. */
  title: { heading: string; sort?: string; of: (row: Row) => string; wraps?: boolean };
  columns: readonly Column<Row>[];
  sort: string;
  onSort: (sort: string) => void;
  chosenId: string | undefined;
  onOpen: (id: string) => void;
  /** Omit it if the list has no bulk actions. */
  selection?: Selection;
}

/** Rows as a table, or as cards on narrow screens. */
export function ListTable<Row extends { id: string }>(props: TableProps<Row>) {
  return useIsWideScreen() ? <Table {...props} /> : <Cards {...props} />;
}

function Table<Row extends { id: string }>(props: TableProps<Row>) {
  const { rows, title, columns, sort, onSort, chosenId, onOpen, selection } = props;
  return (
    <div className="relative overflow-x-auto rounded-lg border border-hair bg-card">
      <table className="w-full border-collapse text-[0.9375rem]">
        <thead className="bg-linen text-left text-sm text-muted">
          <tr>
            {selection && (
              <th scope="col" className="w-12 pl-3">
                <SelectBox
                  words="Select all on this page"
                  isOn={rows.every((it) => selection.has(it.id))}
                  onChange={(isOn) =>
                    selection.set(
                      rows.map((it) => it.id),
                      isOn,
                    )
                  }
                />
              </th>
            )}
            <Heading column={{ ...title, className: selection ? 'px-2' : 'pl-4' }} sort={sort} onSort={onSort} />
            {columns.map((column) => (
              <Heading key={column.name} column={column} sort={sort} onSort={onSort} />
            ))}
            <th scope="col" className="w-8">
              <span className="sr-only">Open</span>
            </th>
          </tr>
        </thead>
        <tbody className="divide-y divide-hair">
          {rows.map((row) => (
            // For the mouse, the whole row opens the item. Keyboard and screen reader users open it by the title button
            // in the row.
            <tr
              key={row.id}
              id={createRowElementId(row.id)}
              onClick={() => onOpen(row.id)}
              className={joinClassNames(
                'cursor-pointer align-middle transition-colors',
                row.id === chosenId ? 'bg-accent-soft/60' : 'hover:bg-linen/60',
              )}
            >
              {selection && (
                <td className="pl-3">
                  <RowBox title={title.of(row)} id={row.id} selection={selection} />
                </td>
              )}
              <td className={selection ? 'px-2 py-1.5' : 'py-1.5 pl-4'}>
                <Title
                  title={title.of(row)}
                  wraps={title.wraps}
                  isChosen={row.id === chosenId}
                  onOpen={() => onOpen(row.id)}
                />
              </td>
              {columns.map(({ name, cell, className, isNumber, spare }) => (
                <td
                  key={name}
                  className={joinClassNames('px-3', isNumber && 'text-right tabular-nums', className, spare)}
                >
                  {cell(row)}
                </td>
              ))}
              <td className="pr-3">
                <ChevronRight aria-hidden className="size-5 text-muted" />
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

function Cards<Row extends { id: string }>({ rows, title, columns, chosenId, onOpen, selection }: TableProps<Row>) {
  return (
    <ul className="space-y-3">
      {rows.map((row) => (
        <li
          key={row.id}
          id={createRowElementId(row.id)}
          className={joinClassNames(
            'rounded-lg border border-hair px-4 py-2 text-[0.9375rem]',
            row.id === chosenId ? 'bg-accent-soft/60' : 'bg-card',
          )}
        >
          <div className="flex items-center justify-between gap-3">
            <Title
              title={title.of(row)}
              wraps={title.wraps}
              isChosen={row.id === chosenId}
              onOpen={() => onOpen(row.id)}
            />
            {selection && <RowBox title={title.of(row)} id={row.id} selection={selection} />}
          </div>
          <dl className="grid grid-cols-[auto_minmax(0,1fr)] gap-x-4 gap-y-1 pb-2">
            {columns.map(({ name, heading, cell }) => (
              <div key={name} className="contents">
                <dt className="text-muted">{heading}</dt>
                <dd className="min-w-0">{cell(row)}</dd>
              </div>
            ))}
          </dl>
        </li>
      ))}
    </ul>
  );
}

const createRowElementId = (id: string) => `row-${id}`;
/** The title button of the row with this id. Null if the row is not in the list. */
export const readRowTitle = (id: string) =>
  document.getElementById(createRowElementId(id))?.querySelector<HTMLElement>('button') ?? null;
/** Scrolls a row into view. Call it after the row was selected by keyboard. */
export const scrollToRow = (id: string) =>
  document.getElementById(createRowElementId(id))?.scrollIntoView({ block: 'nearest' });

function Title(props: { title: string; wraps: boolean | undefined; isChosen: boolean; onOpen: () => void }) {
  return (
    <button
      type="button"
      {...(props.isChosen && { 'aria-current': 'true' as const })}
      onClick={(event) => {
        event.stopPropagation();
        props.onOpen();
      }}
      className={joinClassNames(
        'min-h-11 text-left font-semibold text-accent-deep hover:underline',
        props.wraps ? 'min-w-0 wrap-anywhere' : 'whitespace-nowrap',
      )}
    >
      {props.title}
    </button>
  );
}

const RowBox = ({ title, id, selection }: { title: string; id: string; selection: Selection }) => (
  <SelectBox words={`Select ${title}`} isOn={selection.has(id)} onChange={(isOn) => selection.set([id], isOn)} />
);

function SelectBox({ words, isOn, onChange }: { words: string; isOn: boolean; onChange: (isOn: boolean) => void }) {
  return (
    <input
      type="checkbox"
      aria-label={words}
      checked={isOn}
      onClick={(event) => event.stopPropagation()}
      onChange={(event) => onChange(event.currentTarget.checked)}
      className="block size-6 cursor-pointer rounded-sm accent-accent"
    />
  );
}

function Heading(props: {
  column: Pick<Column<never>, 'heading' | 'sort' | 'className' | 'isNumber' | 'spare'>;
  sort: string;
  onSort: (sort: string) => void;
}) {
  const { column, sort, onSort } = props;
  const { heading, sort: first, isNumber, spare } = column;
  const className = joinClassNames('px-3 font-semibold', isNumber && 'text-right', column.className, spare);
  if (first === undefined)
    return (
      <th scope="col" className={className}>
        {heading}
      </th>
    );
  const name = first.replace('-', '');
  const direction = sort === name ? 'ascending' : sort === `-${name}` ? 'descending' : 'none';
  const Arrow = direction === 'ascending' ? ArrowUp : ArrowDown;
  return (
    <th scope="col" aria-sort={direction} className={className}>
      <button
        type="button"
        onClick={() => onSort(toggleSort(sort, first))}
        className={joinClassNames(
          'inline-flex min-h-11 items-center gap-1 font-semibold hover:text-ink',
          isNumber ? 'flex-row-reverse text-right' : 'text-left', // align the heading with its numbers
        )}
      >
        {heading}
        <Arrow aria-hidden className={joinClassNames('size-4', direction === 'none' && 'invisible')} />
      </button>
    </th>
  );
}

export const TableSkeleton = () => (
  <div className="space-y-3 md:space-y-px md:overflow-hidden md:rounded-lg md:border md:border-hair">
    {[0, 1, 2, 3, 4, 5].map((it) => (
      <Skeleton key={it} className="h-40 md:h-14 md:rounded-none" />
    ))}
  </div>
);
