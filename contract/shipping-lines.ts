import { carriers } from './tracking.ts';
import { plainText } from './tidy.ts';

/** The most lines that are shipped at once. */
export const mostShippingLines = 100;
/** The most characters that are read. Longer text is no list of 100 lines. */
const mostCharacters = 20_000;

/** A line of a pasted list of packages. */
export interface ShippingLine {
  /** The number of the line in the pasted text, from 1. */
  line: number;
  orderNumber: string;
  trackingNumber: string;
  /** Empty if the line names no carrier. */
  carrier: string;
}
/** A line that could not be read. */
export interface UnreadLine {
  line: number;
  text: string;
  problem: string;
}
export interface ShippingLines {
  lines: ShippingLine[];
  unread: UnreadLine[];
}

const orderNumber = /^KF-[2-9A-Z]{4}-[2-9A-Z]{4}$/;
const asOrderNumber = (cell: string) => {
  const number = cell.toUpperCase().replace(/^#/, '');
  return orderNumber.test(number) ? number : undefined;
};

/**
 * Reads a pasted or scanned list of packages: an order number, a tracking number and, if wanted, a carrier in each
 * line, separated by commas, semicolons, tabs or spaces. A scanner types each code into a line of its own, so a line
 * with only an order number takes the tracking number of the next line. A heading is skipped.
 */
export function readShippingLines(text: string): ShippingLines {
  const lines: ShippingLine[] = [];
  const unread: UnreadLine[] = [];
  if (text.length > mostCharacters)
    return { lines, unread: [{ line: 1, text: '', problem: `Please paste at most ${mostShippingLines} lines.` }] };
  /** An order number that waits for the tracking number of the next line. */
  let scanned: { line: number; orderNumber: string } | undefined;
  const endScan = () => {
    if (scanned)
      unread.push({ line: scanned.line, text: scanned.orderNumber, problem: 'The tracking number is missing.' });
    scanned = undefined;
  };
  for (const [index, typed] of text.split(/\r\n|\r|\n/).entries()) {
    const line = index + 1;
    const cells = cellsOf(typed);
    const [first] = cells;
    if (first === undefined) continue;
    const number = asOrderNumber(first);
    if (number === undefined && scanned && isTracking(first)) {
      lines.push({ line: scanned.line, orderNumber: scanned.orderNumber, ...parcelOf(cells) });
      scanned = undefined;
      continue;
    }
    endScan();
    if (number !== undefined && cells.length === 1) scanned = { line, orderNumber: number };
    else if (number !== undefined) lines.push({ line, orderNumber: number, ...parcelOf(cells.slice(1)) });
    else if (!(line === 1 && /order/i.test(first)))
      unread.push({
        line,
        text: typed.trim().slice(0, 80),
        problem: `“${first.slice(0, 40)}” is not an order number.`,
      });
  }
  endScan();
  unread.sort((a, b) => a.line - b.line);
  const over = lines[mostShippingLines];
  if (!over) return { lines, unread };
  const problem = `Please paste at most ${mostShippingLines} lines. This line and the ones after it are left out.`;
  return {
    lines: lines.slice(0, mostShippingLines),
    unread: [...unread, { line: over.line, text: over.orderNumber, problem }],
  };
}

/** Tracking numbers of all carriers contain digits. Other text is not taken for one. */
const isTracking = (cell: string) => /^[A-Za-z0-9 -]+$/.test(cell) && /\d/.test(cell);

/** Splits a line. Spaces separate only if nothing else does, because a tracking number may contain spaces. */
function cellsOf(typed: string): string[] {
  const bare = (cell: string) => plainText(cell.replaceAll('"', ''));
  const cells = typed.split(/[\t,;]/).map(bare);
  while (cells.at(-1) === '') cells.pop();
  if (cells.length > 1) return cells;
  const [only = ''] = cells;
  const [first, ...rest] = only.split(' ').filter(Boolean);
  if (first === undefined) return [];
  if (rest.length === 0) return [first];
  const words = rest.join(' ');
  const named = carriers.find((it) => words.toLowerCase().endsWith(` ${it.toLowerCase()}`));
  return named ? [first, words.slice(0, -named.length).trim(), named] : [first, words];
}

function parcelOf([trackingNumber = '', carrier = '']: string[]): Pick<ShippingLine, 'trackingNumber' | 'carrier'> {
  const named = carriers.find((it) => it.toLowerCase() === carrier.toLowerCase());
  return { trackingNumber: trackingNumber.toUpperCase(), carrier: named ?? carrier };
}
