import { readFile } from 'node:fs/promises';
import type { PostalCodes } from '#shop/ports/postal-codes.ts';

const newline = 10;

/**
 * The ZIP codes of a file made by make-zip-codes.ts, with one line for each code: `10001 NY New York`. The file is read
 * at the first search, and searched as bytes: objects for its 41,000 lines would need ten times the memory.
 */
export function createPostalCodes(path: string): PostalCodes {
  let filePromise: Promise<Buffer> | undefined;
  const readLines = () =>
    (filePromise ??= readFile(path).catch((error: unknown) => {
      filePromise = undefined; // read it again at the next search
      throw error;
    }));
  return {
    async find(fiveDigits) {
      const line = findLine(await readLines(), fiveDigits);
      return line === undefined ? undefined : { postalCode: fiveDigits, state: line.slice(6, 8), city: line.slice(9) };
    },
  };
}

/** Finds the line that starts with this code in sorted lines, by binary search. */
function findLine(lines: Buffer, code: string): string | undefined {
  // `from` and `to` are always the starts of lines, or the end of the file.
  let from = 0;
  let to = lines.length;
  while (from < to) {
    const middleLineStart = lines.lastIndexOf(newline, Math.floor((from + to) / 2) - 1) + 1;
    const end = lines.indexOf(newline, middleLineStart);
    const codeInMiddle = lines.toString('latin1', middleLineStart, middleLineStart + code.length);
    if (codeInMiddle === code) return lines.toString('latin1', middleLineStart, end);
    if (codeInMiddle < code) from = end + 1;
    else to = middleLineStart;
  }
  return undefined;
}
