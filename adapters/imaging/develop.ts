import { readFileSync, writeFileSync } from 'node:fs';
import sharp, { type Metadata, type Sharp, type SharpOptions } from 'sharp';
import type { PhotoMime } from '#contract/photo-types.ts';
import type { OwnMotion, UnusablePhoto } from '#shop/ports/imaging.ts';
import { firstFileDescriptor } from '../processes/child-side.ts';
import { isHdr, type HdrSpace } from './color-space.ts';
import type { HeicColor } from './heic-color.ts';
import { openHeic } from './heic.ts';
import { repairJpeg } from './jpeg-parts.ts';
import { createIccProfile } from './icc-profile.ts';
import { keepNeededParts } from './needed-parts.ts';
import { findOwnMotion, motionIfSimilarShape, type FoundMotion } from './own-motion.ts';
import { readPngHdrSpace } from './png-color.ts';
import { computePerceptualHash } from './perceptual-hash.ts';
import { insertPngProfile } from './png-profile.ts';
import { toneMapPixels } from './tone-map.ts';

export interface PhotoCopyJob {
  /** Index of the photo among the files passed to the child. Each photo comes with its copies. */
  at: number;
  mime: PhotoMime;
  bounds: DecodeLimits;
  crop?: Crop | undefined;
}
/** The turn and crop of the copies. This file imports no values of the contract, because a child cannot read them. */
interface Crop {
  /** Clockwise. */
  quarterTurns: number;
  /** The part of the turned photo, in fractions of its sides. */
  area: { left: number; top: number; width: number; height: number };
  /** The longer side of the whole photo before it is cropped has at most this length. */
  mostSourcePixels: number;
}
/** The files passed to the child for each photo, in this order. */
const childFileNames = ['photo', 'display', 'thumbnail', 'whole'] as const;
const handedFilePath = (at: number, name: (typeof childFileNames)[number]) =>
  firstFileDescriptor + at * childFileNames.length + childFileNames.indexOf(name);

/** Limits for a decoded photo. The header gives its size, so a larger photo is refused before it is decoded. */
export interface DecodeLimits {
  sidePixels: number;
  pixels: number;
  /** Size of all decoded pixels: one to four channels of one or two bytes. */
  decodedBytes: number;
}
export type PhotoCopyResult =
  /** Size in pixels of the upright original. */
  | {
      developed: {
        width: number;
        height: number;
        perceptualHash: string | undefined;
        ownMotion: OwnMotion | undefined;
      };
    }
  | { refused: { reason: UnusablePhoto['reason']; message: string } }
  /** The disk failed, not the photo. */
  | { failed: { code: string | undefined; message: string } };

const displaySide = 2560;
const thumbnailSide = 480;
const backgroundColor = '#ffffff';

// Allows only these decoders, whatever type a file claims to be: no SVG, PDF, TIFF or camera raw.
sharp.block({ operation: ['VipsForeignLoad'] });
sharp.unblock({
  operation: [
    'VipsForeignLoadJpegBuffer',
    'VipsForeignLoadPngBuffer',
    'VipsForeignLoadWebpBuffer',
    'VipsForeignLoadNsgifBuffer',
  ],
});
sharp.cache(false);
sharp.concurrency(1);

/**
 * Decodes a photo and writes its copies. Runs in a child process, because the decoders are C code and the bytes are
 * untrusted.
 */
