import { readFileSync, writeFileSync } from 'node:fs';
import sharp, { type Metadata, type Sharp, type SharpOptions } from 'sharp';
import type { PhotoMime } from '#contract/photo-types.ts';
import type { UnusablePhoto } from '#shop/ports/imaging.ts';
import { firstFile } from '../processes/child-side.ts';
import { openHeic } from './heic.ts';
import { neededParts } from './needed-parts.ts';
import { pngWithProfile } from './png-profile.ts';

export interface DevelopJob {
  /** Which of the photos that the child was handed, each with its two copies. */
  at: number;
  mime: PhotoMime;
  bounds: Bounds;
}
/** What is handed to the child for each photo, in this order. */
const handed = ['photo', 'display', 'thumbnail'] as const;
const fileOf = (at: number, name: (typeof handed)[number]) => firstFile + at * handed.length + handed.indexOf(name);

/** What a photo may unfold to; said by its header, refused before it is decoded. */
export interface Bounds {
  sidePixels: number;
  pixels: number;
  /** All its pixels as its decoder hands them over: one to four channels of one or two bytes. */
  decodedBytes: number;
}
export type DevelopAnswer =
  /** Size upright, in pixels of the original. */
  | { developed: { width: number; height: number } }
  | { refused: { reason: UnusablePhoto['reason']; message: string } }
  /** The disk's fault, not the photo's. */
  | { failed: { code: string | undefined; message: string } };

const displaySide = 2560;
const thumbnailSide = 480;
const paper = '#ffffff';

// Only these decoders exist for us, whatever a file claims to be: no SVG, PDF, TIFF or camera raw.
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

/** Decode a photo and write its two copies. Runs in a child process: the decoders are C and the bytes are a stranger's. */
export async function developPhoto(job: DevelopJob): Promise<DevelopAnswer> {
  let copies: Copies;
  try {
    const bytes = readFileSync(fileOf(job.at, 'photo'));
    copies = await (isHeic(job.mime) ? copiesOfHeic(bytes, job.bounds) : copiesOfPhoto(bytes, job.mime, job.bounds));
  } catch (error) {
    if (error instanceof Refused) return { refused: { reason: error.reason, message: error.message } };
    if (isSystemError(error)) return { failed: { code: error.code, message: error.message } };
    return { refused: { reason: 'damaged', message: error instanceof Error ? error.message : String(error) } };
  }
  try {
    writeFileSync(fileOf(job.at, 'display'), copies.display);
    writeFileSync(fileOf(job.at, 'thumbnail'), copies.thumbnail);
  } catch (error) {
    if (isSystemError(error)) return { failed: { code: error.code, message: error.message } };
    throw error;
  }
  return { developed: { width: copies.width, height: copies.height } };
}

interface Copies {
  width: number;
  height: number;
  display: Buffer;
  thumbnail: Buffer;
}

class Refused extends Error {
  readonly reason: UnusablePhoto['reason'];
  constructor(reason: UnusablePhoto['reason'], message: string) {
    super(message);
    this.reason = reason;
  }
}

async function copiesOfPhoto(received: Buffer, mime: PhotoMime, bounds: Bounds): Promise<Copies> {
  const bytes = neededParts(received, mime);
  const header = await sharp(bytes, { limitInputPixels: false, failOn: 'none' }).metadata();
  if (`image/${header.format}` !== mime) throw new Refused('not-a-photo', `sniffed ${mime}, opens as ${header.format}`);
  refuseTooLarge(header, bounds);
  const { width, height } = header.autoOrient;
  const develop = (failOn: SharpOptions['failOn']) => encode(openUpright(bytes, bounds.pixels, failOn));
  return { width, height, ...(await developDespitePhoneQuirks(develop)) };
}

export const openUpright = (bytes: Buffer, limitInputPixels: number, failOn: SharpOptions['failOn']): Sharp =>
  sharp(bytes, { limitInputPixels, failOn, autoOrient: true });

async function copiesOfHeic(bytes: Buffer, bounds: Bounds): Promise<Copies> {
  const heic = await openHeic(bytes);
  const { width, height } = heic;
  refuseTooLarge({ width, height, channels: 4, depth: 'uchar' }, bounds);
  const raw = { width, height, channels: 4 } as const;
  const pixels = sharp(await heic.decode(), { raw, limitInputPixels: bounds.pixels });
  const fitted = fitToDisplay(pixels);
  // The decoder leaves colours as the phone's profile means them; sharp turns them into sRGB once it knows the profile.
  const upright = heic.profile
    ? sharp(pngWithProfile(await fitted.png({ compressionLevel: 0 }).toBuffer(), heic.profile))
    : fitted;
  return { width, height, ...(await encode(upright)) };
}

/** The two copies, upright, sRGB, opaque and without metadata (sharp keeps none unless asked). */
export async function encode(photo: Sharp): Promise<Pick<Copies, 'display' | 'thumbnail'>> {
  const { data, info } = await fitToDisplay(photo).raw().toBuffer({ resolveWithObject: true });
  const { width, height, channels } = info;
  const pixels = sharp(data, { raw: { width, height, channels } });
  const display = await pixels.clone().jpeg({ quality: 88 }).toBuffer();
  const thumbnail = await pixels
    .resize(thumbnailSide, thumbnailSide, { fit: 'inside', withoutEnlargement: true })
    .webp({ quality: 78 })
    .toBuffer();
  return { display, thumbnail };
}

function fitToDisplay(photo: Sharp): Sharp {
  return photo
    .flatten({ background: paper })
    .toColourspace('srgb')
    .resize(displaySide, displaySide, { fit: 'inside', withoutEnlargement: true });
}

/** Said of whole photos by the decoder: some phones write a stray byte or an odd scan header. */
const phoneQuirk = /extraneous bytes before marker|Invalid SOS parameters for sequential JPEG/;

/** Any warning means damage, for half a picture is no picture; except where every warning is a known quirk. */
async function developDespitePhoneQuirks<T>(develop: (failOn: SharpOptions['failOn']) => Promise<T>): Promise<T> {
  try {
    return await develop('warning');
  } catch (error) {
    const warnings = error instanceof Error ? error.message.split('\n') : [];
    if (warnings.length === 0 || !warnings.every((warning) => phoneQuirk.test(warning))) throw error;
    return await develop('error');
  }
}

type Header = Pick<Metadata, 'width' | 'height' | 'channels' | 'depth'>;

function refuseTooLarge({ width, height, channels, depth }: Header, bounds: Bounds): void {
  const facts = `${width} x ${height} pixels of ${channels} channels, ${depth}`;
  if (width * height > bounds.pixels) throw new Refused('too-many-pixels', facts);
  if (Math.max(width, height) > bounds.sidePixels) throw new Refused('side-too-long', facts);
  const decodedBytes = width * height * channels * (depth === 'uchar' ? 1 : 2);
  if (decodedBytes > bounds.decodedBytes) throw new Refused('too-much-colour', facts);
}

function isHeic(mime: PhotoMime): boolean {
  return mime === 'image/heic' || mime === 'image/heif';
}

function isSystemError(error: unknown): error is NodeJS.ErrnoException {
  // The second is Node's own fence: our mistake.
  return error instanceof Error && ('syscall' in error || ('code' in error && error.code === 'ERR_ACCESS_DENIED'));
}
