import { crc32, inflateSync } from 'node:zlib';
import { isIccProfile, profileBytesLimit } from './color-profile.ts';
import {
  findColorSpaceOfCodes,
  isHdr,
  isSrgb,
  createPowerCurve,
  srgbColorSpace,
  type ColorSpace,
  type HdrSpace,
  type Primaries,
} from './color-space.ts';
import { computeDeterminant, createMatrix } from './matrix.ts';

export const pngSignatureLength = 8;
/** Color types of gray pictures: without and with transparency. */
const greyTypes = new Set([0, 4]);
const colorTypeAt = 25;
export const isGreyPng = (bytes: Buffer) => greyTypes.has(bytes[colorTypeAt] ?? 2);

/** How a PNG describes its colors: by an ICC profile (the chunk that contains it), or by a color space. */
export type PngColor = { profileChunk: Buffer } | { space: ColorSpace };

/**
 * Reads the color space of a PNG; undefined for sRGB. Chunks have the PNG specification's priority: cICP, iCCP, sRGB,
 * then gAMA with cHRM. A chunk that is damaged, has a wrong length or impossible values is ignored, and the next one
 * counts.
 */
export function readPngColor(bytes: Buffer): PngColor | undefined {
  const chunks = readChunksBeforePicture(bytes);
  const readChunkData = (type: string, length?: number) => {
    const chunk = chunks.get(type);
    return chunk && (length === undefined || chunk.length === 12 + length) ? chunk.subarray(8, -4) : undefined;
  };
  const codedColorSpace = spaceOfCodes(
    readChunkData('cICP', 4),
    peakNitsOf(readChunkData('cLLI', 8), readChunkData('mDCV', 24)),
  );
  if (codedColorSpace) return isSrgb(codedColorSpace) ? undefined : { space: codedColorSpace };
  const profile = readChunkData('iCCP');
  if (profile && hasProfile(profile)) return { profileChunk: chunks.get('iCCP')! };
  const intent = readChunkData('sRGB', 1)?.[0];
  if (intent !== undefined && intent <= 3) return undefined;
  const gamma = readChunkData('gAMA', 4);
  const spaceFromGamma = gamma && spaceOfGamma(gamma.readUInt32BE() / unit, readChunkData('cHRM', 32));
  return spaceFromGamma && { space: spaceFromGamma };
}

/** The color space of a PNG that must be tone mapped after decoding; otherwise undefined. */
export function readPngHdrSpace(bytes: Buffer): HdrSpace | undefined {
  const color = readPngColor(bytes);
  return color && 'space' in color && isHdr(color.space) ? color.space : undefined;
}

/** Returns the color chunks by type: of each type, the first complete chunk with a correct checksum. */
function readChunksBeforePicture(bytes: Buffer): Map<string, Buffer> {
  const chunks = new Map<string, Buffer>();
  for (let at = pngSignatureLength; at + 12 <= bytes.length;) {
    const end = at + 12 + bytes.readUInt32BE(at);
    const type = bytes.toString('latin1', at + 4, at + 8);
    if (type === 'IDAT' || end > bytes.length) break;
    const isIntact = () => crc32(bytes.subarray(at + 4, end - 4)) === bytes.readUInt32BE(end - 4);
    if (colorChunks.has(type) && !chunks.has(type) && isIntact()) chunks.set(type, bytes.subarray(at, end));
    at = end;
  }
  return chunks;
}
const colorChunks = new Set(['cICP', 'iCCP', 'sRGB', 'gAMA', 'cHRM', 'cLLI', 'mDCV']);

/**
 * Reads a cICP chunk: the code points of primaries and transfer. PNG allows only RGB as its matrix, and browsers
 * support only full range.
 */
function spaceOfCodes(codes: Buffer | undefined, peakNits: number | undefined): ColorSpace | undefined {
  if (codes?.[2] !== 0 || codes[3] !== 1) return undefined;
  return findColorSpaceOfCodes(codes[0]!, codes[1]!, peakNits);
}
/**
 * Returns the brightness of the brightest pixel if given, otherwise the peak brightness of the screen that the picture
 * was made on.
 */
function peakNitsOf(contentLight: Buffer | undefined, screen: Buffer | undefined): number | undefined {
  const peak = [contentLight?.readUInt32BE(0), screen?.readUInt32BE(16)].find(Boolean);
  return peak && peak / 10_000;
}

/**
 * Whether an iCCP chunk contains a valid profile. The chunk has a name, a zero, the method (always 0), then the
 * compressed profile.
 */
function hasProfile(data: Buffer): boolean {
  const nameEnd = data.indexOf(0);
  if (nameEnd < 0) return false;
  try {
    return isIccProfile(inflateSync(data.subarray(nameEnd + 2), { maxOutputLength: profileBytesLimit }));
  } catch {
    // Not valid compressed data, or too large when unpacked.
    return false;
  }
}

/** Unit of the numbers in gAMA and cHRM. */
const unit = 100_000;
const srgbGamma = 0.45455;

/**
 * Interprets gAMA and cHRM as browsers do. Primaries count only together with a gamma. sRGB's gamma without primaries
 * means sRGB, although sRGB's curve is not a power function. If the primaries are physically impossible, both chunks
 * are ignored.
 */
function spaceOfGamma(gamma: number, primariesData: Buffer | undefined): ColorSpace | undefined {
  if (gamma < 0.2 || gamma > 2) return undefined;
  if (!primariesData) {
    return Math.abs(gamma - srgbGamma) < 0.01
      ? undefined
      : { primaries: srgbColorSpace.primaries, transfer: createPowerCurve(1 / gamma) };
  }
  const primaries = parsePrimaries(primariesData);
  return primaries && { primaries, transfer: createPowerCurve(1 / gamma) };
}

function parsePrimaries(data: Buffer): Primaries | undefined {
  const readPoint = (at: number) => [data.readInt32BE(8 * at) / unit, data.readInt32BE(8 * at + 4) / unit] as const;
  const primaries = { white: readPoint(0), red: readPoint(1), green: readPoint(2), blue: readPoint(3) };
  return Object.values(primaries)
    .flat()
    .every((it) => it > -0.2 && it < 1.2) && mixToWhite(primaries)
    ? primaries
    : undefined;
}

/**
 * Whether red, green and blue can mix to white: they are counterclockwise around white and not nearly the same color.
 */
function mixToWhite({ red, green, blue, white }: Primaries): boolean {
  const computeSignedArea = (...corners: [Primaries['red'], Primaries['red'], Primaries['red']]) =>
    computeDeterminant(createMatrix((row, column) => [...corners[row]!, 1][column]!));
  return (
    white[1] > 0.05 &&
    computeSignedArea(red, green, blue) > 0.01 &&
    [
      computeSignedArea(red, green, white),
      computeSignedArea(green, blue, white),
      computeSignedArea(blue, red, white),
    ].every((it) => it > 0)
  );
}
