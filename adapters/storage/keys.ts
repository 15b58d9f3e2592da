/**
 * Rules for keys, the names of stored files. All stores have the same rules, so that files can be moved from one store
 * to another.
 */

/**
 * The content type of a file, by the extension of its key. So no store needs to save the type separately, and a file is
 * served with the type it was stored with. Other extensions mean plain bytes.
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
const binaryContentType = 'application/octet-stream';

/** The folder where stores write unfinished files. No key may start with it. */
export const unfinishedFolder = 'tmp';

const maxKeyLength = 512;
const maxSegmentLength = 200;

function isSegment(segment: string): boolean {
  return /^[a-zA-Z0-9._-]+$/.test(segment) && !/^\.+$/.test(segment) && segment.length <= maxSegmentLength;
}

export function isStorageKey(key: string): boolean {
  const segments = key.split('/');
  return key.length <= maxKeyLength && segments.every(isSegment) && segments[0] !== unfinishedFolder;
}

/** Throws if it is not a key. A wrong key is a bug or an attack, never a customer's mistake. */
export function checkStorageKey(key: string): string {
  if (!isStorageKey(key)) throw new TypeError(`not a storage key: ${JSON.stringify(key.slice(0, 100))}`);
  return key;
}

/** Throws if it is not the start of a key: empty, whole folders, or folders and the start of a file name. */
export function checkPrefix(prefix: string): string {
  if (prefix !== '' && !isStorageKey(prefix.replace(/\/$/, '')))
    throw new TypeError(`not a storage prefix: ${JSON.stringify(prefix.slice(0, 100))}`);
  return prefix;
}

export function contentTypeOf(key: string): string {
  const extension = /\.([a-zA-Z0-9]+)$/.exec(key)?.[1];
  return (extension && contentTypeByExtension[extension.toLowerCase()]) ?? binaryContentType;
}

/**
 * Throws if the content type is not the one of the key's extension. The file would later be served with another type
 * than it was stored with.
 */
export function checkContentType(key: string, contentType: string): void {
  if (contentTypeOf(checkStorageKey(key)) !== contentType)
    throw new TypeError(`the key ${key} says ${contentTypeOf(key)}, the caller says ${contentType}`);
}

/**
 * Throws for an invalid range and for a range that starts after the end of the file. The caller then responds with
 * status 416 before it reads.
 */
export function checkByteRange(range: { start: number; end: number }, sizeBytes = Number.POSITIVE_INFINITY): void {
  const { start, end } = range;
  if (!Number.isSafeInteger(start) || !Number.isSafeInteger(end) || start < 0 || end < start || start >= sizeBytes)
    throw new RangeError(`no bytes ${start} to ${end}`);
}
