import { Readable } from 'node:stream';
import type { ReadableStream } from 'node:stream/web';
import type { FastifyReply } from 'fastify';
import { writeXlsxStream } from 'hucre/xlsx';
import { spreadsheetTimeText } from '#contract/calendar.ts';
import { sendSheet, type Column, type ColumnType, type Sheet } from './sheet.ts';

/**
 * Send rows as an Excel workbook with typed cells. ZIP codes keep their zeros and phone numbers their plus sign, which
 * a spreadsheet program removes when it opens a CSV file. Text is stored in text cells, never as a formula.
 */
export const sendXlsx = <Row>(reply: FastifyReply, sheet: Sheet<Row>): Promise<FastifyReply> =>
  sendSheet(reply, sheet, {
    ending: 'xlsx',
    contentType: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
    write: writeXlsx,
  });

const formats: Record<ColumnType, string> = {
  code: '@',
  dollars: '0.00',
  number: 'General',
  moment: 'yyyy-mm-dd hh:mm',
  day: 'yyyy-mm-dd',
};

function writeXlsx<Row>(columns: readonly Column<Row>[], pages: AsyncIterable<Row[]>): Readable {
  async function* generateRowXml() {
    for await (const page of pages) for (const row of page) yield columns.map((column) => cellOf(column, row));
  }
  const workbook = writeXlsxStream(generateRowXml(), {
    name: 'Sheet1',
    freezePane: { rows: 1 },
    columns: columns.map(([header, , kind]) => ({
      header,
      width: Math.max(12, Math.min(28, header.length + 2)),
      ...(kind && { numFmt: formats[kind] }),
    })),
  });
  return Readable.fromWeb(workbook as ReadableStream<Uint8Array>);
}

/** The most characters that a cell can contain. */
const maxCellCharacters = 32_767;

function cellOf<Row>([, of, kind]: Column<Row>, row: Row): string | number | Date | null {
  const cell = of(row);
  if (cell === null || cell === '') return null;
  if (cell instanceof Date) return toShopWallClock(cell);
  if (typeof cell === 'boolean') return cell ? 'yes' : 'no';
  if (kind === 'dollars') return Number(cell) / 100;
  if (kind === 'number') return Number(cell);
  if (kind === 'day') return new Date(`${cell}T00:00:00Z`);
  if (typeof cell === 'number') return cell;
  // Escape text such as _x0041_, because Excel would show it as A.
  return cell.slice(0, maxCellCharacters).replace(/_(?=x[\da-f]{4}_)/gi, '_x005F_');
}

/** Workbooks have no time zones, so write times in the shop's time zone. */
const toShopWallClock = (moment: Date) => new Date(`${spreadsheetTimeText(moment).replace(' ', 'T')}:00Z`);
