import { brotliDecompressSync } from 'node:zlib';

/** Returns the characters that a WOFF2 font contains. They are in its character map, inside the compressed data. */
export function readLettersOfFont(file: Buffer): Set<number> {
  const tableCount = file.readUInt16BE(12);
  let at = 48;
  let [offset, map] = [0, -1];
  for (let i = 0; i < tableCount; i++) {
    const glyphFlags = file[at++]!;
    const tagNumber = glyphFlags & 63;
    if (tagNumber === 63) at += 4;
    const length = readPackedNumber();
    // Glyph shapes (10) and their offsets (11) use a different compression, unless the flags say otherwise.
    const isPacked = tagNumber === 10 || tagNumber === 11 ? glyphFlags >> 6 !== 3 : glyphFlags >> 6 !== 0;
    const storedLength = isPacked ? readPackedNumber() : length;
    if (tagNumber === 0) map = offset;
    offset += storedLength;
  }
  const cmap = brotliDecompressSync(file.subarray(at, at + file.readUInt32BE(20))).subarray(map);
  const letters = new Set<number>();
  for (let i = 0; i < cmap.readUInt16BE(2); i++) {
    const part = cmap.subarray(cmap.readUInt32BE(8 + 8 * i));
    if (part.readUInt16BE(0) === 4) {
      const segmentCount = part.readUInt16BE(6) / 2;
      for (let s = 0; s < segmentCount; s++)
        addRange(part.readUInt16BE(16 + 2 * (segmentCount + s)), part.readUInt16BE(14 + 2 * s));
    } else if (part.readUInt16BE(0) === 12)
      for (let s = 0; s < part.readUInt32BE(12); s++)
        addRange(part.readUInt32BE(16 + 12 * s), part.readUInt32BE(20 + 12 * s));
  }
  return letters;

  function readPackedNumber(): number {
    for (let value = 0; ;) {
      const byte = file[at++]!;
      value = value * 128 + (byte & 127);
      if (byte < 128) return value;
    }
  }
  function addRange(first: number, last: number): void {
    for (let letter = first; letter <= last && letter < 0xffff; letter++) letters.add(letter);
  }
}
