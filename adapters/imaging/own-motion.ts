/**
 * Finds the motion that a photo's own file contains: the film of a motion photo, or the pictures of an animation. Only
 * the structure of the file is read here; nothing is decoded.
 */
import type { PhotoMime } from '#contract/photo-types.ts';
import type { OwnMotion } from '#shop/ports/imaging.ts';
import { parseIsoBoxes, dataOfBox } from './iso-boxes.ts';
import { readXmp } from './jpeg-parts.ts';
import { readAnimationDelays, isMotion } from './picture-delays.ts';

interface Size {
  width: number;
  height: number;
}
export interface FoundMotion {
  motion: OwnMotion;
  /** The upright size of the film. Absent if the motion has the photo's own size. */
  size?: Size;
}

/** At most this many positions that a file states for its film are checked, because each check takes time. */
const maxCheckedOffsets = 8;
/** A film with fewer pictures, or a shorter one, is not used. */
const leastMotion = { pictures: 8, seconds: 0.5 };
/**
 * By how much the shapes (width by height) of photo and film may differ. Phones record films of 16 by 9 with photos of
 * 4 by 3. Their shapes differ by a factor of 1.33.
 */
const mostDifferentShapes = 1.45;

/** Returns undefined if the file contains no complete motion. Never throws, because the photo is usable without it. */
export function findOwnMotion(bytes: Buffer, mime: PhotoMime): FoundMotion | undefined {
  try {
    if (mime === 'image/gif' || mime === 'image/webp')
      return isMotion(readAnimationDelays(bytes, mime)) ? { motion: { kind: 'animation' } } : undefined;
    return mime === 'image/png' ? undefined : findFilm(bytes, mime);
  } catch (error) {
    // A length in the file points beyond its end.
    if (error instanceof RangeError) return undefined;
    throw error;
  }
}

/**
 * The motion, if the shape of the film is similar to the photo's. A film of another shape shows a different part of the
 * scene.
 */
export function motionIfSimilarShape(found: FoundMotion | undefined, photo: Size): OwnMotion | undefined {
  if (!found?.size) return found?.motion;
  const difference = (found.size.width * photo.height) / (found.size.height * photo.width);
  return Math.max(difference, 1 / difference) <= mostDifferentShapes ? found.motion : undefined;
}

function findFilm(bytes: Buffer, mime: PhotoMime): FoundMotion | undefined {
  const isJpeg = mime === 'image/jpeg';
  const xmp = (isJpeg ? readXmp(bytes) : findXmpInHeic(bytes)) ?? '';
  const filmOffsets = [
    ...findStartsByXmp(xmp, bytes.length),
    ...findStartsBySamsung(bytes),
    ...(isJpeg ? [] : findStartsByBox(bytes)),
  ];
  for (const offset of filmOffsets.slice(0, maxCheckedOffsets)) {
    const film = offset > 0 && offset < bytes.length ? readFilm(bytes.subarray(offset)) : undefined;
    if (!film || film.pictures < leastMotion.pictures || film.seconds < leastMotion.seconds) continue;
    const { length, width, height } = film;
    const stillAt = readStillTime(xmp, film.seconds);
    const motion = { kind: 'film' as const, offset, length, ...(stillAt !== undefined && { stillAt }) };
    return { motion, size: { width, height } };
  }
  return undefined;
}

interface Film extends Size {
  /** The length of its boxes, in bytes. */
  length: number;
  seconds: number;
  pictures: number;
}

/** Reads an MP4 or MOV at the start of these bytes. Undefined if a part of it is missing. Other bytes may follow. */
export function readFilm(bytes: Buffer): Film | undefined {
  const boxes: ReturnType<typeof parseIsoBoxes> = [];
  for (const box of parseIsoBoxes(bytes)) {
    if (!box.isComplete || !/^[\w ]{4}$/.test(box.type)) break;
    boxes.push(box);
  }
  if (boxes[0]?.type !== 'ftyp' || !boxes.some((it) => it.type === 'mdat')) return undefined;
  const length = boxes.at(-1)!.end;
  for (const track of parseIsoBoxes(dataOfBox(boxes, 'moov')).filter((it) => it.type === 'trak')) {
    const trackBoxes = parseIsoBoxes(track.data);
    const media = parseIsoBoxes(dataOfBox(trackBoxes, 'mdia'));
    if (dataOfBox(media, 'hdlr').toString('latin1', 8, 12) !== 'vide') continue;
    const samples = parseIsoBoxes(dataOfBox(parseIsoBoxes(dataOfBox(media, 'minf')), 'stbl'));
    const pictureCount = dataOfBox(samples, 'stsz').readUInt32BE(8);
    return {
      length,
      pictures: pictureCount,
      seconds: readDurationSeconds(dataOfBox(media, 'mdhd')),
      ...readUprightSize(dataOfBox(trackBoxes, 'tkhd')),
    };
  }
  return undefined;
}

