import { inflateSync } from 'node:zlib';

/** Returns the text of a PDF from the shop, as search and screen readers find it. */
export function readTextOfPdf(pdf: Buffer): string {
  const source = pdf.toString('latin1');
  const objects = new Map(
    [...source.matchAll(/(\d+) 0 obj\n([\s\S]*?)\nendobj/g)].map(([, id, body]) => [id!, body!] as const),
  );
  const readStream = (id: string) => {
    const stream = /stream\n([\s\S]*?)\nendstream/.exec(objects.get(id) ?? '')?.[1] ?? '';
    return inflateSync(Buffer.from(stream, 'latin1')).toString('latin1');
  };
  const letters = new Map(
    [...source.matchAll(/\/(F\d+) (\d+) 0 R/g)].map(([, name, id]) => {
      const unicodeTableId = /\/ToUnicode (\d+) 0 R/.exec(objects.get(id!) ?? '')?.[1];
      return [
        name!,
        unicodeTableId === undefined ? new Map<string, string>() : parseUnicodeTable(readStream(unicodeTableId)),
      ] as const;
    }),
  );
  const contentsId = /\/Contents (\d+) 0 R/.exec(source)![1]!;
  let font = new Map<string, string>();
  let text = '';
  for (const [, name, hex] of readStream(contentsId).matchAll(/\/(F\d+) [\d.]+ Tf|<([0-9A-F]+)>/g)) {
    if (name !== undefined) font = letters.get(name) ?? new Map();
    else text += decodeText(hex!, font);
  }
  return text;
}

/** Maps the codes of a font to letters, using its ToUnicode table. */
function parseUnicodeTable(table: string): Map<string, string> {
  const letters = new Map<string, string>();
  const addLetterCode = (code: number, digits: number, letter: number) =>
    letters.set(code.toString(16).toUpperCase().padStart(digits, '0'), String.fromCodePoint(letter));
  for (const [, from, to, letter] of table.matchAll(/^<(\w+)> (?:<(\w+)> )?<(\w{4})>$/gm)) {
    const firstCode = parseInt(from!, 16);
    const lastCode = parseInt(to ?? from!, 16);
    for (let code = firstCode; code <= lastCode; code++)
      addLetterCode(code, from!.length, parseInt(letter!, 16) + code - firstCode);
  }
  return letters;
}

function decodeText(hex: string, font: Map<string, string>): string {
  const [digits = 2] = [...font.keys()].map((it) => it.length);
  return (hex.match(new RegExp(`.{${digits}}`, 'g')) ?? []).map((code) => font.get(code) ?? '\uFFFD').join('');
}
