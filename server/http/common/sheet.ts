import { Readable } from 'node:stream';
import type { FastifyReply } from 'fastify';
import { downloadDispositionHeader } from './send-file.ts';

type Cell = string | number | boolean | Date | null;
/**
 * The type of a column. `code`: text that may look like a number, such as a ZIP code; `dollars`: integer cents;
 * `number`: a number, or a text with a number; `moment`: a date and time; `day`: a day such as 2026-12-24.
 */
export type ColumnType = 'code' | 'dollars' | 'number' | 'moment' | 'day';
/**
 * The heading of a column, the function that returns its cell of a row, and its type. Without a type, cells are text,
 * numbers or booleans.
 */
export type Column<Row> = readonly [heading: string, of: (row: Row) => Cell, kind?: ColumnType];

/** Rows to be sent as a file. */
export interface Sheet<Row> {
  /** Without the file ending. */
  name: string;
  columns: readonly Column<Row>[];
  pages: AsyncGenerator<Row[], void>;
  /** Records the download before the first byte is sent. */
  onBegin: () => Promise<void>;
}

/**
 * Send rows as a file, one page after the other. A page is read when the client has received the earlier ones, and no
 * page is read after the client disconnects. The first page is read before anything is sent, so that an error still
 * gets an error response.
 */
export async function sendSheet<Row>(
  reply: FastifyReply,
  { name, columns, pages, onBegin }: Sheet<Row>,
  file: {
    ending: string;
    contentType: string;
    write: (columns: readonly Column<Row>[], pages: AsyncIterable<Row[]>) => Readable;
  },
): Promise<FastifyReply> {
  const firstPage = await pages.next();
  await onBegin();
  async function* yieldFromFirstPage() {
    try {
      for (let page = firstPage; !page.done; page = await pages.next()) yield page.value;
    } finally {
      await pages.return();
    }
  }
  const writtenSheet = file.write(columns, yieldFromFirstPage());
  // If the client disconnects before the first row is requested, the generator never runs, so close the pages here.
  writtenSheet.once('close', () => void pages.return());
  return reply
    .headers({
      'content-type': file.contentType,
      'content-disposition': downloadDispositionHeader(`${name}.${file.ending}`),
      'cache-control': 'private, no-store',
      'x-content-type-options': 'nosniff',
    })
    .send(writtenSheet);
}