/** Reads a media header. Version 1 has longer times. */
function readDurationSeconds(header: Buffer): number {
  const isLong = header[0] === 1;
  const duration = isLong ? Number(header.readBigUInt64BE(24)) : header.readUInt32BE(16);
  return duration / header.readUInt32BE(isLong ? 20 : 12);
}

/** Reads a track header: the size, in 1/65536 pixels, and the matrix that turns the picture upright. */
function readUprightSize(header: Buffer): Size {
  const extraHeaderBytes = header[0] === 1 ? 12 : 0;
  const [along, across] = [header.readInt32BE(40 + extraHeaderBytes), header.readInt32BE(44 + extraHeaderBytes)];
  const [width, height] = [76, 80].map((at) => header.readUInt32BE(at + extraHeaderBytes) / 65536) as [number, number];
  if (!(width > 0 && height > 0)) throw new RangeError('a film without a size');
  return Math.abs(across) > Math.abs(along) ? { width: height, height: width } : { width, height };
}

/**
 * Where the film starts according to XMP. A Container lists the file's parts, each from the end of the part before it.
 * MicroVideo, the earlier form, gives the distance from the end of the file.
 */
function findStartsByXmp(xmp: string, fileLength: number): number[] {
  const items = xmp.split(/<[\w-]{1,40}:Item[\s>]/).slice(1);
  const isFilm = (item: string) =>
    readXmpProperty(item, 'Semantic') === 'MotionPhoto' ||
    /^video\/(mp4|quicktime)$/.test(readXmpProperty(item, 'Mime') ?? '');
  const filmOffsets: number[] = [];
  for (let at = items.length - 1, start = fileLength; at > 0; at--) {
    start -= Number(readXmpProperty(items[at]!, 'Length') ?? 0);
    if (isFilm(items[at]!)) filmOffsets.push(start);
  }
  const offsetFromEnd = Number(readXmpProperty(xmp, 'MicroVideoOffset') ?? 0);
  return [...filmOffsets, ...(offsetFromEnd > 0 ? [fileLength - offsetFromEnd] : [])];
}

/**
 * The value of an XMP property, as an attribute or as an element; the prefix of its name may be any. The prefix is not
 * part of the pattern, because a search for one of any length would take long in a text without colons.
 */
const readXmpProperty = (xmp: string, name: string): string | undefined =>
  new RegExp(`:${name}\\s*(?:=\\s*["']([^"']*)|>([^<]*))`).exec(xmp)?.slice(1).find(Boolean);

/** The moment that the picture shows, in seconds from the film's start. -1 in the file means unknown. */
function readStillTime(xmp: string, seconds: number): number | undefined {
  const text =
    readXmpProperty(xmp, 'MotionPhotoPresentationTimestampUs') ??
    readXmpProperty(xmp, 'MicroVideoPresentationTimestampUs');
  const time = text === undefined ? -1 : Number(text) / 1e6;
  return time >= 0 && time <= seconds ? time : undefined;
}

function findXmpInHeic(bytes: Buffer): string | undefined {
  const xmpStart = bytes.indexOf('<x:xmpmeta');
  const xmpEnd = bytes.indexOf('</x:xmpmeta>', Math.max(0, xmpStart));
  return xmpStart >= 0 && xmpEnd > xmpStart && xmpEnd - xmpStart <= mostXmpBytes
    ? bytes.toString('utf8', xmpStart, xmpEnd)
    : undefined;
}
/** Longer XMP is not searched. A JPEG has at most 64 KB of it. */
const mostXmpBytes = 256 * 1024;

/**
 * Samsung's phones end the file with a directory (SEF): 'SEFH', a version, a count, an entry of twelve bytes for each
 * part, the directory's length, and 'SEFT'. An entry has a type, and how far before the directory its part starts. A
 * part has its type, the length of its name, its name and its data.
 */
function findStartsBySamsung(bytes: Buffer): number[] {
  const end = bytes.length - 8;
  if (end < 0 || bytes.toString('latin1', end + 4) !== 'SEFT') return [];
  const directory = end - bytes.readUInt32LE(end);
  if (directory < 0 || bytes.toString('latin1', directory, directory + 4) !== 'SEFH') return [];
  const filmStarts: number[] = [];
  for (
    let at = directory + 12, left = bytes.readUInt32LE(directory + 8);
    left > 0 && at + 12 <= end;
    left--, at += 12
  ) {
    if (bytes.readUInt16LE(at + 2) !== samsungFilm) continue;
    const partOffset = directory - bytes.readUInt32LE(at + 4);
    if (partOffset > 0) filmStarts.push(partOffset + 8 + bytes.readUInt32LE(partOffset + 4));
  }
  return filmStarts;
}
const samsungFilm = 0x0a30;

/** A HEIC has its film in a box of its own at the end. */
function findStartsByBox(bytes: Buffer): number[] {
  const film = parseIsoBoxes(bytes).find((it) => it.type === 'mpvd' && it.isComplete);
  return film ? [film.end - film.data.length] : [];
}
