import { Readable } from 'node:stream';
import { stringify } from 'csv-stringify/sync';
import type { FastifyReply } from 'fastify';
import { attachment } from './send-file.ts';

type Cell = string | number | boolean | null;
/** A column's heading, and what stands below it. */
export type Column<Row> = readonly [heading: string, of: (row: Row) => Cell];

/**
 * Send rows as a spreadsheet (RFC 4180, UTF-8 with the mark that Excel looks for), a page at a time: the next one is read
 * once the one before is on its way, and none once the reader is gone. The first is read before anything is sent, so that
 * a question nobody can answer is refused in words.
 */
export async function sendCsv<Row>(
  reply: FastifyReply,
  { name, columns, pages, onBegin }: CsvFile<Row>,
): Promise<FastifyReply> {
  const first = await pages.next();
  await onBegin();
  async function* written() {
    try {
      yield line([columns.map(([heading]) => heading)], true);
      for (let page = first; !page.done; page = await pages.next())
        yield line(page.value.map((row) => columns.map(([, of]) => of(row))));
    } finally {
      await pages.return();
    }
  }
  return reply
    .headers({
      'content-type': 'text/csv; charset=utf-8',
      'content-disposition': attachment(name),
      'cache-control': 'private, no-store',
      'x-content-type-options': 'nosniff',
    })
    .send(Readable.from(written(), { objectMode: false }));
}

interface CsvFile<Row> {
  name: string;
  columns: readonly Column<Row>[];
  pages: AsyncGenerator<Row[], void>;
  /** What is written down before the first byte leaves. */
  onBegin: () => Promise<void>;
}

const line = (cells: Cell[][], isFirst = false): string =>
  stringify(cells, {
    bom: isFirst,
    record_delimiter: 'windows',
    // A cell that a spreadsheet would work out is text: customers choose their names.
    escape_formulas: true,
    // A line feed alone is a new line to most readers.
    quoted_match: /[\r\n]/,
    cast: { boolean: (value) => (value ? 'yes' : 'no') },
  });
