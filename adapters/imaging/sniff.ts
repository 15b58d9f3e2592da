import { open } from 'node:fs/promises';
import { fileTypeFromBuffer } from 'file-type';
import type { PhotoMime } from '#contract/photo-types.ts';

const headBytes = 4100;
/**
 * Brands that mark an ISO media file with HEVC pictures. Files of other brands (AVIF, JPEG 2000, video) are not
 * accepted.
 */
const hevcBrands = new Set(['heic', 'heix', 'heim', 'heis']);

/** Detects the photo type from the first bytes of the file, whatever its name is; undefined for types not accepted. */
export async function sniffPhoto(path: string): Promise<PhotoMime | undefined> {
  const head = await readHead(path);
  const type = await fileTypeFromBuffer(head);
  switch (type?.mime) {
    case 'image/jpeg':
    case 'image/webp':
    case 'image/gif':
    case 'image/heic':
      return type.mime;
    // An animated PNG opens as its first picture everywhere, so treat it as a PNG.
    case 'image/png':
    case 'image/apng':
      return 'image/png';
    case 'image/heif':
      return readBrands(head).some((brand) => hevcBrands.has(brand)) ? 'image/heif' : undefined;
    default:
      return undefined;
  }
}

async function readHead(path: string): Promise<Buffer> {
  const file = await open(path);
  try {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(headBytes), 0, headBytes, 0);
    return buffer.subarray(0, bytesRead);
  } finally {
    await file.close();
  }
}

/**
 * Returns the compatible brands of the ftyp box at the start of a file. The box has a size, 'ftyp', the major brand, a
 * version, and then the compatible brands with four letters each.
 */
function readBrands(head: Buffer): string[] {
  const end = Math.min(head.readUInt32BE(0), head.length);
  const brands: string[] = [];
  for (let at = 16; at + 4 <= end; at += 4) brands.push(head.toString('latin1', at, at + 4));
  return brands;
}
