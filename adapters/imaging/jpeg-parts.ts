import { profileBytesLimit } from './color-profile.ts';
import { adobeRgbColorSpace } from './color-space.ts';
import { isAdobeRgbByExif } from './exif-color.ts';
import { createIccProfile } from './icc-profile.ts';

/** A segment of a JPEG: 0xff, marker, length, data. `part` contains all of it. */
interface Segment {
  marker: number;
  data: Buffer;
  part: Buffer;
}

/**
 * Returns a JPEG with only the segments that its picture needs. Leaves out stray bytes that some phones write between
 * segments, and segments that no decoder knows. The picture data is not moved, because it often has ten megabytes: the
 * needed segments are copied directly before it, where they usually fit.
 */
export function keepNeededSegments(bytes: Buffer): Buffer {
  const { segments, end } = readSegmentsBeforePicture(bytes);
  const exif = segments.find(isExif);
  const profiles = segments.filter(isOfProfile);
  const profileBytes = profiles.reduce((total, { data }) => total + data.length, 0);
  const isNeeded = (it: Segment) =>
    it === exif || (isOfProfile(it) ? profileBytes <= profileBytesLimit : isOfPicture(it.marker));
  const componentCount = findComponentCount(segments);
  for (const segment of segments) correctSegment(segment, componentCount);
  const neededSegments = segments.filter(isNeeded).map(({ part }) => part);
  if (exif && profiles.length === 0 && componentCount === 3 && isAdobeRgbByExif(exif.data))
    neededSegments.push(createProfileSegment(createIccProfile(adobeRgbColorSpace)));
  const head = Buffer.concat([bytes.subarray(0, startOfImageLength), ...neededSegments]);
  if (head.length > end) return Buffer.concat([head, bytes.subarray(end)]);
  const start = end - head.copy(bytes, end - head.length);
  return bytes.subarray(start);
}

const xmpName = 'http://ns.adobe.com/xap/1.0/\0';
/** Returns the XMP metadata of a JPEG as text; undefined if it has none. */
export function readXmp(bytes: Buffer): string | undefined {
  const isXmp = ({ marker, data }: Segment) =>
    marker === metadata && data.toString('latin1', 0, xmpName.length) === xmpName;
  return readSegmentsBeforePicture(bytes).segments.find(isXmp)?.data.toString('utf8', xmpName.length);
}

/** Reads all segments up to the first scan, the end of the image, or the first unreadable segment. */
function readSegmentsBeforePicture(bytes: Buffer): { segments: Segment[]; end: number } {
  const segments: Segment[] = [];
  let end = startOfImageLength;
  for (let at = end; (at = bytes.indexOf(0xff, at)) >= 0;) {
    while (bytes[at] === 0xff) at += 1;
    const marker = bytes[at] ?? endOfImage;
    at += 1;
    if (hasNoLength(marker)) continue;
    if (marker === startOfScan) return { segments, end: at - 2 };
    if (marker === endOfImage || at + 2 > bytes.length) break;
    const nextSegment = at + bytes.readUInt16BE(at);
    if (nextSegment < at + 2 || nextSegment > bytes.length) break;
    segments.push({ marker, data: bytes.subarray(at + 2, nextSegment), part: bytes.subarray(at - 2, nextSegment) });
    end = at = nextSegment;
  }
  return { segments, end };
}

/** Replaces an invalid version or color transform with the value that every decoder uses instead. */
function correctSegment({ marker, data }: Segment, components: number | undefined): void {
  if (marker === jfif && data.length >= 7 && data.toString('latin1', 0, 5) === 'JFIF\0') data[5] = 1;
  if (marker !== adobe || data.length < 12 || data.toString('latin1', 0, 5) !== 'Adobe') return;
  if (components === 3 && data[11]! > 1) data[11] = 1;
  if (components === 4 && data[11] !== 0) data[11] = 2;
}

function createProfileSegment(profile: Buffer): Buffer {
  const head = Buffer.from('\xff\xe2\0\0ICC_PROFILE\0\x01\x01', 'latin1');
  head.writeUInt16BE(head.length - 2 + profile.length, 2);
  return Buffer.concat([head, profile]);
}

/**
 * A JPEG without its harmless faults: a missing end marker, bytes after the picture, and wrong scan parameters where
 * only one value is allowed. `repairJpeg` returns undefined if the frame header is missing, or both a scan and the end
 * marker.
 */
export interface RepairedJpeg {
  bytes: Buffer;
  /**
   * Returns the JPEG with some bytes added after each scan. If every row is complete, a decoder ignores these bytes,
   * and both pictures are equal. If rows are missing, a decoder decodes the bytes as part of the picture, and the
   * pictures differ.
   */
  withMoreBytes(): Buffer;
}

export function repairJpeg(bytes: Buffer): RepairedJpeg | undefined {
  const { segments, end: start } = readSegmentsBeforePicture(bytes);
  const frameSegment = segments.find((it) => isFrame(it.marker));
  const { scans, end, isEnded } = readScans(bytes, start);
  if (!frameSegment || (!isEnded && !isComplete(frameSegment, scans))) return undefined;
  if (!isProgressive(frameSegment.marker)) for (const { parameters } of scans) parameters.set([0, lastCoefficient, 0]);
  const endMarker = Buffer.from([0xff, endOfImage]);
  return {
    bytes: Buffer.concat([bytes.subarray(0, end), endMarker]),
    withMoreBytes() {
      const scanEnds = [0, ...scans.map((it) => it.dataEnd)];
      const parts = scanEnds.slice(1).flatMap((to, at) => [bytes.subarray(scanEnds[at], to), extraScanBytes]);
      return Buffer.concat([...parts, bytes.subarray(scanEnds.at(-1), end), endMarker]);
    },
  };
}
const extraScanBytes = Buffer.alloc(64, Buffer.from([0x5a, 0x96, 0x3c, 0xe1, 0x0f, 0xa7]));

