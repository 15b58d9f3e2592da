import { Readable } from 'node:stream';
import { stringify } from 'csv-stringify/sync';
import type { FastifyReply } from 'fastify';
import { spreadsheetTimeText } from '#contract/calendar.ts';
import { sendSheet, type Column, type Sheet } from './sheet.ts';

/** Send rows as CSV (RFC 4180), in UTF-8 with a byte order mark, which Excel needs to detect UTF-8. */
export const sendCsv = <Row>(reply: FastifyReply, sheet: Sheet<Row>): Promise<FastifyReply> =>
  sendSheet(reply, sheet, { ending: 'csv', contentType: 'text/csv; charset=utf-8', write: writeCsv });

function writeCsv<Row>(columns: readonly Column<Row>[], pages: AsyncIterable<Row[]>): Readable {
  async function* generateLines() {
    yield lineOf([columns.map(([heading]) => heading)], true);
    for await (const rows of pages) yield lineOf(rows.map((row) => columns.map((column) => cellOf(column, row))));
  }
  return Readable.from(generateLines(), { objectMode: false });
}

function cellOf<Row>([, of, kind]: Column<Row>, row: Row): string | number | boolean | null {
  const cell = of(row);
  if (cell instanceof Date) return spreadsheetTimeText(cell);
  if (kind !== 'dollars' || cell === null) return cell;
  const cents = Number(cell);
  // Write a negative amount as a number: a text that begins with a minus would be escaped as a formula.
  return cents < 0 ? cents / 100 : (cents / 100).toFixed(2);
}

const lineOf = (cells: (string | number | boolean | null)[][], isFirst = false): string =>
  stringify(cells, {
    bom: isFirst,
    record_delimiter: 'windows',
    // Escape cells that look like formulas. Customers choose their names, and a spreadsheet would run a formula in a
    // name.
    escape_formulas: true,
    // Also quote cells with a single line feed, because most programs read it as a new row.
    quoted_match: /[\r\n]/,
    cast: { boolean: (value) => (value ? 'yes' : 'no') },
  });
