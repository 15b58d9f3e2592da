import type { ReactNode } from 'react';

interface Column<Row> {
  name: string;
  of: (row: Row) => ReactNode;
}

/** A table of figures to read and copy: one row for each day or month, and a row of totals. */
export function FiguresTable<Row>(props: {
  name: string;
  first: string;
  columns: readonly Column<Row>[];
  rows: readonly (Row & { key: string; name: string })[];
  total: Row;
}) {
  const { name, first, columns, rows, total } = props;
  const renderCells = (row: Row) =>
    columns.map((it) => (
      <td key={it.name} className="px-3 py-1.5 text-right align-top whitespace-nowrap tabular-nums">
        {it.of(row)}
      </td>
    ));
  return (
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- a scrollable area needs keyboard access
    <div role="region" aria-label={name} tabIndex={0} className="overflow-x-auto border-t border-hair">
      <table className="w-full text-[0.9375rem]">
        <thead className="bg-linen text-sm text-muted">
          <tr>
            <th scope="col" className="px-4 py-2 text-left font-semibold sm:px-5">
              {first}
            </th>
            {columns.map((it) => (
              <th key={it.name} scope="col" className="px-3 py-2 text-right font-semibold whitespace-nowrap">
                {it.name}
              </th>
            ))}
          </tr>
        </thead>
        <tbody className="divide-y divide-hair">
          {rows.map((it) => (
            <tr key={it.key}>
              <th scope="row" className="px-4 py-1.5 text-left align-top font-normal whitespace-nowrap sm:px-5">
                {it.name}
              </th>
              {renderCells(it)}
            </tr>
          ))}
        </tbody>
        <tfoot className="border-t border-edge font-semibold">
          <tr>
            <th scope="row" className="px-4 py-1.5 text-left align-top sm:px-5">
              Total
            </th>
            {renderCells(total)}
          </tr>
        </tfoot>
      </table>
    </div>
  );
}