export async function makePhotoCopies(job: PhotoCopyJob): Promise<PhotoCopyResult> {
  let copies: Copies;
  let perceptualHash: string | undefined;
  let found: FoundMotion | undefined;
  try {
    const bytes = readFileSync(handedFilePath(job.at, 'photo'));
    // Before the picture is decoded, because this changes the bytes.
    found = findOwnMotion(bytes, job.mime);
    copies = await decodePhotoToCopies(bytes, job.mime, job.bounds, job.crop);
    perceptualHash = await computePerceptualHash(copies.thumbnail);
  } catch (error) {
    if (error instanceof RefusedPhotoError) return { refused: { reason: error.reason, message: error.message } };
    if (isSystemError(error)) return { failed: { code: error.code, message: error.message } };
    return { refused: { reason: 'damaged', message: error instanceof Error ? error.message : String(error) } };
  }
  try {
    writeFileSync(handedFilePath(job.at, 'display'), copies.display);
    writeFileSync(handedFilePath(job.at, 'thumbnail'), copies.thumbnail);
    if (copies.whole) writeFileSync(handedFilePath(job.at, 'whole'), copies.whole);
  } catch (error) {
    if (isSystemError(error)) return { failed: { code: error.code, message: error.message } };
    throw error;
  }
  const { width, height } = copies;
  return { developed: { width, height, perceptualHash, ownMotion: motionIfSimilarShape(found, { width, height }) } };
}

interface Pictures {
  display: Buffer;
  thumbnail: Buffer;
  /** Only of a cropped photo. */
  whole?: Buffer;
}
interface Size {
  width: number;
  height: number;
}
interface Copies extends Pictures, Size {}

class RefusedPhotoError extends Error {
  readonly reason: UnusablePhoto['reason'];
  constructor(reason: UnusablePhoto['reason'], message: string) {
    super(message);
    this.reason = reason;
  }
}

/** Decodes a photo and makes its copies. Rejects if the photo is refused. */
export const decodePhotoToCopies = (
  bytes: Buffer,
  mime: PhotoMime,
  bounds: DecodeLimits,
  crop?: Crop,
): Promise<Copies> =>
  isHeic(mime) ? makeCopiesOfHeic(bytes, bounds, crop) : makeCopiesOfPhoto(bytes, mime, bounds, crop);

async function makeCopiesOfPhoto(
  received: Buffer,
  mime: PhotoMime,
  bounds: DecodeLimits,
  crop?: Crop,
): Promise<Copies> {
  const hdr = mime === 'image/png' ? readPngHdrSpace(received) : undefined;
  const bytes = keepNeededParts(received, mime);
  const header = await sharp(bytes, { limitInputPixels: false, failOn: 'none' }).metadata();
  if (`image/${header.format}` !== mime)
    throw new RefusedPhotoError('not-a-photo', `sniffed ${mime}, opens as ${header.format}`);
  refuseTooLarge(header, bounds);
  const { width, height } = header.autoOrient;
  const longerSide = computeLongerSide({ width, height }, crop);
  const decodePhoto = async (needed: Buffer, failOn: SharpOptions['failOn']) =>
    await encodeCopies(await convertDeepToSrgb(openUprightPhoto(needed, bounds.pixels, failOn), header, longerSide), {
      side: longerSide,
      hdr,
      crop,
    });
  return { width, height, ...(await developRepaired(bytes, mime, decodePhoto)) };
}

export const openUprightPhoto = (bytes: Buffer, limitInputPixels: number, failOn: SharpOptions['failOn']): Sharp =>
  sharp(bytes, { limitInputPixels, failOn, autoOrient: true });

async function makeCopiesOfHeic(bytes: Buffer, bounds: DecodeLimits, crop?: Crop): Promise<Copies> {
  const heic = await openHeic(bytes);
  const { width, height } = heic;
  refuseTooLarge({ width, height, channels: 4, depth: 'uchar' }, bounds);
  const rawSize = { width, height, channels: 4 } as const;
  const pixels = sharp(await heic.decode(), { raw: rawSize, limitInputPixels: bounds.pixels });
  const longerSide = computeLongerSide({ width, height }, crop);
  const makeCopiesInProfile = async (profile: Buffer) =>
    await encodeCopies(await attachProfile(fitInSquare(pixels, longerSide), profile), { side: longerSide, crop });
  return { width, height, ...(await encodeCopiesInColor(heic.color)) };

  // The decoder does not convert colors. sharp converts them to sRGB once the profile is attached.
  async function encodeCopiesInColor(color: HeicColor | undefined): ReturnType<typeof encodeCopies> {
    if (!color) return await encodeCopies(pixels, { side: longerSide, crop });
    if ('profile' in color) return await makeCopiesInProfile(color.profile);
    return await (isHdr(color.space)
      ? encodeCopies(pixels, { side: longerSide, hdr: color.space, crop })
      : makeCopiesInProfile(createIccProfile(color.space)));
  }
}

