import { trackableCarriers } from './tracking.ts';
import { toAsciiText } from './tidy.ts';

/** The most lines that are shipped at once. */
export const maxPastedShipments = 100;
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
export interface UnreadableLine {
  line: number;
  text: string;
  problem: string;
}
export interface ShippingLines {
  lines: ShippingLine[];
  unread: UnreadableLine[];
}

const unreadableText = 'The tracking number is missing or not readable.';

const orderNumberPattern = /^KF-[2-9A-Z]{4}-[2-9A-Z]{4}$/;
const asOrderNumber = (cell: string) => {
  const number = cell.toUpperCase().replace(/^#/, '');
  return orderNumberPattern.test(number) ? number : undefined;
};

/**
 * Reads a pasted or scanned list of packages: an order number, a tracking number and, if wanted, a carrier in each
 * line, separated by commas, semicolons, tabs or spaces. A scanner types each code into a line of its own, so a line
 * with only an order number takes the tracking number of the next line. A heading is skipped.
 */
export function readShippingLines(text: string): ShippingLines {
  const lines: ShippingLine[] = [];
  const unreadableLines: UnreadableLine[] = [];
  if (text.length > mostCharacters)
    return { lines, unread: [{ line: 1, text: '', problem: `Please paste at most ${maxPastedShipments} lines.` }] };
  /** An order number that waits for the tracking number of the next line. */
  let scanned: { line: number; orderNumber: string } | undefined;
  const endScannedLine = () => {
    if (scanned)
      unreadableLines.push({
        line: scanned.line,
        text: scanned.orderNumber,
        problem: 'The tracking number is missing.',
      });
    scanned = undefined;
  };
  for (const [index, typed] of text.split(/\r\n|\r|\n/).entries()) {
    const lineNumber = index + 1;
    const cells = splitCells(typed);
    const [first] = cells;
    if (first === undefined) continue;
    const number = asOrderNumber(first);
    const carrierAndNumber = parseCarrierAndNumber(number === undefined ? cells : cells.slice(1));
    if (number === undefined && scanned && carrierAndNumber) {
      lines.push({ line: scanned.line, orderNumber: scanned.orderNumber, ...carrierAndNumber });
      scanned = undefined;
      continue;
    }
    endScannedLine();
    const isHeading = lineNumber === 1 && number === undefined && /order/i.test(first);
    if (number !== undefined && cells.length === 1) scanned = { line: lineNumber, orderNumber: number };
    else if (number !== undefined && carrierAndNumber)
      lines.push({ line: lineNumber, orderNumber: number, ...carrierAndNumber });
    else if (!isHeading) {
      const problem = number === undefined ? `“${first.slice(0, 40)}” is not an order number.` : unreadableText;
      unreadableLines.push({ line: lineNumber, text: typed.trim().slice(0, 80), problem });
    }
  }
  endScannedLine();
  unreadableLines.sort((a, b) => a.line - b.line);
  const firstExcessLine = lines[maxPastedShipments];
  if (!firstExcessLine) return { lines, unread: unreadableLines };
  const problem = `Please paste at most ${maxPastedShipments} lines. This line and the ones after it are left out.`;
  return {
    lines: lines.slice(0, maxPastedShipments),
    unread: [...unreadableLines, { line: firstExcessLine.line, text: firstExcessLine.orderNumber, problem }],
  };
}

const findCarrierByName = (cell: string) => trackableCarriers.find((it) => it.toLowerCase() === cell.toLowerCase());

/**
 * Tracking numbers of all carriers contain digits, and at most short groups of letters. Other text, such as a carrier
 * or a customer's name, is not taken for one.
 */
const isTrackingNumber = (cell: string) =>
  /^[A-Za-z0-9 -]+$/.test(cell) &&
  /\d/.test(cell) &&
  !cell.split(' ').some((group) => /^[A-Za-z]{4,}$/.test(group) || findCarrierByName(group));

/** Splits a line. Spaces separate only if nothing else does, because a tracking number may contain spaces. */
function splitCells(typed: string): string[] {
  const removeQuotes = (cell: string) => toAsciiText(cell.replaceAll('"', ''));
  const cells = typed.split(/[\t,;]/).map(removeQuotes);
  while (cells.at(-1) === '') cells.pop();
  if (cells.length !== 1) return cells;
  const [first = '', ...rest] = cells[0]!.split(' ').filter(Boolean);
  if (asOrderNumber(first) === undefined) return splitCarrier(cells[0]!);
  return rest.length === 0 ? [first] : [first, ...splitCarrier(rest.join(' '))];
}

/** Separates a known carrier from the tracking number before or after it. */
function splitCarrier(words: string): string[] {
  const lowerCaseWords = words.toLowerCase();
  const carrierAtEnd = trackableCarriers.find((it) => lowerCaseWords.endsWith(` ${it.toLowerCase()}`));
  if (carrierAtEnd) return [words.slice(0, -carrierAtEnd.length).trim(), carrierAtEnd];
  const carrierAtStart = trackableCarriers.find((it) => lowerCaseWords.startsWith(`${it.toLowerCase()} `));
  return carrierAtStart ? [carrierAtStart, words.slice(carrierAtStart.length).trim()] : [words];
}

/** Reads the tracking number and the carrier, in any sequence. Returns undefined if there is no tracking number. */
function parseCarrierAndNumber([one = '', two = '']: string[]):
  | Pick<ShippingLine, 'trackingNumber' | 'carrier'>
  | undefined {
  const isSwapped = findCarrierByName(one) !== undefined && isTrackingNumber(two);
  const [trackingNumber, carrier] = isSwapped ? [two, one] : [one, two];
  if (!isTrackingNumber(trackingNumber)) return undefined;
  return { trackingNumber: trackingNumber.toUpperCase(), carrier: findCarrierByName(carrier) ?? carrier };
}