interface Scan {
  components: number[];
  /** First coefficient, last coefficient, and refinement: three bytes. */
  parameters: Buffer;
  /** The offset after the last byte of the scan, which may be a stray byte. */
  dataEnd: number;
}

/**
 * Reads all scans up to the end of the picture. The picture ends at its end marker, or at the first bytes that cannot
 * belong to it.
 */
function readScans(bytes: Buffer, start: number): { scans: Scan[]; end: number; isEnded: boolean } {
  const scans: Scan[] = [];
  let at = start;
  while (at + 4 <= bytes.length && bytes[at] === 0xff) {
    const marker = bytes[at + 1]!;
    if (marker === endOfImage) return { scans, end: at, isEnded: true };
    const nextMarker = at + 2 + bytes.readUInt16BE(at + 2);
    if (hasNoLength(marker) || !(marker === startOfScan || isAllowedBetweenScans(marker)) || nextMarker > bytes.length)
      break;
    if (marker === startOfScan) {
      const count = bytes[at + 4]!;
      if (nextMarker !== at + 8 + 2 * count) break;
      const components = Array.from({ length: count }, (_, index) => bytes[at + 5 + 2 * index]!);
      const dataEnd = endOfScan(bytes, nextMarker);
      scans.push({ components, parameters: bytes.subarray(nextMarker - 3, nextMarker), dataEnd });
      at = dataEnd;
    } else at = nextMarker;
    // A marker may have more than one 0xff before it.
    while (bytes[at] === 0xff && bytes[at + 1] === 0xff) at += 1;
  }
  const isEnded = at + 2 === bytes.length && bytes[at] === 0xff && bytes[at + 1] === endOfImage;
  return { scans, end: at, isEnded };
}

/**
 * Returns the offset of the next marker that is not a restart marker. Inside picture data, a zero follows each 0xff.
 */
function endOfScan(bytes: Buffer, start: number): number {
  for (let at = start; (at = bytes.indexOf(0xff, at)) >= 0; at += 2) {
    while (bytes[at + 1] === 0xff) at += 1;
    const nextByte = bytes[at + 1];
    if (nextByte !== 0 && !(nextByte !== undefined && nextByte >= 0xd0 && nextByte <= 0xd7)) return at;
  }
  return bytes.length;
}

/** Whether the scans contain all bits of all coefficients of every color component. */
function isComplete(frame: Segment, scans: Scan[]): boolean {
  const ids = Array.from({ length: frame.data[5] ?? 0 }, (_, at) => frame.data[6 + 3 * at]);
  return ids.every((id) => {
    const missingCoefficients = new Set(Array.from({ length: lastCoefficient + 1 }, (_, at) => at));
    for (const { parameters } of scans.filter((it) => it.components.includes(id!))) {
      const [first, last, refined] = isProgressive(frame.marker) ? parameters : [0, lastCoefficient, 0];
      if ((refined! & 0x0f) === 0) for (let at = first!; at <= last!; at++) missingCoefficients.delete(at);
    }
    return missingCoefficients.size === 0;
  });
}

const lastCoefficient = 63;
const startOfImageLength = 2;
const startOfScan = 0xda;
const endOfImage = 0xd9;
const commentMarker = 0xfe;
/** Application segments, 0xe0 to 0xef. */
const [jfif, metadata, profile, adobe] = [0xe0, 0xe1, 0xe2, 0xee];
const tableMarkers = new Set([0xc4, 0xcc, 0xdb, 0xdd]);

const hasNoLength = (marker: number) => marker <= 0x01 || (marker >= 0xd0 && marker <= 0xd8);
/** Whether the marker starts a frame: 0xc0 to 0xcf without 0xc4, 0xc8 and 0xcc. */
const isFrame = (marker: number) => (marker >= 0xc0 && marker <= 0xcf && marker % 4 !== 0) || marker === 0xc0;
const isProgressive = (marker: number) => marker === 0xc2 || marker === 0xca;
const isOfApplication = (marker: number) => marker >= 0xe0 && marker <= 0xef;
const isAllowedBetweenScans = (marker: number) =>
  tableMarkers.has(marker) || isOfApplication(marker) || marker === commentMarker;
/**
 * Whether the picture needs the segment. Of the application segments, it needs only JFIF and Adobe, because they define
 * the color model.
 */
const isOfPicture = (marker: number) => marker === jfif || marker === adobe || (marker >= 0xc0 && marker <= 0xdf);
const isExif = ({ marker, data }: Segment) => marker === metadata && data.toString('latin1', 0, 6) === 'Exif\0\0';
const isOfProfile = ({ marker, data }: Segment) =>
  marker === profile && data.toString('latin1', 0, 12) === 'ICC_PROFILE\0';
const findComponentCount = (segments: Segment[]) => segments.find((it) => isFrame(it.marker))?.data[5];
