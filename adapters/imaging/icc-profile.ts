import { d50WhitePoint, toXyzD50, type TransferCurve, type CurveSpace } from './color-space.ts';
import type { Vector } from './matrix.ts';

/**
 * Makes an ICC profile (version 4.3) for a color space, because sharp converts colors only by profile. Gray needs only
 * the curve.
 */
export function createIccProfile(space: CurveSpace, channels: 'rgb' | 'grey' = 'rgb'): Buffer {
  const isGrey = channels === 'grey';
  return createProfile(isGrey ? 'GRAY' : 'RGB ', {
    desc: createTextTag('Made from the description in the photo'),
    cprt: createTextTag('No copyright'),
    wtpt: createXyzTag(d50WhitePoint),
    ...(isGrey ? { kTRC: createParametricCurve(space.transfer) } : createMatrixTags(space)),
  });
}

function createMatrixTags({ primaries, transfer }: CurveSpace): Record<string, Buffer> {
  const matrix = toXyzD50(primaries);
  const curve = createParametricCurve(transfer);
  const xyzOfColumn = (at: number) => createXyzTag([matrix[0][at]!, matrix[1][at]!, matrix[2][at]!]);
  return { rXYZ: xyzOfColumn(0), gXYZ: xyzOfColumn(1), bXYZ: xyzOfColumn(2), rTRC: curve, gTRC: curve, bTRC: curve };
}

/** An ICC curve of type 3: (a * x + b) ^ gamma from `from` on, slope * x below. */
function createParametricCurve({ gamma, a, b, slope, from }: TransferCurve): Buffer {
  const head = Buffer.from('para\0\0\0\0\0\u0003\0\0', 'latin1');
  return Buffer.concat([head, ...[gamma, a, b, slope, from].map(encodeFixedPointNumber)]);
}

function createProfile(space: 'RGB ' | 'GRAY', tags: Record<string, Buffer>): Buffer {
  const tagContents = Object.values(tags).map(padToFourBytes);
  const head = Buffer.alloc(128);
  head.writeUInt32BE(0x04300000, 8);
  head.write(`mntr${space}XYZ `, 12, 'latin1');
  head.write('acsp', 36, 'latin1');
  d50WhitePoint.forEach((value, at) => encodeFixedPointNumber(value).copy(head, 68 + 4 * at));
  const table = Buffer.alloc(4 + 12 * tagContents.length);
  table.writeUInt32BE(tagContents.length, 0);
  const offsets = computeOffsets(head.length + table.length, tagContents);
  for (const [at, [name, data]] of Object.entries(tags).entries()) {
    table.write(name, 4 + 12 * at, 'latin1');
    table.writeUInt32BE(offsets[at]!, 8 + 12 * at);
    table.writeUInt32BE(data.length, 12 + 12 * at);
  }
  const wholeProfile = Buffer.concat([head, table, ...tagContents]);
  wholeProfile.writeUInt32BE(wholeProfile.length, 0);
  return wholeProfile;
}

const createXyzTag = (value: Vector) =>
  Buffer.concat([Buffer.from('XYZ \0\0\0\0', 'latin1'), ...value.map(encodeFixedPointNumber)]);

function createTextTag(words: string): Buffer {
  const head = Buffer.alloc(28);
  head.write('mluc', 'latin1');
  head.writeUInt32BE(1, 8);
  head.writeUInt32BE(12, 12);
  head.write('enUS', 16, 'latin1');
  head.writeUInt32BE(2 * words.length, 20);
  head.writeUInt32BE(head.length, 24);
  return Buffer.concat([head, Buffer.from(words, 'utf16le').swap16()]);
}

/** Encodes a number in ICC's format s15Fixed16, with 16 bits after the binary point. */
function encodeFixedPointNumber(value: number): Buffer {
  const bytes = Buffer.alloc(4);
  bytes.writeInt32BE(Math.round(value * 65_536), 0);
  return bytes;
}

const padToFourBytes = (data: Buffer) => Buffer.concat([data, Buffer.alloc((4 - (data.length % 4)) % 4)]);
const computeOffsets = (start: number, parts: Buffer[]) =>
  parts.map((_, at) => parts.slice(0, at).reduce((sum, part) => sum + part.length, start));