/**
 * Makes sharp convert a 16-bit picture to sRGB. By default, sharp converts 16-bit RGB to Display P3 and ignores the
 * profile of 16-bit gray pictures.
 */
async function convertDeepToSrgb(photo: Sharp, { depth, space, icc }: Metadata, side: number): Promise<Sharp> {
  if (depth !== 'ushort' || !icc) return photo;
  return space === 'grey16'
    ? await attachProfile(fitInSquare(photo, side, 'b-w'), icc)
    : photo.withIccProfile('srgb', { attach: false });
}

const attachProfile = async (pixels: Sharp, profile: Buffer) =>
  sharp(insertPngProfile(await pixels.png({ compressionLevel: 0 }).toBuffer(), profile));

interface EncodingOptions {
  /** The length to which the longer side of the whole photo is reduced. */
  side?: number;
  hdr?: HdrSpace | undefined;
  crop?: Crop | undefined;
}
/** Makes the copies: upright, sRGB, opaque, and without metadata (sharp keeps none by default). */
export async function encodeCopies(
  photo: Sharp,
  { side = displaySide, hdr, crop }: EncodingOptions = {},
): Promise<Pictures> {
  const wholePixels = hdr ? await toneMapPhoto(photo, hdr, side) : await readPixels(fitInSquare(photo, side));
  const pixels = crop ? await cropPhoto(wholePixels, crop) : wholePixels;
  const display = await encodeDisplayCopy(pixels);
  const thumbnail = await pixels
    .resize(thumbnailSide, thumbnailSide, { fit: 'inside', withoutEnlargement: true })
    .webp({ quality: 78 })
    .toBuffer();
  return { display, thumbnail, ...(crop && { whole: await encodeDisplayCopy(resizePhoto(wholePixels, displaySide)) }) };
}

const encodeDisplayCopy = (pixels: Sharp) => pixels.clone().jpeg({ quality: 88 }).toBuffer();

/**
 * The length to which the longer side of the whole photo is reduced. A photo that will be cropped is reduced less, so
 * that the longer side of the crop has as many pixels as the original and the limits allow.
 */
function computeLongerSide(upright: Size, crop: Crop | undefined): number {
  if (!crop) return displaySide;
  const { quarterTurns, area } = crop;
  const [across, down] = quarterTurns % 2 === 0 ? [upright.width, upright.height] : [upright.height, upright.width];
  const scaleOfArea = Math.max(area.width * across, area.height * down) / Math.max(across, down);
  return Math.min(crop.mostSourcePixels, Math.ceil(displaySide / scaleOfArea));
}

async function cropPhoto(photo: Sharp, { quarterTurns, area }: Crop): Promise<Sharp> {
  const turnedPhoto = quarterTurns === 0 ? photo : await readPixels(photo.clone().rotate(quarterTurns * 90));
  const { width, height } = await turnedPhoto.metadata();
  const leftPixel = Math.min(width - 1, Math.round(area.left * width));
  const top = Math.min(height - 1, Math.round(area.top * height));
  const areaWidth = Math.max(1, Math.round(area.width * width));
  const areaHeight = Math.max(1, Math.round(area.height * height));
  const innerArea = {
    left: leftPixel,
    top,
    width: Math.min(areaWidth, width - leftPixel),
    height: Math.min(areaHeight, height - top),
  };
  return readPixels(resizePhoto(turnedPhoto.clone().extract(innerArea), displaySide));
}

/** Decodes the picture once, for all copies. */
async function readPixels(photo: Sharp): Promise<Sharp> {
  const { data, info } = await photo.raw().toBuffer({ resolveWithObject: true });
  const { width, height, channels } = info;
  return sharp(data, { raw: { width, height, channels } });
}

