export interface IsoBox {
  type: string;
  data: Buffer;
  /** The offset after the box. */
  end: number;
  /** False if the box claims to be longer than the bytes. */
  isComplete: boolean;
}

/**
 * Splits the bytes of an ISO media file (HEIC, MP4) into boxes. A box has a length, a type of four letters, and data.
 * Length 1 means that a 64-bit length follows; length 0 means the rest of the file.
 */
export function parseIsoBoxes(bytes: Buffer): IsoBox[] {
  const boxes: IsoBox[] = [];
  for (let at = 0; at + 8 <= bytes.length;) {
    const statedLength = bytes.readUInt32BE(at);
    const headerLength = statedLength === 1 ? 16 : 8;
    const length =
      statedLength === 0
        ? bytes.length - at
        : statedLength === 1
          ? Number(bytes.readBigUInt64BE(at + 8))
          : statedLength;
    if (length < headerLength) break;
    const end = at + length;
    const type = bytes.toString('latin1', at + 4, at + 8);
    boxes.push({ type, data: bytes.subarray(at + headerLength, end), end, isComplete: end <= bytes.length });
    at = end;
  }
  return boxes;
}

/** The data of the first box of this type; empty if there is none. */
export const dataOfBox = (boxes: readonly IsoBox[], type: string): Buffer =>
  boxes.find((it) => it.type === type)?.data ?? Buffer.alloc(0);
