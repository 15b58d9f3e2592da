/**
 * What may be a key, one rule for every store: a key that one store takes and another refuses would only be found out
 * on the day of the move.
 */

/**
 * A file's type is told by its key's ending, so no store needs a second file beside the first one, and a file served
 * later has the type it was stored with. Anything else is plain bytes.
 */
const contentTypeByExtension: Record<string, string> = {
  avif: 'image/avif',
  csv: 'text/csv',
  gif: 'image/gif',
  heic: 'image/heic',
  heif: 'image/heif',
  jpeg: 'image/jpeg',
  jpg: 'image/jpeg',
  json: 'application/json',
  mov: 'video/quicktime',
  mp4: 'video/mp4',
  pdf: 'application/pdf',
  png: 'image/png',
  txt: 'text/plain',
  webm: 'video/webm',
  webp: 'image/webp',
  zip: 'application/zip',
};
const plainBytes = 'application/octet-stream';

/** The first segment no key may have: stores keep their unfinished files there. */
export const unfinishedFolder = 'tmp';

const maxKeyLength = 512;
const maxSegmentLength = 200;

function isSegment(segment: string): boolean {
  return /^[a-zA-Z0-9._-]+$/.test(segment) && !/^\.+$/.test(segment) && segment.length <= maxSegmentLength;
}

export function isKey(key: string): boolean {
  const segments = key.split('/');
  return key.length <= maxKeyLength && segments.every(isSegment) && segments[0] !== unfinishedFolder;
}

/** Throws for anything that is not a key; a wrong key is a bug or an attack, never a customer's mistake. */
export function checkKey(key: string): string {
  if (!isKey(key)) throw new TypeError(`not a storage key: ${JSON.stringify(key.slice(0, 100))}`);
  return key;
}

/** A prefix is the beginning of a key: nothing, whole folders, or folders and the start of a name. */
export function checkPrefix(prefix: string): string {
  if (prefix !== '' && !isKey(prefix.replace(/\/$/, '')))
    throw new TypeError(`not a storage prefix: ${JSON.stringify(prefix.slice(0, 100))}`);
  return prefix;
}

export function contentTypeOf(key: string): string {
  const extension = /\.([a-zA-Z0-9]+)$/.exec(key)?.[1];
  return (extension && contentTypeByExtension[extension.toLowerCase()]) ?? plainBytes;
}

/** Throws when a file would come back as another type than it was stored with. */
export function checkContentType(key: string, contentType: string): void {
  if (contentTypeOf(checkKey(key)) !== contentType)
    throw new TypeError(`the key ${key} says ${contentTypeOf(key)}, the caller says ${contentType}`);
}

/** Throws for a range that is not one, or that begins behind the end of the file: the caller answers 416 before reading. */
export function checkRange(range: { start: number; end: number }, sizeBytes = Number.POSITIVE_INFINITY): void {
  const { start, end } = range;
  if (!Number.isSafeInteger(start) || !Number.isSafeInteger(end) || start < 0 || end < start || start >= sizeBytes)
    throw new RangeError(`no bytes ${start} to ${end}`);
}