/** Keeps a 16-bit picture at 16 bits until it is tone mapped, because 8-bit steps are too coarse near white. */
async function toneMapPhoto(photo: Sharp, hdr: HdrSpace, side: number): Promise<Sharp> {
  const has16BitDepth = (await photo.metadata()).depth === 'ushort';
  const { data, info } = await fitInSquare(photo, side, has16BitDepth ? 'rgb16' : 'srgb')
    .raw({ depth: has16BitDepth ? 'ushort' : 'uchar' })
    .toBuffer({ resolveWithObject: true });
  const { width, height, channels } = info;
  const channelValues = has16BitDepth ? new Uint16Array(data.buffer, data.byteOffset, data.length / 2) : data;
  return sharp(toneMapPixels({ data: channelValues, channels }, hdr), { raw: { width, height, channels: 3 } });
}

const fitInSquare = (photo: Sharp, side: number, colors: 'srgb' | 'rgb16' | 'b-w' = 'srgb'): Sharp =>
  resizePhoto(photo.flatten({ background: backgroundColor }).toColourspace(colors), side);

const resizePhoto = (photo: Sharp, side: number): Sharp =>
  photo.clone().resize(side, side, { fit: 'inside', withoutEnlargement: true });

/** The decoder's warning about bytes that it skipped. */
const strayBytesPattern = /extraneous bytes before marker/;

type DevelopPhoto = (bytes: Buffer, failOn: SharpOptions['failOn']) => Promise<Pictures>;

/**
 * Develops a photo and treats every decoder warning as damage, because half a picture must not be accepted. A JPEG with
 * a warning gets a second attempt without its harmless faults. If the decoder still skips stray bytes, a third attempt
 * adds more stray bytes. If they change nothing, the decoder had decoded every row before them, and the photo is
 * accepted.
 */
async function developRepaired(bytes: Buffer, mime: PhotoMime, develop: DevelopPhoto): ReturnType<DevelopPhoto> {
  try {
    return await develop(bytes, 'warning');
  } catch (error) {
    const repairedJpeg = mime === 'image/jpeg' ? repairJpeg(bytes) : undefined;
    if (!repairedJpeg) throw error;
    try {
      return await develop(repairedJpeg.bytes, 'warning');
    } catch (error) {
      const warnings = error instanceof Error ? error.message.split('\n') : [];
      if (warnings.length === 0 || !warnings.every((warning) => strayBytesPattern.test(warning))) throw error;
      const copies = await develop(repairedJpeg.bytes, 'error');
      const { display } = await develop(repairedJpeg.withMoreBytes(), 'error');
      if (!display.equals(copies.display)) throw error;
      return copies;
    }
  }
}

type Header = Pick<Metadata, 'width' | 'height' | 'channels' | 'depth'>;

function refuseTooLarge({ width, height, channels, depth }: Header, bounds: DecodeLimits): void {
  const rawPixelsText = `${width} x ${height} pixels of ${channels} channels, ${depth}`;
  if (width * height > bounds.pixels) throw new RefusedPhotoError('too-many-pixels', rawPixelsText);
  if (Math.max(width, height) > bounds.sidePixels) throw new RefusedPhotoError('side-too-long', rawPixelsText);
  const decodedBytes = width * height * channels * (depth === 'uchar' ? 1 : 2);
  if (decodedBytes > bounds.decodedBytes) throw new RefusedPhotoError('too-much-colour', rawPixelsText);
}

function isHeic(mime: PhotoMime): boolean {
  return mime === 'image/heic' || mime === 'image/heif';
}

function isSystemError(error: unknown): error is NodeJS.ErrnoException {
  // ERR_ACCESS_DENIED comes from Node's permission model. It means a bug in the shop, not a damaged photo.
  return error instanceof Error && ('syscall' in error || ('code' in error && error.code === 'ERR_ACCESS_DENIED'));
}
