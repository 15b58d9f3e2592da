import { inflateSync } from 'node:zlib';
import type { PhotoMime } from '#contract/photo-types.ts';
import { isProfile, profileBytesLimit } from './colour-profile.ts';

/**
 * A photo's bytes without what its picture does not need, before a decoder sees them: text and previews, further frames
 * (one container takes minutes over 200,000 of them), and every profile that is none or unfolds too far. The picture
 * itself stays as it is, byte by byte. What ends in the middle is left as it is: the decoder says that it is damaged.
 *
 * @param bytes made use of: they are no longer the photo afterwards
 */
export function neededParts(bytes: Buffer, mime: PhotoMime): Buffer {
  if (mime === 'image/png') return partsOfPng(bytes);
  if (mime === 'image/jpeg') return partsOfJpeg(bytes);
  if (mime === 'image/webp') return partsOfWebp(bytes);
  // A GIF's comments are skipped unread, and HEIC's library opens what we ask for.
  return bytes;
}

/** Picture, transparency, colours and which way is up; no compressed text, no animation. */
const pngChunks = new Set(['IHDR', 'PLTE', 'IDAT', 'IEND', 'tRNS', 'gAMA', 'cHRM', 'sRGB', 'sBIT', 'eXIf', 'iCCP']);
const pngSignatureLength = 8;

/** Chunks: length, four letters, data, checksum. */
function partsOfPng(bytes: Buffer): Buffer {
  const parts = [bytes.subarray(0, pngSignatureLength)];
  for (let at = pngSignatureLength; at + 12 <= bytes.length;) {
    const end = at + 12 + bytes.readUInt32BE(at);
    if (end > bytes.length) return Buffer.concat([...parts, bytes.subarray(at)]);
    const type = bytes.toString('latin1', at + 4, at + 8);
    const isNeeded = type === 'iCCP' ? isPngProfile(bytes.subarray(at + 8, end - 4)) : pngChunks.has(type);
    if (isNeeded) parts.push(bytes.subarray(at, end));
    if (type === 'IEND') break;
    at = end;
  }
  return Buffer.concat(parts);
}

/** A name, a zero, the method (always 0), then the profile, compressed. */
function isPngProfile(data: Buffer): boolean {
  const zero = data.indexOf(0);
  if (zero < 0) return false;
  try {
    return isProfile(inflateSync(data.subarray(zero + 2), { maxOutputLength: profileBytesLimit }));
  } catch {
    // Not compressed as it should be, or unfolding without end.
    return false;
  }
}

/** 0xff, a letter, length, data. */
interface Segment {
  marker: number;
  data: Buffer;
  /** The whole of it, with the stray bytes some phones write before it. */
  part: Buffer;
}

/** The picture, ten megabytes often, stays where it lies: what is needed before it, never more than was there, moves up to it. */
function partsOfJpeg(bytes: Buffer): Buffer {
  const { segments, end } = segmentsBeforePicture(bytes);
  const exif = segments.find(isExif);
  const profileBytes = segments.filter(isOfProfile).reduce((total, { data }) => total + data.length, 0);
  const isNeeded = (it: Segment) =>
    it === exif || (isOfProfile(it) ? profileBytes <= profileBytesLimit : isOfPicture(it.marker));
  const needed = segments.filter(isNeeded).map(({ part }) => part);
  const head = Buffer.concat([bytes.subarray(0, startOfImageLength), ...needed]);
  const start = end - head.copy(bytes, end - head.length);
  return bytes.subarray(start);
}

/** All up to the first scan, the end, or what cannot be read. */
function segmentsBeforePicture(bytes: Buffer): { segments: Segment[]; end: number } {
  const segments: Segment[] = [];
  let end = startOfImageLength;
  for (let at = end; (at = bytes.indexOf(0xff, at)) >= 0;) {
    while (bytes[at] === 0xff) at += 1;
    const marker = bytes[at] ?? endOfImage;
    at += 1;
    if (hasNoLength(marker)) continue;
    if (marker === startOfScan || marker === endOfImage || at + 2 > bytes.length) break;
    const next = at + bytes.readUInt16BE(at);
    if (next < at + 2 || next > bytes.length) break;
    segments.push({ marker, data: bytes.subarray(at + 2, next), part: bytes.subarray(end, next) });
    end = at = next;
  }
  return { segments, end };
}

const startOfImageLength = 2;
const startOfScan = 0xda;
const endOfImage = 0xd9;
const comment = 0xfe;
/** Segments of applications, 0xe0 to 0xef. */
const [jfif, metadata, profile, adobe] = [0xe0, 0xe1, 0xe2, 0xee];

const hasNoLength = (marker: number) => marker <= 0x01 || (marker >= 0xd0 && marker <= 0xd8);
/** Of the applications' segments JFIF's and Adobe's, which say what the colours are numbers of. */
const isOfPicture = (marker: number) =>
  marker === jfif || marker === adobe || !(marker === comment || (marker >= 0xe0 && marker <= 0xef));
const isExif = ({ marker, data }: Segment) => marker === metadata && data.toString('latin1', 0, 6) === 'Exif\0\0';
const isOfProfile = ({ marker, data }: Segment) =>
  marker === profile && data.toString('latin1', 0, 12) === 'ICC_PROFILE\0';

const webpChunks = new Set(['VP8X', 'VP8 ', 'VP8L', 'ALPH', 'ANIM', 'ANMF', 'EXIF', 'ICCP']);
const webpHeadLength = 12;
/** In the first byte of VP8X: what the file says it holds. */
const [saysXmp, saysProfile] = [0x04, 0x20];

/** 'RIFF', length, 'WEBP'; then chunks: four letters, length, data, a zero where that is odd. One of each will do. */
function partsOfWebp(bytes: Buffer): Buffer {
  const whole = bytes.subarray(0, 8 + bytes.readUInt32LE(4));
  const parts = new Map<string, Buffer>();
  let droppedBytes = 0;
  let at = webpHeadLength;
  while (at + 8 <= whole.length) {
    const length = whole.readUInt32LE(at + 4);
    const end = at + 8 + length + (length % 2);
    if (end > whole.length) break;
    const type = whole.toString('latin1', at, at + 4);
    const isFine = type === 'ICCP' ? isProfile(whole.subarray(at + 8, at + 8 + length)) : webpChunks.has(type);
    if (isFine && !parts.has(type)) parts.set(type, Buffer.from(whole.subarray(at, end)));
    else droppedBytes += end - at;
    at = end;
  }
  const head = Buffer.from(whole.subarray(0, webpHeadLength));
  head.writeUInt32LE(head.readUInt32LE(4) - droppedBytes, 4);
  const features = parts.get('VP8X');
  if (features && features.length > 8) features[8]! &= parts.has('ICCP') ? ~saysXmp : ~(saysXmp | saysProfile);
  return Buffer.concat([head, ...parts.values(), whole.subarray(at)]);
}
