import type { PhotoMime } from '#contract/photo-types.ts';
import { isIccProfile } from './color-profile.ts';
import { isHdr } from './color-space.ts';
import { keepNeededSegments } from './jpeg-parts.ts';
import { createIccProfile } from './icc-profile.ts';
import { isGreyPng, readPngColor, pngSignatureLength } from './png-color.ts';
import { createProfileChunk } from './png-profile.ts';

/**
 * Removes everything from a photo's file that its picture does not need, before a decoder reads the file. This removes
 * text, previews, invalid profiles and profiles that are too large when unpacked. It also removes all frames after the
 * first, because a file with 200,000 frames takes minutes to decode. Colors that are described in another way get an
 * equivalent profile. The picture data stays the same, byte by byte. A truncated file stays truncated, so that the
 * decoder reports the damage.
 *
 * @param bytes modified: they are no longer the photo afterwards
 */
export function keepNeededParts(bytes: Buffer, mime: PhotoMime): Buffer {
  if (mime === 'image/png') return keepNeededPartsOfPng(bytes);
  if (mime === 'image/jpeg') return keepNeededSegments(bytes);
  if (mime === 'image/webp') return keepNeededPartsOfWebp(bytes);
  // A decoder skips a GIF's comments, and the HEIC library opens only what is requested.
  return bytes;
}

/**
 * The chunks to keep: picture, transparency and orientation, but no compressed text and no animation. Colors are added
 * as one profile.
 */
const pngChunks = new Set(['IHDR', 'PLTE', 'IDAT', 'IEND', 'tRNS', 'sBIT', 'eXIf']);

/** Keeps the needed chunks of a PNG. A chunk has a length, a type of four letters, data and a checksum. */
function keepNeededPartsOfPng(bytes: Buffer): Buffer {
  const neededChunks = [bytes.subarray(0, pngSignatureLength)];
  for (let at = pngSignatureLength; at + 12 <= bytes.length;) {
    const end = at + 12 + bytes.readUInt32BE(at);
    if (end > bytes.length) return Buffer.concat([...neededChunks, bytes.subarray(at)]);
    const type = bytes.toString('latin1', at + 4, at + 8);
    if (pngChunks.has(type)) neededChunks.push(bytes.subarray(at, end));
    if (type === 'IHDR') neededChunks.push(...findProfileChunks(bytes));
    if (type === 'IEND') break;
    at = end;
  }
  return Buffer.concat(neededChunks);
}

/**
 * Returns the profile chunk for a PNG's colors. Returns none for sRGB, and none for a picture that is tone mapped after
 * decoding.
 */
function findProfileChunks(png: Buffer): Buffer[] {
  const color = readPngColor(png);
  if (!color) return [];
  if ('profileChunk' in color) return [color.profileChunk];
  if (isHdr(color.space)) return [];
  return [createProfileChunk(createIccProfile(color.space, isGreyPng(png) ? 'grey' : 'rgb'))];
}

const webpChunks = new Set(['VP8X', 'VP8 ', 'VP8L', 'ALPH', 'ANIM', 'ANMF', 'EXIF', 'ICCP']);
const webpHeadLength = 12;
/** Bits of the first byte of VP8X, which lists the features in the file. */
const [xmpFlag, profileFlag] = [0x04, 0x20];

/**
 * Keeps the first chunk of each needed type. A WebP file starts with 'RIFF', a length and 'WEBP'. Chunks follow: four
 * letters, length, data, and a zero if the length is odd.
 */
function keepNeededPartsOfWebp(bytes: Buffer): Buffer {
  const wholeFile = bytes.subarray(0, 8 + bytes.readUInt32LE(4));
  const neededChunks = new Map<string, Buffer>();
  let droppedBytes = 0;
  let at = webpHeadLength;
  while (at + 8 <= wholeFile.length) {
    const length = wholeFile.readUInt32LE(at + 4);
    const end = at + 8 + length + (length % 2);
    if (end > wholeFile.length) break;
    const type = wholeFile.toString('latin1', at, at + 4);
    const isFine = type === 'ICCP' ? isIccProfile(wholeFile.subarray(at + 8, at + 8 + length)) : webpChunks.has(type);
    if (isFine && !neededChunks.has(type)) neededChunks.set(type, Buffer.from(wholeFile.subarray(at, end)));
    else droppedBytes += end - at;
    at = end;
  }
  const head = Buffer.from(wholeFile.subarray(0, webpHeadLength));
  head.writeUInt32LE(head.readUInt32LE(4) - droppedBytes, 4);
  const features = neededChunks.get('VP8X');
  if (features && features.length > 8) features[8]! &= neededChunks.has('ICCP') ? ~xmpFlag : ~(xmpFlag | profileFlag);
  return Buffer.concat([head, ...neededChunks.values(), wholeFile.subarray(at)]);
}
