/** Pictures built from parts, which no camera would make, for tests of hostile uploads. */
import { crc32, deflateSync } from 'node:zlib';

const signature = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);
/** Signature and IHDR. */
const pngHeadLength = 33;

/** A PNG of few bytes whose header promises many pixels. The default is 8-bit RGB. */
export function createPngBomb(width: number, height: number, { bits = 8, color = 2 } = {}): Buffer {
  return createPng({ width, height, bits, color }, [createPngChunk('IDAT', deflateSync(Buffer.alloc(100_000)))]);
}

/** A PNG with this header and these chunks. */
export function createPng(
  { width, height, bits, color }: { width: number; height: number; bits: number; color: number },
  chunks: Buffer[],
): Buffer {
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  header.set([bits, color, 0, 0, 0], 8);
  return Buffer.concat([signature, createPngChunk('IHDR', header), ...chunks, createPngChunk('IEND', Buffer.alloc(0))]);
}

export function createPngChunk(type: string, data: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from(type), data]);
  const lengthBytes = Buffer.alloc(4);
  lengthBytes.writeUInt32BE(data.length);
  const checksum = Buffer.alloc(4);
  checksum.writeUInt32BE(crc32(body));
  return Buffer.concat([lengthBytes, body, checksum]);
}

/** A PNG with extra chunks before its picture data. */
export const addPngChunks = (png: Buffer, chunks: Buffer[]) =>
  Buffer.concat([png.subarray(0, pngHeadLength), ...chunks, png.subarray(pngHeadLength)]);

/** A JPEG with extra segments before all others. */
export const addJpegSegments = (jpeg: Buffer, segments: Buffer[]) =>
  Buffer.concat([jpeg.subarray(0, 2), ...segments, jpeg.subarray(2)]);

export function createJpegSegment(marker: number, data: Buffer): Buffer {
  const head = Buffer.from([0xff, marker, 0, 0]);
  head.writeUInt16BE(data.length + 2, 2);
  return Buffer.concat([head, data]);
}

export function createWebp(chunks: Buffer[]): Buffer {
  const body = Buffer.concat([Buffer.from('WEBP'), ...chunks]);
  const head = Buffer.from('RIFF\0\0\0\0', 'latin1');
  head.writeUInt32LE(body.length, 4);
  return Buffer.concat([head, body]);
}

export function createWebpChunk(type: string, data: Buffer): Buffer {
  const head = Buffer.alloc(8);
  head.write(type, 'latin1');
  head.writeUInt32LE(data.length, 4);
  return Buffer.concat([head, data, Buffer.alloc(data.length % 2)]);
}

/** An animated WebP that repeats one small picture. */
export function createAnimatedWebp(still: Buffer, side: number, frames: number): Buffer {
  const size = Buffer.alloc(6);
  size.writeUIntLE(side - 1, 0, 3);
  size.writeUIntLE(side - 1, 3, 3);
  const frame = createWebpChunk(
    'ANMF',
    Buffer.concat([Buffer.alloc(6), size, Buffer.from([100, 0, 0, 0]), still.subarray(12)]),
  );
  const animationFlag = Buffer.from([0x02, 0, 0, 0]);
  return createWebp([
    createWebpChunk('VP8X', Buffer.concat([animationFlag, size])),
    createWebpChunk('ANIM', Buffer.alloc(6)),
    ...Array<Buffer>(frames).fill(frame),
  ]);
}
