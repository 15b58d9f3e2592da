/**
 * Writes the text part of an email from the same React elements as the HTML part, so that both parts have the same
 * content. An element with a special layout has its own function in `writerByElementType`. Of all other elements, only the text is
 * used.
 */
import { Button } from '@react-email/button';
import { Heading } from '@react-email/heading';
import { Hr } from '@react-email/hr';
import { Link } from '@react-email/link';
import { Section } from '@react-email/section';
import { Text } from '@react-email/text';
import type { ReactElement, ReactNode } from 'react';

const width = 76;
/** Maximum width of a table column. */
const columnWidth = 60;

export function plainTextOf(content: ReactNode): string {
  return `${renderLines(content, width).join('\n').trim()}\n`;
}

function renderLines(content: ReactNode, width: number): string[] {
  const textWriter = new TextWriter(width);
  writeNode(content, textWriter);
  return textWriter.finishLines();
}

/** Collects lines and wraps text into them. */
class TextWriter {
  readonly width: number;
  readonly #lines: string[] = [];
  #flowing = '';
  /** How many line ends to write between the last text and the next text. */
  #gap = 0;

  constructor(width: number) {
    this.width = width;
  }
  /** Appends words to the current paragraph. */
  appendText(words: string): void {
    this.#flowing += words.replaceAll(/[ \t\r\n\f]+/g, ' ');
  }
  breakLine(): void {
    this.#flowing += '\n';
  }
  /** Writes a separate block with at least `before` line ends before it and `after` line ends after it. */
  addBlock(before: number, after: number, write: () => void): void {
    this.#endParagraph();
    this.#gap = Math.max(this.#gap, before);
    write();
    this.#endParagraph();
    this.#gap = Math.max(this.#gap, after);
  }
  /** Adds lines that must not be wrapped. */
  addLines(lines: string[]): void {
    if (lines.length === 0) return;
    if (this.#lines.length > 0) for (let at = 1; at < this.#gap; at++) this.#lines.push('');
    this.#lines.push(...lines);
    this.#gap = 1;
  }
  finishLines(): string[] {
    this.#endParagraph();
    return this.#lines;
  }

  #endParagraph(): void {
    const text = this.#flowing.trim();
    this.#flowing = '';
    if (text !== '') this.addLines(text.split('\n').flatMap((line) => wrapText(line, this.width)));
  }
}

/** Wraps to lines of at most this width. A longer word, such as a URL, gets its own line. */
function wrapText(words: string, width: number): string[] {
  const lines: string[] = [];
  let line = '';
  for (const word of words.split(' ').filter((it) => it !== '')) {
    if (line !== '' && line.length + 1 + word.length > width) {
      lines.push(line);
      line = word;
    } else line = line === '' ? word : `${line} ${word}`;
  }
  return [...lines, line];
}

/** The element props that this file reads. */
interface Props {
  as?: string;
  href?: string;
  className?: string;
  children?: ReactNode;
}
const isElement = (node: ReactNode): node is ReactElement<Props> =>
  typeof node === 'object' && node !== null && 'props' in node;

function writeNode(node: ReactNode, sheet: TextWriter): void {
  if (typeof node === 'string' || typeof node === 'number') sheet.appendText(String(node));
  else if (Array.isArray(node)) for (const childNode of node as ReactNode[]) writeNode(childNode, sheet);
  else if (isElement(node)) writeElement(node, sheet);
}

function writeElement({ type, props }: ReactElement<Props>, sheet: TextWriter): void {
  const writeSpecialElement = writerByElementType.get(type);
  if (writeSpecialElement) writeSpecialElement(props, sheet);
  // The components of email-layout.tsx use no hooks, so they can be called as functions.
  else if (typeof type === 'function') writeNode((type as (props: Props) => ReactNode)(props), sheet);
  else writeNode(props.children, sheet);
}

const writerByElementType = new Map<unknown, (props: Props, sheet: TextWriter) => void>([
  ['br', (_, sheet) => sheet.breakLine()],
  [Text, ({ children }, sheet) => sheet.addBlock(2, 2, () => writeNode(children, sheet))],
  [Section, ({ children }, sheet) => sheet.addBlock(1, 1, () => writeNode(children, sheet))],
  [Heading, ({ as, children }, sheet) => sheet.addBlock(as === 'h1' ? 1 : 3, 2, () => writeNode(children, sheet))],
  [Hr, (_, sheet) => sheet.addBlock(2, 2, () => sheet.addLines(['-'.repeat(40)]))],
  [Button, writeAction],
  [Link, writeLink],
  ['table', ({ children }, sheet) => sheet.addBlock(2, 2, () => sheet.addLines(renderTable(children)))],
  ['blockquote', writeQuote],
]);

/** Writes a button as its text, followed by its full URL on a separate line, so that it can be clicked and copied. */
function writeAction({ href = '', children }: Props, sheet: TextWriter): void {
  sheet.addBlock(2, 2, () => {
    writeNode(children, sheet);
    sheet.appendText(':');
    sheet.breakLine();
    sheet.appendText(href);
  });
}

function writeLink({ href = '', className = '', children }: Props, sheet: TextWriter): void {
  const isMailbox = href.startsWith('mailto:');
  const isBare = className.split(' ').includes('site');
  if (!isBare) writeNode(children, sheet);
  if (!isMailbox) sheet.appendText(isBare ? href : `: ${href}`);
}

function writeQuote({ children }: Props, sheet: TextWriter): void {
  sheet.addBlock(2, 2, () => sheet.addLines(renderLines(children, sheet.width - 2).map((line) => `> ${line}`)));
}

/** Each column is as wide as its widest cell, with three spaces between columns. */
function renderTable(rows: ReactNode): string[] {
  const cells = findElements(rows, 'tr').map((row) =>
    findElements(row.props.children, 'td').map((cell) => renderLines(cell.props.children, columnWidth)),
  );
  const widths: number[] = [];
  for (const row of cells)
    for (const [at, lines] of row.entries())
      widths[at] = Math.max(widths[at] ?? 0, ...lines.map((line) => line.length));
  return cells.flatMap((row) => {
    const height = Math.max(...row.map((lines) => lines.length));
    return Array.from({ length: height }, (_, line) =>
      row
        .map((lines, at) => (lines[line] ?? '').padEnd(widths[at]!))
        .join('   ')
        .trimEnd(),
    );
  });
}

function findElements(node: ReactNode, type: string): ReactElement<Props>[] {
  if (Array.isArray(node)) return (node as ReactNode[]).flatMap((one) => findElements(one, type));
  if (!isElement(node)) return [];
  return node.type === type ? [node] : findElements(node.props.children, type);
}
